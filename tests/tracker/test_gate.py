"""Gates: which drops fail, what is named how, exit codes, and files that other tools can read."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.change.comparison.model import Change
from sr_tracker.queries.change.comparison.model import Settings as ComparisonSettings
from sr_tracker.queries.change.comparison.paired import sample_changes
from sr_tracker.queries.change.comparison.samples import Sample
from sr_tracker.queries.change.gate import GateResult, _drop, _not_worse, check_gate
from sr_tracker.queries.change.thresholds import (
    Threshold,
    matches,
    merged,
    parse_threshold,
    read_thresholds,
)
from sr_tracker.queries.metrics.metric import SENTENCE_MEAN
from sr_tracker.queries.metrics.registry import label_of
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.show.findings.gate import _excerpt
from sr_tracker.tracker.show.json_forms import as_junit, gate_json
from sr_tracker.tracker.show.model import Span, plain_text
from tests.building import written
from tests.commands import exit_code, run
from tests.tracker import story

CHANGE = Change("dea", "metric", 0.845, 0.85, -0.005, None, None, 0.01, 0.02, 100)
JUNIT = {  # children and attributes, those that are required first
    "testsuites": ({"testsuite"}, (set(), {"name", "time", "tests", "failures", "errors"})),
    "testsuite": (
        {"properties", "testcase"},
        ({"name"}, {"tests", "failures", "errors", "skipped", "time"}),
    ),
    "properties": ({"property"}, (set(), set())),
    "property": (set(), ({"name", "value"}, set())),
    "testcase": ({"failure", "skipped", "system-out"}, ({"name"}, {"classname", "time"})),
    "failure": (set(), (set(), {"message", "type"})),
    "skipped": (set(), (set(), {"message"})),
    "system-out": (set(), (set(), set())),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the story's iterations around the regression; the later one is judged."""
    file = tmp_path_factory.mktemp("gate") / "campaign.duckdb"
    with sr_tracker.connect(file, create=True) as opened, opened.writing():
        treebank, _ = opened.ingest_treebank(Path(str(story.TREEBANK_FILE)))
        for iteration in (story.REGRESSION - 1, story.REGRESSION):
            outputs = file.with_name(f"{iteration}.txt")
            outputs.write_text("\n".join(story.outputs_of(iteration)) + "\n", encoding="utf-8")
            opened.ingest_submission(
                outputs, system="ours", treebank=treebank, iteration=iteration - 5
            )
        opened.score(metrics=["bleu", "nist", "dea"])
        opened.database.connection.execute(
            "INSERT INTO human_score SELECT submission_id, 1, 'adequacy', 0.5, NULL, 1, 'test' "
            "FROM submission WHERE iteration = 2"
        )
    return file


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with open_database(path, read_only=True) as opened:
        yield opened


def gate(path: Path, *arguments: str) -> Result:
    return run(path, "--quiet", "--yes", "gate", *arguments, code=None)


def checked(database: Database, *given_texts: str, **options: Any) -> GateResult:
    rows = database.connection.execute("SELECT submission_id FROM submission ORDER BY iteration")
    (base,), (new,) = rows.fetchall()
    thresholds = [parse_threshold("max-drop", text) for text in given_texts]
    return check_gate(database, new, base, thresholds, **options)


def test_the_relation_that_fell_fails_and_the_others_pass(database: Database) -> None:
    result = checked(database, "dea[*]=5", significant=True)
    assert [verdict.change.measure for verdict in result.failed] == ["dea[obl]"]
    assert len(result.verdicts) > 10
    (obl,) = result.failed
    edges = database.connection.execute(
        "SELECT avg(found) FROM edge_match JOIN submission USING (submission_id) "
        "WHERE deprel = 'obl' GROUP BY iteration ORDER BY iteration"
    ).fetchall()
    assert (obl.change.base, obl.change.new) == (edges[0][0], edges[1][0])
    assert checked(database, "dea[*]=5", "dea[obl]=100").passed


def test_a_drop_that_may_be_chance_fails_without_significance_only(database: Database) -> None:
    every = {v.change.measure: v for v in checked(database, "*=0").verdicts}
    by_chance = [
        verdict
        for verdict in every.values()
        if verdict.verdict == "failed"
        and verdict.change.p_holm is not None
        and verdict.change.p_holm >= 0.05
    ]
    assert by_chance
    significant = {v.change.measure: v for v in checked(database, "*=0", significant=True).verdicts}
    for verdict in by_chance:
        assert significant[verdict.change.measure].verdict == "passed"
        assert significant[verdict.change.measure].reason == "the drop may be chance"


def test_what_one_of_the_two_lacks_fails_unless_it_may_be_undefined(database: Database) -> None:
    (failed,) = checked(database, "adequacy_z=1", "bleu=90").failed
    assert failed.change.measure == "adequacy_z"
    assert failed.reason is not None
    assert failed.reason.startswith("undefined: ")
    thresholds = merged([], [parse_threshold("max-drop", "adequacy_z=1")], ["adeq*"])
    result = checked(database, "bleu=90")
    sides = result.new.submission_id, result.base.submission_id
    allowed = check_gate(database, *sides, thresholds)
    assert ([verdict.verdict for verdict in allowed.verdicts], allowed.passed) == (
        ["allowed"],
        True,
    )
    floor = check_gate(database, *sides, [parse_threshold("min", "adequacy_z=0.4")])
    assert (floor.passed, floor.verdicts[0].change.new) == (True, 0.5)


@pytest.mark.parametrize(
    ("given_text", "close"),
    [("dea[olb]=1", "dea[obl]"), ("blue=1", "bleu"), ("x[*]=1", "dea[aux]")],
)
def test_an_unknown_measure_is_told_with_close_ones(
    database: Database, given_text: str, close: str
) -> None:
    with pytest.raises(UnknownNameError) as caught:
        checked(database, given_text)
    assert close in str(caught.value)


def test_exit_codes_and_files(path: Path, tmp_path: Path) -> None:
    thresholds = tmp_path / "gate.toml"
    thresholds.write_text('significant = true\n[max-drop]\n"dea[obl]" = 2\nnist = 1\n[min]\nbleu=1')
    junit, json_file = tmp_path / "gate.xml", tmp_path / "gate.json"
    names = ("ours@latest", "--base", "ours@previous")
    files = ("--junit", str(junit), "--json", str(json_file))
    failed = gate(path, *names, "--thresholds", str(thresholds), *files)
    assert exit_code(failed) == 1
    assert "max-drop DEA[obl]" in failed.stdout
    content = json.loads(json_file.read_text(encoding="utf-8"))
    verdicts = {item["measure"]: item["verdict"] for item in content["thresholds"]}
    assert verdicts == {"dea[obl]": "failed", "nist": "passed", "bleu": "passed"}
    assert (content["passed"], content["significant"]) == (False, True)
    root = ElementTree.fromstring(junit.read_text(encoding="utf-8"))  # noqa: S314
    assert_junit(root, tests=3, failures=1)
    passed = gate(path, *names, "--thresholds", str(thresholds), "--max-drop", "dea[obl]=99")
    assert exit_code(passed) == 0
    assert exit_code(gate(path, *names, "--max-drop", "dea[olb]=2")) == 2
    same = gate(path, "ours@1", "--base", "ours@1", "--max-drop", "bleu=0")
    assert (exit_code(same), "same submission" in same.stdout) == (0, True)


def test_a_base_is_named_in_its_place_or_by_its_flag(path: Path) -> None:
    ways = (("ours@1",), ("--base", "ours@1"), ("--against", "ours@1"))
    for command in ("gate", "compare"):
        outputs = [run(path, command, "ours@2", *way, code=None).output for way in ways]
        assert outputs[0] == outputs[1] == outputs[2]
        twice = run(path, command, "ours@2", *ways[0], *ways[1], code=2).output
        assert "BASE is named twice" in twice


def assert_junit(element: ElementTree.Element, *, tests: int, failures: int) -> None:
    """Assert that an element has the children and attributes that JUnit's schema allows."""
    for item in element.iter():
        children, (required, optional) = JUNIT[item.tag]
        assert {child.tag for child in item} <= children
        assert required <= set(item.attrib) <= required | optional
    suite = element.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == (str(tests), str(failures))
    assert len(suite.findall("testcase")) == tests
    assert len(suite.findall("testcase/failure")) == failures


def test_a_drop_of_the_limit_passes_whatever_sums_are_rounded_to() -> None:
    assert CHANGE.difference is not None
    assert -100 * (0.845 - 0.85) > 0.5
    change = replace(CHANGE, difference=0.845 - 0.85)
    assert verdict_of(change, 0.5) == "passed"
    assert verdict_of(change, 0.49) == "failed"


def test_a_rise_is_a_drop_where_less_is_better() -> None:
    risen = replace(CHANGE, measure="suspicion[(a)]", base=1.0, new=1.5, difference=0.5)
    assert verdict_of(replace(risen, better="lower"), 0.4) == "failed"
    assert verdict_of(replace(risen, better="higher"), 0.4) == "passed"


def test_a_relation_of_few_edges_cannot_fail_where_a_minimum_is_set(database: Database) -> None:
    (old,), (new,) = database.connection.execute(
        "SELECT submission_id FROM submission ORDER BY iteration"
    ).fetchall()
    thresholds = [parse_threshold("max-drop", "dea[*]=0")]
    every = check_gate(database, old, new, thresholds)
    fewest = max(entry.change.n for entry in every.failed)
    few = [entry for entry in every.failed if entry.change.n < fewest]
    assert few
    some = check_gate(database, old, new, thresholds, minimum_n=fewest)
    verdicts = {verdict.change.measure: verdict for verdict in some.verdicts}
    assert len(verdicts) == len(every.verdicts)
    for item in every.verdicts:
        verdict = verdicts[item.change.measure]
        assert verdict.verdict == ("allowed" if item.change.n < fewest else item.verdict)
        assert (f"fewer than {fewest}" in (verdict.reason or "")) == (item.change.n < fewest)
    nothing = checked(database, "dea=0", minimum_n=10**6)
    assert nothing.passed
    assert any("nothing was judged" in note for note in nothing.notes)


def test_the_command_tells_n_and_takes_a_minimum(path: Path) -> None:
    arguments = ("ours@2", "--base", "ours@1", "--max-drop", "dea[obl]=0")
    message = gate(path, *arguments)
    assert exit_code(message) == 1
    with open_database(path, read_only=True) as opened:
        rows = opened.connection.execute(
            "SELECT n FROM submission_measures WHERE measure = 'dea[obl]'"
        ).fetchall()
    line = next(line for line in message.output.splitlines() if "DEA[obl]" in line)
    assert str(rows[0][0]) in line.split()
    assert exit_code(gate(path, *arguments, "--minimum-n", str(rows[0][0]))) == 1
    assert exit_code(gate(path, *arguments, "--minimum-n", str(rows[0][0] + 1))) == 0


def test_the_minimum_of_a_threshold_goes_before_that_of_the_file(
    path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "gate.toml"
    file.write_text(
        "minimum-n = 1000000\n[max-drop]\n'dea[obl]' = { limit = 0, minimum-n = 2 }\ndea = 0\n"
    )
    read = read_thresholds(file)
    assert read.minimum_n == 1_000_000
    assert [threshold.minimum_n for threshold in read.thresholds] == [2, None]
    arguments = ("ours@2", "--base", "ours@1", "--thresholds", str(file))
    result = gate(path, *arguments)
    assert exit_code(result) == 1
    assert "DEA[obl]" in str(result.exception)
    assert "1 of 2" in str(result.exception)
    assert "2 of 2" in str(gate(path, *arguments, "--minimum-n", "0").exception)


def test_without_a_test_a_drop_counts_though_it_may_be_chance() -> None:
    untested = replace(CHANGE, p_value=None, p_holm=None, undefined_reason="too few")
    assert verdict_of(untested, 0.1, significant=True) == "failed"
    assert verdict_of(untested, 1, significant=True) == "passed"


@pytest.mark.parametrize(
    ("low", "high", "limit", "significant", "non_inferior"),
    [
        (-0.03, -0.01, 0, "failed", "failed"),
        (-0.03, -0.01, 0.5, "failed", "failed"),
        (-0.03, -0.01, 1.5, "passed", "failed"),
        (-0.03, -0.01, 3, "passed", "passed"),
    ],
)
def test_a_drop_is_held_against_the_limit_with_its_interval(
    low: float, high: float, limit: float, significant: str, non_inferior: str
) -> None:
    """The drop is two points, by more than chance, from one to three."""
    change = replace(CHANGE, new=0.48, base=0.5, difference=-0.02, low=low, high=high)
    change = replace(change, p_value=0.001, p_holm=0.001)
    assert verdict_of(change, limit, significant=True) == significant
    threshold = Threshold("max-drop", change.measure, limit)
    verdict = _not_worse(threshold, change)
    assert verdict is not None
    assert verdict.verdict == non_inferior
    mirrored = replace(change, difference=0.02, low=-high, high=-low, better="lower")
    assert verdict_of(mirrored, limit, significant=True) == significant


def test_a_drop_of_few_sentences_is_told_itself() -> None:
    few = "no interval: fewer than ten sentences differ"
    tested = Change("bleu", "metric", 0.7, 0.71, -0.01, p_value=0.5, undefined_reason=few)
    assert _not_worse(Threshold("max-drop", "bleu", 2), tested) is None
    verdict = _not_worse(Threshold("max-drop", "bleu", 2), replace(tested, p_value=None))
    assert verdict is not None
    assert verdict.verdict == "failed"


def test_a_drop_of_the_limit_fails_seldom_and_one_beyond_it_always() -> None:
    """Of 200 pairs whose true drop is the limit at most 6 % fail; it was every second one."""
    rng = np.random.default_rng(3)
    samples = []
    for true_drop in (0.02, 0.12):
        for _ in range(200):
            base = rng.random(200)
            scores = np.stack([base - rng.normal(true_drop, 0.1, 200), base])
            statistics = np.stack([scores, np.ones_like(scores)], axis=2)
            samples.append(Sample("dist", "metric", SENTENCE_MEAN, np.arange(200), statistics))
    with open_installed(None) as database:
        changes = sample_changes(database, samples, ComparisonSettings(), range(400))
    verdicts = [verdict_of(change, 2, significant=True) for change in changes]
    assert verdicts[:200].count("failed") <= 12
    assert verdicts[200:].count("failed") == 200


def test_a_gate_against_the_best_says_what_that_does(path: Path) -> None:
    output = gate(path, "ours@2", "--base", "ours@best:dea", "--min", "dea=0").output
    assert "equal builds fail more often than alpha says" in " ".join(output.split())
    output = gate(path, "ours@2", "--base", "ours@previous", "--min", "dea=0").output
    assert "equal builds" not in output


def test_both_rules_at_once_make_no_sense(path: Path) -> None:
    rules = ("--significant", "--non-inferior", "--max-drop", "dea=1")
    assert exit_code(gate(path, "ours@2", "--base", "ours@1", *rules)) == 2


def verdict_of(change: Change, limit: float, *, significant: bool = False) -> str:
    threshold = Threshold("max-drop", change.measure, limit)
    return _drop(threshold, change, 0.05 if significant else None).verdict


@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 100),
    st.floats(0, 100),
    st.floats(0, 1),
    st.booleans(),
)
def test_a_wider_limit_and_asking_for_significance_never_fail_what_passed(
    new: float, base: float, limit: float, wider: float, p_holm: float, significant: bool
) -> None:
    change = replace(CHANGE, new=new, base=base, difference=new - base, p_holm=p_holm)
    if verdict_of(change, limit, significant=significant) == "passed":
        assert verdict_of(change, limit + wider, significant=significant) == "passed"
        assert verdict_of(change, limit, significant=True) == "passed"
    if new >= base:
        assert verdict_of(change, 0) == "passed"


@given(st.text("ab*[(", max_size=5), st.text("ab[(", max_size=6))
def test_wildcards_match_as_in_file_names_but_for_brackets(pattern: str, name: str) -> None:
    assert matches(pattern, name) == fnmatchcase(name, pattern.replace("[", "[[]"))


def test_what_is_given_goes_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text(
        "alpha = 0.01\n[max-drop]\ndea = 0.5\n"
        '"dea[x]" = { limit = 2, undefined = "allow" }\n[min]\ndea = 40\n'
    )
    read = read_thresholds(file)
    assert (read.significant, read.alpha) == (None, 0.01)
    assert merged(read.thresholds, [parse_threshold("max-drop", "dea=3")]) == [
        Threshold("max-drop", "dea", 3),
        Threshold("max-drop", "dea[x]", 2, allow_undefined=True),
        Threshold("min", "dea", 40),
    ]


@pytest.mark.parametrize("text", ["dea", "=1", "dea=", "dea=x", "dea=-1", "dea=nan", "dea=inf"])
def test_what_is_no_threshold(text: str) -> None:
    with pytest.raises(InputError):
        parse_threshold("max-drop", text)


def test_a_name_may_hold_an_equals_sign() -> None:
    assert parse_threshold("max-drop", "suspicion[(a=b)]=2").measure == "suspicion[(a=b)]"


@pytest.mark.parametrize(
    "content",
    [
        "max-drop = 3",
        "[max-drop",
        "[max-drops]\ndea = 1",
        "[max-drop]\ndea = '1'",
        "[max-drop]\ndea = true",
        "[max-drop]\ndea = -1",
        "[max-drop]\ndea = { limit = 1, undefined = 'ok' }",
        "[max-drop]\ndea = { undefined = 'allow' }",
        "[max-drop]\ndea = { limit = 1, why = 1 }",
        "significant = 1",
        "alpha = 5",
        "alpha = true",
        "minimum-n = -1",
        "minimum-n = 1.5",
        "[max-drop]\ndea = { limit = 1, minimum-n = true }",
    ],
)
def test_what_a_file_must_not_say(tmp_path: Path, content: str) -> None:
    file = written(tmp_path / "gate.toml", content)
    with pytest.raises(InputError) as caught:
        read_thresholds(file)
    assert str(file) in (caught.value.where or "")


@given(st.text(max_size=20), st.sampled_from(["failed", "passed", "allowed"]))
def test_any_name_makes_files_that_can_be_read(name: str, verdict: str) -> None:
    from sr_tracker.queries.change.comparison.model import Side
    from sr_tracker.queries.change.gate import Verdict

    name = name.encode("utf-8", "replace").decode()
    side: Any = Side.__new__(Side)
    object.__setattr__(side, "submission_id", name)
    computed = Verdict(Threshold("max-drop", name, 1), replace(CHANGE, measure=name), verdict, name)
    result = GateResult(side, side, False, 0.05, [computed], [name], [name])
    root = ElementTree.fromstring(as_junit(result).decode("utf-8"))  # noqa: S314
    assert_junit(root, tests=1, failures=int(verdict == "failed"))
    assert json.loads(gate_json(result))["thresholds"][0]["measure"] == name


def test_a_summary_in_markdown_says_first_what_failed_and_has_the_numbers_of_the_json(
    path: Path, tmp_path: Path
) -> None:
    files = {name: tmp_path / f"gate.{name}" for name in ("md", "json")}
    limits = ("--max-drop", "dea=0.5", "--max-drop", "dea[*]=20", "--min", "bleu=1")
    arguments = ("ours@2", "--base", "ours@1", "--significant", *limits)
    result = gate(path, *arguments, "--markdown", str(files["md"]), "--json", str(files["json"]))
    assert exit_code(result) == 1
    content = json.loads(files["json"].read_text(encoding="utf-8"))
    lines = files["md"].read_text(encoding="utf-8").splitlines()
    failed = [item for item in content["thresholds"] if item["verdict"] == "failed"]
    assert lines[0].startswith(f"### ❌ The gate fails by {len(failed)} threshold")
    first = min(failed, key=lambda item: "[" in item["measure"])
    assert lines[2].replace("\\", "").startswith(f"**{label_of(first['measure'])} is worse by ")
    rows = [line.split(" | ") for line in lines if line.startswith("| max-drop DEA |")]
    (dea,) = (item for item in content["thresholds"] if item["measure"] == "dea")
    shown = [float(cell.replace("−", "-")) for cell in (*rows[0][1:4], rows[0][5])]
    numbers = [dea["base"], dea["new"], dea["change"], dea["limit"]]
    assert shown == pytest.approx(numbers, abs=0.005)
    low, high = rows[0][4].strip("\\[]").replace("−", "-").split(", ")
    assert [float(low), float(high)] == pytest.approx([dea["low"], dea["high"]], abs=0.005)
    assert rows[0][7].strip("*").startswith(dea["verdict"])
    assert "#### Sentences that lost most (sentence BLEU-lc)" in lines
    assert lines.count("</details>") == sum("<details>" in line for line in lines) > 3
    (command,) = (line for line in lines if line.startswith("tracker gate"))
    again = gate(path, *shlex.split(command)[2:], "--json", "-")
    assert json.loads(again.stdout) == content


def test_a_summary_of_a_submission_against_itself_says_so(path: Path) -> None:
    result = gate(path, "ours@2", "--base", "ours@2", "--max-drop", "dea=0", "--markdown", "-")
    assert exit_code(result) == 0
    assert result.stdout.startswith("### ✅ The gate passes: ours@2 against ours@2\n")
    assert "(both are the same submission: nothing can differ)" in result.stdout
    assert "Sentences that lost" not in result.stdout
    both = gate(path, "ours@2", "--base", "ours@2", "--max-drop=dea=0", "--json=-", "--junit=-")
    assert exit_code(both) == 2
    assert "only one result fits on stdout" in str(both.exception)


def test_long_sentences_are_short_in_a_summary_with_their_marks() -> None:
    words = [Span("a" * 200), Span("lost", "missing"), Span("b" * 200), Span("end", "moved")]
    short = list(_excerpt(words))
    assert [span.tone for span in short] == ["", "missing", "", "moved"]
    assert plain_text(short) == f"…{'a' * 30}lost{'b' * 30}…{'b' * 30}end"
    assert _excerpt("short") == "short"
    assert len(plain_text(_excerpt([Span("x" * 1000, "missing")]))) == 321


def test_the_base_is_named_as_it_was_called_too(path: Path) -> None:
    limits = {"bleu": 100}
    with sr_tracker.connect(path) as db:
        now = db.gate("ours@2", "ours@1", max_drop=limits)
        with pytest.warns(DeprecationWarning, match="'against' is now called 'base'"):
            was = db.gate("ours@2", against="ours@1", max_drop=limits)
        assert db.gate("ours@2", max_drop=limits).base == now.base
    assert (was.base, was.verdicts) == (now.base, now.verdicts)
    message = [
        gate(path, "ours@2", flag, "ours@1", "--max-drop", "bleu=99").stdout
        for flag in ("--base", "--against")
    ]
    assert message[0] == message[1]


@pytest.mark.parametrize(("new", "base"), [("ours@2", "ours@1"), ("ours@1", "ours@2")])
def test_without_limits_a_gate_says_what_the_verdict_of_the_comparison_says(
    path: Path, new: str, base: str
) -> None:
    with sr_tracker.connect(path) as db:
        comparison = db.compare(new, base)
        result = db.gate(new, base)
        primary = [change for change in comparison.metrics if change.family == "primary"]
        assert [verdict.change for verdict in result.verdicts] == primary
        assert result.passed is (comparison.outcome not in ("worse", "mixed"))
        dropped = [change for change in primary if change.difference < 0]
        assert db.gate(new, base, significant=False).passed is (not dropped)
        with pytest.raises(InputError, match="the gate has no threshold"):
            db.gate(new, base, non_inferior=True)
    assert exit_code(gate(path, new, "--base", base)) == (0 if result.passed else 1)


def test_a_first_run_without_a_base_is_its_own(path: Path) -> None:
    with sr_tracker.connect(path) as db:
        result = db.gate("ours@1")
        assert (result.base, result.passed) == (result.new, True)
        assert "both are the same submission: nothing can differ" in result.notes
        assert db.compare("ours@2").base == db.compare("ours@2", "ours@1").base
        with pytest.raises(InputError, match="is a first run, and has none before it"):
            db.compare("ours@1")
        assert (
            "both are the same submission: nothing can differ"
            in db.compare("ours@1", "ours@1").notes
        )


def test_over_labels_a_gate_is_refused(path: Path) -> None:
    with (
        sr_tracker.connect(path) as db,
        pytest.raises(InputError, match="does not test over labels"),
    ):
        db.gate("ours@2", "ours@1", max_drop={"bleu": 1}, over=["domain"])
