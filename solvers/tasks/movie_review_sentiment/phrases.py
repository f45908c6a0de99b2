"""Which phrases a phrase is made of, and which one it is part of.

A parser cut each sentence in two, and each part again, down to words. A table holds each phrase
once, in the first sentence that has it, and a sentence's phrases in the order in which they were
cut: whole before part, left before right. So the parts of a phrase may stand under another
sentence, and are looked up by what they say, in whatever letters.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

NONE = -1
# Longer ones, of which no sentence is, are not cut at each of their words: that takes a square.
MOST_WORDS = 200


def spelled(phrase: str) -> str:
    """Write a phrase in small letters, one blank between words."""
    return " ".join(phrase.lower().split())


def relatives(rows: pd.DataFrame) -> pd.DataFrame:
    """Number the rows in order of `PhraseId`; give each one's own number and its relatives'.

    Returns
    -------
    DataFrame
        ``phrase``, and ``whole``, ``left`` and ``right``: the number of the row, or -1.
    """
    ordered = rows.sort_values(["SentenceId", "PhraseId"])
    said = [spelled(phrase) for phrase in ordered["Phrase"]]
    wholes = parents(ordered["SentenceId"].tolist(), said)
    first_with = {text: place for place, text in reversed(list(enumerate(said))) if text}
    told = pd.DataFrame(
        [
            halves(text, mine, said, first_with)
            for text, mine in zip(said, children(wholes), strict=True)
        ],
        columns=["left", "right"],
        index=ordered.index,
    )
    told.insert(0, "whole", wholes)
    told.insert(0, "phrase", np.arange(len(told)))
    return told.reindex(rows.index).astype("float64")


def parents(sentence: Sequence[int], said: Sequence[str]) -> list[int]:
    """Find the last phrase before each one, in its sentence, that has it as a part.

    Examples
    --------
    >>> parents([1, 1, 1, 1], ["a fine film", "a", "fine film", "fine"])
    [-1, 0, 0, 2]
    """
    found: list[int] = []
    around: list[int] = []
    for place, text in enumerate(said):
        if place and sentence[place] != sentence[place - 1]:
            around = []
        if not text:
            found.append(NONE)
            continue
        while around and not _within(text, said[around[-1]]):
            around.pop()
        found.append(around[-1] if around else NONE)
        around.append(place)
    return found


def _within(part: str, whole: str) -> bool:
    return len(part) < len(whole) and f" {part} " in f" {whole} "


def children(wholes: Sequence[int]) -> list[list[int]]:
    """Turn around who is part of whom."""
    found: list[list[int]] = [[] for _ in wholes]
    for place, whole in enumerate(wholes):
        if whole != NONE:
            found[whole].append(place)
    return found


def halves(
    text: str, mine: Sequence[int], said: Sequence[str], first_with: Mapping[str, int]
) -> tuple[int, int]:
    """Find what a phrase was cut into: a part under it, and what is left of the phrase.

    Where no part stands under it, it is cut where both halves are phrases.

    Examples
    --------
    >>> said = ["a fine film", "a", "fine film", "fine"]
    >>> places = {text: place for place, text in enumerate(said)}
    >>> halves("a fine film", [1], said, places), halves("fine film", [3], said, places)
    ((1, 2), (3, -1))
    """
    known: tuple[int, int] = (NONE, NONE)
    for place in mine:
        part = said[place]
        if text.startswith(f"{part} "):
            known = (place, first_with.get(text[len(part) + 1 :], NONE))
        elif text.endswith(f" {part}"):
            known = (first_with.get(text[: -len(part) - 1], NONE), place)
        if NONE not in known:
            return known
    return known if mine else _cut(text, first_with)


def _cut(text: str, first_with: Mapping[str, int]) -> tuple[int, int]:
    """Cut a phrase at the first blank that has phrases on both sides."""
    words = text.split(" ")
    for n in range(1, len(words) if len(words) <= MOST_WORDS else 0):
        left, right = " ".join(words[:n]), " ".join(words[n:])
        if left in first_with and right in first_with:
            return first_with[left], first_with[right]
    return NONE, NONE
