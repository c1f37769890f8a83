"""The page of a submission: against another one, on what it fails, on which sentences."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

import sr_tracker
from tests.tracker.explorer_server import Ask, rows

OURS = "SAMPLE24/ngram/en_sample-ud1.0-test"
BASE = "SAMPLE23/random/en_sample-ud1.0-test"
PAGE = f"/submission/{OURS}"
AGAINST = f"{PAGE}?{urlencode({'base': BASE})}"


def test_relations_are_held_against_any_other_submission(ask: Ask, sample_file: Path) -> None:
    alone, against = ask(PAGE), ask(AGAINST)
    assert "base dea" not in alone.text
    assert f"The base is {BASE}" in against.plain
    computed = next(query for query in against.queries() if "base_found" in query)
    expected = rows(
        sample_file,
        f"SELECT ours.deprel, ours.dea, base.dea, ours.edges FROM dea_by_relation AS ours "
        f"JOIN dea_by_relation AS base USING (deprel) WHERE ours.submission_id = '{OURS}' "
        f"AND base.submission_id = '{BASE}'",
    )
    assert expected
    assert {(row[0], row[2], row[4], row[3]) for row in rows(sample_file, computed)} == {*expected}


def test_complexity_slices_hold_every_sentence_once(ask: Ask, sample_file: Path) -> None:
    computed = next(query for query in ask(PAGE).queries() if "complexity_buckets" in query)
    parts = rows(sample_file, computed)
    [(scored,)] = rows(
        sample_file, f"SELECT count(*) FROM output_scores WHERE submission_id = '{OURS}'"
    )
    assert {str(row[0]) for row in parts} == {"length", "depth", "projectivity"}
    for feature in ("length", "depth", "projectivity"):
        assert sum(int(str(row[-2])) for row in parts if row[0] == feature) == scored
    assert "short (up to" in ask(PAGE).text


def test_worst_and_changed_sentences_follow_the_metric_in_the_address(
    ask: Ask, sample_file: Path
) -> None:
    page = ask(f"{AGAINST}&metric=ter")
    worst = next(query for query in page.queries() if "WITH worst" in query)
    scores = [row[1] for row in rows(sample_file, worst)]
    [(most,)] = rows(
        sample_file, f"SELECT max(ter) FROM output_scores WHERE submission_id = '{OURS}'"
    )
    assert scores[0] == most
    assert scores == sorted(scores, reverse=True)
    changed = next(query for query in page.queries() if "base_score" in query)
    changes = [abs(float(str(row[3]))) for row in rows(sample_file, changed)]
    assert changes
    assert changes == sorted(changes, reverse=True)


def test_a_submission_has_its_suspicion_tree(ask: Ask) -> None:
    page = ask(PAGE).text
    assert '<ul class="root">' in page
    assert "Each pattern splits the sentences" in page


@pytest.mark.parametrize(
    ("page", "filters"),
    [
        (PAGE, {"submission": OURS}),
        ("/system/ngram", {"system": "ngram"}),
        ("/leaderboard?campaign=SAMPLE24", {"campaign": "SAMPLE24"}),
    ],
)
def test_pages_bring_the_analyses_of_reports(
    ask: Ask, sample_file: Path, tmp_path: Path, page: str, filters: dict[str, str]
) -> None:
    """Sections of both are the same, with the same tables."""
    (leads,) = (lead for lead in ask(page).leads() if lead.startswith("/analyses?"))
    shown = ask(leads).text
    with sr_tracker.connect(sample_file) as tracker:
        tracker.report(tmp_path / "report.html", **filters)
    report = (tmp_path / "report.html").read_text("utf-8")
    anchors = re.findall(r'<section id="([^"]+)"', shown)
    assert {"relations", "significance", "correlations", "entropy", "patterns"} < {*anchors}
    for anchor in anchors:
        assert _cells(shown, anchor) == _cells(report, anchor)
    assert _cells(shown, "correlations")


def _cells(page: str, anchor: str) -> list[str]:
    """The texts of the cells in a section's tables."""
    section = re.split("<section |</main>", page.partition(f'<section id="{anchor}"')[2])[0]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", section, re.DOTALL)
    return [re.sub("<[^>]*>", "", cell).strip() for cell in cells]


def test_analyses_of_what_does_not_exist_are_not_shown(ask: Ask) -> None:
    both = ask("/analyses?campaign=SAMPLE23&campaign=SAMPLE24")
    assert (both.status, "SAMPLE23 · SAMPLE24" in both.text) == (200, True)
    nobody = ask("/analyses?system=%3Cscript%3E")
    assert (nobody.status, "<script>" in nobody.text) == (404, False)
