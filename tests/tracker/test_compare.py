"""Comparing submissions: a planted regression is pointed at, in text, as JSON and on a page."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy.stats import binomtest

from sr_tracker.queries.change.comparison.comparing import (
    compare,
    compared_metrics,
    rankings,
    sentence_changes,
)
from sr_tracker.queries.change.comparison.model import Change, Comparison, PatternChange, Settings
from sr_tracker.queries.change.comparison.patterns import pattern_changes, ranked_patterns
from sr_tracker.queries.change.comparison.sides import pairing_of
from sr_tracker.queries.change.significance.intervals import mcnemar_p_values
from sr_tracker.queries.errors import Settings as AnalysisSettings
from sr_tracker.queries.errors.example_reading import Word
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.show.findings.changes import change_table
from sr_tracker.tracker.show.findings.comparison import comparison_document
from sr_tracker.tracker.show.findings.ranking import BETTER, EVEN, WORSE, marks
from sr_tracker.tracker.show.findings.sentences import tree_of_changes
from sr_tracker.tracker.show.html import PLOT_WIDTH, interval_places, page
from sr_tracker.tracker.show.json_forms import as_json
from sr_tracker.tracker.show.model import plain_text
from sr_tracker.tracker.show.text import print_document
from sr_tracker.tracker.show.text.dependencies import tree_lines
from tests import commands
from tests.building import campaign, conllu

TREEBANK, OTHER = "en_small-ud1.0-test", "en_small-ud1.1-test"
SENTENCES = 40
SCRIPT = "<script>alert(1)</script>"
QUICK = Settings(replicates=200, sentence_metric="bleu")
Run = Callable[..., Result]
Names = dict[str, str]


def words_of(number: int) -> list[tuple[str, str, int, str]]:
    """Form, part of speech, head and relation of each word; odd sentences end in an adverb."""
    return [
        ("The", "DET", 2, "det"),
        (f"dog{number}", "NOUN", 3, "nsubj"),
        ("chased", "VERB", 0, "root"),
        ("some", "DET", 5, "det"),
        (f"cats{number % 7}", "NOUN", 3, "obj"),
        *([("gladly", "ADV", 3, "advmod")] if number % 2 else []),
        (".", "PUNCT", 3, "punct"),
    ]


def text_of(forms: list[str]) -> str:
    return " ".join(forms).replace(" .", ".")


def treebank() -> str:
    numbers = range(1, SENTENCES + 1)
    trees = [
        [(form, head, relation, upos, "_", form.lower()) for form, upos, head, relation in words]
        for words in map(words_of, numbers)
    ]
    return conllu(trees, texts=[*map(reference, numbers)])


def reference(number: int) -> str:
    return text_of([form for form, *_ in words_of(number)])


def base_output(number: int) -> str:
    return reference(number) if number % 3 else reference(number).replace("The ", "A ")


def worse_output(number: int) -> str:
    """Base's output with the adverb at the beginning: the edges of advmod are lost."""
    output = base_output(number)
    return f"gladly {output.replace(' gladly', '')}" if number % 2 else output


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of a system's iterations: base, a regression, and base once more."""
    path = tmp_path_factory.mktemp("compare") / "c.duckdb"
    base, worse = (
        [output(number) for number in range(1, SENTENCES + 1)]
        for output in (base_output, worse_output)
    )
    outputs = {"ours": base, "ours@2": worse, "ours@3": base, f"C/ours/{OTHER}": base}
    outputs["theirs"] = [f"{text} \x1b[31m{SCRIPT}" for text in worse]
    treebanks = dict.fromkeys((TREEBANK, OTHER), treebank())
    with campaign(
        path, treebanks, outputs, name="C", reference_form="text", scored=True
    ) as tracker:
        tracker.analyse(
            AnalysisSettings(["mining"], minimum_support=3), submission=f"C/ours/{TREEBANK}"
        )
    return path


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    """The database, read only as the command opens it."""
    with connect(file).reading() as computed:
        yield computed


BASE, WORSE_ONE, THEIRS = (f"C/ours/{TREEBANK}", f"C/ours/{TREEBANK}@2", f"C/theirs/{TREEBANK}")
SAME, ELSEWHERE = f"C/ours/{TREEBANK}@3", f"C/ours/{OTHER}"


@pytest.fixture(scope="module")
def comparison(file: Path) -> Comparison:
    """The regression against base."""
    with connect(file).reading() as database:
        return compare(database, WORSE_ONE, BASE, QUICK)


@pytest.fixture
def run(file: Path) -> Run:
    """Run the command on the database."""

    def call(*arguments: str) -> Result:
        words = ("--quiet", "--yes", "compare", *arguments, "--replicates", "200")
        return commands.run(file, *words, code=None)

    return call


def text_for(comparison: Comparison, *, width: int = 100, coloured: bool = False) -> str:
    text = io.StringIO()
    console = Console(
        file=text, width=width, force_terminal=True, color_system="standard" if coloured else None
    )
    print_document(console, comparison_document(comparison))
    return text.getvalue()


def render_page(comparison: Comparison) -> str:
    return page(comparison_document(comparison))


def tree_text(words: Sequence[Word], found_before: dict[int, bool | None]) -> list[str]:
    lines = tree_lines(tree_of_changes(words, found_before))
    return [plain_text(line).rstrip() for line in lines]


def test_the_planted_relation_is_at_the_head(comparison: Comparison) -> None:
    moved = [change for change in comparison.relations if change.is_significant(0.05)]
    assert [change.deprel for change in moved] == ["advmod"]
    (advmod,) = moved
    assert (advmod.gained, advmod.lost, advmod.n) == (0, 20, 20)
    scores, relations = comparison.verdict
    assert scores.startswith("ours@2 is worse than ours@1 by ")
    assert "advmod alone fell, by 100.00 points (from 100.0 % to 0.0 % of its 20 edges found)" in (
        relations
    )
    assert not [
        change for change in comparison.metrics if change.difference and not change.is_worse
    ]


def test_the_planted_pattern_is_at_the_head(comparison: Comparison) -> None:
    first, *_ = ranked_patterns(comparison.patterns, 0.05, worse=True)
    assert first.is_significant(0.05)
    assert "advmod" in first.pattern or "ADV" in first.pattern
    assert (first.failed_base, first.failed_new, first.sentences) == (7, 20, 20)


def test_differences_are_the_first_minus_the_second(
    database: Database, comparison: Comparison
) -> None:
    back = compare(database, BASE, WORSE_ONE, QUICK)
    assert [c.difference for c in back.metrics] == [
        pytest.approx(-(c.difference or 0)) for c in comparison.metrics
    ]
    assert [c.sentence_no for c in back.gained] == [c.sentence_no for c in comparison.lost]
    assert back.verdict[0].startswith("ours@1 is better than ours@2")


def test_nothing_differs_between_equal_outputs(database: Database) -> None:
    same = compare(database, SAME, BASE, QUICK)
    assert {change.difference for change in same.metrics} == {0.0}
    assert not same.gained
    assert not same.lost
    verdict = same.verdict
    assert verdict[0].startswith("No score differs by more than chance between ours@3 and ours@1")
    assert verdict[1] == "No dependency relation changed by more than chance."


def test_failures_of_patterns_are_counted_by_the_thresholds_of_base(database: Database) -> None:
    connection = database.connection
    scores = {
        name: dict(
            connection.execute(
                "SELECT sentence_no, score FROM sentence_score "
                "WHERE submission_id = ? AND metric = 'bleu'",
                [name],
            ).fetchall()
        )
        for name in (WORSE_ONE, BASE)
    }
    mined = {
        (labels, pattern): (suspicion, threshold)
        for labels, pattern, suspicion, threshold in connection.execute(
            "SELECT labels, pattern, suspicion, threshold FROM suspicious_patterns "
            "JOIN error_mining USING (submission_id, labels, metric) WHERE submission_id = ?",
            [BASE],
        ).fetchall()
    }
    places = {
        (labels, pattern): numbers
        for labels, pattern, numbers in connection.execute(
            "SELECT labels, pattern, sentence_nos FROM subtree WHERE treebank_id = ?", [TREEBANK]
        ).fetchall()
    }
    changes = pattern_changes(pairing_of(database, WORSE_ONE, BASE), QUICK)
    assert {(change.labels, change.pattern) for change in changes} == set(mined)
    for change in changes:
        key = change.labels, change.pattern
        suspicion, threshold = mined[key]
        numbers = places[key]
        assert change.base == pytest.approx(suspicion)
        for name, failed in ((WORSE_ONE, change.failed_new), (BASE, change.failed_base)):
            assert failed == sum(scores[name][number] <= threshold for number in numbers)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=1, max_size=10))
def test_mcnemar_is_the_binomial_test(pairs: list[tuple[int, int]]) -> None:
    one, other = np.array(pairs, np.int64).T
    expected = [binomtest(a, a + b).pvalue if a + b else 1.0 for a, b in pairs]
    assert mcnemar_p_values(one, other) == pytest.approx(expected)


def pattern(name: str, failed: tuple[int, int], score: float, p_holm: float) -> PatternChange:
    return PatternChange(
        *(f"suspicion[{name}]", "pattern", 1 + score, 1.0, score, None, None),
        *(p_holm / 2, p_holm, 20, "lower"),
        labels="deprel",
        pattern=name,
        sentences=20,
        failed_base=failed[0],
        failed_new=failed[1],
    )


def test_patterns_come_by_how_clear_they_are() -> None:
    changes = [
        pattern("(a)", (5, 7), 0.1, 0.5),
        pattern("(b)", (1, 15), 0.5, 0.001),
        pattern("(c)", (1, 18), 0.6, 0.01),
        pattern("(c (d))", (1, 18), 0.6, 0.01),
        pattern("(better)", (9, 2), -0.6, 0.01),
        pattern("(fails less, but so does all)", (9, 8), 0.2, 0.01),
    ]
    worse = ranked_patterns(changes, 0.05, worse=True)
    assert [change.pattern for change in worse] == ["(c)", "(b)", "(a)"]
    better = ranked_patterns(changes, 0.05, worse=False)
    assert [change.pattern for change in better] == ["(better)"]
    unclear = [pattern(f"(p{n})", (5, 6 + n), 0.1, 0.06 + n / 100) for n in range(8)]
    assert len(ranked_patterns(unclear, 0.05, worse=True)) == 3
    assert ranked_patterns([pattern("(p)", (5, 6), 0.1, 1.0)], 0.05, worse=True) == []


def test_sentences_lost_are_those_with_the_adverb(database: Database) -> None:
    gained, lost = sentence_changes(
        pairing_of(database, WORSE_ONE, BASE), replace(QUICK, sentences=50)
    )
    assert gained == []
    assert {change.sentence_no for change in lost} == {*range(1, SENTENCES + 1, 2)}
    differences = [change.difference for change in lost]
    assert differences == sorted(differences)
    assert (
        len(sentence_changes(pairing_of(database, WORSE_ONE, BASE), replace(QUICK, sentences=3))[1])
        == 3
    )
    for change in lost:
        rebuilt = "".join(word.before + word.word for word in change.reference_words)
        assert rebuilt == change.reference == reference(change.sentence_no)
        assert "".join(p.before + p.word for p in change.new_pieces) == change.new_output
        marked = [w.word for w in change.reference_words if w.in_base and not w.in_new]
        assert marked == ["gladly"]


def test_the_tree_tells_what_became_of_edges() -> None:
    words = [
        Word(1, "Dogs", "dog", "NOUN", None, "nsubj", 2, True),
        Word(2, "chase", "chase", "VERB", None, "root", None, None),
        Word(3, "猫", "猫", "NOUN", None, "obj", 2, False),
        Word(4, "gladly", "gladly", "ADV", None, "advmod", 2, True),
    ]
    assert tree_text(words, {1: True, 2: None, 3: True, 4: False}) == [
        "   ╭── Dogs    ✓    nsubj   NOUN",
        "───┤ chase          root    VERB",
        "   ├── 猫      ✓→✗  obj     NOUN",
        "   ╰── gladly  ✗→✓  advmod  ADV",
    ]
    long = [
        Word(n, f"w{n}", None, None, None, "dep", n - 1 if n > 1 else None, n != 5 or None)
        for n in range(1, 31)
    ]
    assert len(tree_text(long, dict.fromkeys(range(1, 31), True))) == 6


def test_the_text_tells_all_in_narrow_and_wide_terminals(comparison: Comparison) -> None:
    for width in (100, 160):
        text = text_for(comparison, width=width)
        assert all(len(line) <= width for line in text.split("\n"))
        assert text.startswith("ours@2 against ours@1\n")
        assert "differences are ours@2 − ours@1" in " ".join(text.split())
        assert "-gladly-" in text
        assert "✓→✗" in text
        assert "\x1b" not in text
    coloured = text_for(comparison, coloured=True)
    assert "-gladly-" not in coloured
    assert "\x1b[1;31mgladly" in coloured


def test_outputs_cannot_steer_the_terminal_or_the_page(database: Database) -> None:
    comparison = compare(database, THEIRS, WORSE_ONE, QUICK)
    assert "\x1b[31m" not in text_for(comparison)
    shown = render_page(comparison)
    assert SCRIPT not in shown
    assert shown.count("<script>") == 1
    assert "http" not in shown.replace("http-equiv", "")


def test_the_page_is_the_same_each_time_and_told_in_its_first_lines(comparison: Comparison) -> None:
    shown = render_page(comparison)
    assert shown == render_page(comparison)
    assert shown.index("advmod alone fell") < shown.index("<nav")
    for anchor in ("metrics", "relations", "buckets", "patterns", "lost"):
        assert f'<section id="{anchor}">' in shown
    assert '<section id="gained">' not in shown


def test_the_page_says_what_was_forced(comparison: Comparison) -> None:
    shown = render_page(replace(comparison, objections=["treebank 1.0 and 1.1"]))
    assert '<p class="objection">Forced, though not comparable: treebank 1.0 and 1.1</p>' in shown


def test_intervals_are_drawn_on_one_scale(comparison: Comparison) -> None:
    def change(measure: str, low: float, high: float) -> Change:
        middle = (low + high) / 2
        return Change(measure, "metric", 1, 1, middle, low, high, 0.5, 0.5, 9)

    table = change_table(
        comparison,
        "Metrics",
        "metric",
        [
            change("bleu", -0.2, 0.1),
            change("dea", -0.1, 0.1),
            change("nist", 0.5, 1),
            replace(change("chrf", 0, 0), difference=None, low=None, high=None),
        ],
    )
    place = [column.kind for column in table.columns].index("interval")
    *drawn, undefined = (line.cells[place].interval for line in table.lines)
    bleu, dea, nist = (interval_places(item) for item in drawn if item)
    assert dea.middle == PLOT_WIDTH / 2
    assert bleu.high == dea.high
    assert bleu.low == PLOT_WIDTH - nist.high
    assert undefined is None
    assert table.lines[-1].cells[place].text == "–"


def test_json_tells_the_same(comparison: Comparison, run: Run) -> None:
    plain = json.loads(json.dumps(as_json(comparison)))
    result = run("ours@2", "ours@1", "--treebank", TREEBANK, "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == plain
    assert plain["new"]["submission_id"] == WORSE_ONE
    assert plain["headline"] == comparison.verdict
    assert [c["measure"] for c in plain["relations"] if c["significant"]] == ["dea[advmod]"]


def test_a_file_is_written_by_its_suffix(run: Run, tmp_path: Path) -> None:
    result = run(WORSE_ONE, BASE, "--output", str(tmp_path / "c.html"))
    assert result.exit_code == 0
    assert result.stdout == ""
    page = (tmp_path / "c.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    settings = page.split('<dl class="signatures">')[1].split("</dl>")[0]
    assert "<dt>how often verdicts hold</dt><dd>docs/validity.md</dd>" in settings


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ([BASE, "nobody@1"], UnknownNameError, "nobody"),
        ([BASE, WORSE_ONE, "--metric", "bleurt"], UnknownNameError, "bleurt"),
        ([BASE, WORSE_ONE, "--sentence-metric", "bleurt"], UnknownNameError, "bleurt"),
        ([BASE, WORSE_ONE, "-o", "c.pdf"], InputError, "suffix"),
        ([BASE, WORSE_ONE, BASE], InputError, "more than once"),
        ([ELSEWHERE, BASE], TrackerError, "treebank"),
    ],
)
def test_what_cannot_be_compared_is_said(
    run: Run, arguments: list[str], error: type[TrackerError], message: str
) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, error)
    assert result.exception.exit_code == 2
    assert message in str(result.exception)


def test_forced_it_says_so_and_compares_what_is_shared(run: Run) -> None:
    result = run(ELSEWHERE, WORSE_ONE, "--force")
    assert result.exit_code == 0, result.exception
    assert "forced, though not comparable: " in result.stdout
    assert "40 sentences with the same reference text" in result.stdout
    assert "patterns are not compared" in result.stdout


def test_one_submission_is_compared_with_the_run_before_it(run: Run) -> None:
    assert run(WORSE_ONE).stdout == run(WORSE_ONE, BASE).stdout
    result = run(BASE)
    assert (result.exit_code, "is a first run" in str(result.exception)) == (1, True)


def test_several_are_ranked_in_clusters(file: Path, run: Run) -> None:
    with connect(file).reading() as database:
        (ranking,) = rankings(database, [WORSE_ONE, BASE, SAME, THEIRS], QUICK).rankings
    square = marks(ranking, 0.05)
    opposite = {BETTER: WORSE, WORSE: BETTER, EVEN: EVEN, "": ""}
    for one in range(4):
        for other in range(4):
            assert square[one][other] == opposite[square[other][one]]
    assert square[0] == ["", EVEN, BETTER, BETTER]
    text = run(WORSE_ONE, BASE, SAME, THEIRS).stdout
    assert "By BLEU-lc ours@1, ours@3 are best" in text.replace("ours@3, ours@1", "ours@1, ours@3")
    content = json.loads(run(WORSE_ONE, BASE, SAME, "-f", "json", "--metric", "dea").stdout)
    assert [item["metric"] for item in content["rankings"]] == ["dea"]
    page = run(WORSE_ONE, BASE, SAME, "-f", "html").stdout
    assert "By BLEU-lc" in page


def test_what_is_compared_by_default_is_what_all_have(database: Database) -> None:
    assert compared_metrics(database, [BASE, SAME], None) == [
        *("bleu", "bleu_13a", "nist", "dist", "chrf", "ter", "dea", "bleu_lemma", "dea_precision")
    ]
    assert compared_metrics(database, [BASE, SAME], ["dea[advmod]", "nist4"]) == [
        *("dea[advmod]", "nist4")
    ]
