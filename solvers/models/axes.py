"""The axes along which classes differ most, for the spread within them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular

from solvers.models.dense import standardised
from solvers.target import Array

Classes = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Whitened:
    """Rows on a scale on which each class spreads by 1 in every direction.

    Attributes
    ----------
    old, new : ndarrays of shape (n_rows, n_axes) and (n_new, n_axes)
        The rows that were fitted, and those to be predicted.
    means : ndarray of shape (n_known, n_axes)
        Of each class that the fit knows, in the order of `known`.
    known : ndarray of shape (n_known,)
        Class indexes.
    """

    old: Array
    new: Array
    means: Array
    known: Classes


def whitened(points: Array, y: Array, new: Array, shrink: float) -> Whitened:
    """Whiten by the covariance within classes, pooled over them.

    The covariance is shrunk towards a multiple of the unit matrix by `shrink` (0 to 1), as there
    may be more features than rows [1]_.

    References
    ----------
    .. [1] Ledoit and Wolf (2004), A well-conditioned estimator for large-dimensional covariance
       matrices, Journal of Multivariate Analysis 88.
    """
    old, new = standardised(points, new, far=6.0)
    known, place, counts = np.unique(y.astype(np.intp), return_inverse=True, return_counts=True)
    sums = np.zeros((len(known), old.shape[1]))
    np.add.at(sums, place, old)
    means = sums / counts[:, None]
    rest = old - means[place]
    spread = rest.T @ rest / max(1, len(old) - len(known))
    unit = np.eye(len(spread)) * max(float(np.trace(spread)) / len(spread), 1e-12)
    root = np.linalg.cholesky((1 - shrink) * spread + shrink * unit)
    old, new, means = (solve_triangular(root, table.T, lower=True).T for table in (old, new, means))
    return Whitened(old, new, means, known)


@dataclass(frozen=True)
class DiscriminantAxes:
    """Fisher's discriminant coordinates [1]_: whitened, and only what tells class means apart.

    There are fewer of them than classes. Scaled alike, to a mean square of 1 over all.

    References
    ----------
    .. [1] Rao (1948), The utilization of multiple measurements in problems of biological
       classification, Journal of the Royal Statistical Society B 10.
    """

    shrink: float = 0.3

    def __call__(self, points: Array, y: Array, new: Array) -> tuple[Array, Array, Classes]:
        """Give both tables' coordinates, and the classes that are known."""
        white = whitened(points, y, new, self.shrink)
        _, sizes, axes = np.linalg.svd(white.means - white.means.mean(axis=0), full_matrices=False)
        axes = axes[sizes > 1e-8 * max(sizes[0], 1e-12)].T
        centre = white.old.mean(axis=0) @ axes
        old, new = white.old @ axes - centre, white.new @ axes - centre
        scale = (old.std() if old.size else 0.0) or 1.0
        return old / scale, new / scale, white.known
