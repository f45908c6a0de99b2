"""Words of a phrase, told apart by how long the phrase is and by what was negated before."""

import re

EDGES = "< {} >"
_LETTERS = re.compile(r"\W")
# From general English and from no data.
_NEGATES = re.compile(
    "not|n't|no|never|without|nothing|neither|nor|hardly|barely|lack|lacks|lacking|too|none|nobody"
    "|few|less|little|least"
)
_ENDS = re.compile(r"[,.;:]|but")
# A phrase of two words is a name or a taste of one; one of eight or more makes a point.
SHORT, LONG = 3, 8


def by_size(text: str) -> str:
    """Mark each word by the phrase's size, in words: a word alone says less of itself.

    Examples
    --------
    >>> by_size("good film"), by_size("it 's good")
    ('good_s film_s', 'it_m xs_m good_m')
    """
    words = text.split()
    size = "s" if len(words) < SHORT else "m" if len(words) < LONG else "l"
    return " ".join(f"{_plain(word)}_{size}" for word in words)


def by_negation(text: str) -> str:
    """Mark each word after a negation, up to a comma, a full stop or a "but".

    Examples
    --------
    >>> by_negation("not good , but fun")
    'not good_not x but fun'
    """
    marked, negated = [], False
    for word in text.split():
        negated = negated and not _ENDS.fullmatch(word)
        marked.append(f"{_plain(word)}_not" if negated else _plain(word))
        negated = negated or bool(_NEGATES.fullmatch(word))
    return " ".join(marked)


def _plain(word: str) -> str:
    """Keep a word in one piece where texts are cut into words."""
    return _LETTERS.sub("x", word)
