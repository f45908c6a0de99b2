"""Made-up reviews, cut into phrases as a parser would, for the demo and the tests."""

import numpy as np
import pandas as pd

GOOD = ["warm", "witty", "tender", "splendid", "lively", "clever"]
BAD = ["dull", "stale", "clumsy", "lifeless", "dreary", "shrill"]
PLAIN = ["film", "plot", "actor", "scene", "music", "ending", "director", "camera", "the", "with"]
# How far a word moves the whole, and how the five steps of the scale are cut.
FORCE = {word: 1.0 for word in GOOD} | {word: -1.0 for word in BAD} | {word: 0.0 for word in PLAIN}
CUTS = (-1.5, -0.5, 0.5, 1.5)


def reviews(
    n_train: int, n_test: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Make synthetic train, test and sample tables: phrases of one sentence fall in both."""
    random = np.random.default_rng(seed)
    n = n_train + n_test
    seen: dict[str, int] = {}  # in what sentence a phrase stood first: it is not told again
    sentence = 0
    while len(seen) < n:
        sentence += 1
        words = random.choice([*GOOD, *BAD, *PLAIN], int(random.integers(4, 12))).tolist()
        for phrase in _cut(words, random):
            seen.setdefault(phrase, sentence)
    phrases = list(seen)[:n]
    force = np.array([sum(FORCE[word] for word in phrase.split()) for phrase in phrases])
    rows = pd.DataFrame(
        {
            "PhraseId": np.arange(1, n + 1),
            "SentenceId": [seen[phrase] for phrase in phrases],
            "Phrase": phrases,
            "Sentiment": np.digitize(force + random.normal(0, 0.4, n), CUTS),
        }
    ).iloc[random.permutation(n)]
    test = rows.iloc[n_train:].drop(columns="Sentiment").reset_index(drop=True)
    train = rows.iloc[:n_train].reset_index(drop=True)
    return train, test, test[["PhraseId"]].assign(Sentiment=2)


def _cut(words: list[str], random: np.random.Generator) -> list[str]:
    """Give a phrase, then all that its left half is made of, then its right half."""
    if len(words) == 1:
        return words
    at = int(random.integers(1, len(words)))
    return [" ".join(words), *_cut(words[:at], random), *_cut(words[at:], random)]
