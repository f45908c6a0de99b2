import numpy as np

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
