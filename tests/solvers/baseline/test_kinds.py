import pandas as pd
import pytest

from solvers.baseline.kinds import kind_of
from solvers.baseline.metric import metric_in


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2.5", None, "-3e4"], "number"),
        (["1"] * 40 + ["unknown"], "number"),
        (["inf", "nan", "x"], "category"),
        (["1,234", "12", "1,234,567.5"], "number"),
        (["12%", "7.5 %", "-3%"], "number"),
        (["$1", "$2,500.00", "€3", "-£4"], "number"),
        (["1,2", "3,45", "1,2"], "category"),
        (["red", "green", "red", None], "category"),
        ([f"C{i}" for i in range(60)], "code"),
        (["2020-01-31", "2020-02-28", None], "date"),
        (["31/01/2020", "28/02/2020"], "date"),
        (["2012-05-01 10:00:00", "2012-05-01 11:00:00"], "date"),
        (["20120618192155Z", None, "20120528192215Z"], "date"),
        (["Jan 5, 2020", "Feb 29, 2020"], "date"),
        (["the cat sat", "on a red mat"], "text"),
        (["the cat sat"] * 30 + ["on a red mat"] * 30, "category"),
        ([None, None], "nothing"),
        (["1", "1", "1"], "nothing"),
        (["yes", None], "category"),
        (["a/1/x", "b/2/y", "c/3/z"] * 20 + [f"d/{i}/w" for i in range(60)], "code"),
    ],
)
def test_a_column_is_told_by_its_values(values, kind):
    assert kind_of(pd.Series(values, dtype=object)) == kind


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("scored by the Root Mean Squared Logarithmic Error (RMSLE)", "rmsle"),
        ("Root-Mean-Squared-Error (RMSE) between the logarithm of the predicted value", "rmse_log"),
        ("submissions are evaluated using multi-class logarithmic loss", "log_loss"),
        ("area under the ROC curve between the predicted probability and the target", "auc"),
        ("evaluated on classification accuracy", "accuracy"),
        ("the percentage of passengers you correctly predict", "accuracy"),
        ("the mean absolute error", "rmse"),
        ("the quadratic weighted kappa", "accuracy"),
        ("the negative log of the predicted probability (log loss)", "log_loss"),
        ("To judge the accuracy of forecasts we use the RMSE.", "rmse"),
        ("Submissions are judged on accuracy.", "accuracy"),
        ("nothing of the kind", None),
    ],
)
def test_the_metric_is_read_from_the_description(text, name):
    assert metric_in(f"# Evaluation\n\n{text}\n")[0] == name


def test_the_section_on_evaluation_goes_first():
    text = "We like accuracy.\n\n## Evaluation\n\nThe AUC counts.\n\n## Prizes\n\nRMSE of money.\n"
    assert metric_in(text)[0] == "auc"


def test_what_is_only_near_is_told():
    told = metric_in("the mean absolute error")
    assert (told.name, "nearest" in told.words) == ("rmse", True)


def test_accuracy_in_passing_is_no_sure_sign_of_classes():
    assert not metric_in("We want forecasts of high accuracy.").sure
    assert metric_in("# Evaluation\nSubmissions are judged on accuracy.").sure
    assert metric_in("the classification accuracy").sure


def test_order_of_rows_changes_no_kind():
    days = [f"2020-01-{day:02d}" for day in range(1, 29)] * 2 + ["never"]
    values = pd.Series(days, dtype=object)
    for order in range(5):
        assert kind_of(values.sample(frac=1, random_state=order)) == "date"
