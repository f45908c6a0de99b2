# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Spaceship Titanic, the same way twice
#
# In spring 2026 a language-model agent cleared the gold line of a benchmark on this competition.
# When its author went to look for the code that had won, there was none. The agent had improvised:
# eight runs were scattered from 0.802 to 0.821, and the submission that won had lain in a temporary
# folder, long deleted.
#
# This notebook works by the three lessons that he drew:
#
# 1. **A known task deserves a deterministic solver.** The same data and seed give the same bytes.
# 2. **Robust beats brilliant.** Each step has to earn its place by more than its error.
# 3. **Keep the evidence.** A score without what is needed to make it again is a rumour.
#
# You will see each rule of the domain in a picture before it is used, and why folds are cut as they
# are. Three gradient boosting libraries vote. Then we measure what a leak would seem to gain, and
# at the end the whole run is done again and compared byte by byte.
#
# No code of the solution is pasted here. It lives in the package `known-task-solvers` and is shown
# from its source.

# %% [markdown]
# ## Where this runs
#
# On Kaggle, with internet off, the package comes as an attached dataset that holds its wheel (and
# those of libraries that the image lacks). Elsewhere it is installed. The data are looked for in
# the folder that `KNOWN_TASKS_DATA` names and under Kaggle's input folder. Where there are none,
# the package makes synthetic passengers.

# %%
import importlib.metadata
import importlib.util
import subprocess
import sys
from pathlib import Path

KAGGLE_INPUT = Path("/kaggle/input")

if importlib.util.find_spec("solvers") is None:
    wheels = sorted(KAGGLE_INPUT.rglob("known_task_solvers-*.whl"))
    if not wheels:
        sys.exit("The package is missing. On Kaggle, attach a dataset with its wheel.")
    # All wheels of that dataset; the other libraries are those of the image.
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, *sorted(map(str, wheels[-1].parent.glob("*.whl")))], check=True)

# %%
import os
from dataclasses import replace
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

import signatures
import solvers
from solvers.demonstration import write_example
from solvers.report.notebooks import draw_as_here, show, source

draw_as_here()

TASK = "spaceship-titanic"
SEED = 0
PROFILE = os.environ.get("SOLVERS_PROFILE", "full")  # "quick" is a rehearsal


def find_dataset() -> Path | None:
    """Find a folder with this task's data, at any depth below the places where it may be."""
    for place in (os.environ.get("KNOWN_TASKS_DATA", ""), KAGGLE_INPUT):
        for train in sorted(Path(place).rglob("train.csv")) if place else ():
            try:
                if signatures.match(train.parent).slug == TASK:
                    return train.parent
            except signatures.KnownTaskError:
                continue  # another competition's data
    return None


# %%
dataset = find_dataset()
if dataset is None:
    dataset = Path(mkdtemp(prefix="synthetic-"))
    write_example(dataset, TASK, seed=SEED)
    ran_on = (
        "synthetic passengers, made by the package. Their scores say nothing about the real task."
    )
else:
    ran_on = f"the data in `{dataset}`."
WORKING = (
    Path("/kaggle/working") if KAGGLE_INPUT.exists() else Path(mkdtemp(prefix="spaceship-run-"))
)

Markdown(
    f"This ran with known-task-solvers {importlib.metadata.version('known-task-solvers')}, "
    f"profile `{PROFILE}`, seed {SEED}, on {ran_on} What it wrote is in `{WORKING}`."
)

# %% [markdown]
# ## Which task is it?
#
# A signature tells: a few key columns in the header of train are enough. Nothing is read but
# headers.

# %%
match = signatures.match(dataset)
print(match.slug, "by the columns", ", ".join(match.signature.key))

# %% [markdown]
# The tables are read as text first, then held against a contract. A file that breaks it is declined
# with every reason at once, not patched. Rows are sorted by id, so the order of the files does not
# matter.

# %%
from solvers.intake import check, read
from solvers.profiles import named

solver = match.signature.load_solver()
tables = read(match)
data = check(tables, match, solver, named(PROFILE))
transported = data.ys[0] == 1
print(f"{data.is_train.sum():,} train rows, {(~data.is_train).sum():,} test rows")
data.rows.head(3)

# %% [markdown]
# Ids, cabins and names hold more than one fact each. Parsing takes them apart.

# %%
source(solver.parse)

# %%
rows = solver.parse(data.rows)
train = rows[data.is_train].assign(Transported=transported)

fig, ax = plt.subplots()
missing = 100 * data.rows.isna().mean().sort_values()
ax.barh(missing.index, missing)
ax.set(
    xlabel="rows without a value, % of train and test",
    title="About two values in a hundred are missing",
)
show(fig)

# %% [markdown]
# ## The rules of the ship
#
# A model can live with gaps, but the ship has rules, and rules fill gaps *right*. We look at each
# before we believe it. None of them sees the target.
#
# ### Sleepers do not spend
#
# Who is in CryoSleep is confined to the cabin. So there can be no bill, and who has a bill is
# awake.

# %%
from solvers.tasks.spaceship_titanic import rules
from solvers.tasks.spaceship_titanic.parts import BILLS

total = rows[BILLS].sum(axis=1)
states = {"asleep": rows["CryoSleep"].eq(True), "awake": rows["CryoSleep"].eq(False)}
shares = {name: 100 * (total[rows_of.fillna(False)] > 0).mean() for name, rows_of in states.items()}

fig, ax = plt.subplots(figsize=(5, 1.8))
bars = ax.barh(list(shares), list(shares.values()))
ax.bar_label(bars, fmt="%.1f %%", padding=4)
ax.set(
    xlim=(0, 115),
    xlabel="passengers with any bill, %",
    title="Sleepers have none, without exception",
)
show(fig)

# %%
source(rules.sleepers_spend_nothing, rules.spenders_are_awake)

# %% [markdown]
# ### Nor do children
#
# The first bills are signed at thirteen. So an idle adult, with five bills of zero, was most likely
# asleep.

# %%
by_age = (total > 0).groupby(rows["Age"]).mean()
by_age = 100 * by_age[by_age.index <= 40]

fig, ax = plt.subplots()
ax.plot(by_age.index, by_age, marker="o", markersize=3.5)
ax.axvline(rules.FIRST_SPENDING_AGE - 0.5, linestyle="--", color="0.4")
ax.set(xlabel="age, years", ylabel="passengers with any bill, %", title="Nobody under 13 spends")
show(fig)

# %%
source(rules.children_spend_nothing, rules.idle_adults_sleep)

# %% [markdown]
# ### Decks belong to planets

# %%
table = pd.crosstab(rows["HomePlanet"], rows["Deck"], normalize="columns") * 100

fig, ax = plt.subplots(figsize=(5, 2.2))
ax.imshow(table, cmap="Blues", vmin=0, vmax=100, aspect="auto")
for (line, column), share in np.ndenumerate(table):
    ax.text(
        column,
        line,
        f"{share:.0f}",
        ha="center",
        va="center",
        color="white" if share > 60 else "black",
    )
ax.set_xticks(range(table.shape[1]), table.columns)
ax.set_yticks(range(table.shape[0]), table.index)
ax.grid(visible=False)
ax.set(xlabel="deck", title="Passengers of a deck by home planet, %")
show(fig)

# %%
source(rules.planet_from_deck)

# %% [markdown]
# ### Parties travel together
#
# An id reads `gggg_pp`: the party and the place in it. How often do all who travel together, and
# whose value is known, agree?

# %%
together = train.groupby("Party").filter(lambda party: len(party) > 1).groupby("Party")
facts = {
    "home planet": "HomePlanet",
    "side": "Side",
    "deck": "Deck",
    "CryoSleep": "CryoSleep",
    "TARGET": "Transported",
}
agreed = {name: 100 * together[column].nunique().le(1).mean() for name, column in facts.items()}

fig, ax = plt.subplots(figsize=(5, 2.6))
bars = ax.barh(list(agreed), list(agreed.values()))
bars[-1].set_color("0.55")
ax.bar_label(bars, fmt="%.0f %%", padding=4)
ax.invert_yaxis()
ax.set(xlim=(0, 118), xlabel="parties of two and more that agree, %", title="What a party shares")
show(fig)

# %% [markdown]
# Planet and side are shared by all: these become rules. Being transported is not shared. Whoever
# feeds the target of a party mate to a model teaches it next to nothing, and opens a door for
# leaks.

# %%
source(rules.planet_from_party, rules.side_from_party)

# %% [markdown]
# ### Cabins were handed out in order

# %%
fig, ax = plt.subplots()
for deck in ("E", "F", "G"):
    here = rows[rows["Deck"] == deck]
    ax.plot(here["Party"], here["CabinNumber"], ".", markersize=2, label=f"deck {deck}")
ax.set(
    xlabel="number of the party",
    ylabel="number of the cabin",
    title="Within a deck, numbers rise with the party's",
)
ax.legend(markerscale=5)
show(fig)

# %%
source(rules.number_from_neighbours)

# %% [markdown]
# ### What the rules fill
#
# They are applied in order, and a check makes sure that none changes a value that was there.

# %%
from solvers.features import prepare

ready = prepare(data, solver)
known = rows.isna().sum()
left = ready.rows.isna().sum()
filled = pd.DataFrame({"missing": known, "after the rules": left})
filled = filled[filled["missing"] > 0].sort_values("missing")

fig, ax = plt.subplots()
ax.barh(filled.index, filled["missing"], color="0.8", label="missing in the files")
ax.barh(filled.index, filled["after the rules"], height=0.45, label="left after the rules")
ax.set(xlabel="values", title="Most gaps have a reason, and close")
fig.legend(loc="outside lower left", ncols=2)
show(fig)
print(pd.Series(ready.filled, name="values filled").to_string())

# %% [markdown]
# ## Features
#
# They come in small named groups, so that each can be left out and its worth be measured.

# %%
source(*solver.features)

# %% [markdown]
# ## Folds, and why
#
# A score out of fold is honest if a held-out row stands to the training rows as a test row does. Do
# parties straddle train and test? Then rows may be cut at random; if they do not, parties have to
# stay together. The solver looks, decides, and writes down which it was.

# %%
from solvers.stacked import cut_into_folds

folds, cut = cut_into_folds(data, ready, solver, named(PROFILE), SEED)
print(cut.reason)

# %% [markdown]
# How finely can a score be read at all? With $n$ rows its standard error is $\sqrt{p(1-p)/n}$. On a
# small test, the best of eight submissions that are equally good looks better than it is by 1.4
# standard errors: luck that is easily taken for skill.

# %%
n = np.array([len(data.test_order), len(data.ys[0])])
error = 100 * np.sqrt(0.81 * 0.19 / n)
for n_rows, points in zip(n, error, strict=True):
    print(f"{n_rows:,} rows: ± {points:.2f} points; the best of eight: + {1.42 * points:.2f}")

# %% [markdown]
# ## Three libraries, out of fold
#
# LightGBM, XGBoost and CatBoost are fitted on each fold's other rows and predict the fold. That is
# done for several ways to cut the folds (fold seeds). One thread works in each fit and many
# processes over the fits: that is the fast way, and the bytes do not depend on their number.
# `solve` does all of it and keeps the evidence.

# %%
solution = solvers.solve(dataset, out=WORKING / "run", seed=SEED, profile=PROFILE)
solution

# %%
models = solution.record["scores"]["models"]

fig, ax = plt.subplots(figsize=(5, 2.6))
for line, found in enumerate(models.values()):
    seeds = 100 * np.array(found["per_seed"])
    ax.plot(seeds, [line] * len(seeds), "|", markersize=10, color="0.6")
    ax.errorbar(100 * found["mean"], line, xerr=100 * (found["sem"] or 0), fmt="o")
ax.set_yticks(range(len(models)), list(models))
ax.invert_yaxis()
ax.set(xlabel="accuracy out of fold, %", title="Mean and standard error; ticks are fold seeds")
show(fig)
print(solution.record["scores"]["reason"])

# %% [markdown]
# The stack's meta-model is scored on rows that it did not see, and it is used only where it beats
# the plain average by more than noise. How much can voting gain? That depends on how much the
# voters differ:

# %%
oof = pd.read_parquet(solution.run / "oof_predictions.parquet")
oof.head(3)

# %%
names = [model.name for model in solver.models]
likeness = oof[oof["fold_seed"] == 0][names].corr()

fig, ax = plt.subplots(figsize=(4, 3))
ax.imshow(likeness, cmap="Blues", vmin=0.5, vmax=1)
for (line, column), r in np.ndenumerate(likeness):
    ax.text(
        column, line, f"{r:.3f}", ha="center", va="center", color="white" if r > 0.8 else "black"
    )
ax.set_xticks(range(len(names)), names)
ax.set_yticks(range(len(names)), names)
ax.grid(visible=False)
ax.set(title="Correlation of predictions out of fold")
show(fig)

# %% [markdown]
# They agree on nearly everything, so the vote gains little over the best of them. What it does give
# is calm: nobody had to know beforehand which one would be best.
#
# ### What the models look at
#
# Each library has its own measure; shares are averaged over all fits, so no single fold speaks.

# %%
shares = pd.read_parquet(solution.run / "feature_importance.parquet")
table = (
    100 * shares.pivot_table(index="feature", columns="model", values="mean", observed=True)[names]
)
top = table.loc[table.mean(axis=1).nlargest(12).index[::-1]]

fig, ax = plt.subplots(figsize=(5, 4.4))
top.plot.barh(ax=ax, width=0.8)
ax.set(xlabel="share of the whole, %", ylabel="", title=f"The 12 largest of {len(table)} features")
show(fig)

# %% [markdown]
# ## What a leak seems to gain
#
# A leak is whatever a model knows in your cross-validation and will not know on the test. Here are
# three that are found in many notebooks, each against the same honest LightGBM on the same folds.
# Change them, and look again.
#
# 1. **The target's mean per party, over all rows.** It holds the row's own answer.
# 2. **Rounds chosen on the fold that is scored**, as early stopping does: the fold then helped to
#    make the model.
# 3. **The best of several seeds**, told without the others.

# %%
from solvers.out_of_fold import out_of_fold

lightgbm = next(model for model in solver.models if model.name == "lightgbm").rehearsal(
    named(PROFILE).work
)
y = data.ys[0]


def accuracies(model=lightgbm, X=ready.X, X_test=ready.X_test, seed=SEED) -> np.ndarray:
    """Score a model on every fold of every fold seed, in %: (fold seeds, folds)."""
    base = out_of_fold([model], X, X_test, data.ys, data.targets, folds=folds, seed=seed)
    (predicted,) = base.predictions[model.name]
    right = (predicted.oof[:, :, 0] >= 0.5) == y
    by_seed = zip(right, folds, strict=True)
    return np.array([pd.Series(100 * hits).groupby(index).mean() for hits, index in by_seed])


honest = accuracies()
print(f"LightGBM alone, honest: {honest.mean():.2f} %")

# %%
party = solver.groups(ready.rows)
of_train, of_test = (party[part].reset_index(drop=True) for part in (data.is_train, ~data.is_train))
means = pd.Series(y).groupby(of_train).mean()
with_party = accuracies(
    X=ready.X.assign(party_mean=of_train.map(means)),
    X_test=ready.X_test.assign(party_mean=of_test.map(means)),
)

rounds = [lightgbm.rounds * step // 4 for step in (1, 2, 3, 4, 6)]
by_rounds = np.array([accuracies(replace(lightgbm, rounds=n)) for n in rounds])

by_seed = np.array([accuracies(seed=seed) for seed in range(5)])

seeming = {
    "party's mean": (with_party - honest).mean(axis=1),
    "rounds from the fold": (by_rounds.max(axis=0) - honest).mean(axis=1),
    "best of 5 seeds": by_seed.mean(axis=2).max(axis=0) - by_seed.mean(axis=(0, 2)),
}

# %%
fig, ax = plt.subplots(figsize=(5, 2.4))
for line, gain in enumerate(seeming.values()):
    sem = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else 0
    ax.errorbar(gain.mean(), line, xerr=sem, fmt="o")
    ax.annotate(f"{gain.mean():+.2f}", (gain.mean(), line), (0, 8), textcoords="offset points")
ax.axvline(0, color="0.4", linewidth=1)
ax.set_yticks(range(len(seeming)), list(seeming))
ax.set(ylim=(len(seeming) - 0.5, -0.7), title="What each leak seems to be worth")
ax.set(xlabel="seeming gain, points of accuracy")
show(fig)

# %% [markdown]
# None of the three is worth anything on the test. In the package the first cannot even be written:
# a group of features never sees the target. The second does not happen since rounds are counted
# beforehand, and the third because all seeds are told, with mean and error.

# %% [markdown]
# ## The submission
#
# It was checked before it was written: the sample's columns, each id of the test once, one
# vocabulary, nothing missing.

# %%
submission = pd.read_csv(solution.submission, dtype=str)
sample = pd.read_csv(match.bundle.sample.open(), dtype=str)
assert submission.columns.tolist() == sample.columns.tolist()
assert sorted(submission.iloc[:, 0]) == sorted(sample.iloc[:, 0])
assert set(submission.iloc[:, 1]) <= {"True", "False"}

(WORKING / "submission.csv").write_bytes(solution.submission.read_bytes())
submission.iloc[:, 1].value_counts()

# %% [markdown]
# Labels change hands at a probability of one half. How close do rows come to it?

# %%
test = pd.read_parquet(solution.run / "test_predictions.parquet")
used = solution.record["scores"]["used"]

fig, ax = plt.subplots()
ax.hist(test[used], bins=40, range=(0, 1))
ax.axvline(0.5, linestyle="--", color="0.4")
ax.set(
    xlabel="predicted probability of being transported",
    ylabel="test rows",
    title="Where the decision falls",
)
show(fig)
print(
    "smallest distance to the threshold:",
    solution.record["predictions"]["smallest_margin"]["Transported"],
)

# %% [markdown]
# ## Do it again
#
# A new process gets the record alone: seed, profile, where the data lie. It does not see the
# results until it has its own. Then both are compared.

# %%
verification = solvers.verify(solution.run)
print(verification.verdict)
assert verification.verdict == "same bytes"

# %% [markdown]
# ## Where to go from here
#
# - The run's folder holds `report.html`, a page with more pictures, and `run.json`, the whole
#   record.
# - `solvers bench` does this for several tasks and seeds: see `reproducible_baselines.ipynb`.
# - Your own dataset can become a known task: see `add_a_known_task.ipynb`.
