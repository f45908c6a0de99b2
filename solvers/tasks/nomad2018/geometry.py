"""What the files beside the tables tell, ``train/<id>/geometry.xyz`` and ``test/...``."""

from collections.abc import Iterator
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt
import pandas as pd

from solvers.tasks.nomad2018.bonds import describe
from solvers.tasks.nomad2018.crystals import read_crystal


def geometry(
    files: Iterator[tuple[str, bytes]], rows: pd.DataFrame, is_train: npt.NDArray[np.bool_]
) -> pd.DataFrame:
    """Describe each row's crystal; no columns where one is missing.

    Ids start again in test, so a row's table is part of its name.
    """
    contents = {PurePosixPath(name).parts[-3:-1]: content for name, content in files}
    wanted = [
        ("train" if train else "test", str(crystal))
        for train, crystal in zip(is_train, rows["id"], strict=True)
    ]
    if not all(name in contents for name in wanted):
        return pd.DataFrame(index=rows.index)
    found = [describe(read_crystal(contents[name].decode("utf-8"))) for name in wanted]
    return pd.DataFrame(found, index=rows.index)
