"""The pages that compare submissions: where which is better, what is tested, and the brush."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import duckdb
import pytest

import sr_tracker
from sr_tracker.tracker.show.charts.scores import MOST_POINTS, POINT_AREA, sentence_pairs_chart
from tests.building import written
from tests.charts import check_specification, rows_of
from tests.tracker.browser import Browser
from tests.tracker.explorer_server import Ask, explorer, rows

OURS = "SAMPLE24/ngram/en_sample-ud1.0-test"
BASE = "SAMPLE23/random/en_sample-ud1.0-test"
PAIR = urlencode({"new": OURS, "base": BASE})


def test_a_comparison_says_first_what_changed_and_brings_the_tests(ask: Ask) -> None:
    page = ask(f"/compare?{PAIR}").text
    assert page.index('data-parts="') < page.index("<table") < page.index("data-chart=")
    lead = next(lead for lead in ask(f"/compare?{PAIR}").leads() if lead.startswith("/tested"))
    tested = ask(lead).text
    assert tested.index('class="verdict"') < tested.index("<table")


def test_a_stored_verdict_stands_first_and_what_surely_did_not_change_is_folded(copy: Path) -> None:
    with sr_tracker.connect(copy) as tracker, tracker.writing():
        comparison = tracker.compare(OURS, BASE)
    with explorer(copy) as ask:
        page = ask(f"/compare?{PAIR}").plain
    assert (
        page.index(comparison.verdict[0]) < page.index('<dl class="figures">') < page.index("<h2")
    )
    primary = [change for change in comparison.metrics if change.family == "primary"]
    tiles = page.partition('<dl class="figures">')[2].partition("</dl>")[0]
    assert tiles.count("<dt>") == len(primary) < len(comparison.metrics)
    relations = page.partition('<section id="relations">')[2].partition("</section>")[0]
    p_values = [relation.p_holm for relation in comparison.relations]
    below = sum(p is not None and f"{p:.3f}" != "1.000" for p in p_values)
    assert f'data-shown="{below}"' in relations
    assert ("<details" in relations) == (below == 0)


def test_edges_and_sentences_won_and_lost_are_those_of_the_database(
    ask: Ask, sample_file: Path
) -> None:
    page = ask(f"/compare?{PAIR}")
    assert f"/missed/{OURS}?relation=" in page.plain
    won = """
        SELECT own.deprel, count(*) FROM edge_match AS own
        JOIN edge_match AS other USING (sentence_no, token_no, signature_id)
        WHERE own.submission_id = $ours AND other.submission_id = $base
            AND own.found AND NOT other.found GROUP BY 1
    """
    with duckdb.connect(str(sample_file), read_only=True) as connection:
        expected = dict(connection.execute(won, {"ours": OURS, "base": BASE}).fetchall())
    computed = next(query for query in page.queries() if "base_found" in query)
    assert expected
    assert {row[0]: row[2] for row in rows(sample_file, computed) if row[2]} == expected


def test_lower_is_won_where_lower_is_better(ask: Ask, sample_file: Path) -> None:
    page = ask(f"/compare?{PAIR}&metric=ter")
    buckets = next(query for query in page.queries() if "complexity_buckets" in query)
    plain = f"""
        SELECT count_if(score < base_score), count_if(score > base_score) FROM sentence_pairs
        WHERE submission_id = '{OURS}' AND other_submission_id = '{BASE}' AND metric = 'ter'
    """
    [(won, lost)] = rows(sample_file, plain)
    by_length = [row for row in rows(sample_file, buckets) if row[0] == "length"]
    assert (sum(row[5] for row in by_length), sum(row[4] for row in by_length)) == (won, lost)
    assert f"is better on {won:,} and worse on {lost:,}" in page.text


def test_a_brush_is_an_address(ask: Ask, sample_file: Path) -> None:
    plain = f"""
        SELECT count(*) FROM sentence_pairs
        WHERE submission_id = '{OURS}' AND other_submission_id = '{BASE}' AND metric = 'bleu'
            AND score >= 0.2 AND score <= 0.5 AND base_score >= 0.3
    """
    [(inside,)] = rows(sample_file, plain)
    page = ask(f"/compare?{PAIR}&a=20..50&b=30..")
    assert f"{inside} sentences in the box" in page.text
    assert 'name="a" value="20..50"' in page.text
    listed = next(query for query in page.queries() if "BETWEEN" in query)
    assert all(0.2 <= row[2] <= 0.5 and row[1] >= 0.3 for row in rows(sample_file, listed))


def test_scores_that_were_not_computed_alike_are_never_mixed(
    sample_file: Path, tmp_path: Path
) -> None:
    path = written(tmp_path / "copy.duckdb", sample_file.read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            """
            INSERT INTO signature BY NAME SELECT * REPLACE ('other' AS signature_id,
                '{"order": 3}' AS parameters) FROM signature WHERE signature_id =
            (SELECT signature_id FROM current_scoring WHERE submission_id = ? AND metric = 'bleu')
        """,
            [BASE],
        )
        for table, key in (
            ("scoring", "target"),
            ("sentence_score", "submission_id"),
            ("submission_score", "submission_id"),
        ):
            connection.execute(
                f"UPDATE {table} SET signature_id = 'other' WHERE metric = 'bleu' AND {key} = ?",
                [BASE],
            )
    with explorer(path) as ask:
        page = ask(f"/compare?{PAIR}").plain
    assert "Not comparable, and left out" in page
    assert "no comparable scores of sentences by BLEU-lc" in page


def test_three_submissions_are_compared_with_one_base(ask: Ask, sample_file: Path) -> None:
    [*others] = rows(
        sample_file,
        f"SELECT submission_id FROM submission WHERE treebank_id = 'en_sample-ud1.0-test' "
        f"AND submission_id NOT IN ('{OURS}', '{BASE}') ORDER BY ALL",
    )
    third = str(others[0][0])
    page = ask(f"/compare?{PAIR}&other={third}")
    assert page.text.count('type="radio"') == 8
    assert f'value="{third}" selected' in page.plain
    tested = next(lead for lead in page.leads() if lead.startswith("/tested"))
    assert "cluster" in ask(tested).text
    crowd = "".join(f"&other={item[0]}" for item in others * 3)
    assert ask(f"/compare?{PAIR}{crowd}").status == 200 or len(others) > 4


NAMES = ("ours", "base")


def pairs(*scores: tuple[float, float]) -> list[dict[str, Any]]:
    """Return rows of sentences with a score of a submission and of its base."""
    return [
        {"sentence_no": number, "score": score, "base_score": other}
        for number, (score, other) in enumerate(scores, start=1)
    ]


def test_a_scatter_puts_points_on_the_side_of_who_is_better() -> None:
    points = pairs((0.9, 0.1), (0.2, 0.8), (0.5, 0.5))
    drawn = sentence_pairs_chart(points, NAMES, measure="chrf")
    check_specification(drawn)
    (_, rows) = rows_of(drawn)
    outcomes = {(row["score"], row["base_score"]): row["outcome"] for row in rows}
    assert outcomes == {(90.0, 10.0): "better", (20.0, 80.0): "worse", (50.0, 50.0): "same"}
    (ends, rows) = rows_of(sentence_pairs_chart(points[:1], NAMES, measure="ter"))
    assert rows[0]["outcome"] == "worse"
    assert ends == [{"low": pytest.approx(7.6), "high": pytest.approx(92.4)}]
    assert rows_of(sentence_pairs_chart([], NAMES, measure="chrf"))[1] == []


def test_sentences_that_lie_too_close_to_be_seen_are_one_point_at_their_mean() -> None:
    far = pairs((0.0, 1.0), (1.0, 0.0))
    near = [*far, *pairs((0.5, 0.25), (0.501, 0.25))]
    (_, close) = rows_of(sentence_pairs_chart(near, NAMES, measure="chrf"))
    means = {row["score"]: (row["sentences"], row["area"]) for row in close}
    assert means[50.05] == ("1 and 1 more", pytest.approx(POINT_AREA * math.sqrt(2)))
    # What is as good as the base and what is better stay apart, however close.
    equal = [*far, *pairs((0.5, 0.5), (0.501, 0.5))]
    (_, apart) = rows_of(sentence_pairs_chart(equal, NAMES, measure="chrf"))
    assert len(apart) == 4
    spread = [(n / 100, m / 100 + 0.005) for n in range(100) for m in range(100)]
    (_, thousands) = rows_of(sentence_pairs_chart(pairs(*spread), NAMES, measure="chrf"))
    assert len(thousands) <= MOST_POINTS < len(spread)
    assert sum((row["area"] / POINT_AREA) ** 2 for row in thousands) == pytest.approx(len(spread))


def test_a_range_without_an_end_is_drawn_to_the_edge() -> None:
    brush = ((20.0, math.inf), (-math.inf, math.inf))
    chart = sentence_pairs_chart(pairs((1.0, 0.0)), NAMES, measure="chrf", brush=brush)
    check_specification(chart)
    assert chart["layer"][1]["params"][0]["value"] == {"x": [-3.0, 103.0], "y": [20.0, 103.0]}


def test_a_box_drawn_by_the_pointer_lists_its_sentences(ask: Ask, browser: Browser) -> None:
    browser.open(f"{ask.address}/compare?{PAIR}", width=1280)
    browser.until("document.querySelector('main .verdict') !== null")
    scatter = "document.querySelector('#sentences [data-chart] svg')"
    browser.until(f"{scatter} !== null")
    browser.run(f"{scatter}.scrollIntoView({{ block: 'center' }})")
    box = f"JSON.stringify({scatter}.getBoundingClientRect())"
    place = json.loads(browser.run(box))
    from_x, from_y = place["x"] + place["width"] * 0.2, place["y"] + place["height"] * 0.2
    to_x, to_y = place["x"] + place["width"] * 0.7, place["y"] + place["height"] * 0.7
    for kind, x, y in (
        ("mousePressed", from_x, from_y),
        ("mouseMoved", to_x, to_y),
        ("mouseReleased", to_x, to_y),
    ):
        browser.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1
        )
    browser.until("location.search.includes('a=')")
    listed = browser.run("document.querySelector('#listed h3').textContent")
    address = urlsplit(browser.run("location.href"))
    assert "in the box" in listed
    assert listed in ask(f"{address.path}?{address.query}").text
    assert browser.run("document.querySelector('#listed th button') !== null")
    assert browser.complaints() == []
    assert all(request.startswith((ask.address, "about:")) for request in browser.requests())
