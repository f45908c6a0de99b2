"""Which metric a description asks for."""

import re
from typing import NamedTuple

_WORDS: tuple[tuple[str, str], ...] = (
    (r"rmsle|root[ -]mean[ -]squared?[ -]log", "rmsle"),
    (r"log(arithm)?s? of the predict(ed|ions?)(?! (class )?(probab|likeli))", "rmse_log"),
    (r"log[ -]?loss|logarithmic loss|cross[ -]?entropy", "log_loss"),
    (r"\bauc\b|area under the (receiver|roc|curve)|\broc\b", "auc"),
    (r"\brmse\b|root[ -]mean[ -]squared?", "rmse"),
    (r"mean[ -]squared?[ -]error|\bmse\b|mean absolute|\bmae\b|r2 score|\br\^?2\b", "rmse"),
    (
        r"(classification|categori[sz]ation) accuracy|accuracy score|percentage of .{0,60}correct",
        "accuracy",
    ),
    (r"kappa|\bf1\b|f1[ -]score|matthews|\bmap@", "accuracy"),
)
_WHOLE = 2  # of these first ones the others' words are parts
# What is scored by another metric than the one that is asked for, and so is only near it.
_NEAR = re.compile(
    r"mean absolute|\bmae\b|r2 score|\br\^?2\b|kappa|f1([ -]score)?|matthews|\bmap@", re.IGNORECASE
)
_EVERYDAY = re.compile(r"accura(cy|te)", re.IGNORECASE)  # a word that may mean anything
_SECTION = re.compile(r"^#*\s*evaluation\b.*?$(.*?)(^#\s|^##\s(?!#)|\Z)", re.I | re.M | re.S)


class Told(NamedTuple):
    """What a description says of the metric.

    Attributes
    ----------
    name : str or None
        One of `solvers.metrics.METRICS`.
    words : str
        What was read, for the record.
    sure : bool
        Whether they can mean nothing else: in passing, one asks accuracy of numbers too.
    """

    name: str | None
    words: str
    sure: bool = True


def metric_in(description: str) -> Told:
    """Find the metric that a description names first.

    The section on evaluation is read, or everything where there is none.
    """
    section = _SECTION.search(description)
    text = section.group(1) if section and section.group(1).strip() else description
    hits = [
        (rank >= _WHOLE, found.start(), rank, name, found.group(0))
        for rank, (pattern, name) in enumerate(_WORDS)
        if (found := re.search(pattern, text, re.IGNORECASE))
    ]
    if not hits:
        if _EVERYDAY.search(text) is None:
            return Told(None, "")
        sure = section is not None and re.search(r"\baccuracy\b(?! of)", text, re.IGNORECASE)
        return Told("accuracy", "'accuracy'", sure=bool(sure))
    *_, name, words = min(hits)  # the first to be named
    near = " (the nearest that is scored here)" if _NEAR.fullmatch(words) else ""
    return Told(name, f"{words!r}{near}")
