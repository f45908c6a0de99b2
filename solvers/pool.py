"""Blend probabilities of several classes: in logarithms, and with caution.

An arithmetic mean of probabilities is as unsure as the least sure model, which costs most where
all models are right; a mean of logarithms is not [1]_. What is fitted to few errors is
overconfident, so a fit is told of one error more than it has seen (`cautious`).

References
----------
.. [1] Genest and Zidek (1986), Combining Probability Distributions, Statistical Science 1(1).
"""

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import softmax

from solvers.target import Array

LEAST = 1e-7  # a probability under it says no more: one model has no veto


def logs_of(probabilities: Array) -> Array:
    """Give logarithms, of `LEAST` at least."""
    return np.asarray(np.log(np.clip(probabilities, LEAST, 1 - LEAST)))


def log_average(probabilities: Array) -> Array:
    """Average models of shape ``(n_models, ..., n_classes)`` in logarithms; rows sum to one."""
    return np.asarray(softmax(logs_of(probabilities).mean(axis=0), axis=-1))


def cautious(scores: Array, y: npt.NDArray[np.intp]) -> Array:
    """Say which classes rows shall be thought to have, as if one more were wrong than are.

    Each of n rows belongs to its class but for a share of ``1 / (n + 1)``, which goes to the other
    class that scores best there. This is Laplace's rule of succession as a label smoothing: where
    no row is wrong, the best probability of being right is ``n / (n + 1)``, and not 1.

    Parameters
    ----------
    scores : ndarray of shape (n_rows, n_classes)
        Any that grow with the probability.
    y : ndarray of shape (n_rows,)
        Class index.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Shares that sum to one in each row.
    """
    rows = np.arange(len(y))
    others = scores.copy()
    others[rows, y] = -np.inf
    shares = np.zeros_like(scores)
    shares[rows, others.argmax(axis=1)] = 1 / (len(y) + 1)
    shares[rows, y] += len(y) / (len(y) + 1)
    return shares


def fit_pool(X: Array, y: npt.NDArray[np.intp], n_classes: int) -> Array:
    """Fit weights with which to pool several models' log probabilities.

    One weight per model and none per class: enough to say whom to trust and, by their sum, how
    sharp to be, and few enough for a hundred classes.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_models * n_classes)
        Logarithms of probabilities, models side by side.

    Returns
    -------
    ndarray of shape (n_models,)
    """
    logs = _by_model(X, n_classes)
    n_models = logs.shape[1]
    shares = cautious(logs.mean(axis=1), y)
    told = (logs * shares[:, None, :]).sum(axis=2)

    def loss(weights: Array) -> tuple[float, Array]:
        p = softmax(np.tensordot(logs, weights, axes=(1, 0)), axis=1)
        expected = (logs * p[:, None, :]).sum(axis=2)
        gradient = (expected - told).mean(axis=0)
        return float(-(shares * np.log(np.maximum(p, 1e-300))).sum(axis=1).mean()), gradient

    start = np.full(n_models, 1 / n_models)
    fitted = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * n_models,
        options={"maxiter": 200, "ftol": 1e-12, "gtol": 1e-8},
    )  # fmt: skip
    return np.asarray(fitted.x)


def pool(X: Array, weights: Array, n_classes: int) -> Array:
    """Pool models with the weights of `fit_pool`; rows sum to one."""
    logs = _by_model(X, n_classes)
    return np.asarray(softmax(np.tensordot(logs, weights, axes=(1, 0)), axis=1))


def _by_model(X: Array, n_classes: int) -> Array:
    return X.reshape(len(X), -1, n_classes)
