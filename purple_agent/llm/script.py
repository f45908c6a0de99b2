"""The cells of a run as one script, which does what the kernel did."""

from collections.abc import Sequence

from purple_agent.sandbox import Outcome

# The shell of the kernel itself: it goes on after an error and understands the same commands.
_HEAD = '''"""The cells of one run, in order.

Run it with the Python that has the same packages, in an empty folder that holds the data in data/:
python cells.py
"""

from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
'''


def as_script(cells: Sequence[tuple[str, Outcome]]) -> str:
    """Write cells as a script; after a cell whose kernel died, variables are forgotten."""
    parts = [_HEAD]
    for number, (code, outcome) in enumerate(cells, start=1):
        ended = f"ended as: {outcome.status}, after {outcome.seconds:g} s"
        parts.append(f"\n# %% cell {number}, {ended}")
        if outcome.status in ("interrupted", "killed"):
            parts.append("# It did not run to its end, so it is left out: it might not end here.")
            parts.append(f"stopped = {_quoted(code)}")
        else:
            parts.append(f"shell.run_cell({_quoted(code)})")
        if outcome.status == "killed":
            parts.append("shell.reset()")
    return "\n".join(parts) + "\n"


def _quoted(code: str) -> str:
    """Quote code so that it can be read, where that is possible."""
    plain = "'''" not in code and "\\" not in code and not code.endswith("'")
    readable = plain and all(character in "\n\t" or character.isprintable() for character in code)
    return f"'''\n{code}\n'''" if readable else repr(code)
