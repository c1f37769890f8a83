"""Verdicts are decided once: stored with what they rest on, and told as they are stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sr_tracker.queries.change.comparison.model import Change
from sr_tracker.schema.errors import UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests.building import chain, conllu, load, random_sentences, shuffled
from tests.conftest import Filled

TREEBANK = "en_a-ud1.0-test"
SENTENCES = random_sentences(60, 5)
FIRST, SECOND, THIRD = (f"local/ours/{TREEBANK}{which}" for which in ("", "@2", "@3"))
SETTINGS = {"replicates": 200}


@pytest.fixture
def db(filled: Filled) -> Tracker:
    def fill(db: Tracker) -> None:
        load(
            db.ingest_treebank, conllu([chain(words) for words in SENTENCES]), f"{TREEBANK}.conllu"
        )
        for seed, share in enumerate((0.9, 0.1, 0.15)):
            run = {"reference_form": "tokens", "analyse": False, "log": False}
            db.submit(shuffled(SENTENCES, share, seed), system="ours", treebank=TREEBANK, **run)

    return filled("stored-comparisons", fill)


def stored(db: Tracker, what: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = db.sql(what).to_pylist()
    return rows


def figures(change: Change) -> tuple[float | None, ...]:
    return (change.difference, change.low, change.high, change.p_value, change.p_holm)


def test_a_submit_stores_its_verdict_and_all_others_tell_the_same(db: Tracker) -> None:
    (row,) = stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'")
    assert (row["base_submission_id"], row["base_iteration"]) == (FIRST, 1)
    assert row["primary_metrics"] == ["bleu", "dea"]
    compared = db.compare("ours@2", "ours@1")
    assert compared.unstored is None or compared.parts
    assert [row["verdict"], row["relations_verdict"]] == compared.verdict
    assert row["outcome"] == compared.outcome == "better"
    changes = {change.measure: change for change in [*compared.metrics, *compared.relations]}
    rows = stored(db, f"FROM measure_changes WHERE submission_id = '{SECOND}'")
    assert {row["measure"] for row in rows} >= {*changes}
    for item in rows:
        columns = ("difference", "low", "high", "p_value", "p_holm")
        assert tuple(item[name] for name in columns) == figures(changes[item["measure"]])
    gate = db.gate("ours@2", "ours@1", max_drop={"bleu": 1, "dea[dep]": 1}, significant=True)
    for verdict in gate.verdicts:
        assert figures(verdict.change) == figures(changes[verdict.change.measure])
    (line,) = db.history("ours").lines
    for name, change in line.runs[1].changes.items():
        assert figures(change) == figures(changes[name])


def test_the_same_settings_are_the_same_row_and_others_do_not_replace_it(db: Tracker) -> None:
    count = "SELECT count(*) AS rows, max(compared_at) AS last FROM comparison"
    before = stored(db, count)
    assert before[0]["rows"] == 2
    db.compare("ours@2", "ours@1")
    db.history("ours")
    assert stored(db, count) == before
    verdict = stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'")
    other = db.compare("ours@2", "ours@1", seed=1)
    assert other.settings.seed == 1
    assert stored(db, count)[0]["rows"] == 3
    by_chrf = db.compare("ours@2", "ours@1", metrics=["chrf"])
    assert [(metric.measure, metric.family) for metric in by_chrf.metrics] == [("chrf", "primary")]
    assert stored(db, count)[0]["rows"] == 4
    assert stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'") == verdict


def test_words_of_an_earlier_version_are_told_as_they_were_stored(db: Tracker) -> None:
    (row,) = stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'")
    assert " by BLEU-lc +" in row["verdict"]
    of_then = row["verdict"].replace("BLEU-lc", "bleu")
    with db.writing() as database:
        database.connection.execute(
            "UPDATE comparison SET verdict = ? WHERE base_submission_id = ?", [of_then, FIRST]
        )
    for _ in range(2):
        assert db.compare("ours@2", "ours@1").verdict == [of_then, row["relations_verdict"]]
    (rest,) = stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'")
    assert rest["verdict"] == of_then


def test_what_was_replaced_supersedes_the_verdict(db: Tracker) -> None:
    (before,) = stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'")
    run = {"reference_form": "tokens", "analyse": False, "log": False}
    db.submit(
        shuffled(SENTENCES, 0.9, 7),
        system="ours",
        treebank=TREEBANK,
        iteration=1,
        replace=True,
        **run,
    )
    db.score()
    assert stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'") == []
    assert stored(db, f"FROM measure_changes WHERE submission_id = '{SECOND}'") == []
    compared = db.compare("ours@2", "ours@1")
    (after,) = stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'")
    assert [after["verdict"], after["relations_verdict"]] == compared.verdict
    assert after["verdict"] != before["verdict"]


def test_other_metrics_are_exploratory_and_join_no_family(db: Tracker) -> None:
    compared = db.compare("ours@3", "ours@2")
    families = {change.measure: change.family for change in compared.metrics}
    assert [name for name, family in families.items() if family == "primary"] == ["bleu", "dea"]
    assert {*families.values()} == {"primary", "exploratory"}
    assert [*families][:2] == ["bleu", "dea"]
    for change in compared.metrics:
        if change.family == "exploratory":
            assert (change.p_holm, change.family_size) == (change.p_value, 1)


def test_a_smallest_p_value_is_told_as_such_not_as_its_correction(db: Tracker) -> None:
    compared = db.compare("ours@2", "ours@1")
    bleu = compared.metrics[0]
    assert bleu.p_holm is not None
    assert bleu.p_holm < 0.001
    assert bleu.replicates is not None
    assert bleu.replicates > compared.settings.replicates
    assert "(p < 0.001)" in compared.verdict[0]


def test_chosen_primary_metrics_are_what_verdicts_rest_on(db: Tracker) -> None:
    assert db.primary(campaign="local").to_pylist() == []
    db.primary("chrf", campaign="local")
    (row,) = db.primary(campaign="local").to_pylist()
    assert (row["campaign_id"], row["place"], row["metric"]) == ("local", 1, "chrf")
    compared = db.compare("ours@2", "ours@1")
    assert [metric.measure for metric in compared.metrics if metric.family == "primary"] == ["chrf"]
    (verdict,) = stored(db, f"FROM verdicts WHERE submission_id = '{SECOND}'")
    assert verdict["primary_metrics"] == ["chrf"]
    assert verdict["verdict"].startswith("ours@2 is better than ours@1 by chrF ")
    db.primary(campaign="local", default=True)
    assert db.primary(campaign="local").to_pylist() == []
    with pytest.raises(UnknownNameError, match="bleuu"):
        db.primary("bleuu", campaign="local")
    with pytest.raises(UnknownNameError, match="lokal"):
        db.primary("chrf", campaign="lokal")


def test_who_only_reads_keeps_nothing_and_says_so(db: Tracker, tmp_path: Path) -> None:
    with connect(tmp_path / "campaign.duckdb", read_only=True) as reader:
        compared = reader.compare("ours@3", "ours@1")
        assert any("not stored" in note for note in compared.notes)
        again = reader.compare("ours@2", "ours@1")
        assert not any("not stored" in note for note in again.notes)
    assert stored(db, f"FROM verdicts WHERE base_submission_id = '{FIRST}'")[1:] == []
    with db.reading():
        inside = db.compare("ours@3", "ours@1")
    assert inside.verdict == compared.verdict
    assert any("not stored" in note for note in inside.notes)


def test_what_goes_takes_its_comparisons_along(db: Tracker) -> None:
    db.remove("submission", FIRST)
    left = "SELECT count(*) AS rows FROM {} WHERE base_submission_id = '" + FIRST + "'"
    assert [stored(db, left.format(table)) for table in ("comparison", "change")] == [
        [{"rows": 0}],
        [{"rows": 0}],
    ]
    db.rename("submission", THIRD, "@7")
    assert stored(db, "SELECT submission_id FROM comparison") == []
    db.compare("ours@7", "ours@2")
    (row,) = stored(db, "SELECT verdict FROM verdicts")
    assert "ours@7" in row["verdict"]
