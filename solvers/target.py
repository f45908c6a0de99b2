"""What is to be predicted: one target column, its kind, and the shape of a prediction for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["binary", "multiclass", "regression"]
Array = npt.NDArray[np.float64]
FoldIndex = npt.NDArray[np.int16]  # for each row, the fold that holds it out; -1 for none


Link = Literal["identity", "log1p", "log"]
# What a metric measures errors in, models had better be fitted in.
LINKS: Mapping[str, Link] = {"rmsle": "log1p", "rmse_log": "log"}
_Function = Callable[[Array], Array]
_TO_LINK: Mapping[Link, _Function] = {"identity": np.asarray, "log1p": np.log1p, "log": np.log}
_FROM_LINK: Mapping[Link, _Function] = {"identity": np.asarray, "log1p": np.expm1, "log": np.exp}


def n_folds(index: FoldIndex) -> int:
    """Count the folds that an index numbers."""
    return int(index.max()) + 1


@dataclass(frozen=True)
class Target:
    """One target column.

    Attributes
    ----------
    name : str
        The column in train and in the submission.
    labels : tuple of str
        The classes as the files write them, in the order of their class index; empty for a
        regression.
    link : {"identity", "log1p", "log"}
        How a number is turned before models are fitted to it. Predictions of models and blends
        are in that unit too; they are turned back to be scored and handed in.
    power : int
        Numbers are first divided by this power of two, which loses no digit: libraries hold a
        target in single precision, and take some constants for small or large.
    """

    name: str
    labels: tuple[str, ...] = ()
    link: Link = "identity"
    power: int = 0

    @property
    def least(self) -> float:
        """The least number that its link can turn."""
        return {"identity": -np.inf, "log1p": 0.0, "log": np.finfo(np.float64).tiny}[self.link]

    def to_link(self, y: Array) -> Array:
        """Turn a number in its own unit into the one that models predict."""
        return _TO_LINK[self.link](np.ldexp(y, -self.power) if self.power else y)

    def from_link(self, predictions: Array) -> Array:
        """Turn what models predict into the target's own unit."""
        own = _FROM_LINK[self.link](predictions)
        return np.ldexp(own, self.power) if self.power else own

    @property
    def kind(self) -> Kind:
        """Whether the target is a number, one of two classes, or one of several."""
        if not self.labels:
            return "regression"
        return "binary" if len(self.labels) == 2 else "multiclass"

    @property
    def n_outputs(self) -> int:
        """Columns of a prediction: one for a number or a probability, else one per class."""
        return len(self.labels) if self.kind == "multiclass" else 1

    def of_each_class(self, predictions: Array) -> Array:
        """Give probabilities of all classes, ``(n_rows, n_classes)``."""
        if self.kind == "binary":
            return np.hstack([1 - predictions, predictions])
        return predictions

    def class_index(self, predictions: Array) -> npt.NDArray[np.intp]:
        """Decide for a class in each row of an ``(n_rows, n_outputs)`` array of probabilities."""
        if self.kind == "binary":
            return (predictions[:, 0] >= 0.5).astype(np.intp)
        return np.asarray(np.argmax(predictions, axis=1), dtype=np.intp)

    def decide(self, predictions: Array, spelling: Sequence[str] | None = None) -> list[str]:
        """Write each row's class as `spelling` (by default `labels`) writes it."""
        words = self.labels if spelling is None else spelling
        return [words[index] for index in self.class_index(predictions)]
