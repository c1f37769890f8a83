"""Errors marked in outputs, as a sentence's page shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sr_tracker
from sr_tracker.ingest.judgements.error_spans import is_mqm
from sr_tracker.queries.examination.marked_errors import _relations
from sr_tracker.tracker.examination.marked_errors import errors_text, marked_words
from sr_tracker.tracker.show.model import Span
from tests.tracker.explorer_server import explorer


def error(start: int | None, end: int | None, severity: str, **more: Any) -> dict[str, Any]:
    """Return an error as the table holds it."""
    return {
        "start_character": start,
        "end_character": end,
        "severity": severity,
        "category": None,
        "weight": None,
        "on_source": False,
        **more,
    }


def test_pieces_of_an_output() -> None:
    """The gravest of errors that overlap counts; what has no place marks nothing."""
    errors = [
        error(2, 5, "minor"),
        error(4, 7, "major"),
        error(None, None, "major"),
        error(0, 1, "major", on_source=True),
        error(8, 99, "minor"),
    ]
    assert marked_words("abcdefghij", errors) == [
        Span("ab"),
        Span("cd", "doubt"),
        Span("efg", "worse"),
        Span("h"),
        Span("ij", "doubt"),
    ]
    style = error(2, 5, "minor", category="style", weight=1.0)
    message = errors_text("abcdefghij", [style, errors[2]])
    assert message == "minor style “cde” (1.0); major something missing"


def test_subtypes_are_a_family_of_their_own() -> None:
    """A relation all of whose edges have one subtype is not corrected for being two."""
    relations = {"nmod": 9, "nmod:poss": 9, "obj": 4}
    rows = [
        {"criterion": "mqm", "tree": "reference", "deprel": name, "units": 10, "marked": marked}
        | {"all_units": 40, "all_marked": 20}
        for name, marked in relations.items()
    ]
    rows_by_deprel = {
        row["deprel"]: row for row in _relations(pa.Table.from_pylist(rows)).to_pylist()
    }
    assert rows_by_deprel["nmod"]["p_value"] == rows_by_deprel["nmod:poss"]["p_value"] > 0
    assert rows_by_deprel["nmod"]["p_holm"] == pytest.approx(2 * rows_by_deprel["nmod"]["p_value"])
    assert rows_by_deprel["nmod:poss"]["p_holm"] == rows_by_deprel["nmod:poss"]["p_value"]


def test_minus_weights_are_told_by_the_criterion_in_any_case() -> None:
    assert is_mqm("MQM_2")
    assert not is_mqm("ESA")


def test_the_page_of_a_sentence(tmp_path: Path) -> None:
    """Marks and what they are stand on the page, escaped."""
    (tmp_path / "set.txt").write_text("a dog barks\n")
    (tmp_path / "ours.txt").write_text("a <b>dog barks\n")
    spans = [{"start_character": 2, "end_character": 8, "severity": "major", "category": "<i>"}]
    (tmp_path / "judged.jsonl").write_text(
        json.dumps(
            {
                "annotator": "w",
                "system": "ours",
                "sent_id": "1",
                "criterion": "esa",
                "score": 50,
                "error_spans": json.dumps(spans),
            }
        )
    )
    path = tmp_path / "c.duckdb"
    with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
        tracker.ingest_references(tmp_path / "set.txt", treebank="set", language="en")
        tracker.ingest_submission(
            tmp_path / "ours.txt", campaign="C", system="ours", treebank="set"
        )
        tracker.ingest_judgements(tmp_path / "judged.jsonl", campaign="C", treebank_id="set")
    with explorer(path) as ask:
        page = ask("/sentence/set/1").text
    assert "Errors that annotators marked" in page
    assert "&lt;b&gt;dog" in page
    assert "&lt;i&gt;" in page
    assert "<b>dog" not in page
    assert "<i>" not in page
