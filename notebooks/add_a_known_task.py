# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From a csv to a known task
#
# A dataset that comes back again and again deserves a solver of its own: written once, by someone
# who knows what the columns mean, and the same for everybody after. Here one is made from nothing,
# in a folder of your own. The data are synthetic: a gardener's beds, and how much each of them
# yields.
#
# You need the package `known-task-solvers`, and pytest. Nothing of either is changed.

# %%
import os
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from solvers.report.notebooks import draw_as_here, show, source

draw_as_here()

WORKING = Path(mkdtemp(prefix="garden-"))
os.chdir(WORKING)


def run(*words: str) -> None:
    """Run a command as in a shell, and show what it prints."""
    print("$", *words)
    python = [sys.executable, "-m"]
    known = {"solvers": [*python, "solvers.cli"], "pytest": [*python, "pytest"]}
    done = subprocess.run([*known[words[0]], *words[1:]], capture_output=True, text=True)
    print(done.stdout if done.returncode == 0 else done.stdout + done.stderr)


# %% [markdown]
# ## The data
#
# Worms help where there is compost, for they need something to eat. Loam is good soil. Seven hours
# of sun are best. And a bed yields by its area. That is what the gardener knows, and what the data
# do not say.

# %%
random = np.random.default_rng(0)
n, n_train = 1500, 1200
beds = pd.DataFrame(
    {
        "bed_id": np.arange(1000, 1000 + n),
        "length_m": random.uniform(1, 4, n).round(1),
        "width_m": random.uniform(0.5, 1.5, n).round(1),
        "soil": random.choice(["clay", "loam", "sand"], n),
        "compost": random.random(n) < 0.5,
        "worms": random.poisson(20, n),
        "sun_hours": random.uniform(2, 10, n).round(1),
    }
)
per_square_metre = (
    1.5
    + 0.05 * beds["worms"] * beds["compost"]
    + 0.8 * (beds["soil"] == "loam")
    - 0.03 * (beds["sun_hours"] - 7) ** 2
)
grown = per_square_metre * beds["length_m"] * beds["width_m"] + random.normal(0, 0.4, n)
beds["yield_kg"] = grown.clip(lower=0).round(2)

data = WORKING / "data"
data.mkdir()
train, test = beds[:n_train], beds[n_train:].drop(columns="yield_kg")
train.to_csv(data / "train.csv", index=False)
test.to_csv(data / "test.csv", index=False)
test[["bed_id"]].assign(yield_kg=0.0).to_csv(data / "sample_submission.csv", index=False)
train.head()

# %% [markdown]
# Nobody has solved it yet. A miss names the nearest task, in case a column is only spelled
# otherwise.

# %%
run("solvers", "match", "data")

# %% [markdown]
# ## The first draft
#
# `solvers new` reads the data and writes three files: what the task is known by, a solver, and a
# test. It tells what it took each column for, and never writes over anything.

# %%
run("solvers", "new", "garden-beds", "data", "--into", "tasks")

# %%
source(Path("tasks/garden-beds.toml"))

# %%
source(Path("tasks/garden_beds_solver.py"))

# %% [markdown]
# The draft works at once. `KNOWN_TASKS_PATH` names the folder, here and for whoever you hand it to.

# %%
os.environ["KNOWN_TASKS_PATH"] = str(WORKING / "tasks")
run("solvers", "solve", "data", "--out", "draft", "--profile", "quick")

# %%
run("pytest", "-q", "tasks/test_garden_beds.py")

# %% [markdown]
# ## What you know
#
# Now write down what the gardener knows. A group of features is a function of the rows, with a name
# and a docstring; it is given the rows after the rules that fill gaps, and as they came. None sees
# the target.

# %%
solver = Path("tasks/garden_beds_solver.py")
text = solver.read_text()

garden = '''
def garden(rows: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    """A bed yields by its area; worms need compost; about seven hours of sun are best."""
    fed = rows["worms"] * rows["compost"].astype("Float64").astype("float64")
    area = rows["length_m"] * rows["width_m"]
    return pd.DataFrame(
        {"area_m2": area, "fed_worms": fed, "off_best_sun": (rows["sun_hours"] - 7).abs()}
    )
'''
place = text.index("\n\ndef drawn(")
text = text[:place] + "\n" + garden + text[place:]
text = text.replace(
    "features=(numbers, flags, categories)", "features=(numbers, flags, categories, garden)"
)
solver.write_text(text)
run("solvers", "solve", "data", "--out", "known", "--profile", "quick")

# %% [markdown]
# ## Was it worth it?
#
# One number is no answer. Both runs have the same seed, so the same folds: the errors are compared
# row by row.


# %%
def errors(folder: str) -> pd.DataFrame:
    """Give each row's absolute error out of fold, of what was handed in."""
    oof = pd.read_parquet(Path(folder) / "oof_predictions.parquet").set_index("bed_id")
    return (oof["average"] - oof["yield_kg"]).abs()


gain = errors("draft") - errors("known")
print(f"{gain.mean():.3f} ± {gain.sem():.3f} kg nearer to the truth, over {len(gain):,} rows")

fig, ax = plt.subplots()
ax.hist(gain, bins=60)
ax.axvline(0, linestyle="--", color="0.4")
ax.set(xlabel="error of the draft less error with knowledge, kg", ylabel="beds")
ax.set_title("Right of the line: knowledge was nearer")
show(fig)

# %% [markdown]
# The error bar here is over rows. For a decision, use the full profile, which cuts the folds with
# five seeds, and leave a group that gains nothing out: every line has to be read by the next
# person.
#
# ## Tests, and again to the byte
#
# The draft's test still passes. Add a case by hand for each feature of yours: a few rows, and what
# has to come out.

# %%
with Path("tasks/test_garden_beds.py").open("a") as tests:
    tests.write("""

def test_worms_count_where_there_is_compost():
    train, _, _ = drawn(20, 5, 0)
    rows = train.assign(worms=10, compost=pd.array([True, False] * 10, dtype="boolean"))
    assert garden_beds_solver.garden(rows, rows)["fed_worms"].tolist() == [10.0, 0.0] * 10
""")
path = Path("tasks/test_garden_beds.py")
path.write_text(
    path.read_text().replace(
        "from garden_beds_solver import (",
        "import garden_beds_solver\nfrom garden_beds_solver import (",
        1,
    )
)
run("pytest", "-q", "tasks/test_garden_beds.py")

# %%
run("solvers", "verify", "known")

# %% [markdown]
# ## Hand it on
#
# - The folder is all there is to it: who has it and sets `KNOWN_TASKS_PATH` has the task, in
#   `solvers`, in Python and in the A2A agent.
# - A package may bring tasks along, by an entry point; and a task for everybody goes into the
#   repository, where `solvers new` writes the files to their places. `CONTRIBUTING.md` tells of
#   both.
# - `solvers tune` looks for better parameters once the features stand.
