"""A hand-written solver: what it declares, and the scikit-learn estimator that it is."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.metrics import r2_score
from sklearn.utils import ClassifierTags, RegressorTags, Tags, check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from signatures import REGISTRY, TaskRejectedError
from signatures.wording import quoted
from solvers import metrics, predictions, profiles
from solvers.contract import Contract, columns_of
from solvers.frames import as_frame, as_text, targets_in, typed_by
from solvers.intake import Dataset, together
from solvers.labels import read_parts
from solvers.log import Log
from solvers.recipe import Recipe
from solvers.stacked import Problem, fit_stacked
from solvers.submission import Form
from solvers.target import Array, Target
from solvers.workers import Workers, checked


def _none(n_train: int, n_test: int, seed: int) -> NoReturn:
    msg = "this solver declares no example"
    raise NotImplementedError(msg)


def _tells_classes(solver: "StackedSolver") -> bool:
    return solver.metric not in metrics.OF_NUMBERS


@dataclass(kw_only=True, eq=False, repr=False)
class StackedSolver(Recipe, BaseEstimator):  # type: ignore[misc]
    """A stack of base models: a known task's solver, and a scikit-learn estimator of any table.

    `fit` describes the rows, fits the base models out of fold and blends them, in the steps that
    `solvers.solve` takes. `predict` describes new rows together with the fitted ones, and averages
    over the models of all folds. `solve` knows the rows to be predicted beforehand and describes
    the fitted ones together with them: where features look at other rows, its numbers differ a
    little.

    How rows are described, and by which models, is told by the parameters `features`, `models`,
    `parse`, `side`, `rules`, `groups`, `periods` and `parts`: see ``help(solvers.recipe.Recipe)``.

    Parameters
    ----------
    contract : pandera DataFrameModel, optional
        The columns that train and test share; by default any that are numbers, flags or categories.
    example : function, optional
        ``example(n_train, n_test, seed)`` makes synthetic train, test and sample tables as text,
        for the demo and the tests. More train rows than asked for, where the classes need them.
    id : str, optional
        The column that names a row: fitted rows are sorted by it, so that their order does not
        matter, and a fitted row that is predicted is not described together with itself.
    metric : {"accuracy", "auc", "log_loss", "rmse", "rmse_log", "rmsle"}
        What blends are judged by. The first three are of classes, and make this a classifier.
    seed : int
        The one seed.
    profile : {"full", "quick"}
        How many folds, and how much work.
    jobs : int
        Processes to fit in.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Of a classifier; a list of them where there are several targets.
    scores_ : dict
        Out-of-fold score of each base model, ``"average"`` and ``"stack"`` in the metric: ``(mean,
        standard error)`` over fold seeds; the error is None for one seed.
    blend_ : {"average", "stack"}
        Which blend is used.
    stacked_ : Stacked
        All that was fitted.
    n_features_in_, feature_names_in_
        As in scikit-learn; names only where columns have some.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from solvers.models import LightGBM, XGBoost
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> models = (XGBoost(rounds=20), LightGBM(rounds=20))
    >>> flowers = StackedSolver(models=models, profile="quick").fit(X[::2], y[::2])
    >>> sorted(flowers.scores_)
    ['average', 'lightgbm', 'stack', 'xgboost']
    >>> flowers.score(X[1::2], y[1::2]) > 0.9
    True
    """

    contract: Contract | None = None
    example: Callable[[int, int, int], tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]] = _none
    id: str | None = None
    metric: str = "accuracy"
    seed: int = 0
    profile: str = "full"
    jobs: int = 1

    def fit(self, X: Any, y: Any) -> Self:
        """Fit base models out of fold, and their blend.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
            With a contract, a DataFrame that has its columns, and the `parts` if there are any.
        y : array-like of shape (n_rows,) or (n_rows, n_targets)
            Classes; or numbers, of one target or of several.

        Raises
        ------
        ValueError
            If the data or a parameter will not do. `TaskRejectedError`, which is one, tells how a
            table breaks the contract.
        TypeError
            If `X` is no DataFrame where there is a contract.
        FitFailedError
            If a fit failed twice.
        """
        metric, profile = metrics.named(self.metric), profiles.named(self.profile)
        self._check_parameters()
        rows = self._rows(X, "train")
        if self.id is not None and self.id not in rows:
            known = quoted([str(name) for name in rows])
            msg = f"X has no column {self.id!r}, which `id` names; it has {known}"
            raise ValueError(msg)
        targets, ys, classes = targets_in(y, self.metric)
        if classes:
            self.classes_ = classes[0] if len(classes) == 1 else classes
        check_consistent_length(rows, ys[0])
        if len(rows) < profile.folds:
            msg = f"{profile.folds} folds need as many rows at least; found n_samples={len(rows)}"
            raise ValueError(msg)
        parts = self._parts(X, targets, ys[0])
        form = Form(self.id or "", (), ())
        data = together(rows, rows.iloc[:0], ys, targets, form, parts)
        problem = Problem(data, self._recipe(), metric, profile, code="")
        with Workers(checked(self.jobs)) as workers:
            self.stacked_ = fit_stacked(
                problem, seed=self.seed, log=Log(), workers=workers, keep=True
            )
        blended = self.stacked_.blended
        self.scores_ = {name: (score.mean, score.sem) for name, score in blended.scores.items()}
        self.blend_ = blended.choice.used
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict classes or numbers, (n_rows,), or (n_rows, n_targets) where there are several.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
            The columns of the fit.
        """
        targets, found = self._predicted(X)
        columns = [told[:, 0] for told in found]
        if _tells_classes(self):
            classes = [self.classes_] if len(targets) == 1 else self.classes_
            indexes = [t.class_index(told) for t, told in zip(targets, found, strict=True)]
            columns = [known[index] for known, index in zip(classes, indexes, strict=True)]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    @available_if(_tells_classes)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array | list[Array]:
        """Predict the chance of each class, in the order of `classes_`, (n_rows, n_classes).

        A list of such arrays where there are several targets.
        """
        targets, found = self._predicted(X)
        told = [t.of_each_class(p) for t, p in zip(targets, found, strict=True)]
        return told[0] if len(told) == 1 else told

    def score(self, X: Any, y: Any) -> float:
        """Give what scikit-learn's estimators do: the share of rows that are right, or R squared.

        `scores_` are in the metric, and out of fold.
        """
        told = self.predict(X)
        if not _tells_classes(self):
            return float(r2_score(y, told))
        right = np.asarray(y) == told
        return float(np.mean(right if right.ndim == 1 else right.all(axis=1)))

    def _check_parameters(self) -> None:
        if not self.models:
            msg = "models is empty: expected one base model at least"
            raise ValueError(msg)
        if not isinstance(self.seed, int | np.integer) or self.seed < 0:
            msg = f"seed must be a whole number, 0 or more, not {self.seed!r}"
            raise ValueError(msg)

    def _recipe(self) -> Recipe:
        """Copy the recipe, so that parameters set after the fit do not change what was fitted."""
        return Recipe(**{field.name: getattr(self, field.name) for field in fields(Recipe)})

    def _rows(self, X: Any, name: str) -> pd.DataFrame:
        if self.contract is None:
            return as_frame(self, X, reset=name == "train")
        rows = typed_by(self.contract, X, name=name)
        self.feature_names_in_ = np.array(columns_of(self.contract), dtype=object)
        self.n_features_in_ = len(self.feature_names_in_)
        return rows

    def _parts(self, X: Any, targets: tuple[Target, ...], y: Array) -> Array | None:
        if not self.parts:
            return None
        parts, failures = read_parts(as_text(X), self.parts, targets[0], y)
        if failures:
            raise TaskRejectedError(type(self).__name__, failures)
        return parts

    def _predicted(self, X: Any) -> tuple[tuple[Target, ...], list[Array]]:
        """Predict each target, (n_rows, n_outputs), in the order of the rows of `X`."""
        check_is_fitted(self)
        new = self._rows(X, "test")
        data = self._beside_fitted(new)
        with Workers(checked(self.jobs)) as workers:
            final = self.stacked_.predict(data, workers)
        return data.targets, predictions.in_test_order(final, data)

    def _beside_fitted(self, new: pd.DataFrame) -> Dataset:
        """Lay new rows beside the fitted ones, of which none may be there twice."""
        fitted = self.stacked_.problem.data
        rows = fitted.rows
        if fitted.form.id:
            rows = rows[~rows[fitted.form.id].isin(new[fitted.form.id])]
        return together(rows, new, (), fitted.targets, fitted.form, None)

    def __sklearn_tags__(self) -> Tags:
        """Say what this estimator takes and gives."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = tags.target_tags.multi_output = True
        if _tells_classes(self):
            tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        else:
            tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        return tags


def load_solver(task: str, **parameters: Any) -> StackedSolver:
    """Return a known task's solver as every run has it, not fitted yet; a copy nobody shares.

    Parameters
    ----------
    task : str
        Its slug, such as ``"spaceship-titanic"``.
    **parameters
        Of `StackedSolver`, such as `seed` or `profile`.

    Raises
    ------
    KeyError
        If there is no such task.
    """
    from solvers.parameters import load  # which imports this module

    signature = REGISTRY[task]
    solver: StackedSolver = clone(load(signature).solver)
    solver.set_params(id=signature.id, metric=signature.metric.name, **parameters)
    return solver
