"""One seed in, a child for every purpose out; global random state is never touched."""

import zlib

import numpy as np


def fold_seed(seed: int, repeat: int) -> int:
    """Seed of the shuffle that makes the `repeat`-th set of folds."""
    return _child(seed, _word("folds"), repeat)


def fit_seed(seed: int, repeat: int, fold: int, target_number: int, model: str) -> int:
    """Seed of one fit. It depends on what is fitted, never on how many other fits there are."""
    return _child(seed, _word(model), repeat, fold, target_number)


def seed_of(seed: int, purpose: str, number: int = 0) -> int:
    """Seed of what is done besides solving; with it, a run's folds and fits are others."""
    return _child(seed, _word(purpose), number)


def _child(seed: int, *key: int) -> int:
    # Below 2**31, since the boosting libraries take a signed 32-bit seed.
    state = np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint32)
    return int(state[0]) & 0x7FFF_FFFF


def _word(text: str) -> int:
    """A number for a name; unlike `hash`, the same in every process."""
    return zlib.crc32(text.encode())
