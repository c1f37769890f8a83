"""Versions of scores: rescoring keeps the old ones, pruning frees them, --as-of reads the past."""

from __future__ import annotations

import dataclasses
import random
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker.queries.change.versions.pruning
import sr_tracker.queries.metrics.registry
from sr_tracker.queries.catalog import install, run_audits, views
from sr_tracker.queries.change.history.computing import history
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.change.significance import run_significance
from sr_tracker.queries.change.versions import as_of
from sr_tracker.queries.change.versions.pruning import plan_pruning, prune
from sr_tracker.queries.change.versions.rescoring import analysis_of, find_outdated, rescore
from sr_tracker.queries.errors import Settings, analyses
from sr_tracker.queries.errors.jobs import run_analyses
from sr_tracker.queries.metrics import Metric
from sr_tracker.queries.metrics.metric import EVERYWHERE
from sr_tracker.queries.metrics.registry import scorable_metrics
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.iterations import list_submissions
from sr_tracker.schema.keys import natural_keys
from sr_tracker.schema.parameters import parse_moment
from tests import commands
from tests.building import add_outputs, add_treebank

ROOT = Path(__file__).resolve().parents[2]
TREEBANK = "en_a-ud1.0-test"
SENTENCES = 14
WORDS = ("the", "big", "dog", "saw", "a", "small", "tree", "and", "ran", "to", "it")
SIGNED = tuple(table for table, keys in natural_keys().items() if "signature_id" in keys)
TIMES = {"ingestion": "ingested_at", "scoring": "scored_at", "analysis": "analysed_at"}
NO_TIMES = "COLUMNS(lambda name: name NOT LIKE '%\\_at' ESCAPE '\\')"
SCORE_TABLES = (
    *("edge_outcome", "ngram_match", "edit_match", "statistic_match"),
    *("sentence_score", "submission_score"),
)
ANALYSIS_TABLES = ("analysis", "correlation", "error_mining", "suspicion", "suspicion_node")
MADE = [datetime(2020, 6, day, 12, tzinfo=UTC) for day in (1, 10, 20)]
REAL_METRICS = sr_tracker.queries.metrics.registry.metrics
SCORED = [
    metric.name
    for metric in scorable_metrics()
    if metric.default == EVERYWHERE and not metric.on_request
]
MINED = Settings(kinds=("correlation", "mining"), labels=("deprel",), minimum_support=2)


def fill(database: Database, folder: Path) -> list[str]:
    """Load a treebank and three iterations of a system, made on three days of June 2020."""
    install(database)
    rng = random.Random(7)
    sentences = [[rng.choice(WORDS) for _ in range(rng.randint(4, 9))] for _ in range(SENTENCES)]
    trees = [
        [
            (word, n // 2, ("root", "dep", "nsubj")[0 if n == 1 else 1 + n % 2])
            for n, word in enumerate(words, start=1)
        ]
        for words in sentences
    ]
    add_treebank(database, folder, TREEBANK, trees)
    submissions = []
    for iteration, made in enumerate(MADE, start=1):
        texts = [
            " ".join(words if rng.random() < iteration / 4 else rng.sample(words, len(words)))
            for words in sentences
        ]
        run = {"iteration": iteration, "created_at": made, "reference_form": None}
        submissions.append(add_outputs(database, folder, texts, "S", TREEBANK, **run))
    return submissions


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A database file that is loaded, and one that is scored and analysed as well."""
    folder = tmp_path_factory.mktemp("versions")
    loaded, scored = folder / "loaded.duckdb", folder / "scored.duckdb"
    with open_database(loaded) as database:
        fill(database, folder)
    shutil.copy(loaded, scored)
    with open_database(scored) as database:
        score(database)
        run_analyses(database, analyses(MINED))
    return {"loaded": loaded, "scored": scored}


@pytest.fixture
def database(files: dict[str, Path], tmp_path: Path) -> Iterator[Database]:
    """Three iterations, not scored."""
    with open_database(shutil.copy(files["loaded"], tmp_path)) as database:
        yield database


@pytest.fixture
def scored(files: dict[str, Path], tmp_path: Path) -> Iterator[Database]:
    """Three iterations, scored by all metrics and analysed."""
    with open_database(shutil.copy(files["scored"], tmp_path)) as database:
        yield database


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Give metrics another version; without names, those they really have."""

    def change(*names: str, version: str = "next") -> None:
        computed = {
            name: dataclasses.replace(metric, version=version) if name in names else metric
            for name, metric in REAL_METRICS().items()
        }
        for module in (
            sr_tracker.queries.metrics.registry,
            sr_tracker.queries.change.versions.pruning,
        ):
            monkeypatch.setattr(module, "metrics", lambda: computed)

    return change


def rows(database: Database, tables: tuple[str, ...] = SIGNED) -> dict[str, set[str]]:
    """Every row of the tables; the times of analyses left out."""
    return {
        table: {
            repr(row) for row in database.connection.execute(f"SELECT * FROM {table}").fetchall()
        }
        for table in tables
    }


def one(database: Database, query: str) -> object:
    (value,) = database.connection.execute(query).fetchone() or (None,)
    return value


# Rescoring


def test_rescoring_keeps_every_row_and_pruning_leaves_the_new_ones(
    scored: Database, changed: Callable[..., None]
) -> None:
    before = rows(scored)
    changed(*SCORED)
    report = rescore(scored)
    after = rows(scored)
    assert {item.metric for item in report.outdated} == set(SCORED)
    assert len(report.outdated) == 3 * len(SCORED)
    assert report.analyses == 6
    for table in (*SCORE_TABLES, *ANALYSIS_TABLES, "signature"):
        assert before[table], table
        assert before[table] < after[table], table
        assert len(after[table]) == 2 * len(before[table]), table
    assert run_audits(scored) == []
    assert rescore(scored).outdated == []
    plan = plan_pruning(scored)
    assert prune(scored) == plan
    left = rows(scored)
    assert {freed.table: freed.rows for freed in plan.tables} == {
        table: len(after[table]) - len(left[table]) for table in SIGNED if before[table]
    }
    for table in SIGNED:
        assert before[table].isdisjoint(left[table]) or table == "scoring", table
        assert len(left[table]) == len(before[table]), table
    assert (plan.scorings, plan.analyses, plan.kept) == (3 * len(SCORED), 6, 0)
    assert run_audits(scored) == []
    assert prune(scored).tables == []


def test_rescoring_leaves_what_was_never_scored(
    database: Database, changed: Callable[..., None]
) -> None:
    first, second, third = [row[0] for row in submissions(database)]
    score(database, submissions=[first], metric_names=["bleu"])
    score(database, submissions=[second], metric_names=["dea"])
    changed("bleu", "dea")
    report = rescore(database)
    assert [(item.metric, item.submission_id) for item in report.outdated] == [
        ("bleu", first),
        ("dea", second),
    ]
    scored = database.connection.execute(
        "SELECT DISTINCT submission_id, metric FROM current_scoring ORDER BY ALL"
    ).fetchall()
    assert scored == [(first, "bleu"), (second, "dea")]
    assert third not in {submission_id for submission_id, _ in scored}


def submissions(database: Database) -> list[tuple[str]]:
    return database.connection.execute(
        "SELECT submission_id FROM submission ORDER BY iteration"
    ).fetchall()


def halved(metric: Metric) -> Metric:
    """The metric with every score of a submission halved, under another version."""
    script = metric.statement + (
        "\nUPDATE submission_score SET score = score / 2 "
        "WHERE signature_id IN (SELECT signature_id FROM pending);"
    )
    return dataclasses.replace(metric, version="halved", statement=script)


def test_report_tells_the_largest_change(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    score(database, metric_names=["dist"])
    scores = dict(
        database.connection.execute("SELECT submission_id, score FROM submission_score").fetchall()
    )
    computed = REAL_METRICS() | {"dist": halved(REAL_METRICS()["dist"])}
    monkeypatch.setattr(sr_tracker.queries.metrics.registry, "metrics", lambda: computed)
    (outdated, *_) = find_outdated(database)
    version = REAL_METRICS()["dist"].version
    assert outdated.difference == f"version of the metric: {version} → halved"
    (change,) = rescore(database).changes
    best = max(scores, key=lambda name: scores[name])
    assert (change.metric, change.submissions, change.changed) == ("dist", 3, 3)
    assert (change.submission_id, change.old_score) == (best, scores[best])
    assert change.new_score == pytest.approx(scores[best] / 2)
    superseded = database.connection.execute(
        "SELECT submission_id, score, newest_score, change FROM superseded_scorings"
    ).fetchall()
    assert {row[0]: row[1] for row in superseded} == scores
    assert all(
        row[3] == row[2] - row[1] and row[2] == pytest.approx(row[1] / 2) for row in superseded
    )


def test_going_back_to_a_former_version_makes_its_scores_the_newest(
    database: Database, changed: Callable[..., None]
) -> None:
    score(database, metric_names=["bleu"])
    of_old = "SELECT list(signature_id ORDER BY submission_id) FROM current_scoring"
    old = one(database, of_old)
    changed("bleu")
    rescore(database)
    assert one(database, of_old) != old
    changed()
    assert len(rescore(database).outdated) == 3
    assert one(database, of_old) == old
    assert rescore(database).outdated == []
    assert one(database, "SELECT count(*) FROM scoring WHERE metric = 'bleu'") == 6


def set_clock_back(database: Database) -> None:
    """Date everything that is there a year ahead: what follows is written by an earlier clock."""
    for table, column in TIMES.items():
        database.connection.execute(f"UPDATE {table} SET {column} = {column} + INTERVAL 1 YEAR")


def test_a_clock_set_back_changes_nothing_but_dates(
    files: dict[str, Path], tmp_path: Path, changed: Callable[..., None]
) -> None:
    shown = []
    significance = SignificanceSettings(replicates=40)
    for name in ("right", "set back"):
        changed()
        with open_database(shutil.copy(files["scored"], tmp_path / name)) as database:
            submissions = list_submissions(database, None)
            run_significance(database, submissions, significance)
            if name == "set back":
                set_clock_back(database)
            changed("bleu")
            report = rescore(database)
            run_significance(database, submissions, significance)
            assert {item.metric for item in report.outdated} == {"bleu", "bleu_smoothed"}
            assert rescore(database).outdated == []
            assert rescore(database).left == []
            shown.append(
                {
                    view.name: sorted(
                        read(database, f"(SELECT {NO_TIMES} FROM {view.name})"), key=repr
                    )
                    for view in views()
                }
            )
            faults = {row["fault"] for audit in run_audits(database) for row in audit.first_rows}
            prune(database)
            assert run_audits(database) == []
    assert shown[0] == shown[1]
    assert faults == {"dated before what it replaced: the clock was set back"}


def test_no_statement_asks_the_clock_what_is_newest() -> None:
    """Only ``--as-of``, which is about times, compares them; one view says when outputs came."""
    texts = {
        path: path.read_text()
        for folder in ("queries", "tracker", "ingest", "schema")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".sql", ".py") and path.is_file()
    }
    del texts[ROOT / "queries" / "change" / "versions" / "__init__.py"]
    del texts[ROOT / "queries" / "views" / "submission_overview.sql"]
    assert len(texts) > 400
    times = "(?:ingested|scored|analysed)_at"
    by_clock = re.compile(rf"ORDER BY[^;]*?{times} DESC|[(,] *{times}\)|{times} *[<>]=? ")
    assert [path.name for path, text in texts.items() if by_clock.search(text)] == []


def test_unknown_names_are_told(database: Database) -> None:
    with pytest.raises(UnknownNameError, match="no submission 'X'"):
        rescore(database, submissions=["X"])
    with pytest.raises(UnknownNameError, match="no metric 'x'"):
        find_outdated(database, metric_names=["x"])
    with pytest.raises(UnknownNameError, match="no submission 'X'"):
        plan_pruning(database, ["X"])


@given(
    st.sampled_from(["spearman", "pearson", "kendall"]),
    st.sampled_from(["standard", "tacl2021"]),
    st.floats(0.001, 0.999),
    st.none() | st.floats(-100, 100),
    st.sampled_from(["deprel", "upos~deprel"]),
    st.sampled_from(["bleu", "dea", "adequacy_z"]),
    st.integers(1, 6),
    st.integers(1, 20),
)
def test_analyses_are_made_again_from_their_settings(
    method: str,
    convention: str,
    share: float,
    threshold: float | None,
    labels: str,
    metric: str,
    nodes: int,
    support: int,
) -> None:
    chosen = Settings(
        method=method,
        convention=convention,
        minimum_share=share,
        quantile=share,
        threshold=threshold,
        labels=(labels,),
        metric=metric,
        max_nodes=nodes,
        minimum_support=support,
    )
    for analysis in analyses(chosen):
        again = analysis_of(analysis.name, analysis.settings)
        assert again is not None
        fields = ("name", "settings", "version", "tables", "metrics")
        assert [getattr(again, name) for name in fields] == [
            getattr(analysis, name) for name in fields
        ]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("significance", "metric:bleu|replicates:1000|seed:1|level:0.95"),
        ("correlation", "method:spearman"),
        ("correlation", "method:guess|convention:standard"),
        ("correlation", "method:spearman|convention:standard|weights:none"),
        ("error_mining", "labels:deprel|fail:bleu<=qx|nodes:3|support:5"),
        ("error_mining", "labels:deprel|fail:gone<=q0.25|nodes:3|support:5"),
        ("entropy", "method:pearson"),
    ],
)
def test_settings_of_no_analysis_here_are_left(name: str, settings: str) -> None:
    assert analysis_of(name, settings) is None


# Pruning


def test_pruning_keeps_what_analyses_and_tests_rest_on(
    scored: Database, changed: Callable[..., None]
) -> None:
    tested = SignificanceSettings(metrics=["dea"], replicates=40)
    run_significance(scored, settings=tested)
    changed("bleu", "nist", "dea")
    report = rescore(scored, analyses=False)
    assert [text.partition(":")[0] for text in report.left] == ["significance of 3 scores"]
    before = rows(scored)
    plan = prune(scored)
    assert (plan.scorings, plan.kept) == (0, 3 * len({item.metric for item in report.outdated}))
    assert set(plan.kept_for) >= {"correlation", "error_mining", "significance"}
    assert rows(scored) == before
    rescore(scored)
    plan = prune(scored)
    assert (plan.kept, plan.kept_for) == (3, ["significance"])
    assert run_audits(scored) == []
    run_significance(scored, settings=tested)
    plan = prune(scored)
    assert (plan.scorings, plan.kept) == (3, 0)
    assert run_audits(scored) == []
    assert one(scored, "SELECT count(*) FROM comparison") == 3
    assert one(scored, "SELECT count(*) FROM change WHERE measure = 'dea'") == 3
    assert one(scored, "SELECT count(*) FROM superseded_scorings") == 0


def test_pruning_keeps_statistics_of_a_derived_metric(
    database: Database, changed: Callable[..., None]
) -> None:
    score(database, metric_names=["bleu_smoothed"])
    changed("bleu")
    rescore(database, metric_names=["bleu"])
    plan = prune(database)
    assert (plan.scorings, plan.kept, plan.kept_for) == (0, 3, ["bleu_smoothed"])
    rescore(database)
    assert prune(database).scorings == 6
    assert run_audits(database) == []


def test_pruning_some_submissions_leaves_the_others(
    database: Database, changed: Callable[..., None]
) -> None:
    score(database, metric_names=["dea"])
    run_significance(database, settings=SignificanceSettings(replicates=40))
    changed("dea")
    rescore(database)
    run_significance(database, settings=SignificanceSettings(replicates=40))
    ((first,), *others) = submissions(database)
    assert prune(database, [first]).scorings == 1
    left = database.connection.execute(
        "SELECT DISTINCT submission_id FROM superseded_scorings ORDER BY submission_id"
    ).fetchall()
    assert left == sorted(others)
    assert one(database, "SELECT count(*) FROM signature") == 2
    assert run_audits(database) == []
    assert prune(database).scorings == 2
    assert one(database, "SELECT count(*) FROM signature") == 1


def test_interrupted_pruning_changes_nothing(
    database: Database, changed: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    score(database, metric_names=["bleu"])
    changed("bleu")
    rescore(database)
    before = rows(database)
    real = sr_tracker.queries.change.versions.pruning._condition
    monkeypatch.setattr(
        sr_tracker.queries.change.versions.pruning,
        "_condition",
        lambda t: "no_column" if t == "signature" else real(t),
    )
    monkeypatch.setattr(sr_tracker.queries.change.versions.pruning, "_plan", lambda _: PLAN)
    with pytest.raises(Exception, match="no_column"):
        prune(database)
    monkeypatch.undo()
    assert rows(database) == before


PLAN = sr_tracker.queries.change.versions.pruning.PrunePlan(
    3,
    0,
    [
        sr_tracker.queries.change.versions.pruning.Freed(t, 1, 1, None)
        for t in ("scoring", "sentence_score", "signature")
    ],
    0,
    [],
)


# As of


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2020-06-12", datetime(2020, 6, 12, 23, 59, 59, 999999, UTC)),
        (" 2020-06-12T15:30 ", datetime(2020, 6, 12, 15, 30, tzinfo=UTC)),
        ("2020-06-12 15:30:01", datetime(2020, 6, 12, 15, 30, 1, tzinfo=UTC)),
        ("2020-06-12T15:30+02:00", datetime(2020, 6, 12, 13, 30, tzinfo=UTC)),
        ("2020-06-12T15:30Z", datetime(2020, 6, 12, 15, 30, tzinfo=UTC)),
    ],
)
def test_moment(text: str, moment: datetime) -> None:
    assert parse_moment(text) == moment


@pytest.mark.parametrize(
    "text", ["", "yesterday", "12.6.2020", "2020-13-01", "2020-06", "9999-12-31T23:59-12:00"]
)
def test_what_is_no_moment_is_told(text: str) -> None:
    with pytest.raises(InputError, match="is no date or time"):
        parse_moment(text)


def test_parents_are_those_of_then_and_nothing_names_what_is_hidden(scored: Database) -> None:
    """The run is dated between its grandparent and its parent."""
    run, parent, grandparent = (
        one(scored, f"SELECT submission_id FROM submission WHERE iteration = {iteration}")
        for iteration in (3, 2, 1)
    )
    scored.connection.execute(
        "UPDATE submission SET created_at = TIMESTAMPTZ '2020-06-05 00:00:00+00' "
        "WHERE submission_id = ?",
        [run],
    )
    run_significance(scored, settings=SignificanceSettings(replicates=40))
    columns = scored.connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = 'main' AND column_name LIKE '%submission\\_id' ESCAPE '\\'"
    ).fetchall()
    for day, hidden, before in ((3, {run, parent}, None), (7, {parent}, grandparent)):
        with as_of(scored, parse_moment(f"2020-06-0{day}")):
            for table, column in columns:
                named = {name for (name,) in read(scored, f"(SELECT {column} FROM {table})")}
                assert named.isdisjoint(hidden), (table, column)
            assert run_audits(scored) == []
            step = (
                "SELECT any_value((parent_submission_id, previous_submission_id)) "
                f"FROM submission_history WHERE submission_id = '{run}'"
            )
            assert one(scored, step) == ((before, before) if before else None)
            lines = history(scored, "S", tests="none").lines
            assert lines[0].runs[0].submission_id == grandparent


def test_submissions_exist_from_their_date(scored: Database) -> None:
    everything = {view.name: sorted(map(repr, read(scored, view.name))) for view in views()}
    for number, made in ((0, MADE[0].replace(hour=11)), (2, MADE[1])):
        with as_of(scored, made) as snapshot:
            assert (snapshot.submissions, snapshot.all_submissions) == (number, 3)
            iterations = [row[0] for row in scored.connection.execute(ITERATIONS).fetchall()]
            assert iterations == list(range(1, number + 1))
            assert one(scored, "SELECT count(*) FROM output") == number * SENTENCES
            assert one(scored, "SELECT count(*) FROM output_scores") == number * SENTENCES
    with as_of(scored, datetime.now(UTC)):
        for view in views():
            assert sorted(map(repr, read(scored, view.name))) == everything[view.name], view.name
    assert one(scored, "SELECT count(*) FROM submission") == 3
    assert not one(scored, "SELECT count(*) FROM duckdb_views() WHERE temporary AND NOT internal")


ITERATIONS = "SELECT iteration FROM leaderboard WHERE bleu IS NOT NULL ORDER BY iteration"


def read(database: Database, view: str) -> list[tuple[object, ...]]:
    return database.connection.execute(f"FROM {view}").fetchall()


def date_results(database: Database, day: int) -> None:
    """Date what was scored and analysed within the test to a day of August 2020."""
    for table, column in (("scoring", "scored_at"), ("analysis", "analysed_at")):
        database.connection.execute(
            f"UPDATE {table} SET {column} = TIMESTAMPTZ '2020-08-{day} 12:00:00+00' "
            f"WHERE {column} > TIMESTAMPTZ '2021-01-01 00:00:00+00'"
        )


def test_the_scores_of_then_count(scored: Database, changed: Callable[..., None]) -> None:
    date_results(scored, 10)
    state = {name: read(scored, name) for name in ("current_scoring", "current_analysis")}
    changed("bleu")
    rescore(scored)
    date_results(scored, 20)
    now = {name: read(scored, name) for name in state}
    assert all(sorted(now[name]) != sorted(state[name]) for name in state)
    for moment, expected in (("2020-08-15", state), ("2020-08-25", now), ("2020-07-01", state)):
        with as_of(scored, parse_moment(moment)):
            for name, item in expected.items():
                assert sorted(read(scored, name)) == sorted(item), (moment, name)
            signatures = one(scored, "SELECT count(DISTINCT signature_id) FROM sentence_score")
            assert signatures == (len(SCORED) + 2 if moment == "2020-08-25" else len(SCORED))
            rest = (
                "SELECT count(*) FROM suspicion "
                "{} JOIN current_analysis USING (signature_id, submission_id)"
            )
            superseded = one(scored, rest.format("ANTI"))
            current = one(scored, rest.format("SEMI"))
            assert current
            assert superseded == (current if moment == "2020-08-25" else 0)


def test_human_scores_count_from_their_last_known_judgement(database: Database) -> None:
    ((first,), (second,), _) = submissions(database)
    for name in (first, second):
        database.connection.execute(
            "INSERT INTO human_score VALUES (?, 1, 'adequacy', 0.5, 60, 1, 'judgements')", [name]
        )
    database.connection.execute(
        "INSERT INTO judgement VALUES ('C', 1, 'a', NULL, NULL, ?, ?, 1, 'adequacy', 'ordinary', "
        "60, TIMESTAMPTZ '2020-06-15 00:00:00+00', NULL)",
        [first, TREEBANK],
    )
    judged = "SELECT list(submission_id ORDER BY submission_id) FROM human_score"
    with as_of(database, parse_moment("2020-06-12")):
        assert one(database, judged) == [second]
        assert one(database, "SELECT count(*) FROM judgement") == 0
    with as_of(database, parse_moment("2020-06-16")):
        assert one(database, judged) == [first, second]


# Commands


@pytest.fixture
def run(files: dict[str, Path], tmp_path: Path) -> Callable[..., Result]:
    """Run a command on a small scored database file."""
    path = Path(shutil.copy(files["loaded"], tmp_path))
    with open_database(path) as database:
        score(database, metric_names=["dea"])

    return lambda *arguments: commands.run(path, *arguments)


def test_as_of_a_time_between_results_that_a_clock_set_back_dated(
    database: Database, changed: Callable[..., None]
) -> None:
    results = []
    for number, day in enumerate((10, 20, 15), start=1):
        changed("bleu", version=f"v{number}")
        score(database, metric_names=["bleu"])
        database.connection.execute(
            "UPDATE scoring SET scored_at = make_timestamptz(2020, 8, ?, 12, 0, 0) "
            "WHERE revision > ? AND metric = 'bleu'",
            [day, results[-1] if results else 0],
        )
        results.append(one(database, "SELECT max(revision) FROM current_scoring"))
    for moment, expected in (("08-09", 0), ("08-12", 0), ("08-17", 0), ("08-21", 2)):
        with as_of(database, parse_moment(f"2020-{moment}")):
            standing = one(database, "SELECT max(revision) FROM current_scoring")
            assert standing == results[expected], moment


def test_show_says_as_of(run: Callable[..., Result]) -> None:
    shown = run("show", "leaderboard", "--as-of", "2020-06-10", "-f", "csv")
    assert "as of 2020-06-10 23:59:59 UTC: 2 of 3 submissions" in shown.stderr
    assert len(shown.stdout.splitlines()) == 3
    shown = run("show", "leaderboard", "--as-of", "2019-01-01", "-f", "csv")
    assert "0 of 3 submissions (the first was made 2020-06-01 12:00:00 UTC)" in shown.stderr
    assert len(shown.stdout.splitlines()) == 1
    with pytest.raises(InputError):
        run("show", "leaderboard", "--as-of", "June")


def test_commands(run: Callable[..., Result], changed: Callable[..., None]) -> None:
    done = run("keep", "rescore", "--no-log")
    assert done.stdout == ""
    assert "all scores have today's signatures" in done.stderr
    changed("dea")
    dry = run("keep", "rescore", "--dry-run", "-f", "csv")
    assert len(dry.stdout.splitlines()) == 4
    done = run("keep", "rescore", "--no-log", "-f", "csv")
    assert "dea of 3 submissions: version of the metric: 1 → next" in done.stderr
    assert done.stdout.splitlines()[1].startswith("dea,3,0,0.0,")
    dry = run("keep", "prune", "--dry-run")
    assert "3 superseded scorings, 0 superseded analyses" in dry.stderr
    assert " MB" in dry.stderr
    with pytest.raises(InputError, match="nothing was changed"):
        run("keep", "prune")
    freed = run("--yes", "keep", "prune")
    assert freed.stdout == dry.stdout
    assert "nothing to free" in run("keep", "prune", "--dry-run").stderr
