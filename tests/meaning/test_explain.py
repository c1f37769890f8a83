"""Explained outputs: which triples differ, what that means in words, and how it is shown."""

from __future__ import annotations

import html.parser
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from sr_tracker.ingest.meaning.amr_files import read_amr_file
from sr_tracker.queries.meaning.differences import (
    Named,
    find_differences,
    triples_of,
    with_likely_pairs,
)
from sr_tracker.queries.meaning.explain import explain
from sr_tracker.queries.meaning.explained import lay_out
from sr_tracker.queries.meaning.findings import Finding, find_findings, in_words
from sr_tracker.queries.meaning.form.scoring import score_form
from sr_tracker.queries.meaning.functions.graph_alignment import align_graphs
from sr_tracker.queries.meaning.functions.graph_triples import read_triples
from sr_tracker.queries.meaning.matching import MeaningSettings
from sr_tracker.queries.meaning.scoring import score_meaning
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.meaning.findings import explanation_document
from sr_tracker.tracker.pages.report import write_report
from sr_tracker.tracker.show.html import page as html_page
from sr_tracker.tracker.show.text import print_document
from tests import commands
from tests.building import add_run, campaign, load
from tests.meaning.test_form import Stub
from tests.meaning.test_meaning import amr
from tests.tracker.test_sample import SAMPLE

THANK = (
    '(t / thank-01 :polarity - :ARG0 (b / baker) :ARG1 (p / person :name (n / name :op1 "Ann")))'
)
GOLD = [
    THANK,
    "(w / want-01 :ARG0 (b / baker) :ARG1 (s / sleep-01 :ARG0 b))",
    "(s / see-01 :ARG0 (c / cook) :ARG1 (h / hen :mod (r / red)))",
    "(r / rain-01)",
]
TEXTS = [
    "The baker did not thank Ann.",
    "The baker wants to sleep.",
    "A cook saw a red hen.",
    "Rain.",
]
OUTPUTS = {
    "bad": ["Ann thanked the <b>baker</b>.", "The baker wants to sleep.", "A cook saw a hen.", ""],
    "good": ["Not thanked Ann the baker.", "To sleep.", "A cook saw a red hen.", "Rain."],
}
PARSES: dict[str, list[str | None]] = {
    "bad": [
        '(t / thank-01 :ARG0 (p / person :name (n / name :op1 "Ann")) :ARG1 (b / baker))',
        GOLD[1],
        "(x / see-01 :ARG0 (y / cook) :ARG1 (z / hen))",
        None,
    ],
    "good": [THANK, "(s / sleep-01)", GOLD[2], "(r / rain-01)"],
}
BAD, GOOD = "local/bad/gold", "local/good/gold"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two scored submissions, one that is not scored, and another treebank."""
    file = tmp_path_factory.mktemp("explain") / "campaign.duckdb"
    with campaign(file) as tracker:
        for name in ("gold", "other"):
            gold = amr([*GOLD], TEXTS)
            load(tracker.ingest_amr, gold, "gold.amr", treebank=name, language="en")
        for system, texts in OUTPUTS.items():
            for treebank in ("gold", "other") if system == "bad" else ("gold",):
                run = add_run(tracker, system, texts, treebank)
                parser = "toy/1" if treebank == "gold" else "toy/2"
                parses = amr(PARSES[system], texts)
                load(tracker.ingest_graphs, parses, "parses.amr", parser=parser, submission=run)
        scored = [BAD, GOOD]
        score_meaning(tracker.database, MeaningSettings("toy/1"), scored)
        probabilities = {**dict.fromkeys(TEXTS, 0.5), **dict.fromkeys(OUTPUTS["bad"], 0.5)}
        probabilities |= dict.fromkeys(OUTPUTS["good"][:2], 0.1)
        score_form(tracker.database, Stub(probabilities), scored)
    return file


@pytest.fixture
def tracker(path: Path) -> Iterator[Tracker]:
    with Tracker(open_database(path, read_only=True)) as computed:
        yield computed


def findings(output: str, gold: str) -> list[Finding]:
    ours, theirs = (read_triples(text, top="concept") for text in (output, gold))
    mapping = with_likely_pairs(align_graphs(ours, theirs).mapping, ours, theirs)
    differences = find_differences(ours, theirs, mapping)
    return find_findings(Named(ours, output), Named(theirs, gold), mapping, differences)


CASES = tomllib.loads(
    Path(__file__).with_name("graph_differences.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES)
def test_differences_in_words(case: str) -> None:
    output, gold, differences = CASES[case].values()
    assert {(finding.aspect, finding.text) for finding in findings(output, gold)} == {
        *map(tuple, differences)
    }


def test_a_sentence_tells_of_five_findings_at_most() -> None:
    assert in_words([]) == "The graphs say the same."
    seven = [Finding("other", f"thing {number}") for number in range(7)]
    assert in_words(seven) == "Thing 0; thing 1; thing 2; thing 3; thing 4; 2 more."


def sample_graphs(name: str) -> list[str]:
    return (SAMPLE / "SAMPLE26" / name).read_text(encoding="utf-8").strip().split("\n\n")


@given(st.sampled_from(["fluent", "literal"]), st.integers(0, 41), st.integers(0, 41))
def test_every_triple_is_matched_or_told_of(system: str, ours: int, theirs: int) -> None:
    texts = (
        sample_graphs(f"parses/hasty/{system}.amr")[ours],
        sample_graphs("gold.amr")[theirs],
    )
    output, gold = (read_triples(text, top="concept") for text in texts)
    alignment = align_graphs(output, gold)
    mapping = with_likely_pairs(alignment.mapping, output, gold)
    assert len(set(mapping.values())) == len(mapping)
    differences = find_differences(output, gold, mapping)
    extra = [difference.output for difference in differences if difference.output]
    lacking = [difference.gold for difference in differences if difference.gold]
    assert len(triples_of(output)) - len(extra) == alignment.matched
    assert len(triples_of(gold)) - len(lacking) == alignment.matched
    assert set(extra) <= set(triples_of(output))
    assert set(lacking) <= set(triples_of(gold))
    sentence = find_findings(Named(output, texts[0]), Named(gold, texts[1]), mapping, differences)
    assert bool(sentence) == bool(differences)
    for graph, text, left in ((output, texts[0], extra), (gold, texts[1], lacking)):
        lines = lay_out(text, dict.fromkeys(left, "changed"))
        again = read_triples("\n".join(line.text for line in lines), top="concept")
        assert set(triples_of(again)) == set(triples_of(graph))
        marked = sum(piece.kind is not None for line in lines for piece in line.pieces)
        tops = sum(triple[1] == ":TOP" for triple in left)
        assert len(left) - tops <= marked <= len(left)


def test_inverted_edges_constants_and_alignments_are_marked() -> None:
    text = (
        "(h / hen~e.2 :ARG1-of~e.3 (s / see-01 :ARG0 (c / cook)) :domain-of (r / red) :quant 3~1)"
    )
    kinds = {("s", ":ARG1", "h"): "missing", ("h", ":quant", "3"): "changed"}
    lines = lay_out(text, kinds)  # type: ignore[arg-type]
    assert [(line.kind, line.text.strip()) for line in lines] == [
        (None, "(h / hen"),
        ("missing", ":ARG1-of (s / see-01"),
        (None, ":ARG0 (c / cook))"),
        (None, ":domain-of (r / red)"),
        ("changed", ":quant 3)"),
    ]


def test_real_graphs_are_laid_out_whole(shared_data: Path) -> None:
    name = "amr/little-prince/amr-bank-struct-v1.6-test.txt"
    for graph in read_amr_file(shared_data / name).graphs:
        assert graph.penman is not None
        triples = read_triples(graph.penman)
        lines = lay_out(graph.penman, dict.fromkeys(triples_of(triples), "missing"))
        assert read_triples("\n".join(line.text for line in lines)) == triples
        assert (
            sum(piece.kind is not None for line in lines for piece in line.pieces) >= triples.count
        )


def test_the_lowest_meaning_comes_first_with_the_stored_scores(tracker: Tracker) -> None:
    explanation = explain(tracker.database, BAD)
    assert [entry.sent_id for entry in explanation.explained] == ["s1", "s3", "s2"]
    assert (explanation.sentences, explanation.without_graph, explanation.parser) == (4, 1, "toy/1")
    rows = tracker.database.connection.execute(
        "SELECT sentence_no, metric, score FROM sentence_score WHERE submission_id = ?", [BAD]
    ).fetchall()
    scores = {(number, metric): score for number, metric, score in rows}
    for item in explanation.explained:
        (side,) = item.sides
        assert side.f1 == scores[item.sentence_no, "smatch"]
        assert side.precision == scores[item.sentence_no, "smatch_precision"]
        assert side.recall == scores[item.sentence_no, "smatch_recall"]
        assert side.accepted == bool(scores[item.sentence_no, "form"])
    side = explanation.explained[0].sides[0]
    assert side.summary == (
        "The negation of 'thank' is lost; "
        "'baker' and 'Ann' have changed places as ARG0 and ARG1 of 'thank'."
    )
    assert [(entry.kind, entry.triple, entry.instead) for entry in side.unmatched] == [
        ("missing", "thank-01 :polarity -", None),
        ("changed", "thank-01 :ARG0 baker", 'person "Ann"'),
        ("changed", 'thank-01 :ARG1 person "Ann"', "baker"),
    ]


def test_an_output_without_a_graph_is_told_of(tracker: Tracker) -> None:
    (explained,) = explain(tracker.database, BAD, sentences=["4"]).explained
    assert explained.sides[0].summary == "There is nothing to compare: no output."
    assert not explained.sides[0].lines


def test_against_another_the_largest_difference_comes_first(tracker: Tracker) -> None:
    explanation = explain(tracker.database, BAD, base=GOOD, limit=4)
    assert [item.sent_id for item in explanation.explained] == ["s2", "s1", "s3", "s4"]
    differences = [
        abs((item.sides[0].f1 or 0) - (item.sides[1].f1 or 0))
        for item in explanation.explained[:-1]
    ]
    assert differences == sorted(differences, reverse=True)
    assert all(
        side.submission_id == BAD for item in explanation.explained for side in item.sides[:1]
    )
    by_form = explain(tracker.database, BAD, base=GOOD, by="form")
    assert [item.sent_id for item in by_form.explained][:2] == ["s2", "s1"]
    assert [item.sent_id for item in explain(tracker.database, GOOD, by="form").explained] == [
        "s2", "s1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "part", "options"),
    [
        (InputError, "no scores of meaning", {"submission_id": "local/bad/other"}),
        (UnknownNameError, "toy/9", {"parser": "toy/9"}),
        (InputError, "itself", {"base": BAD}),
        (InputError, "two treebanks", {"base": "local/bad/other"}),
        (UnknownNameError, "no submission", {"submission_id": "local/none/gold"}),
        (UnknownNameError, "no sentence", {"sentences": ["s9"]}),
    ],
)
def test_what_cannot_be_explained(
    tracker: Tracker, error: type[Exception], part: str, options: dict[str, str]
) -> None:
    with pytest.raises(error, match=part):
        explain(tracker.database, **{"submission_id": BAD, **options})  # type: ignore[arg-type]


def run(path: Path, *arguments: str) -> str:
    return commands.run(path, "meaning", "explain", *arguments).stdout


def test_plain_text_marks_triples(path: Path) -> None:
    text = run(path, "bad", "--treebank", "gold", "--sentence", "s1")
    assert "F1 73.68" in text
    lines = text.splitlines()
    assert any(line.startswith("  -    :polarity -") for line in lines)
    assert '  ~ thank-01 :ARG0 baker → person "Ann"' in lines
    both = next(line for line in lines if "gold graph" in line)
    assert both.index("gold graph") < both.index("graph of the output")
    assert "\x1b" not in text


def test_narrow_terminals_have_the_graphs_below_each_other(tracker: Tracker) -> None:
    document = explanation_document(explain(tracker.database, BAD, limit=1))
    beside = []
    for width in (40, 100):
        console = Console(width=width, force_terminal=True, color_system="standard")
        with console.capture() as capture:
            print_document(console, document)
        assert "\x1b[1;31m:polarity -" in capture.get()
        beside += [
            "graph of the output" in line
            for line in capture.get().splitlines()
            if "gold graph" in line
        ]
    assert beside == [False, True]


def test_json_and_page(path: Path, tmp_path: Path) -> None:
    content = json.loads(run(path, BAD, "--base", GOOD, "--format", "json"))
    assert content["submissions"] == [BAD, GOOD]
    run(path, BAD, "-o", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    html.parser.HTMLParser().feed(page)
    assert "&lt;b&gt;baker&lt;/b&gt;" in page
    assert "<b>baker" not in page
    assert "http" not in page.split("</style>")[1]
    assert "<del>:polarity -</del>" in page


def test_page_is_the_same_each_time(tracker: Tracker) -> None:
    computed = [explain(tracker.database, BAD, base=GOOD) for _ in range(2)]
    pages = {html_page(explanation_document(item)) for item in computed}
    assert len(pages) == 1


def test_report_explains_the_worst_outputs(tracker: Tracker, tmp_path: Path) -> None:
    page = write_report(tracker.database, [BAD, GOOD], tmp_path / "report.html").page
    text = page.read_text(encoding="utf-8")
    section = text.split('<section id="meaning">')[1].split("</section>")[0]
    assert "The negation of &#39;thank&#39; is lost" in section
    assert "&lt;b&gt;baker" in section
    assert "toy/1" in section
