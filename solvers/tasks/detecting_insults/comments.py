"""Comments as people wrote them: what the file escapes is decoded."""

import html
import re

import numpy as np
import pandas as pd

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\n", "b": " ", "f": " ", "v": " ", "0": " "}
_BYTES = re.compile(r"[\x80-\xff]{2,}")
_LAST = 0x10FFFF
_TIMES = 4  # that a comment was escaped, at most


def decoded(comment: str) -> str:
    r"""Give the text of a quoted and escaped comment; some are escaped several times over.

    Letters whose UTF-8 bytes were taken for letters are put together again.

    Examples
    --------
    >>> decoded(r'"a\\nb\xa0\u0111"')
    'a\nb\xa0đ'
    >>> decoded(r'"caf\\xc3\\xa9"')
    'café'
    """
    text = comment.removeprefix('"').removesuffix('"')
    for _ in range(_TIMES):
        text = _ESCAPE.sub(_meant, text)
    return html.unescape(_BYTES.sub(_letters, text))


def _meant(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code is None:
        return _NAMED.get(found[4], found[4] if found[4] in "\\'\"" else found[0])
    number = int(code, 16)
    # Half of a pair, which no encoding can write, says nothing by itself.
    return chr(number) if number <= _LAST and not 0xD800 <= number <= 0xDFFF else " "


def _letters(found: re.Match[str]) -> str:
    try:
        return found[0].encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


NOUNS = ["game", "phone", "team", "article", "school", "river", "movie", "ticket", "budget"]
INSULTS = ["idiot", "moron", "fool", "loser", "clown"]


def comments(
    n_train: int, n_test: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make synthetic train, test and sample tables; two comments of test are alike but in date."""
    random = np.random.default_rng(seed)
    n = n_train + n_test
    insult = random.random(n) < 0.3
    texts = []
    for number, insulting in enumerate(insult):
        thing, other = random.choice(NOUNS, 2)
        named = random.choice(INSULTS if insulting != (random.random() < 0.1) else NOUNS)
        texts.append(f'"You are a {named}.\\\\n the {thing} and the {other}\\\\xa0 no {number}"')
    if n_test > 1:
        texts[-1], insult[-1] = texts[-2], insult[-2]
    day = random.integers(1, 29, n)
    dates = [f"201206{d:02d}123456Z" if random.random() < 0.8 else None for d in day]
    rows = pd.DataFrame({"Insult": insult.astype(int), "Date": dates, "Comment": texts})
    test = rows.iloc[n_train:].drop(columns="Insult").reset_index(drop=True)
    return rows.iloc[:n_train], test, test.assign(Insult=0)[list(rows)]
