"""Relations and patterns everywhere, and the search for words, lemmas and these."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest

from sr_tracker.tracker.pages.addresses import address_of
from tests.tracker.explorer_server import Ask

OURS = "SAMPLE24/ngram/en_sample-ud1.0-test"


def test_a_relation_is_told_of_everywhere(ask: Ask, sample_file: Path) -> None:
    page = ask("/relation/nsubj")
    query = """
        SELECT submission_id, edges, dea FROM dea_by_relation
        WHERE deprel = 'nsubj' ORDER BY treebank_id, dea DESC, submission_id
    """
    with duckdb.connect(str(sample_file), read_only=True) as connection:
        rows = connection.execute(query).fetchall()
    shown = re.findall(r'<a href="/submission/([^"]*)">', page.text)
    assert shown == [name for name, _, _ in rows]
    assert f"/missed/{OURS}?relation=nsubj" in page.leads()
    assert all(f">{edges:,}<" in page.text for _, edges, _ in rows)
    assert "From year to year" in page.text
    missed = ask(f"/missed/{OURS}?relation=nsubj")
    assert "/relation/nsubj" in missed.leads()


def test_a_pattern_is_told_of_everywhere(ask: Ask, sample_file: Path) -> None:
    with duckdb.connect(str(sample_file), read_only=True) as connection:
        pattern, labels, submissions = connection.execute(
            "SELECT pattern, labels, count(*) FROM suspicious_patterns "
            "GROUP BY ALL ORDER BY 3 DESC, 1, 2 LIMIT 1"
        ).fetchall()[0]
    page = ask(f"/pattern?pattern={quote(pattern)}&labels={quote(labels)}")
    assert page.text.count('<a href="/submission/') == submissions
    assert "pattern { " in page.text
    assert any(lead.startswith("/examples/") for lead in page.leads())
    assert "From year to year" in page.text
    rare = ask("/pattern?pattern=(nsubj (nsubj (nsubj)))".replace(" ", "%20"))
    assert "enumerated in no treebank" in rare.text


@pytest.mark.parametrize(
    ("kind", "words", "query"),
    [
        (
            "lemma",
            "read",
            "SELECT DISTINCT submission_id, sentence_no FROM output_token WHERE lemma = 'read'",
        ),
        (
            "relation",
            "iobj",
            "SELECT DISTINCT treebank_id, sentence_no FROM reference_edge WHERE deprel = 'iobj'",
        ),
        (
            "pattern",
            "(nsubj (det))",
            "SELECT unnest(sentence_nos) FROM subtree WHERE pattern = '(nsubj (det))'",
        ),
    ],
)
def test_lemmas_relations_and_patterns_are_found(
    ask: Ask, sample_file: Path, kind: str, words: str, query: str
) -> None:
    page = ask(f"/search?kind={kind}&words={quote(words)}")
    with duckdb.connect(str(sample_file), read_only=True) as connection:
        expected = len(connection.execute(query).fetchall())
        references = connection.execute(
            "SELECT count(*) FROM reference_lemmas WHERE list_contains(lemmas, 'read')"
        ).fetchall()[0][0]
    if kind == "lemma":
        expected += references
    shown = page.text.count('<a href="/sentence/')
    assert shown == min(expected, 100)
    assert shown > 0


def test_what_has_no_edge_leads_nowhere() -> None:
    assert address_of("deprel", {"deprel": "nsubj:pass"}) == "/relation/nsubj"
    assert address_of("deprel", {"deprel": "punct"}) == ""
    assert address_of("system_id", {"system_id": "ours"}) == "/system/ours"
    assert address_of("system_id", {"system_id": "upper bound", "submission_id": None}) == ""
    assert address_of("deprel", {"deprel": "root", "submission_id": OURS}) == ""
    assert address_of("missed", {"missed": 3, "submission_id": OURS}) == ""
    leads = address_of("missed", {"missed": 3, "deprel": "obj", "submission_id": OURS})
    assert leads == f"/missed/{OURS}?relation=obj"
