"""Values written as Python source, laid out as the formatter would leave it."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

WIDTH = 100
LONG = 60  # characters of a text that does not fit into a line among others


def text(value: str) -> str:
    r"""Write a string; what may be taken for another letter is written by its number.

    Examples
    --------
    >>> print(text('caf\xe9 "5 \u2013 6"'))
    'café "5 \u2013 6"'
    """
    quote = "'" if value.count('"') > value.count("'") else '"'
    return quote + "".join(_letter(letter, quote) for letter in value) + quote


def _letter(letter: str, quote: str) -> str:
    if letter in {quote, "\\"}:
        return f"\\{letter}"
    readable = letter.isascii() or (letter.isalpha() and letter < "\u0180")
    return letter if readable and letter.isprintable() else ascii(letter)[1:-1]


def identifiers(names: Iterable[str], taken: Callable[[str], bool]) -> dict[str, str]:
    """Give each name one that Python takes: its own if it can, else one made of its letters."""
    names = list(names)
    found = {name: name for name in names if name.isascii() and name.isidentifier()}
    found = {name: own for name, own in found.items() if not taken(own) and own[0] != "_"}
    used = set(found.values())
    for name in names:
        if name in found:
            continue
        plain = re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")[:40].rstrip("_") or "column"
        plain = plain if plain[0].isalpha() and not taken(plain) else f"column_{plain}"
        own, number = plain, 2
        while own in used or taken(own):
            own, number = f"{plain}_{number}", number + 1
        used.add(own)
        found[name] = own
    return found


def call(head: str, arguments: Sequence[str], indent: int = 0) -> str:
    """Write a call on one line, or with an argument on each."""
    whole = f"{head}({', '.join(arguments)})"
    if indent + len(whole) <= WIDTH:
        return whole
    inner = "".join(f"{' ' * (indent + 4)}{argument},\n" for argument in arguments)
    return f"{head}(\n{inner}{' ' * indent})"


def listing(name: str, items: Sequence[str]) -> str:
    """Assign a list of sources to a name, several to a line."""
    whole = f"{name} = [{', '.join(items)}]"
    if len(whole) <= WIDTH:
        return whole
    return f"{name} = [\n{wrapped(items, 4)}]  # fmt: skip"


def mapping(name: str, entries: Mapping[str, Sequence[str] | str]) -> str:
    """Assign a dict to a name; its values are sources, or lists of sources."""
    lines, skip = "", ""
    for key, value in entries.items():
        shown = value if isinstance(value, str) else f"[{', '.join(value)}]"
        line = f"    {key}: {shown},\n"
        if len(line) > WIDTH + 1:
            line, skip = f"    {key}: [\n{wrapped(value, 8)}    ],\n", "  # fmt: skip"
        lines += line
    return f"{name} = {{\n{lines}}}{skip}"


def wrapped(items: Iterable[str], indent: int) -> str:
    """Lay items out, each followed by a comma, as many to a line as fit."""
    lines, line = "", " " * indent
    for item in items:
        if line.strip() and len(line) + len(item) + 1 > WIDTH:
            lines, line = f"{lines}{line.rstrip()}\n", " " * indent
        line += f"{item}, "
    return f"{lines}{line.rstrip()}\n"


def constant(name: str, value: str) -> str:
    """Assign a string to a name, in parts where it is long."""
    if len(whole := f"{name} = {text(value)}") <= WIDTH:
        return whole
    parts = [""]
    for letter in value:
        if len(text(parts[-1] + letter)) > WIDTH - 10:
            parts.append("")
        parts[-1] += letter
    return f"{name} = (\n" + "".join(f"    {text(part)}\n" for part in parts) + ")"


def expression(value: Any) -> str:
    """Write a frozen description, such as a model, with what differs from its defaults.

    Examples
    --------
    >>> from solvers.models import LightGBM
    >>> expression((LightGBM(num_leaves=3),))
    '(LightGBM(num_leaves=3),)'
    """
    if isinstance(value, tuple):
        inside = ", ".join(map(expression, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if not dataclasses.is_dataclass(value):
        return text(value) if isinstance(value, str) else repr(value)
    arguments = [
        expression(own) if needed else f"{name}={expression(own)}"
        for name, own, needed in _said(value)
    ]
    return f"{type(value).__name__}({', '.join(arguments)})"


def classes(value: Any) -> set[type]:
    """Name the classes that `expression` writes."""
    if isinstance(value, tuple):
        return {found for inner in value for found in classes(inner)}
    if not dataclasses.is_dataclass(value):
        return set()
    return {type(value)} | {found for _, own, _ in _said(value) for found in classes(own)}


def _said(value: Any) -> Iterator[tuple[str, Any, bool]]:
    """Yield what has to be said of a description: name, value, and whether there is no default."""
    for field in dataclasses.fields(value):
        own, needed = getattr(value, field.name), field.default is dataclasses.MISSING
        if needed or own != field.default:
            yield field.name, own, needed
