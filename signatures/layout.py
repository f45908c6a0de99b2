"""Key and columns of a signature file, without parsing it.

Parsing a thousand files takes a third of a second, and only those whose key columns are in the
data matter. So the two lists are picked out by a pattern first, and whichever file the pattern
does not understand is parsed. A list that the pattern finds is the one a TOML parser would find:

- in a text without triple quotes, a line's start never lies inside a string;
- before the first line that opens a table, a line that starts ``key = [`` sets the top-level key,
  for nothing else that may stand inside a list or an inline table looks like that;
- strings with a backslash, which would need decoding, are not understood.

What is picked out only decides which files are parsed: these are then checked in full.
"""

import re

_ITEM = r"""[\s,]|"[^"\\\n]*"|'[^'\n]*'|\#[^\n]*"""
# Possessive, so that a list it does not understand is given up at once.
_LIST = re.compile(rf"^(key|columns)[ \t]*=[ \t]*\[((?:{_ITEM})*+)\][ \t]*(?:\#.*)?$", re.MULTILINE)
_TEXT = re.compile(r"""\#[^\n]*|"([^"]*)"|'([^']*)'""")
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


def scan(text: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    r"""Return the key and the columns, or None if the file has to be parsed.

    Examples
    --------
    >>> scan('key = ["b"]  # enough\ncolumns = [\n  "a", "b",\n]')
    (('b',), ('a', 'b'))
    >>> scan('key = ["caf\\u00e9"]') is None
    True
    """
    if '"""' in text or "'''" in text:
        return None
    if table := _TABLE.search(text):
        text = text[: table.start()]
    found = {match[1]: _texts(match[2]) for match in _LIST.finditer(text)}
    if found.keys() != {"key", "columns"}:
        return None
    return found["key"], found["columns"]


def _texts(inside: str) -> tuple[str, ...]:
    """Return the strings of a list, without what is only a comment."""
    matches = _TEXT.finditer(inside)
    return tuple(match[1] or match[2] or "" for match in matches if match[0][0] != "#")
