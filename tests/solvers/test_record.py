"""The record of a run fits its published schema; its provenance fits in-toto's."""

import hashlib
import json
from importlib.resources import files

import jsonschema
import pytest
from google.protobuf import json_format
from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from pydantic import ValidationError

from signatures import Metric
from solvers.folds import Cut
from solvers.profiles import PROFILES
from solvers.record import of_scores
from solvers.record_types import RunRecord, schema
from solvers.run_record import read_record
from solvers.scores import Choice, Score
from solvers.stack import Blended


@pytest.fixture(scope="module")
def published():
    return json.loads(files("solvers").joinpath("run.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def provenance(finished):
    return json.loads((finished[0].run / "provenance.json").read_text(encoding="utf-8"))


def test_the_published_schema_is_the_one_that_is_used(published):
    # Made by: python -m solvers.record_types > solvers/run.schema.json
    assert published == schema()
    jsonschema.Draft202012Validator.check_schema(published)


def test_a_record_fits_the_published_schema(published, run_record):
    jsonschema.validate(run_record, published, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(("kind", "alone"), [("row", False), ("time", True)])
def test_it_says_where_fold_seeds_do_not_move_the_folds(kind, alone):
    blended = Blended({}, {"average": Score(0.5, 0.1, (0.4, 0.6))}, Choice("average", 0.0, 0.1, ""))
    cut, metric = Cut(kind, 0, 0, ""), Metric("rmsle", higher_is_better=False)
    said = of_scores(blended, metric, PROFILES["full"], cut)["protocol"]
    assert f"5 {kind} folds, mean and standard error over 5 fold seeds" in said
    assert ("which seed the models alone" in said) == alone


def test_the_published_schema_refuses_what_is_no_record(published, run_record):
    for wrong in (
        {},
        {**run_record, "mood": "good"},
        {**run_record, "seed": "0"},
        {name: fact for name, fact in run_record.items() if name != "fits"} | {"fits": [{}]},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, published, cls=jsonschema.Draft202012Validator)


def test_a_record_is_read_as_it_was_written(finished, run_record):
    record = read_record(finished[0].run)
    assert record.model_dump(mode="json", by_alias=True) == run_record == finished[0].record


def test_nothing_of_a_known_task_is_left_out(run_record):
    assert [name for name, fact in run_record.items() if fact is None] == ["inferred"]
    assert [stage["stage"] for stage in run_record["stages"]] == [
        "match", "libraries", "read", "check", "features", "folds", "fit", "stack", "write",
    ]  # fmt: skip
    assert all(stage["peak_mb"] > 50 for stage in run_record["stages"])
    assert len(run_record["fits"]) == 3 * 3
    assert all(fit["rounds"] > 1 for fit in run_record["fits"])
    assert not any(fit["kept"] or fit["attempts"] > 1 for fit in run_record["fits"])


def test_a_number_that_is_none_cannot_be_recorded(run_record):
    facts = {**run_record, "peak_mb": float("nan")}
    with pytest.raises(ValidationError, match="finite"):
        RunRecord.of(facts)


def test_the_provenance_is_a_statement_of_in_toto(provenance):
    statement = json_format.ParseDict(provenance, statement_pb2.Statement())
    Statement.copy_from_pb(statement).validate()
    assert statement.predicate_type == "https://slsa.dev/provenance/v1"


def test_its_predicate_is_slsa_provenance(provenance, run_record):
    predicate = json_format.ParseDict(provenance["predicate"], provenance_pb2.Provenance())
    definition = predicate.build_definition
    assert definition.external_parameters["seed"] == 0
    assert list(definition.external_parameters["command"]) == run_record["command"]
    inputs = {
        dependency.annotations["role"]: dependency.digest["sha256"]
        for dependency in definition.resolved_dependencies
        if "role" in dependency.annotations
    }
    assert inputs.pop("code") == run_record["environment"]["code"]["sha256"]
    recorded = run_record["input"]["files"]
    assert inputs == {role: file["sha256"] for role, file in recorded.items()}
    assert predicate.run_details.builder.id
    assert predicate.run_details.metadata.started_on.seconds > 0


def test_it_speaks_of_the_files_that_lie_beside_it(finished, provenance):
    (subject,) = provenance["subject"]
    products = provenance["predicate"]["runDetails"]["byproducts"]
    for about in (subject, *products):
        content = (finished[0].run / about["name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == about["digest"]["sha256"]
    assert subject["name"] == "submission.csv"
    assert [product["name"] for product in products] == [
        "run.json", "oof_predictions.parquet", "test_predictions.parquet",
        "feature_importance.parquet",
    ]  # fmt: skip
