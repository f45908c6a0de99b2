"""Numbers that describe one leaf's silhouette.

Lengths are in units of the square root of the leaf's area, so that all groups but `size` tell
shapes apart and not sizes.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import ndimage
from scipy.spatial import ConvexHull

Array = npt.NDArray[np.float64]
SCALES = (0.02, 0.04, 0.08, 0.16)  # of the blur, in units of the root of the area
ANGLES = 64
HARMONICS = 16


@dataclass(frozen=True)
class Silhouette:
    """A smaller copy of a picture, and the size of the picture itself in pixels.

    Attributes
    ----------
    white : ndarray of shape (n_y, n_x)
        Where the leaf is.
    """

    white: npt.NDArray[np.bool_]
    width: int
    height: int

    @cached_property
    def padded(self) -> npt.NDArray[np.bool_]:
        """The copy with a black frame: a leaf that fills the picture has an edge there too."""
        return np.pad(self.white, 1)

    @cached_property
    def inside(self) -> Array:
        """X and y of each of the leaf's pixels from their centre, shape (n_pixels, 2)."""
        y, x = np.nonzero(self.padded)
        return np.stack([x, y], axis=1).astype(np.float64)

    @cached_property
    def unit(self) -> float:
        """The root of the leaf's area, in pixels of the copy."""
        return float(np.sqrt(len(self.inside)))

    @cached_property
    def inner(self) -> npt.NDArray[np.bool_]:
        """The leaf's pixels with white ones on all four sides."""
        return np.asarray(ndimage.binary_erosion(self.padded))

    @cached_property
    def edge(self) -> npt.NDArray[np.bool_]:
        """The leaf's pixels beside a black one."""
        return self.padded & ~self.inner

    @cached_property
    def contour(self) -> Array:
        """X and y of the edge from the leaf's centre, in units, shape (n_edge, 2)."""
        y, x = np.nonzero(self.edge)
        points = np.stack([x, y], axis=1) - self.inside.mean(axis=0)
        return np.asarray(points / self.unit)


def size(leaf: Silhouette) -> dict[str, float]:
    """How large the leaf is in the original picture: all were taken at one scale."""
    area = float(leaf.white.mean()) * leaf.width * leaf.height
    return {
        "log_width": float(np.log(leaf.width)),
        "log_height": float(np.log(leaf.height)),
        "log_area": float(np.log(area)),
    }


def form(leaf: Silhouette) -> dict[str, float]:
    """How long, compact and convex it is."""
    points = (leaf.inside - leaf.inside.mean(axis=0)) / leaf.unit
    spreads, axes = np.linalg.eigh(points.T @ points / len(points))
    lengths = np.ptp(points @ axes, axis=0)
    hull = ConvexHull(leaf.contour)
    return {
        "filled": float(leaf.white.mean()),
        "elongation": float(np.log(spreads[1] / spreads[0]) / 2),
        "inertia": float(np.log(spreads.sum())),
        "length": float(np.log(lengths[1])),
        "breadth": float(np.log(lengths[0])),
        "hull_area": float(np.log(hull.volume)),  # of a flat hull, the area
        "hull_perimeter": float(np.log(hull.area)),
        "edge": float(np.log(len(leaf.contour) / leaf.unit)),
    }


def radii(leaf: Silhouette) -> dict[str, float]:
    """How far the edge is from the centre, and how often that rises and falls on the way round.

    The last are amplitudes of the Fourier transform of the greatest radius in each direction [1]_,
    the same whichever way the leaf is turned.

    References
    ----------
    .. [1] Zhang and Lu (2002), A comparative study of Fourier descriptors for shape
       representation and retrieval, ACCV.
    """
    x, y = leaf.contour.T
    distance = np.hypot(x, y)
    found = {f"radius_{q}": float(np.percentile(distance, q)) for q in (0, 10, 25, 50, 75, 90, 100)}
    found["radius_sd"] = float(distance.std())
    direction = np.floor((np.arctan2(y, x) / (2 * np.pi) + 0.5) * ANGLES).astype(np.intp) % ANGLES
    greatest = np.zeros(ANGLES)
    np.maximum.at(greatest, direction, distance)
    greatest = np.where(greatest > 0, greatest, np.median(distance))
    waves = np.abs(np.fft.rfft(greatest)) / ANGLES
    return found | {
        f"wave_{number}": float(np.log(waves[number] + 1e-3)) for number in range(1, HARMONICS + 1)
    }


def teeth(leaf: Silhouette) -> dict[str, float]:
    """How the edge bends at several scales: teeth at small ones, lobes at large ones [1]_.

    The share of leaf around a point of the edge is a half where the edge is straight, less at a
    tip, more in a notch. A histogram of it, for each scale, tells how much of the edge is what.

    References
    ----------
    .. [1] Kumar et al. (2012), Leafsnap: a computer vision system for automatic plant species
       identification, ECCV (histograms of curvature over scale).
    """
    found: dict[str, float] = {}
    for scale in SCALES:
        blurred = ndimage.gaussian_filter(
            leaf.padded.astype(np.float32), scale * leaf.unit, mode="constant", truncate=2.5
        )
        around = blurred[leaf.edge].astype(np.float64)
        shares = np.histogram(around, bins=10, range=(0.0, 1.0))[0] / len(around)
        found |= {f"bend_{scale}_{n}": float(np.sqrt(share)) for n, share in enumerate(shares)}
    return found


GROUPS = {"size": size, "form": form, "radii": radii, "teeth": teeth}


def describe(leaf: Silhouette) -> dict[str, float]:
    """Describe one leaf by all groups."""
    found: dict[str, float] = {}
    for group in GROUPS.values():
        found |= group(leaf)
    return found
