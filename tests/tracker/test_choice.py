"""Which settings of a metric are the score: the first ones, until others are chosen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from sr_tracker.queries.checks import run_audits
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api import Tracker, connect
from sr_tracker.tracker.cli import cli
from tests.tracker.test_form import Stub
from tests.tracker.test_meaning import GOLD, OUTPUTS, PARSES, TEXTS, amr

Scores = dict[str, tuple[float | None, int]]
QUALITY = {"good": [0.99, 0.97, 0.2, 0.2], "bad": [0.98, 0.99, 0, 0]}


@pytest.fixture
def tracker(tmp_path: Path) -> Iterator[Tracker]:
    """Two systems with graphs of a careful and of a hasty parser, and a form."""
    from sr_tracker.queries.form.scoring import score_form

    with connect(tmp_path / "campaign.duckdb", create=True) as tracker, tracker.writing():
        (tmp_path / "gold.amr").write_text(amr(GOLD, TEXTS), encoding="utf-8")
        tracker.ingest_amr(tmp_path / "gold.amr", treebank="gold", language="en")
        for system in QUALITY:
            texts = OUTPUTS[system]
            file = tmp_path / f"{system}.txt"
            file.write_text("\n".join(texts) + "\n", encoding="utf-8")
            tracker.ingest_submission(file, system=system, treebank="gold")
            for parser, graphs in (("careful/1", PARSES[system]), ("hasty/1", PARSES["good"])):
                file = tmp_path / f"{system}.amr"
                file.write_text(amr(graphs, texts, QUALITY[system]), encoding="utf-8")
                tracker.ingest_graphs(file, parser=parser, submission=f"local/{system}/gold")
        score_form(tracker.database, Stub({}))
        tracker.meaning.score({"parser": "careful/1"})
        yield tracker


def scores(tracker: Tracker) -> Scores:
    """What leaderboards show: smatch and mf_1, with the number of sentences."""
    rows = tracker.show("submission_metrics", where="metric IN ('smatch', 'mf_1')").to_pylist()
    return {f"{row['system_id']} {row['metric']}": (row["score"], row["sentences"]) for row in rows}


def chosen(tracker: Tracker) -> dict[str, str]:
    rows = tracker.choose().to_pylist()
    return {row["metric"]: row["settings"] for row in rows if row["is_chosen"]}


def test_what_is_run_later_stands_beside_the_score(tracker: Tracker) -> None:
    before = scores(tracker)
    assert len(before) == 4
    for settings in ({"parser": "hasty/1"}, {"parser": "hasty/1", "quality": 0.95}):
        report = tracker.meaning.score(settings)
        assert len(report.scored) == 2
        assert report.beside == {"gold": "careful/1"}
        assert scores(tracker) == before
    assert chosen(tracker)["smatch"] == "careful/1"
    assert tracker.choose().num_rows == 4  # three of smatch, one of form
    assert run_audits(tracker.database) == []


def test_known_settings_are_elected_again(tracker: Tracker) -> None:
    before = scores(tracker)
    hasty = tracker.meaning.score({"parser": "hasty/1"}, elect=True)
    assert hasty.beside == {}
    assert scores(tracker)["bad smatch"] != before["bad smatch"]
    assert scores(tracker)["bad mf_1"] != before["bad mf_1"]
    again = tracker.meaning.score({"parser": "careful/1"})
    assert (again.unchanged, again.beside) == (2, {"gold": "hasty/1"})
    again = tracker.meaning.score({"parser": "careful/1"}, elect=True)
    assert (again.scored, again.beside) == ([], {})
    assert scores(tracker) == before


def test_one_command_chooses(tracker: Tracker) -> None:
    before = scores(tracker)
    tracker.meaning.score({"parser": "hasty/1"})
    rows = tracker.choose("smatch", "hasty").to_pylist()
    assert {row["settings"]: row["is_chosen"] for row in rows} == {
        "careful/1": False,
        "hasty/1": True,
    }
    assert scores(tracker)["bad mf_1"] != before["bad mf_1"]
    assert run_audits(tracker.database) == []
    tracker.choose("smatch", "careful/1", treebanks=["gold"])
    assert scores(tracker) == before
    (row,) = tracker.show("metrics", where="metric = 'smatch'").to_pylist()
    assert row["settings"] == "gold: careful/1"


@pytest.mark.parametrize(
    ("metric", "settings", "error", "reason"),
    [
        ("bleu", "x", UnknownNameError, "bleu"),
        ("smatch", "stanza", UnknownNameError, "there are: careful/1, hasty/1"),
        ("smatch", "/1", InputError, "name one of careful/1, hasty/1"),
    ],
)
def test_what_cannot_be_chosen_is_said(
    tracker: Tracker, metric: str, settings: str, error: type[Exception], reason: str
) -> None:
    tracker.meaning.score({"parser": "hasty/1"})
    before = chosen(tracker)
    with pytest.raises(error) as refused:
        tracker.choose(metric, settings)
    assert reason in str(refused.value)
    assert chosen(tracker) == before


def test_a_subset_is_never_the_first_choice(tracker: Tracker) -> None:
    tracker.database.connection.execute("DELETE FROM standing_choice WHERE metric = 'smatch'")
    tracker.meaning.score({"parser": "hasty/1", "quality": 0.95})
    assert "smatch" not in chosen(tracker)


def test_a_comparison_has_the_number_of_sentences_that_count(tracker: Tracker) -> None:
    whole = tracker.compare("good", "bad", metrics=["smatch"]).metrics[0]
    assert whole.n == 4
    tracker.meaning.score({"parser": "careful/1", "quality": 0.95}, elect=True)
    part = tracker.compare("good", "bad", metrics=["smatch"]).metrics[0]
    assert (part.n, part.new) == (2, scores(tracker)["good smatch"][0])


def test_a_gate_does_not_move_with_what_is_run_later(tracker: Tracker) -> None:
    floor = scores(tracker)["bad smatch"][0]
    limit = [f"smatch={floor}"]
    assert tracker.gate("bad", "good", minimum=limit).passed
    tracker.meaning.score({"parser": "hasty/1", "quality": 0.95})
    assert tracker.gate("bad", "good", minimum=limit).passed


def test_a_choice_counts_from_its_time(tracker: Tracker) -> None:
    before = scores(tracker)
    moment = datetime.now(UTC)
    tracker.meaning.score({"parser": "hasty/1"}, elect=True)
    after = scores(tracker)
    assert after != before
    from sr_tracker.queries.change.versions.as_of import as_of

    with as_of(tracker.database, moment):
        assert scores(tracker) == before
    assert scores(tracker) == after


def test_the_note_names_what_is_chosen(tmp_path: Path, tracker: Tracker) -> None:
    path = tmp_path / "copy.duckdb"
    tracker.database.connection.execute("CHECKPOINT")
    path.write_bytes((tmp_path / "campaign.duckdb").read_bytes())
    arguments = ["-d", str(path), "meaning", "score", "--parser", "hasty/1"]
    told = CliRunner().invoke(cli, arguments, catch_exceptions=False).stderr
    assert "note: the score on gold is by careful/1: these stand beside it" in told
    told = CliRunner().invoke(cli, [*arguments, "--elect"], catch_exceptions=False).stderr
    assert "stand beside" not in told
    shown = CliRunner().invoke(cli, ["-d", str(path), "choose", "--format", "csv"])
    assert "gold,smatch,hasty/1,true" in shown.stdout.lower()
