"""Numbers and words as the cells of a Markdown table."""

from collections.abc import Iterable, Mapping, Sequence

_SPECIAL = "\\`*[]<>|"


def plain(text: str) -> str:
    r"""Write a text of unknown origin so that Markdown shows it as it is, on one line.

    Examples
    --------
    >>> print(plain("a|b <!-- c"))
    a\|b \<!-- c
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in line)


def code(text: str) -> str:
    """Write a text as code; a backtick in it takes two around it."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def number(mean: float | None, sem: float | None = None) -> str:
    """Write a score, with its standard error where there is one.

    Examples
    --------
    >>> number(0.81583, 0.00073), number(0.81583), number(None)
    ('0.81583 ± 0.00073', '0.81583', '-')
    """
    if mean is None:
        return "-"
    return f"{mean:.5f}" if sem is None else f"{mean:.5f} ± {sem:.5f}"


def seconds(value: float | None) -> str:
    """Write seconds, with one decimal where there are few.

    Examples
    --------
    >>> seconds(9.26), seconds(1234.5)
    ('9.3 s', '1,234 s')
    """
    if value is None:
        return "-"
    return f"{value:.1f} s" if value < 10 else f"{value:,.0f} s"


def memory(mb: float | None) -> str:
    """Write 10^6 bytes as GB."""
    return "-" if mb is None else f"{mb / 1000:.2f} GB"


def times(counts: Mapping[str, int], total: int) -> str:
    """Write what was the case in how many of `total`; alone what always was.

    Examples
    --------
    >>> times({"stack": 3}, 3), times({"average": 2, "stack": 1}, 3), times({}, 3)
    ('stack', 'average (2 of 3), stack (1 of 3)', '-')
    """
    if len(counts) == 1 and total in counts.values():
        return plain(next(iter(counts)))
    parts = [f"{plain(name)} ({count} of {total})" for name, count in counts.items()]
    return ", ".join(parts) or "-"


def listed(values: Iterable[object]) -> str:
    """Join different values in their order of appearance."""
    return ", ".join(dict.fromkeys(map(str, values)))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a table; cells are taken as they are."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
