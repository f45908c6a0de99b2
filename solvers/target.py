"""What is to be predicted: one target column, its kind, and the shape of a prediction for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["binary", "multiclass", "regression"]
Array = npt.NDArray[np.float64]
FoldIndex = npt.NDArray[np.int16]  # for each row, the number of the fold that holds it out


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
    """

    name: str
    labels: tuple[str, ...] = ()

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

    def class_index(self, predictions: Array) -> npt.NDArray[np.intp]:
        """Decide for a class in each row of an ``(n_rows, n_outputs)`` array of probabilities."""
        if self.kind == "binary":
            return (predictions[:, 0] >= 0.5).astype(np.intp)
        return np.asarray(np.argmax(predictions, axis=1), dtype=np.intp)

    def decide(self, predictions: Array, spelling: Sequence[str] | None = None) -> list[str]:
        """Write each row's class as `spelling` (by default `labels`) writes it."""
        words = self.labels if spelling is None else spelling
        return [words[index] for index in self.class_index(predictions)]
