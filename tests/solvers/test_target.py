import numpy as np
import pytest

from solvers.target import Target


def test_kind_follows_from_the_number_of_labels():
    assert Target("price").kind == "regression"
    assert Target("alive", ("no", "yes")).kind == "binary"
    assert Target("author", ("a", "b", "c")).kind == "multiclass"


def test_labels_are_decided_as_the_sample_spells_them():
    target = Target("alive", ("False", "True"))
    probabilities = np.array([[0.2], [0.5], [0.9]])
    assert target.decide(probabilities) == ["False", "True", "True"]
    assert target.decide(probabilities, ("0", "1")) == ["0", "1", "1"]


def test_most_probable_class_wins():
    target = Target("author", ("a", "b", "c"))
    assert target.decide(np.array([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]])) == ["b", "a"]


@pytest.mark.parametrize("link", ["identity", "log1p", "log"])
def test_a_link_is_turned_back(link):
    y = np.array([0.5, 1.0, 200.0])
    target = Target("price", link=link)
    assert target.from_link(target.to_link(y)) == pytest.approx(y)


def test_links_are_the_functions_they_are_called():
    y = np.array([0.5, 1.0, 200.0])
    assert Target("price", link="log1p").to_link(y) == pytest.approx(np.log(y + 1))
    assert Target("price", link="log").to_link(y) == pytest.approx(np.log(y))
