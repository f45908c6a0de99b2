"""Read the pictures beside the tables, ``images/<id>.jpg``: a leaf is white, all else black."""

import io
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.recipe import SideFilesUnused
from solvers.tasks.leaf_classification.outlines import Silhouette, describe

SIDE = 128  # pixels: a smaller copy has a longer side of this to twice this


def silhouettes(
    files: Iterator[tuple[str, bytes]], rows: pd.DataFrame, is_train: npt.NDArray[np.bool_]
) -> pd.DataFrame:
    """Describe each row's leaf.

    Raises
    ------
    SideFilesUnused
        If a picture is missing or cannot be read, or Pillow is not installed: a leaf without
        these columns cannot be compared with one that has them.
    """
    image = _pillow()
    wanted = {str(leaf): place for place, leaf in enumerate(rows["id"])}
    found: dict[int, dict[str, float]] = {}
    for name, content in files:
        place = wanted.get(PurePosixPath(name).stem)
        if place is not None:
            found[place] = describe(read(image, name, content))
    if len(found) < len(rows):
        msg = f"{len(rows) - len(found)} of {len(rows)} leaves have no picture, so none is used"
        raise SideFilesUnused(msg)
    return pd.DataFrame([found[place] for place in range(len(rows))], index=rows.index)


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        msg = (
            "the pictures are not used, since Pillow is not installed: "
            "pip install 'known-task-solvers[images]'"
        )
        raise SideFilesUnused(msg) from error
    return Image


def read(image: Any, name: str, content: bytes) -> Silhouette:
    """Decode a smaller copy, which takes a tenth of the time, and keep the size of the original."""
    try:
        with image.open(io.BytesIO(content)) as picture:
            width, height = picture.size
            longer = max(width, height)
            picture.draft("L", (SIDE * width // longer, SIDE * height // longer))
            white = np.asarray(picture.convert("L")) > 127
    except (OSError, SyntaxError, ValueError, image.DecompressionBombError) as error:
        msg = f"{name} cannot be read as a picture ({error}), so no picture is used"
        raise SideFilesUnused(msg) from error
    leaf = Silhouette(white, width, height)
    if not leaf.inner.any():
        msg = f"{name} shows no leaf, so no picture is used"
        raise SideFilesUnused(msg)
    return leaf
