"""Grade a submission against the answers, by the rules of MLE-bench's graders [1]_.

Everything follows from the signature (metric, labels, targets, id) and from the data:

- The ids have to be those of the answers, each as often as there. Rows may come in any order, but
  for a task whose signature says ``aligned = "order"``: its grader never reads the ids.
- A value may not be missing, by the texts that pandas takes for missing.
- accuracy: a column of labels is read as pandas reads it. True and False in any case are the
  numbers 1 and 0, but only if all the column is written so; a column with one ``"true "`` in it is
  text. Text does not answer numbers, nor the reverse. Fractions are no labels. A label that the
  task does not have is wrong, and valid.
- log_loss of several classes: the columns are those of the form, the id first; each row holds
  probabilities and sums to one.
- auc of one target and log_loss want probabilities in [0, 1]; auc of several any finite numbers.
- rmsle wants 0 or more, rmse_log more than 0.
- Scores are rounded to five decimals before they meet the medal lines; the median has to be passed
  and not only reached.

Where a grader would score what nobody meant, this one is stricter and calls it invalid: rows that
are missing or out of order, ids that are not read there, columns of one name.

References
----------
.. [1] Chan et al. (2024), MLE-bench: Evaluating Machine Learning Agents on Machine Learning
   Engineering, arXiv:2410.07095.
"""

from datetime import UTC, datetime
from pathlib import Path

from signatures import REGISTRY, Registry, Signature
from solvers import metrics
from solvers.grading.answers import Answers, read_answers
from solvers.grading.medals import Board, board_lines, conflicts, read_board, signature_lines
from solvers.grading.report import Grade
from solvers.grading.submitted import Submitted, read_submission

__all__ = ["Grade", "grade"]

DECIMALS = 5  # as Kaggle shows scores and MLE-bench rounds them


def grade(
    submission: str | Path,
    *,
    answers: str | Path,
    task: str | Signature | None = None,
    leaderboard: str | Path | None = None,
    registry: Registry = REGISTRY,
) -> Grade:
    """Score a submission, or say all that makes it invalid.

    Parameters
    ----------
    submission : path
        A csv file. Whatever is wrong with it is in the result and raises nothing.
    answers : path
        A table with the id and the targets of the test rows; of several classes that have a column
        each, one label column or a column of 0 and 1 for each.
    task : str or Signature, optional
        The task. By default the one known task whose id and targets `answers` has.
    leaderboard : path, optional
        A csv file with a row a team and a column ``score`` or ``Score``. Its lines then replace
        the signature's, and the grade has a rank.
    registry : Registry
        The known tasks.

    Returns
    -------
    Grade
        The score in the metric's unit, rounded to five decimals, and what it is worth.

    Raises
    ------
    UnknownTaskError
        If there is no such task, or `answers` fits none or several.
    BundleError
        If `answers` or `leaderboard` cannot be read or does not fit the task.
    """
    truth = read_answers(answers, task, registry)
    signature = truth.signature
    board = None if leaderboard is None else read_board(leaderboard, signature.metric)
    submitted = read_submission(submission, truth)
    score = None if submitted.failures else _score(truth, submitted)
    return Grade(
        task=signature.slug,
        metric=signature.metric,
        score=score,
        lines=signature_lines(signature) if board is None else board_lines(board),
        rank=None if board is None or score is None else board.rank(score),
        n_teams=None if board is None else len(board.scores),
        failures=submitted.failures,
        notes=(*submitted.notes, *_board_notes(signature, board)),
        submission=str(submission),
        submission_exists=submitted.exists,
        created_at=datetime.now(UTC),
    )


def _score(truth: Answers, submitted: Submitted) -> float:
    if truth.signature.metric.name == "accuracy":
        pairs = zip(truth.ys, submitted.predictions, strict=True)
        shares = [metrics.accuracy(y, decided[:, 0]) for y, decided in pairs]
        score = sum(shares) / len(shares)
    else:
        metric = truth.signature.metric
        score = metrics.score(metric, truth.targets, truth.ys, submitted.predictions)
    return round(score, DECIMALS) + 0.0  # + 0.0: never a negative zero


def _board_notes(signature: Signature, board: Board | None) -> list[str]:
    return [] if board is None else conflicts(board_lines(board), signature_lines(signature))
