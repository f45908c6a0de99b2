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
# # Baselines that anyone can repeat to the byte
#
# A baseline is what a new idea is measured against. It is worth little if it cannot be had again:
# with the next library version, on the next machine, by the next person. Here several known tasks
# are solved with several seeds, each run is done twice and compared, and then we try to fool the
# comparison.
#
# You need the package, `known-task-solvers`. With a folder of real datasets, named in
# `KNOWN_TASKS_DATA`, they are used; otherwise the package makes synthetic ones.

# %%
import os
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import signatures
from solvers import verify
from solvers.bench import bench
from solvers.demonstration import write_example
from solvers.report import write_report
from solvers.report.notebooks import draw_as_here, show

draw_as_here()

TASKS = ["titanic", "playground-series-s5e3", "playground-series-s5e7"]
PROFILE = os.environ.get("SOLVERS_PROFILE", "full")  # "quick" is a rehearsal
SEEDS = [0, 1, 2] if PROFILE == "full" else [0, 1]
WORKING = Path(mkdtemp(prefix="baselines-"))


# %%
real = Path(os.environ.get("KNOWN_TASKS_DATA", "no such folder"))
if all((real / task).is_dir() for task in TASKS):
    datasets = [real / task for task in TASKS]
    ran_on = "real data"
else:
    datasets = [WORKING / "data" / task for task in TASKS]
    for folder in datasets:
        folder.mkdir(parents=True)
        write_example(folder, folder.name)
    ran_on = "synthetic rows, made by the package. Their scores say nothing about the real tasks."

Markdown(f"This ran with profile `{PROFILE}` and seeds {SEEDS} on {ran_on}")

# %% [markdown]
# ## Which task is which
#
# A dataset is recognised by the columns in its header. The match tells which, and what else it
# could be.

# %%
matches = [signatures.match(folder) for folder in datasets]
pd.DataFrame(
    {
        "task": [match.slug for match in matches],
        "recognised by": [", ".join(match.signature.key) for match in matches],
        "metric": [match.signature.metric.name for match in matches],
    }
)

# %% [markdown]
# ## The bench
#
# Each run is a process of its own, and so is its second time. What was seen is written down after
# each, so a bench that was stopped goes on when it is called again with the same `out`. In a shell
# the same is `solvers bench titanic playground-series-s5e3 playground-series-s5e7 --seeds 0,1,2`.

# %%
seen = bench(datasets, seeds=SEEDS, profile=PROFILE, out=WORKING / "bench", tell=print)

# %%
Markdown(seen.to_markdown())

# %% [markdown]
# Scores are out of fold. Their error is that of the fold seeds; the rows carry a sampling error
# besides, which no seed shows. So two methods are compared in pairs, on the same folds, and never
# by two numbers from two tables.


# %%
def gain(row) -> float:
    """Tell what stacking gains over the plain average, in the metric's unit."""
    models = row.result.models
    sign = 1 if row.result.higher_is_better else -1
    return sign * (models["stack"].mean - models["average"].mean)


gains = {task: [gain(row) for row in seen.rows if row.task == task] for task in TASKS}

fig, ax = plt.subplots(figsize=(5, 2.4))
for line, values in enumerate(gains.values()):
    ax.plot(values, [line] * len(values), "|", markersize=10, color="0.6")
    ax.errorbar(np.mean(values), line, xerr=np.std(values, ddof=1) / len(values) ** 0.5, fmt="o")
ax.axvline(0, color="0.4", linewidth=1)
ax.set_yticks(range(len(gains)), list(gains))
ax.set(ylim=(len(gains) - 0.5, -0.5), title="Ticks are seeds, the bar is their standard error")
ax.set(xlabel="gain of stack over average, metric's unit")
ax.locator_params(axis="x", nbins=4)
show(fig)

# %% [markdown]
# ## Where the time goes
#
# One thread works in each fit; processes are spread over the fits. So CPU seconds are those of the
# work, and wall seconds fall with the number of cores, while the bytes stay what they are.

# %%
first = [row for row in seen.rows if row.seed == SEEDS[0]]
fig, ax = plt.subplots(figsize=(5, 2.4))
lines = np.arange(len(first))
ax.barh(lines - 0.2, [row.result.cpu_seconds for row in first], 0.36, label="CPU, all fits")
ax.barh(lines + 0.2, [row.result.seconds for row in first], 0.36, label="wall, the whole run")
ax.set_yticks(lines, [row.task for row in first])
ax.invert_yaxis()
ax.set(xlabel="seconds", title=f"{seen.cpus} CPUs, seed {SEEDS[0]}")
fig.legend(loc="outside lower left", ncols=2)
show(fig)

# %% [markdown]
# ## Trying to fool it
#
# The verdict is *same bytes*, *same labels* or *different*, and where. Let us change one value of
# one training row, in a copy, and hand it that.

# %%
match = matches[0]
row = next(row for row in seen.rows if row.task == match.slug)
changed = WORKING / "changed"
changed.mkdir()
for role in ("train", "test", "sample"):
    member = getattr(match.bundle, role)
    (changed / Path(member.name).name).write_bytes(member.open().read())

train = changed / Path(match.bundle.train.name).name
text = train.read_bytes()
last = text.rstrip().rfind(b"1")
train.write_bytes(text[:last] + b"2" + text[last + 1 :])

verification = verify(Path(seen.out) / row.run, data=changed)
print(verification.verdict, "-", verification.reason)
assert verification.reason.startswith("train file")
assert "test file" not in verification.reason

# %% [markdown]
# And with the data that it was made from:

# %%
verification = verify(Path(seen.out) / row.run)
print(verification.verdict, "-", verification.reason)
assert verification.verdict == "same bytes"

# %% [markdown]
# ## A page for people
#
# Of any run, at any time: scores, calibration, importance, rules, margins, stages and environment,
# in one file that needs no network.

# %%
report = write_report(Path(seen.out) / row.run)
print(f"{report}: {report.stat().st_size / 1e6:.1f} MB")

# %% [markdown]
# ## What is kept
#
# Everything that is needed to do it again lies beside each submission.

# %%
files = sorted((Path(seen.out) / row.run).iterdir())
pd.DataFrame({"file": [f.name for f in files], "bytes": [f.stat().st_size for f in files]})
