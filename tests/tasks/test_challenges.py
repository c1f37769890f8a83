"""Challenge sets: which items outputs pass, which outputs metrics prefer, and what changed."""

from __future__ import annotations

from itertools import product
from math import comb, sqrt
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sr_tracker.queries.catalog import macros
from sr_tracker.queries.change.significance.intervals import sign_flip_p_values
from sr_tracker.queries.change.thresholds import parse_threshold
from sr_tracker.queries.numbers import UNDEFINED
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.show.text import document_text
from sr_tracker.tracker.tasks.findings import challenges_document
from tests import commands
from tests.building import campaign, conllu, load, written

TREEBANK = "three"
REFERENCES = "He does not eat 3 apples\nShe eats\nThey went home\n"
ITEMS = """sent_id,phenomenon,kind,pattern
1,negation,contains, not
1,negation,lacks,never
1,numbers,matches,\\b3\\b
2,numbers,avoids,[0-9]
3,negation,lacks,not
"""
TEMPLATES = ("sent_id", "phenomenon", "kind", "pattern", "template")
FIRST = ["He eats 3 apples", "She eats 2", None]
SECOND = ["He does not eat 3 apples", "She eats", "They did not go"]
PASSED = {("1", "negation"): (0, 1), ("1", "numbers"): (1, 1), ("2", "numbers"): (0, 1)}
PASSED |= {("3", "negation"): (0, 0)}
"""By hand: whether the first and the second run pass; a missing output passes nothing."""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    path = tmp_path_factory.mktemp("challenge") / "c.duckdb"
    with campaign(path, references={TREEBANK: REFERENCES}) as tracker:
        submit(tracker, FIRST)
        load(tracker.ingest_challenge, ITEMS, "items.csv", treebank=TREEBANK)
        submit(tracker, SECOND)
    return connect(path)


def submit(tracker: Tracker, outputs: Any, treebank: str = TREEBANK) -> None:
    tracker.submit(
        outputs, system="ours", treebank=treebank, reference_form="text", analyse=False, log=False
    )


def rates(db: Tracker) -> dict[tuple[str, str | None], dict[str, Any]]:
    rows = db.challenge().rates.to_pylist()
    return {(row["submission_id"], row["phenomenon"]): row for row in rows}


def test_items_pass_where_all_their_expectations_hold(db: Tracker) -> None:
    for run, submission in enumerate((f"local/ours/{TREEBANK}", f"local/ours/{TREEBANK}@2")):
        computed = rates(db)
        for phenomenon in ("negation", "numbers", None):
            of_it = [v[run] for (_, name), v in PASSED.items() if phenomenon in (name, None)]
            row = computed[submission, phenomenon]
            assert (row["items"], row["passed"]) == (len(of_it), sum(of_it))
            assert row["pass_rate"] == sum(of_it) / len(of_it)


def test_intervals_are_wilsons(db: Tracker) -> None:
    """Against the closed form, as of scipy's binomtest, where each item is of a sentence alone."""
    for row in db.challenge().rates.to_pylist():
        if row["phenomenon"] is None:
            continue
        interval = stats.binomtest(row["passed"], row["items"]).proportion_ci(0.95, "wilson")
        assert (row["low"], row["high"]) == pytest.approx(tuple(interval), abs=1e-12)


def test_items_of_a_template_count_as_one() -> None:
    """Against all signs of templates, and Wilson's interval with a design effect by hand."""
    template = np.arange(24) // 4
    before = np.array([1, 0, 0, 1] * 3 + [0, 1, 0, 0] * 3, bool)
    after = np.array([1, 1, 1, 1] * 3 + [1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0], bool)
    rows = [(n + 1, "negation", "contains", "not", f"t{of}") for n, of in enumerate(template)]
    references = [f"sentence {n}" for n in range(24)]
    with campaign(references={TREEBANK: references}) as tracker:
        for passed in (before, after):
            outputs = [f"sentence {n}{' not' * value}" for n, value in enumerate(passed.tolist())]
            submit(tracker, outputs)
        load(tracker.ingest_challenge, [TEMPLATES, *rows], "items.csv", treebank=TREEBANK)
        row = rates(tracker)[f"local/ours/{TREEBANK}@2", "negation"]
    moved = np.bincount(template, after.astype(int) - before)
    sums = [abs(np.dot(signs, moved)) for signs in product((1, -1), repeat=len(moved))]
    assert row["p_value"] == pytest.approx(np.mean(np.array(sums) >= abs(moved.sum())))
    assert row["p_value"] > 2 * stats.binomtest(row["lost"], row["gained"] + row["lost"]).pvalue
    share = after.mean()
    deviations = np.bincount(template, after - share)
    effect = (deviations**2).sum() / (24 * share * (1 - share)) * 6 / 5
    effect *= (stats.t.ppf(0.975, 5) / stats.norm.ppf(0.975)) ** 2
    n, passed, z = 24 / effect, after.sum() / effect, stats.norm.ppf(0.975)
    half = z * np.sqrt(passed * (n - passed) / n + z**2 / 4)
    ends = (passed + z**2 / 2 + np.array([-half, half])) / (n + z**2)
    assert effect > 1.5
    assert [row["low"], row["high"]] == pytest.approx(ends, abs=1e-4)


def test_items_of_one_template_have_no_interval() -> None:
    items = [TEMPLATES, *((n, "x", "contains", 3, "t") for n in (1, 2))]
    with campaign(references={TREEBANK: REFERENCES}) as tracker:
        submit(tracker, FIRST)
        load(tracker.ingest_challenge, items, "items.csv", treebank=TREEBANK)
        row = rates(tracker)[f"local/ours/{TREEBANK}", "x"]
        shown = document_text(challenges_document(tracker.challenge()), 120)
    assert (row["passed"], row["items"], row["low"], row["high"]) == (1, 2, None, None)
    assert f"50.0 %  {UNDEFINED}" in shown


def test_items_about_trees_that_outputs_lack_are_told() -> None:
    items = [
        TEMPLATES[:4],
        (1, "x", "contains", 3),
        *((n, "obj", "edge", "* obj *") for n in (1, 2)),
    ]
    with campaign(references={TREEBANK: REFERENCES}) as tracker:
        submit(tracker, FIRST)
        submit(tracker, SECOND)
        load(tracker.ingest_challenge, items, "items.csv", treebank=TREEBANK)
        challenges = tracker.challenge()
        shown = " ".join(document_text(challenges_document(challenges), 120).split())
    assert [(row["phenomenon"], row["items"]) for row in challenges.left_out] == [("obj", 2)]
    assert f"2 items of obj in {TREEBANK} without a result" in shown
    assert "outputs of 2 submissions have none" in shown


def test_metrics_preferences_of_a_text_count_as_one() -> None:
    """Of three texts, four pairs each: Wilson's interval with a design effect by hand."""
    preferred = np.array([1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0])
    rows = []
    for place, item in enumerate(preferred):
        good, bad = (f"one two {place}", "three") if item else ("three", f"one two {place}")
        rows.append(f"one two text{place // 4}\t{good}\t{bad}\tx")
    head = "reference\tgood\tincorrect\tphenomenon"
    with campaign() as db:
        load(db.ingest_challenge, [head, *rows], "pairs.tsv", language="en")
        computed = [row for row in db.challenge().metrics.to_pylist() if row["metric"] == "chrf"]
    share = preferred.mean()
    effect = (np.bincount(np.arange(12) // 4, preferred - share) ** 2).sum()
    effect *= 3 / 2 / (12 * share * (1 - share))
    effect *= (stats.t.ppf(0.975, 2) / stats.norm.ppf(0.975)) ** 2
    n, passed, z = 12 / effect, preferred.sum() / effect, stats.norm.ppf(0.975)
    half = z * np.sqrt(passed * (n - passed) / n + z**2 / 4)
    ends = (passed + z**2 / 2 + np.array([-half, half])) / (n + z**2)
    assert effect > 2
    assert {row["phenomenon"] for row in computed} == {"x", None}
    for row in computed:
        assert (row["items"], row["preferred"], row["templates"]) == (12, 5, 3)
        assert [row["low"], row["high"]] == pytest.approx(ends, abs=1e-4)


@given(st.lists(st.integers(-5, 5).filter(bool), max_size=12))
def test_sign_flips_in_sql_are_those_in_python(
    with_macros: duckdb.DuckDBPyConnection, differences: list[int]
) -> None:
    row = with_macros.execute("SELECT sign_flip_exact(?::BIGINT[])", [differences]).fetchone()
    expected = sign_flip_p_values(np.array(differences, np.int64).reshape(-1, 1))
    assert row == pytest.approx(tuple(expected))


def test_changes_are_those_of_paired_items(db: Tracker) -> None:
    computed = rates(db)
    for phenomenon in ("negation", "numbers", None):
        pairs = [v for (_, name), v in PASSED.items() if phenomenon in (name, None)]
        row = computed[f"local/ours/{TREEBANK}@2", phenomenon]
        assert row["gained"] == sum(new > old for old, new in pairs)
        assert row["lost"] == sum(new < old for old, new in pairs)
        changed = row["gained"] + row["lost"]
        assert row["p_value"] == pytest.approx(
            stats.binomtest(row["lost"], changed).pvalue if changed else 1
        )
        assert computed[f"local/ours/{TREEBANK}", phenomenon]["p_value"] is None
    assert computed[f"local/ours/{TREEBANK}@2", None]["p_holm"] is None


@pytest.fixture(scope="module")
def with_macros() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for macro in macros():
        if macro.name in ("wilson", "mcnemar_exact", "sign_flip_exact", "t_quantile"):
            connection.execute(macro.text)
    return connection


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (1, 0), (3, 9), (9, 3), (400, 350), (7, 7)])
def test_mcnemar_is_the_exact_sign_test(
    with_macros: duckdb.DuckDBPyConnection, gained: int, lost: int
) -> None:
    (computed,) = with_macros.execute("SELECT mcnemar_exact(?, ?)", [gained, lost]).fetchone() or ()
    few, all_ = min(gained, lost), gained + lost
    expected = min(1, 2 * sum(comb(all_, k) for k in range(few + 1)) / 2**all_)
    assert computed == pytest.approx(expected, rel=1e-9)


def test_quantiles_of_students_t_in_sql(with_macros: duckdb.DuckDBPyConnection) -> None:
    rows = with_macros.execute("SELECT t_quantile(n) FROM range(1, 200) AS t(n)").fetchall()
    expected = stats.t.ppf(0.975, np.arange(1, 200))
    assert [value for (value,) in rows] == pytest.approx(expected, abs=1e-3)


def test_no_items_have_no_rate(with_macros: duckdb.DuckDBPyConnection) -> None:
    (computed,) = with_macros.execute("SELECT wilson(0, 0)").fetchone() or ()
    assert computed == [None, None]
    (low, high), z = (
        with_macros.execute("SELECT unnest([wilson(0, 5), wilson(5, 5)])").fetchall(),
        1.96,
    )
    assert low[0][0] == pytest.approx(0, abs=1e-12)
    assert high[0][1] == pytest.approx(1, abs=1e-12)
    assert high[0][0] == pytest.approx(1 / (1 + z * z / 5), abs=1e-3)
    assert sqrt(1) == 1


def test_phenomena_are_measures_like_any_other(db: Tracker) -> None:
    new, base = f"local/ours/{TREEBANK}@2", f"local/ours/{TREEBANK}"
    limits = {"challenge[numbers]": 1.0}
    assert db.gate(new, base, max_drop=limits).passed
    assert not db.gate(base, new, max_drop=limits).passed
    assert parse_threshold("max-drop", "challenge[numbers]=1").measure == "challenge[numbers]"
    history = db.history("ours", measures=["challenge", "challenge[*]"], tests="none")
    (line,) = history.lines
    assert line.runs[-1].values == {
        "challenge": 0.75,
        "challenge[negation]": 0.5,
        "challenge[numbers]": 1.0,
    }
    assert db.check() == []


def test_contrastive_sets_tell_which_output_metrics_prefer(tmp_path: Path) -> None:
    """Preferences against the sentence scores themselves."""
    rows = [
        ("Er ging", "He went home", "He left home", "She left home", "gender", "de-en"),
        ("Drei", "Three dogs bark", "Three dogs bark", "Four dogs bark", "number", "de-en"),
        ("Zwei", "Two cats", "A pair", "A pair", "number", "de-en"),
        ("x", "y", "z", "w", "other", "en-de"),
    ]
    header = "source\treference\tgood-translation\tincorrect-translation\tphenomena\tlangpair"
    path = written(tmp_path / "aces.tsv", [header, *("\t".join(row) for row in rows)])
    with campaign() as db:
        loaded = db.ingest_challenge(path, pair="de-en", language="en")
        assert (loaded.treebank_id, loaded.items, loaded.phenomena) == ("aces", 3, 2)
        assert not db.ingest_challenge(path, pair="de-en", language="en").changed
        scores = {
            (row["system_id"], row["sentence_no"]): row["chrf"]
            for row in db.show("output_scores").to_pylist()
        }
        rows_by_phenomenon = {
            row["phenomenon"]: row
            for row in db.challenge().metrics.to_pylist()
            if row["metric"] == "chrf"
        }
        for phenomenon, numbers in (("gender", [1]), ("number", [2, 3]), (None, [1, 2, 3])):
            pairs = [(scores["aces-good", n], scores["aces-incorrect", n]) for n in numbers]
            better = sum(good > bad for good, bad in pairs)
            row = rows_by_phenomenon[phenomenon]
            assert (row["items"], row["preferred"]) == (len(numbers), better)
            assert row["tied"] == sum(good == bad for good, bad in pairs)
            assert row["tau"] == pytest.approx((2 * better - len(numbers)) / len(numbers))
        lower = [r for r in db.challenge().metrics.to_pylist() if r["metric"] == "ter"]
        assert {r["phenomenon"]: r["preferred"] for r in lower}["number"] == 1
        own = rates(db)
        assert own["challenge/aces-good/aces", None]["pass_rate"] == pytest.approx(2 / 3)
        assert own["challenge/aces-incorrect/aces", None]["pass_rate"] == 0
        assert "good preferred" in document_text(challenges_document(db.challenge()), 100)
        (text,) = {
            r["source_text"]
            for r in db.show("sentence_source").to_pylist()
            if r["sentence_no"] == 1
        }
        assert text == "Er ging"
        assert db.check() == []
        db.remove("treebank", "aces")
        assert db.sql("SELECT count(*) AS n FROM challenge_check").to_pylist() == [{"n": 0}]


def test_edges_are_looked_for_in_trees_of_outputs() -> None:
    tree = [("dogs", 2, "nsubj:pass", "NOUN", "_", "dog"), ("ran", 0, "root", "VERB", "_", "run")]
    text = conllu([tree, tree], names=["a", "b"])
    items = [
        ("sent_id", "phenomenon", "kind", "pattern"),
        *(("a", "subject", "edge", "run nsubj dog"), ("b", "subject", "edge", "* obj *")),
    ]
    outputs = {"parsed": text, "other": text}
    with campaign(None, {"en_x-ud1.0-test": text}, outputs) as db:
        submit(db, ["dogs ran", "dogs ran"], "en_x")
        load(db.ingest_challenge, items, "items.csv", treebank="en_x")
        computed = rates(db)
        scores = db.sql(
            "SELECT score, undefined_reason AS reason FROM submission_score "
            "WHERE metric = 'challenge' AND submission_id LIKE '%ours%'"
        ).to_pylist()
        assert db.check() == []
    assert computed["local/parsed/en_x-ud1.0-test", "subject"]["pass_rate"] == 0.5
    assert scores == [
        {"score": None, "reason": "the items are about trees, and the outputs have none"}
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("sent_id,phenomenon,kind,pattern\n", "holds no"),
        ("sent_id,phenomenon,kind,pattern\n1,x,has,a\n", "no kind of expectation"),
        ("sent_id,phenomenon,kind,pattern\n1,x,matches,(\n", "no regular expression"),
        ("sent_id,phenomenon,kind,pattern\n1,x,edge,a b\n", "is no edge"),
        ("sent_id,phenomenon,kind,pattern\n1,,contains,a\n", "no phenomenon"),
        ("sent_id,phenomenon,kind,pattern\n99,x,contains,a\n", "no sentence '99'"),
        ("sent_id,phenomenon,kind\n1,x,contains\n", "no column 'pattern'"),
        ("reference,good,incorrect,phenomenon\na,b,,x\n", "no incorrect"),
        ("", "empty"),
    ],
)
def test_broken_sets_are_refused(db: Tracker, tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "broken.csv", content)
    before = db.sql("SELECT count(*) AS n FROM challenge_check").to_pylist()
    with pytest.raises(InputError, match=message) as error:
        db.ingest_challenge(path, treebank=TREEBANK)
    assert "broken.csv" in (error.value.where or "")
    assert db.sql("SELECT count(*) AS n FROM challenge_check").to_pylist() == before


def test_other_items_take_a_name_only_when_told(db: Tracker, tmp_path: Path) -> None:
    content = "sent_id,phenomenon,kind,pattern\n1,x,contains,a\n"
    path = written(tmp_path / "items.csv", content)
    with pytest.raises(InputError, match="has other items"):
        db.ingest_challenge(path, treebank=TREEBANK)
    with pytest.raises(InputError, match="not named"):
        db.ingest_challenge(path)
    with pytest.raises(UnknownNameError):
        db.ingest_challenge(path, treebank="trhee")


def test_a_set_without_submissions_has_nothing_to_check_yet(tmp_path: Path) -> None:
    """Items are loaded, that is told, and outputs that come are checked."""
    path, items = tmp_path / "c.duckdb", written(tmp_path / "items.csv", ITEMS)
    with campaign(path, references={TREEBANK: REFERENCES}):
        pass
    words = ["ingest", "challenge", items, "--treebank", TREEBANK]
    result = commands.run(path, *words)
    assert "no outputs are loaded for it yet, so there is nothing to check" in result.output
    with connect(path) as tracker:
        submit(tracker, FIRST)
        assert tracker.challenge().rates["passed"].to_pylist().count(1) == 2
        again = tracker.ingest_challenge(items, treebank=TREEBANK)
        assert (again.changed, again.submissions) == (False, 1)
    assert "nothing to check" not in commands.run(path, *words).output


def test_commands(db: Tracker, tmp_path: Path) -> None:
    assert "negation" in commands.run(db, "task", "challenge").output
    items = tmp_path / "more.csv"
    items.write_text("sent_id,phenomenon,kind,pattern\n1,subject,contains,He\n")
    output = commands.run(db, "ingest", "challenge", items, "--treebank", TREEBANK).output
    assert "1 item of 1 phenomena" in output
    assert '"subject"' in commands.run(db, "-q", "task", "challenge", "--format", "json").output
