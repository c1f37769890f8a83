"""Judgements that do not compare are told, with what that does to the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from sr_tracker.queries.people import evaluate
from sr_tracker.queries.people.human_scores import HumanSettings
from sr_tracker.schema.database import Database
from tests.tracker.test_human import Row, fill

SENTENCES = range(1, 9)
HARD = range(5, 9)


def judged(
    systems: Sequence[str],
    sentences: dict[str, Sequence[int]] | None = None,
    annotators: Sequence[str] = ("ann", "bob", "cat"),
    scale: float = 1,
) -> list[Row]:
    """What annotators say: the first system is the best, hard sentences are hard for all."""
    rng = Random(5)
    return [
        (
            annotator,
            "h1",
            f"C/{system}",
            number,
            "ordinary",
            round((80 - 6 * place - 40 * (number in HARD) + rng.random()) * scale, 1),
        )
        for annotator in annotators
        for place, system in enumerate(systems)
        for number in (sentences or {}).get(system, SENTENCES)
    ]


def notes(database: Database, rows: list[Row], settings: HumanSettings | None = None) -> str:
    fill(database, rows)
    return "\n".join(evaluate(database, settings=settings).notes)


def test_systems_judged_on_other_sentences_are_told_with_the_ranking_over_the_shared(
    database: Database,
) -> None:
    """The third was judged on the easy sentences alone, and comes first."""
    told = notes(database, judged(["best", "second", "third"], {"third": range(1, 5)}))
    (first,) = database.connection.execute(
        "SELECT submission_id FROM human_rankings WHERE place = 1 AND chosen"
    ).fetchone() or ("",)
    assert first == "C/third"
    assert "the 3 systems of t were judged on different sentences, each on 4 to 8" in told
    assert "over the 4 sentences judged of all, 3 of 3 have another place" in told
    assert "(best > second > third)" in told


def test_systems_without_a_shared_sentence(database: Database) -> None:
    told = notes(database, judged(["a", "b"], {"a": range(1, 5), "b": range(5, 9)}))
    assert "no sentence was judged of all" in told


def test_nothing_is_told_of_judgements_that_compare(database: Database) -> None:
    told = notes(database, judged(["a", "b"]))
    for sign in ("different sentences", "one system", "scale", "count apart", "ratings lie"):
        assert sign not in told


@pytest.mark.parametrize("ranked_by", ["z", "raw"])
def test_annotators_of_one_system(database: Database, ranked_by: str) -> None:
    rows = [*judged(["a", "b"]), *judged(["c"], annotators=["dan"])]
    told = notes(database, rows, HumanSettings(ranked_by=ranked_by))
    assert "1 of 4 annotators judged one system only (8 of 56 judgements)" in told


def test_one_system_has_no_z_score_of_its_own(database: Database) -> None:
    told = notes(database, judged(["a"]))
    assert "its mean z-score is 0 by construction" in told


def test_scales(database: Database) -> None:
    told = notes(database, judged(["a", "b"], scale=0.05))
    assert "ratings lie between 1.7 and 4" in told


def test_penalties_are_no_short_scale(database: Database) -> None:
    assert "ratings lie" not in notes(database, judged(["a", "b"], scale=-0.05))


def test_scales_that_differ_between_annotators(database: Database) -> None:
    told = notes(
        database, [*judged(["a", "b"]), *judged(["a", "b"], annotators=["short"], scale=0.05)]
    )
    assert "1 of 4 annotators rate up to 10 at most" in told
    assert "(short)" in told


def test_names_that_differ_in_case_or_blanks(database: Database) -> None:
    rows = [*judged(["Best Sys", "b"]), *judged(["best-sys"], annotators=["Ann "])]
    told = notes(database, rows)
    assert "the annotators 'Ann ' and 'ann' count apart" in told
    assert "the systems 'Best Sys' and 'best-sys' count apart" in told


def strict_and_lenient(shared: int) -> list[Row]:
    """Two systems that are alike, each with annotators of its own, and sentences all judge."""
    strict = {"ann": 0, "bob": -4, "cat": -25, "dan": -30}
    own = {"a": ("ann", "bob"), "b": ("cat", "dan")}
    rng = Random(8)
    return [
        (annotator, "h1", f"C/{system}", number, "ordinary", round(80 + level + rng.random(), 1))
        for system in "ab"
        for annotator, level in strict.items()
        for number in SENTENCES
        if annotator in own[system] or number <= shared
    ]


def test_raw_scores_of_other_annotators_are_not_tested(database: Database) -> None:
    raw = HumanSettings(ranked_by="raw")
    told = notes(database, strict_and_lenient(0), raw)
    assert "1 of 1 pair of systems in t have no annotator in common and no test" in told
    rows = database.connection.execute(
        "SELECT DISTINCT u, p_value, undefined_reason FROM human_comparisons WHERE chosen"
    ).fetchall()
    reason = "no annotator judged both: raw scores do not tell strict people from poor outputs"
    assert rows == [(None, None, reason)]
    clusters = "SELECT DISTINCT cluster FROM human_rankings WHERE chosen"
    assert database.connection.execute(clusters).fetchall() == [(1,)]
    assert "in common" not in "\n".join(evaluate(database).notes)
    assert database.connection.execute(
        "SELECT count(p_value) FROM human_comparisons WHERE chosen"
    ).fetchone() == (2,)


def test_raw_scores_of_partly_other_annotators_are_told(database: Database) -> None:
    """Each own annotator judged 8 sentences, each other one 1: 2 of 9 judgements by each pair."""
    told = notes(database, strict_and_lenient(1), HumanSettings(ranked_by="raw"))
    assert "1 of 1 pair of systems in t share less than half" in told
    assert "(the least 22%)" in told
    (tested,) = database.connection.execute(
        "SELECT count(p_value) FROM human_comparisons WHERE chosen"
    ).fetchone() or (0,)
    assert tested == 2
