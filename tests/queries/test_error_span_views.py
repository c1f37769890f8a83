"""Where marked errors fall: counts, relations, edge accuracy, and what metrics miss."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from scipy.stats import chi2_contingency, norm

import sr_tracker
from sr_tracker.tracker.api import Tracker

# Six sentences; the odd ones have a relative clause.
PLAIN = ["1 it PRON 2 nsubj", "2 rains VERB 0 root"]
RELATIVE = ["1 dogs NOUN 0 root", "2 that PRON 3 nsubj", "3 bark VERB 1 acl:relcl"]
SENTENCES = [RELATIVE, PLAIN] * 3
OUTPUTS = {
    "good": ["dogs that bark", "it rains"] * 3,
    "bad": ["dogs, bark that", "rains it"] * 2 + ["dogs that bark", "it rains"],
}
# What is marked in the outputs of bad: characters, severity and category of one error, or none.
MARKED = [(6, 10, "major", "a"), (0, 5, "minor", "b"), (6, 15, "major", "a"), None, None, None]


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    folder = tmp_path_factory.mktemp("spans")
    lines = []
    for number, words in enumerate(SENTENCES, start=1):
        cells = [word.split() for word in words]
        lines.append(f"# sent_id = {number}\n# text = {' '.join(cell[1] for cell in cells)}\n")
        lines += [
            f"{n}\t{form}\t{form}\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n"
            for n, form, upos, head, deprel in cells
        ]
        lines.append("\n")
    treebank = folder / "en_toy-ud-test.conllu"
    treebank.write_text("".join(lines))
    with sr_tracker.connect(folder / "c.duckdb", create=True) as tracker:
        tracker.ingest_treebank(treebank, campaign="C")
        for system, texts in OUTPUTS.items():
            file = folder / f"{system}.txt"
            file.write_text("".join(f"{text}\n" for text in texts))
            tracker.ingest_submission(file, campaign="C", system=system, treebank="en_toy-ud-test")
        rows = ["annotator,system,sent_id,criterion,score,error_spans"]
        for system in OUTPUTS:
            for number, mark in enumerate(MARKED, start=1):
                spans: list[dict[str, Any]] = []
                if system == "bad" and mark:
                    start, end, severity, category = mark
                    spans = [
                        {
                            "start_character": start,
                            "end_character": end,
                            "severity": severity,
                            "category": category,
                        }
                    ]
                cell = json.dumps(spans).replace('"', '""')
                rows.append(f'w,{system},{number},esa,{50 + number},"{cell}"')
        judged = folder / "judged.csv"
        judged.write_text("\n".join(rows))
        tracker.ingest_judgements(judged, campaign="C", treebank_id="en_toy-ud-test")
        tracker.score()
        with tracker.writing() as database:
            database.connection.execute(
                "UPDATE output_words SET deprels = CASE len(forms) "
                "WHEN 2 THEN ['nsubj', 'root'] WHEN 3 THEN ['root', 'nsubj', 'acl:relcl'] "
                "ELSE ['root', 'punct', 'acl:relcl', 'nsubj'] END, heads = [0 FOR form IN forms]"
            )
        yield tracker


def rows(tracker: Tracker, query: str) -> list[tuple[Any, ...]]:
    with tracker.reading() as database:
        return database.connection.execute(query).fetchall()


def test_counts(tracker: Tracker) -> None:
    found = rows(
        tracker,
        "SELECT system_id, category, severity, errors, per_judgement, judgements "
        "FROM error_span_counts",
    )
    assert found == [("bad", "a", "major", 2, 2 / 6, 6), ("bad", "b", "minor", 1, 1 / 6, 6)]


def test_words_are_found_in_texts(tracker: Tracker) -> None:
    """Each word's characters hold its form, punctuation written without a blank too."""
    found = rows(
        tracker,
        "SELECT form, substr(text, start_character + 1, end_character - start_character) "
        "FROM output_characters JOIN output_token USING (submission_id, sentence_no, token_no) "
        "JOIN output USING (submission_id, sentence_no)",
    )
    assert all(form == text for form, text in found)
    assert len(found) == 15 + 17


def test_relations_of_outputs(tracker: Tracker) -> None:
    """Words of bad's outputs, by hand: marked are bark, rains, and bark with that."""
    found = rows(
        tracker,
        "SELECT deprel, units, marked, rate, rate_elsewhere, p_value FROM error_spans_by_relation "
        "WHERE system_id = 'bad' AND tree = 'output' ORDER BY deprel",
    )
    assert [row[:3] for row in found] == [
        ("acl", 3, 2),
        ("nsubj", 6, 2),
        ("punct", 2, 0),
        ("root", 6, 0),
    ]
    for _, units, marked, rate, elsewhere, p_value in found:
        others, all_units = 4 - marked, 17
        assert (rate, elsewhere) == (marked / units, others / (all_units - units))
        table = [[marked, units - marked], [others, all_units - units - others]]
        assert p_value == pytest.approx(chi2_contingency(table, correction=False)[1], abs=1e-6)


def test_relations_of_references(tracker: Tracker) -> None:
    """Outputs with a major error are those for two of three relative clauses."""
    found = rows(
        tracker,
        "SELECT deprel, units, marked, rate_elsewhere FROM error_spans_by_relation "
        "WHERE system_id = 'bad' AND tree = 'reference' ORDER BY deprel",
    )
    assert ("acl", 3, 2, 0.0) in found
    assert [row for row in found if row[0] == "nsubj"] == [("nsubj", 6, 2, None)]


def test_edge_accuracy_of_marked_outputs(tracker: Tracker) -> None:
    """Welch's statistic over the outputs' own edge accuracies, by the normal distribution."""
    scores = rows(
        tracker,
        "SELECT sentence_no, dea FROM sentence_scores WHERE system_id = 'bad' ORDER BY sentence_no",
    )
    marked = [dea for number, dea in scores if number in (1, 3)]
    others = [dea for number, dea in scores if number not in (1, 3)]
    ((n, m, with_error, without, difference, p_value),) = rows(
        tracker,
        "SELECT marked, unmarked, dea_marked, dea_unmarked, difference, p_value "
        "FROM error_span_dea WHERE system_id = 'bad'",
    )
    means = [sum(each) / len(each) for each in (marked, others)]
    assert (n, m) == (2, 4)
    assert (with_error, without) == pytest.approx(means)
    assert difference == pytest.approx(means[0] - means[1])
    variances = [
        sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)
        for values, mean in zip((marked, others), means, strict=True)
    ]
    z = (means[0] - means[1]) / math.sqrt(sum(variances))
    assert p_value == pytest.approx(2 * norm.sf(abs(z)), abs=1e-6)


def test_missed_errors(tracker: Tracker) -> None:
    """The pairs are the outputs for sentences 1 and 3: DEA rates the good ones higher."""
    with tracker.writing() as database:
        database.connection.execute(
            "UPDATE sentence_score SET score = 0.1 WHERE metric = 'chrf' AND sentence_no = 1"
        )
    found = rows(
        tracker,
        "SELECT about, value, sentences, pairs, missed, miss_rate, rate_elsewhere "
        "FROM missed_errors WHERE metric = 'chrf' ORDER BY ALL",
    )
    assert ("all", "all", 2, 2, 1, 0.5, None) in found
    assert ("category", "a", 2, 2, 1, 0.5, None) in found
    assert ("relation", "acl", 2, 2, 1, 0.5, None) in found
    of_dist = rows(
        tracker,
        "SELECT pairs, missed FROM missed_errors WHERE metric = 'dist' AND about = 'all'",
    )
    assert of_dist == [(2, 0)]
