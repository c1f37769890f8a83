"""The leaderboard, its order and intervals; the search for words, relations and patterns."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import duckdb
import pytest

import sr_tracker
from sr_tracker.tracker.pages.addresses import address_of
from tests.building import written
from tests.tracker.explorer_server import Answer, Ask, explorer


def submissions(page: Answer) -> list[str]:
    """The submissions of the table in their order."""
    table = page.plain[page.plain.index("<tbody>") :]
    return re.findall(r'<a href="/submission/([^"]+)"', table)


def expected(path: Path, query: str) -> list[str]:
    with sr_tracker.connect(path, read_only=True) as tracker:
        return [row["submission_id"] for row in tracker.sql(query).to_pylist()]


def test_order_and_choice_are_in_the_address(ask: Ask, sample_file: Path) -> None:
    chosen = "campaign_id = 'SAMPLE23' AND treebank_id = 'en_sample-ud1.0-test'"
    state = "campaign=SAMPLE23&treebank=en_sample-ud1.0-test"
    by = f"SELECT submission_id FROM leaderboard WHERE {chosen} ORDER BY"
    for sort, order in (("bleu", "DESC"), ("ter", "ASC"), ("system_id", "ASC")):
        page = ask(f"/leaderboard?{state}&sort={sort}")
        assert submissions(page) == expected(sample_file, f"{by} {sort} {order}")
        head = re.search(r'<th [^>]*aria-sort="(\w+)"><a href="([^"]+)"', page.plain)
        assert head
        turned = ask(head[2])
        assert submissions(turned) == submissions(page)[::-1]
        assert submissions(ask(f"/leaderboard?{state}&sort={sort}")) == submissions(page)
    assert submissions(ask("/leaderboard?find=NGRAM")) == expected(
        sample_file, "SELECT submission_id FROM leaderboard WHERE system_id = 'ngram' ORDER BY 1"
    )


def test_the_newest_run_of_each_system_is_shown_unless_all_are_asked_for(
    sample_file: Path, tmp_path: Path
) -> None:
    path = written(tmp_path / "copy.duckdb", sample_file.read_bytes())
    state = "campaign=SAMPLE24&treebank=en_sample-ud1.0-test&find=ngram"
    with sr_tracker.connect(path) as tracker:
        texts = tracker.sql(
            "SELECT text FROM output WHERE submission_id = 'SAMPLE24/ngram/en_sample-ud1.0-test' "
            "ORDER BY sentence_no"
        )["text"].to_pylist()
        tracker.submit(
            [texts[0], *texts[1:-1], "changed"],
            system="ngram",
            campaign="SAMPLE24",
            treebank="en_sample-ud1.0-test",
            analyse=False,
            log=False,
        )
    with explorer(path) as ask:
        newest, every = ask(f"/leaderboard?{state}"), ask(f"/leaderboard?{state}&runs=all")
        assert submissions(newest) == ["SAMPLE24/ngram/en_sample-ud1.0-test@2"]
        assert len(submissions(every)) == 2
        assert ask("/leaderboard?runs=some").status == 400


def test_intervals_are_whiskers_or_it_is_said_how_to_get_them(
    ask: Ask, sample_file: Path, tmp_path: Path
) -> None:
    page = ask("/leaderboard").text
    assert ("tracker why significance" in page, 'class="whisker"' in page) == (True, False)
    path = written(tmp_path / "copy.duckdb", sample_file.read_bytes())
    with sr_tracker.connect(path) as tracker:
        tracker.significance(campaign="SAMPLE23")
        rows = tracker.show("metric_intervals", where="metric = 'chrf' AND low IS NOT NULL")
    with explorer(path) as ask_again:
        page = ask_again("/leaderboard?sort=chrf").text
    assert page.count('class="whisker"') == rows.num_rows > 0
    for row in rows.to_pylist():
        assert f"interval {100 * row['low']:.2f} to {100 * row['high']:.2f}" in page


def test_people_s_means_and_ranks_stand_beside_metrics(ask: Ask, sample_file: Path) -> None:
    page = ask("/leaderboard?campaign=SAMPLE24&sort=adequacy_z")
    with sr_tracker.connect(sample_file, read_only=True) as tracker:
        rows = [row for query in page.queries() for row in tracker.sql(query).to_pylist()]
        ranks = tracker.show("human_leaderboard", where="chosen AND criterion = 'adequacy'")
    rows_by_submission_id = {
        row["submission_id"]: (row["rank_from"], row["rank_to"]) for row in ranks.to_pylist()
    }
    ranked = [row for row in rows if row["adequacy_rank"]]
    assert ranked
    for row in ranked:
        first, last = rows_by_submission_id[row["submission_id"]]
        assert row["adequacy_rank"] == (f"{first}" if first == last else f"{first}–{last}")
    assert "adequacy rank" in page.text


def test_what_is_not_comparable_is_set_apart(ask: Ask, sample_file: Path) -> None:
    page = ask("/leaderboard")
    with sr_tracker.connect(sample_file, read_only=True) as tracker:
        rows = [row for query in page.queries() for row in tracker.sql(query).to_pylist()]
    ways = [(row["campaign_id"], row["treebank_id"], row["signature"]) for row in rows]
    changes = [(one, other) for one, other in pairwise(ways) if one != other]
    assert len({*ways}) == len(changes) + 1, "comparable rows stand together"
    inside = [one for one, other in changes if one[:2] == other[:2]]
    assert page.text.count('<tr class="starts">') == len(inside)
    sets_in_order = list(dict.fromkeys(" · ".join(way[:2]) for way in ways))
    assert re.findall(r"<h3>(.*?)</h3>", page.plain) == sets_in_order
    assert {row["place"] for row, way in zip(rows, ways, strict=True) if ways.count(way) == 1} == {
        1
    }
    sets = {way[:2] for way in ways}
    assert ("not comparable: " in page.text) == (len({*ways}) > len(sets))


def test_it_can_be_sorted_by_all_that_is_offered(ask: Ask) -> None:
    (offered,) = re.findall(r'<select name="sort".*?</select>', ask("/leaderboard").text, re.DOTALL)
    names = re.findall(r'<option value="([^"]+)"', offered)
    assert {"bleu", "dea", "adequacy_z"} <= {*names}
    for name in names:
        assert ask(f"/leaderboard?sort={name}").status == 200, name


def test_people_s_clusters_are_set_apart(ask: Ask, sample_file: Path) -> None:
    page = ask("/people?campaign=SAMPLE24&part=human-rankings")
    query = next(query for query in page.queries() if "human_leaderboard" in query)
    with sr_tracker.connect(sample_file, read_only=True) as tracker:
        rows = tracker.sql(query).to_pylist()
    keys = ("treebank_id", "criterion", "annotators", "cluster")
    clusters = [tuple(row[key] for key in keys) for row in rows]
    table = page.text[page.text.index('id="human-rankings"') :].partition("</table>")[0]
    assert table.count('<tr class="starts">') == sum(a != b for a, b in pairwise(clusters)) > 0


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
