"""What the labels and scores of a text's relatives tell of it, rebuilt inside every fit."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import sparse

from solvers.models.families import Family, Links, Places
from solvers.models.readers import Classes, Marked, Reader, ReadFirst, in_turn, own_columns
from solvers.models.tokens import Texts
from solvers.target import Array


@dataclass(frozen=True)
class ReadAmongRelatives(ReadFirst):
    """Shows an inner model what readers tell of a text and of its relatives, and their labels.

    Classes are steps of a scale: a text tilts by how far its class is from the middle, and has
    force by how far whichever way.

    - No row is its own relative, so a row of the fit is told labels of other rows of the fit only,
      of one row fewer than a row to be predicted.
    - A relative's text holds words of the text, so its score, too, comes from a reader who has not
      seen the text's label, whether or not the reader has seen the relative's.

    Attributes
    ----------
    links : Links
        Who is whose relative.
    """

    links: Links = field(default_factory=Links)

    @property
    def keys(self) -> tuple[str, ...]:
        """See `ReadFirst`."""
        return self.links.columns

    def tell(self, texts: pd.DataFrame, y: Classes, n_classes: int, seed: int) -> pd.DataFrame:
        """See `ReadFirst`; the labels of relatives are told last."""
        tilt = np.full(len(texts), np.nan)
        tilt[: len(y)] = _steps(n_classes)[y]
        labels = labels_of_relatives(self.links.family(texts), tilt)
        return super().tell(texts, y, n_classes, seed).join(labels)

    def _told_by(
        self,
        reader: Reader,
        texts: Texts,
        classes: Classes,
        fold_of_text: Classes,
        n_classes: int,
    ) -> Array:
        reading = reader.read(texts, fold_of_text >= 0)
        family = self.links.family(texts.columns)
        everyone = np.ones_like(classes, dtype=bool)

        def told(seen: Marked, wanted: Marked) -> Array:
            scores = reading.scores(classes, seen, everyone, n_classes)
            leans = [_leanings(family, score, classes, seen, wanted) for score in scores]
            return np.concatenate([own_columns(scores[:, wanted]), *leans])

        return in_turn(fold_of_text, told)


def _steps(n_classes: int) -> Array:
    return np.arange(n_classes, dtype=np.float64) - (n_classes - 1) / 2


def _leanings(
    family: Family, scores: Array, classes: Classes, seen: Marked, wanted: Marked
) -> Array:
    """Give tilt and force of each text `wanted`, and of its relatives.

    Of a near relative: by its text; by its label where that is known (a class of -1 is not), else
    by its text; and how much further its label tilts than its text. Of all above and within: by how
    much the labels `seen` exceed their texts, on average.
    """
    steps = _steps(scores.shape[1])
    by_text = np.stack([scores @ steps, scores @ np.abs(steps)])
    label = np.where(classes >= 0, np.stack([steps, np.abs(steps)])[:, classes], np.nan)
    surplus = label - by_text
    best = np.where(np.isnan(label), by_text, label)
    told = [by_text[:, wanted]]
    for relative in family.near.values():
        row = relative[wanted]
        told += [_at(values, row) for values in (by_text, best, surplus[:1])]
    told.append(_at(by_text[:1], family.top[wanted]))
    told += [_mean(of[wanted], surplus, seen) for of in (family.above, family.within)]
    return np.concatenate(told)


def labels_of_relatives(family: Family, tilt: Array) -> pd.DataFrame:
    """Tell each text of its relatives' `tilt`, which is NaN where it is not known."""
    known = ~np.isnan(tilt)
    one = {**family.near, **family.far}
    told = {name: _at(tilt[None], row)[0] for name, row in one.items()}
    told |= _nearest(family.whole, tilt)
    several = {"wholes": family.wholes, "above": family.above, "within": family.within}
    ways = {"mean": tilt, "up": np.maximum(tilt, 0), "down": np.minimum(tilt, 0)}
    for name, of in several.items():
        for which, marked in (("known", known), ("unknown", ~known)):
            told[f"{name} {which}"] = of @ marked.astype(np.float64)
        means = _mean(of, np.stack(list(ways.values())), known)
        told |= {f"{name} {way}": mean for way, mean in zip(ways, means, strict=True)}
    return pd.DataFrame({f"relatives {name}": values for name, values in told.items()})


def _nearest(whole: Places, tilt: Array) -> dict[str, Array]:
    """Tell of the nearest text around each one whose label is known, and how far up it is."""
    known = ~np.isnan(tilt)
    row, steps = whole.copy(), np.ones(len(whole))
    while (further := (row >= 0) & ~known[row]).any():
        row[further] = whole[row[further]]
        steps[further] += 1
    return {"nearest": _at(tilt[None], row)[0], "nearest steps": np.where(row >= 0, steps, np.nan)}


def _at(values: Array, row: Places) -> Array:
    """Give a relative's values, NaN where there is none."""
    return np.where(row >= 0, values[:, row], np.nan)


def _mean(of: sparse.csr_matrix, values: Array, known: Marked) -> Array:
    """Average over the known of several relatives, and one more with a value of 0."""
    sums = of @ np.where(known, values, 0.0).T
    n_known = of @ known.astype(np.float64)
    return np.asarray(sums.T / (n_known + 1))
