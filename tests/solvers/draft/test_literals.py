"""Values as Python source: what is written evaluates to what it was."""

import ast

import pytest

from solvers.draft.literals import (
    WIDTH,
    call,
    classes,
    constant,
    expression,
    identifiers,
    listing,
    mapping,
    text,
)
from solvers.models import LightGBM
from solvers.models.text import NGrams, TextLinear
from solvers.models.wrappers import AsCodes

STRINGS = [
    "", "plain", 'a "b"', "it's", "both ' and \"", "back\\slash", "new\nline", "\x7f\u2013",
    "na\xefve",
]  # fmt: skip


def evaluated(source):
    (statement,) = ast.parse(source).body
    return ast.literal_eval(statement.value)


@pytest.mark.parametrize("value", STRINGS)
def test_a_string_is_what_it_was(value):
    assert ast.literal_eval(text(value)) == value


@pytest.mark.parametrize("value", ["short", "long " * 60, "\u2013" * 90])
def test_a_constant_is_what_it_was_and_no_line_is_too_long(value):
    source = constant("NAME", value)
    assert evaluated(source) == value
    assert max(map(len, source.splitlines())) <= WIDTH


@pytest.mark.parametrize("n", [0, 1, 80])
def test_a_list_and_a_mapping_are_what_they_were(n):
    names = [f"name {place}" for place in range(n)]
    items = [text(name) for name in names]
    for source, value in (
        (listing("NAMES", items), names),
        (mapping("NAMES", {'"key"': items, '"other"': "1"}), {"key": names, "other": 1}),
    ):
        assert evaluated(source) == value
        assert max(map(len, source.splitlines())) <= WIDTH


def test_a_call_that_does_not_fit_has_an_argument_a_line():
    assert call("f", ["a", "b=1"]) == "f(a, b=1)"
    assert call("f" * 90, ["a", "b=12345"]) == f"{'f' * 90}(\n    a,\n    b=12345,\n)"


def test_a_model_is_written_with_what_differs_from_its_defaults():
    model = AsCodes(TextLinear((NGrams("char", most=5),), name="letters"))
    source = 'AsCodes(TextLinear(views=(NGrams(of="char", most=5),), name="letters"))'
    assert expression(model) == source
    names = {found.__name__: found for found in classes(model)}
    assert eval(source, names) == model


def test_only_what_is_written_has_to_be_imported():
    assert classes((TextLinear(), LightGBM())) == {TextLinear, LightGBM}


def test_names_are_kept_where_python_takes_them_and_each_is_another():
    names = ["Age", "1st Flr", "1st-flr", "class", "_x", "", "née"]
    found = identifiers(names, lambda own: own == "class")
    assert found["Age"] == "Age"
    assert set(found) == set(names)
    assert len(set(found.values())) == len(names)
    assert all(own.isidentifier() and own.isascii() and own[0] != "_" for own in found.values())
    assert "class" not in found.values()
