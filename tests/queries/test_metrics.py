"""Metrics: found, checked, plugged in by other packages, and told apart by their signatures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.functions.sql_function import SqlFunction
from sr_tracker.queries.metrics import (
    Metric,
    metric_named,
    metrics,
    packages,
    registry,
    signature_of,
)
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, UnknownNameError

SUBMISSION: dict[str, str] = {
    "treebank_id": "t",
    "data_sha256": "0" * 64,
    "reference_form": "text",
    "analysis": "reference/1",
}


def same_length(outputs: Any, references: Any) -> Any:
    equal = pc.equal(pc.utf8_length(outputs), pc.utf8_length(references))
    ones = pc.cast(pc.cast(equal, pa.int32()), pa.float64())
    return pa.array([[value] for value in ones.to_pylist()], pa.list_(pa.float64()))


SCORES = """
    INSERT INTO sentence_score
    SELECT signature_id, submission_id, sentence_no, metric, statistics[1], NULL
    FROM statistic_match JOIN pending USING (signature_id, submission_id);
    INSERT INTO submission_score
    SELECT signature_id, submission_id, any_value(metric), avg(statistics[1]), count(*), NULL
    FROM statistic_match JOIN pending USING (signature_id, submission_id)
    GROUP BY signature_id, submission_id;
"""
"""What stores the first of a metric's statistics as its scores."""
SAME_LENGTH = Metric(
    name="same_length",
    description="whether output and reference have the same number of characters",
    version="3",
    text_level="text",
    statement="""
        INSERT INTO statistic_match
        SELECT signature_id, submission_id, sentence_no, same_length(output_text, reference_text)
        FROM text_pair JOIN pending USING (submission_id);
    """
    + SCORES,
    functions=[SqlFunction("same_length", same_length, ["VARCHAR", "VARCHAR"], "DOUBLE[]")],
)
DERIVED = Metric(
    name="a_different_length",  # sorts before the metric it is derived from
    description="its complement",
    version="1",
    text_level="text",
    statistics_of="same_length",
    statement="""
        INSERT INTO sentence_score
        SELECT
            pending.signature_id, pending.submission_id, sentence_no, metric,
            1 - statistics[1], NULL
        FROM pending JOIN statistic_match
            ON statistic_match.signature_id = statistics_signature_id
            AND statistic_match.submission_id = pending.submission_id;
        INSERT INTO submission_score
        SELECT signature_id, submission_id, metric, avg(score), count(*), NULL
        FROM sentence_score JOIN pending USING (signature_id, submission_id, metric)
        GROUP BY ALL;
    """,
)
NOT_A_METRIC = "bleu"


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that registers objects of this module as another package would."""
    module = __name__

    def plug_in(**named: object) -> None:
        computed = [
            FakeEntryPoint(name, f"{module}:{name}", thing) for name, thing in named.items()
        ]
        monkeypatch.setattr(packages, "entry_points", lambda: computed)
        registry.registered.cache_clear()
        registry._with_external.cache_clear()

    yield plug_in
    monkeypatch.undo()
    registry.registered.cache_clear()
    registry._with_external.cache_clear()


@dataclasses.dataclass
class FakeEntryPoint:
    name: str
    value: str
    thing: object

    def load(self) -> object:
        return self.thing


def test_chrf_is_registered_by_its_entry_point() -> None:
    from sr_tracker.queries.metrics.builtin import METRICS

    assert "chrf" not in {metric.name for metric in METRICS}
    assert metric_named("chrf").name == "chrf"


def test_no_version_of_a_package_that_computes_nothing_is_in_a_signature() -> None:
    """Only what a metric of ours is computed by makes its scores others than before."""
    assert {metric.name: metric.versions for metric in metrics().values() if metric.versions} == {}


def test_unknown_metric_lists_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="no metric 'blue'") as caught:
        metric_named("blue")
    assert caught.value.hint is not None
    assert "bleu_lemma" in caught.value.hint


def test_metric_of_another_package_is_scored_end_to_end(
    changeable: Database, plugged_in: Any
) -> None:
    plugged_in(z=SAME_LENGTH, a=DERIVED)
    changeable._in_transaction = True  # the fixture's transaction, which scoring takes part in
    try:
        report = score(changeable)
    finally:
        changeable._in_transaction = False
    connection = changeable.connection
    submissions = connection.execute("SELECT count(*) FROM submission").fetchone()
    assert submissions == (report.submissions,)
    assert report.scores == 2 * report.submissions
    rows = connection.execute(
        "SELECT same.score, different.score, lower(output.text), lower(sentence.forms_text) "
        "FROM sentence_score AS same "
        "JOIN sentence_score AS different USING (submission_id, sentence_no) "
        "JOIN output USING (submission_id, sentence_no) "
        "JOIN submission USING (submission_id) JOIN sentence USING (treebank_id, sentence_no) "
        "WHERE same.metric = 'same_length' AND different.metric = 'a_different_length' "
        "AND sentence.text IS NOT NULL"
    ).fetchall()
    assert len(rows) > 60
    for same, different, output, reference in rows:
        assert same == float(len(output or "") == len(reference))
        assert different == 1 - same
    signatures = connection.execute(
        "SELECT DISTINCT metric, signature FROM submission_metrics "
        "WHERE metric IN ('same_length', 'a_different_length') AND submission_id LIKE '%fr_two%'"
    ).fetchall()
    versions = dict(signatures)
    assert "metric-version:3" in versions["same_length"]
    assert "same_length-version:3" in versions["a_different_length"]
    assert run_audits(changeable) == []


def test_derived_metrics_come_after_all_others(plugged_in: Any) -> None:
    plugged_in(a=DERIVED, z=SAME_LENGTH)
    names = list(metrics())
    assert names.index("same_length") < names.index("a_different_length")
    assert names.index("nist") < names.index("nist4")


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"bleu": dataclasses.replace(SAME_LENGTH, name="bleu")}, "registered twice"),
        ({"a": SAME_LENGTH, "b": SAME_LENGTH}, "registered twice"),
        ({"text": NOT_A_METRIC}, "not a metric"),
        ({"kind": Metric}, "not a metric"),
        ({"a": dataclasses.replace(SAME_LENGTH, text_level="words")}, "'words' is no text level"),
        ({"a": DERIVED}, "cannot be derived from 'same_length'"),
        (
            {"a": dataclasses.replace(DERIVED, statistics_of="nist4")},
            "cannot be derived from 'nist4'",
        ),
        (
            {
                "a": SAME_LENGTH,
                "b": dataclasses.replace(
                    SAME_LENGTH,
                    name="other",
                    functions=[SqlFunction("same_length", print, ["VARCHAR"], "VARCHAR")],
                ),
            },
            "another function 'same_length'",
        ),
    ],
)
def test_unsound_metric_is_refused(plugged_in: Any, named: dict[str, object], message: str) -> None:
    plugged_in(**named)
    with pytest.raises(InputError, match=message):
        metrics()


@pytest.mark.parametrize("value", ["no_such_module:METRIC", "json:METRIC"])
def test_metric_that_cannot_be_imported_is_named(
    monkeypatch: pytest.MonkeyPatch, plugged_in: Any, value: str
) -> None:
    broken = EntryPoint("broken", value, packages.ENTRY_POINT_GROUP)
    plugged_in()
    monkeypatch.setattr(packages, "entry_points", lambda: [broken])
    with pytest.raises(InputError, match="'broken' cannot be loaded") as caught:
        metrics()
    assert caught.value.where == f"{value}: {value}"
    assert caught.value.exit_code == 4


# Signatures


def test_same_computation_has_the_same_signature() -> None:
    assert signature_of(metric_named("bleu"), **SUBMISSION) == signature_of(
        metric_named("bleu"), **SUBMISSION
    )


@pytest.mark.parametrize(
    ("metric", "change"),
    [
        ("bleu", {"treebank_id": "u"}),
        ("bleu", {"data_sha256": "1" * 64}),
        ("bleu", {"reference_form": "tokens"}),
        ("bleu_lemma", {"analysis": "stanza/1"}),
        ("dea", {"analysis": "conllu"}),
    ],
)
def test_signature_differs_with_the_submission(metric: str, change: dict[str, str]) -> None:
    own = signature_of(metric_named(metric), **SUBMISSION)
    other = signature_of(metric_named(metric), **{**SUBMISSION, **change})
    assert own.signature_id != other.signature_id
    assert own.signature != other.signature


@pytest.mark.parametrize(
    ("metric", "change"),
    [
        ("bleu", {"analysis": "stanza/1"}),
        ("chrf", {"analysis": "conllu"}),
        ("dea", {"reference_form": "tokens"}),
        ("bleu_lemma", {"reference_form": "tokens"}),
    ],
)
def test_signature_is_the_same_where_the_difference_does_not_matter(
    metric: str, change: dict[str, str]
) -> None:
    own = signature_of(metric_named(metric), **SUBMISSION)
    assert own == signature_of(metric_named(metric), **{**SUBMISSION, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"version": "2"},
        {"parameters": {"order": 3}},
        {"versions": {"library": "9"}},
        {"name": "other"},
    ],
)
def test_signature_differs_with_the_metric(change: dict[str, Any]) -> None:
    own = signature_of(metric_named("bleu"), **SUBMISSION)
    other = signature_of(dataclasses.replace(metric_named("bleu"), **change), **SUBMISSION)
    assert own.signature_id != other.signature_id


def test_signature_of_a_derived_metric_differs_with_its_base(plugged_in: Any) -> None:
    plugged_in(a=DERIVED, z=SAME_LENGTH)
    own = signature_of(DERIVED, **SUBMISSION)
    plugged_in(a=DERIVED, z=dataclasses.replace(SAME_LENGTH, version="4"))
    assert signature_of(DERIVED, **SUBMISSION).signature_id != own.signature_id


def test_no_two_metrics_share_a_signature() -> None:
    alike = [dataclasses.replace(metric, needs=None) for metric in metrics().values()]
    ids = {signature_of(metric, **SUBMISSION).signature_id for metric in alike}
    assert len(ids) == len(metrics())
