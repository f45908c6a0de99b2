# ruff: noqa: E501 (a table of sentences is easier to read in long lines)
import pandas as pd
import pandera.pandas as pa
import pytest

from solvers.contract import check, columns_of


class Guest(pa.DataFrameModel):
    """A made-up contract with a column of each kind."""

    Id: str = pa.Field(str_matches=r"^g\d$", unique=True, description="g and a digit")
    Age: float = pa.Field(nullable=True, ge=0, le=120, description="0 to 120 years")
    Awake: pd.BooleanDtype = pa.Field(nullable=True)
    Floor: str = pa.Field(nullable=True, isin=("up", "down"))
    Rooms: float = pa.Field(gt=0)

    class Config:
        coerce = True


def table(**columns):
    good = {"Id": ["g1", "g2"], "Age": ["36.5", None], "Awake": ["True", None],
            "Floor": ["up", None], "Rooms": ["1", "2"]}  # fmt: skip
    return pd.DataFrame({k: pd.Series(v, dtype=object) for k, v in {**good, **columns}.items()})


def failures(**columns):
    return check(table(**columns), Guest, name="train").failures


def test_text_becomes_typed_and_missing_stays_missing():
    rows = check(table(extra=["x", "y"]), Guest, name="train").rows
    assert tuple(rows.columns) == columns_of(Guest)
    assert rows["Age"].tolist()[0] == 36.5
    assert rows["Awake"].dtype == "boolean"
    assert rows.isna().sum().tolist() == [0, 1, 1, 1, 0]


@pytest.mark.parametrize("word", ["True", "TRUE", "true", "1", "1.0", "yes", " T "])
def test_a_flag_may_be_written_in_every_common_way(word):
    rows = check(table(Awake=[word, "no"]), Guest, name="train").rows
    assert rows["Awake"].tolist() == [True, False]


@pytest.mark.parametrize(
    ("columns", "expected", "found"),
    [
        ({"Age": ["abc", "1"]}, "Age: expected 0 to 120 years", "1 row with 'abc' (first in data row 1)"),
        ({"Age": ["1", "-5"]}, "Age: expected 0 to 120 years", "1 row with '-5' (first in data row 2)"),
        ({"Age": ["inf", "-inf"]}, "Age: expected 0 to 120 years", "2 rows with 'inf', '-inf' (first in data row 1)"),
        ({"Awake": ["maybe", "2"]}, "Awake: expected True or False", "2 rows with 'maybe', '2' (first in data row 1)"),
        ({"Floor": ["up", "sideways"]}, "Floor: expected one of 'up', 'down'", "1 row with 'sideways' (first in data row 2)"),
        ({"Id": ["g1", "g1"]}, "Id: expected each value once", "2 rows with 'g1' (first in data row 1)"),
        ({"Id": ["x", "g2"]}, "Id: expected g and a digit", "1 row with 'x' (first in data row 1)"),
        ({"Rooms": ["1", None]}, "Rooms: expected no value missing", "1 row with nothing (first in data row 2)"),
        ({"Rooms": ["1", "0"]}, "Rooms: expected above 0", "1 row with '0' (first in data row 2)"),
    ],
)  # fmt: skip
def test_each_fault_is_one_sentence(columns, expected, found):
    assert failures(**columns) == (f"train: {expected}; {found}.",)


def test_all_faults_are_told_at_once():
    found = failures(Age=["-1", "999"], Floor=["x", "y"], Id=["a", "b"])
    assert [sentence.split(":")[1].strip() for sentence in found] == ["Id", "Age", "Floor"]


def test_unreadable_and_forbidden_values_are_told_together():
    found = failures(Age=["abc", "1"], Floor=["sideways", "up"])
    assert len(found) == 2


def test_a_missing_column_is_named_with_what_looks_like_it():
    spoiled = table().rename(columns={"Age": "age ", "Floor": "Level"})
    found = check(spoiled, Guest, name="test").failures
    assert found == (
        "test: the column 'Age' is missing; 'age ' looks like it: rename it.",
        "test: the column 'Floor' is missing.",
    )


class Counted(pa.DataFrameModel):
    """A contract with whole numbers, and one check over the whole table."""

    Id: int = pa.Field(unique=True, ge=0)

    class Config:
        coerce = True

    @pa.dataframe_check
    def few_rows(cls, rows: pd.DataFrame) -> bool:
        """Hold at most three rows."""
        return len(rows) <= 3


def ids(*texts):
    return check(pd.DataFrame({"Id": pd.Series(texts, dtype=object)}), Counted, name="test")


def test_whole_numbers_become_integers():
    assert ids("10", "2").rows["Id"].tolist() == [10, 2]


def test_what_is_no_whole_number_is_told():
    assert ids("1", "1.5", None, "x").failures[0] == (
        "test: Id: expected a whole number; 3 rows with '1.5', nothing, 'x' (first in data row 2)."
    )


def test_a_check_of_the_whole_table_is_told():
    assert ids("1", "2", "3", "4").failures == ("test: the check 'few_rows' of Counted fails.",)


def test_no_more_than_three_examples_are_shown():
    spoiled = table()
    spoiled = pd.concat([spoiled] * 3, ignore_index=True).assign(
        Id=[f"g{n}" for n in range(6)], Floor=list("abcdef")
    )
    (sentence,) = check(spoiled, Guest, name="train").failures
    assert "6 rows with 'a', 'b', 'c', ..." in sentence
