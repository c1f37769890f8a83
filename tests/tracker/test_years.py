"""Scores over the years: lines, summaries, families, shared sentences, notes, table and chart."""

from __future__ import annotations

import csv
import random
import shutil
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker
from sr_tracker.ingest.judgements.human_scores import ScoreFile, ingest_human_scores
from sr_tracker.ingest.names import register_campaign, register_system
from sr_tracker.queries.catalog import install, open_installed, views
from sr_tracker.queries.change.comparison.sides import shared_sentences
from sr_tracker.queries.change.years import Choice, Entry, Years, YearScore
from sr_tracker.queries.change.years.reading import lines_of, read_years
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.statements import rows_of as rows
from sr_tracker.tracker.show.charts.change import years_chart
from tests import commands
from tests.building import add_outputs, add_treebank
from tests.charts import check_specification, rows_of

WORDS = ("dogs", "cats", "see", "chase", "big", "old", "trees", "slowly", "often")
RELATIONS = ("nsubj", "obj", "amod", "advmod")
METRICS = ("bleu", "dist", "dea", "chrf", "dist_pooled", "bleu_lemma", "bleu_smoothed")
OLD, NEW, ONLY_SHARED = "en_old-ud1.0-test", "en_new-ud1.0-test", "en_part-ud1.0-test"
SHARED = 14

Sentence = list[tuple[str, str]]


def sentences(count: int, seed: int) -> list[Sentence]:
    """Sentences of three to eight words with their relations, all different."""
    rng = random.Random(seed)
    made: dict[str, Sentence] = {}
    while len(made) < count:
        forms = [rng.choice(WORDS) for _ in range(rng.randint(3, 8))]
        relations = ["root", *(rng.choice(RELATIONS) for _ in forms[1:])]
        made[" ".join(forms)] = list(zip(forms, relations, strict=True))
    return list(made.values())


POOL = sentences(40, 1)
COMMON = POOL[:SHARED]
TREEBANKS = {OLD: [*POOL[14:26], *COMMON], NEW: [*COMMON[::-1], *POOL[26:]], ONLY_SHARED: COMMON}


def disturbed(treebank: list[Sentence], system: str, share: float) -> list[str]:
    """Each sentence with some of its words moved; the same in whichever treebank it is."""
    texts = []
    for words in treebank:
        forms = [form for form, _ in words]
        rng = random.Random(f"{system} {share} {' '.join(forms)}")
        if rng.random() < share:
            rng.shuffle(forms)
        texts.append(" ".join(forms))
    return texts


def submit(database: Database, folder: Path, run: tuple[str, str, str, int], share: float) -> None:
    campaign, system, treebank_id, iteration = run
    texts = disturbed(TREEBANKS[treebank_id], system, share)
    add_outputs(
        *(database, folder, texts, system, treebank_id), campaign_id=campaign, iteration=iteration
    )


RUNS = {
    ("C21", "ours", OLD, 1): 0.9,
    ("C21", "ours", OLD, 2): 0.7,
    ("C21", "theirs", OLD, 1): 0.8,
    ("C21", "third", OLD, 1): 1.0,
    ("C21", "shuffle", OLD, 1): 1.0,
    ("C22", "ours2", NEW, 1): 0.5,
    ("C22", "theirs", NEW, 1): 0.3,
    ("C22", "shuffle", NEW, 1): 1.0,
    ("C22", "human", NEW, 1): 0.0,
    ("PART", "theirs", ONLY_SHARED, 1): 0.3,
    ("PART", "ours2", ONLY_SHARED, 1): 0.5,
    ("PART", "ours", ONLY_SHARED, 1): 0.7,
}


@pytest.fixture(scope="module")
def database_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two years with test sets that share sentences; what they share is a treebank without year."""
    folder = tmp_path_factory.mktemp("years")
    with open_installed(folder / "campaign.duckdb") as database:
        fill(database, folder)
    return folder / "campaign.duckdb"


@pytest.fixture(scope="module")
def years(database_file: Path) -> Iterator[Database]:
    """The same, open."""
    copy = database_file.with_name("copy.duckdb")
    shutil.copy(database_file, copy)
    with open_database(copy) as database:
        yield database


def fill(database: Database, folder: Path) -> None:
    for campaign in ("C21", "C22", "PART"):
        register_campaign(database, campaign)
    for treebank_id, treebank in TREEBANKS.items():
        trees = [[(form, n, rel) for n, (form, rel) in enumerate(words)] for words in treebank]
        add_treebank(database, folder, treebank_id, trees)
    register_system(database, "ours", family="us")
    register_system(database, "ours2", family="us")
    register_system(database, "shuffle", kind="baseline")
    register_system(database, "human", kind="human")
    for run, share in RUNS.items():
        submit(database, folder, run, share)
    scores = folder / "scores.csv"
    judged = [
        (*run, number)
        for run in (("C21", "ours", OLD, 2), ("C22", "theirs", NEW, 1))
        for number in range(1, 20)
    ]
    for name in ("C21", "C22"):
        lines = [
            f"{system},{treebank},{iteration},s{number},adequacy,{number / 9}\n"
            for campaign, system, treebank, iteration, number in judged
            if campaign == name
        ]
        scores.write_text(
            "".join(["system,treebank,iteration,sent_id,criterion,z_score\n", *lines])
        )
        ingest_human_scores(database, scores, ScoreFile({}, campaign_id=name))
    score(database, metric_names=[*METRICS, "nist"])


def scores_by_year(years: Years, measure: str, group: str = "team") -> dict[int, YearScore]:
    return {
        item.year: item for item in years.scores if (item.measure, item.group) == (measure, group)
    }


# The views


def test_a_year_is_summarised_by_latest_iterations(years: Database) -> None:
    """Best, median, mean, worst and reference against Python's own, for every measure."""
    measured = rows(years, "FROM submission_measures WHERE score IS NOT NULL AND year IS NOT NULL")
    newest = Counter[tuple[str, str]]()
    for row in measured:
        system = row["campaign_id"], row["system_id"]
        newest[system] = max(newest[system], row["iteration"])
    latest = [r for r in measured if r["iteration"] == newest[r["campaign_id"], r["system_id"]]]
    summaries = rows(years, "FROM measures_by_year")
    assert len(summaries) == len(
        {(r["year"], r["measure"], r["system_kind"]) for r in latest if r["system_kind"] != "human"}
    )
    for summary in summaries:
        alike = [r for r in latest if all(r[key] == summary[key] for key in ("year", "measure"))]
        ours = sorted(
            (r["score"], r["submission_id"])
            for r in alike
            if r["system_kind"] == summary["system_kind"]
        )
        scores = [value for value, _ in ours]
        assert summary["systems"] == len(scores)
        assert summary["best"] == scores[-1]
        assert summary["worst"] == scores[0]
        assert summary["best_submission_id"] == min(n for v, n in ours if v == scores[-1])
        assert summary["median"] == pytest.approx(statistics.median(scores), rel=1e-12)
        assert summary["mean"] == pytest.approx(statistics.fmean(scores), rel=1e-12)
        human = [r["score"] for r in alike if r["system_kind"] == "human"]
        assert summary["reference"] == (human[0] if human else None)
    assert {s["systems"] for s in summaries if s["system_kind"] == "team"} == {1, 2, 3}


def test_lower_can_be_better_and_mixed_signatures_are_counted(years: Database) -> None:
    text = next(view.text for view in views() if view.name == "measures_by_year")
    select = text.partition("VIEW measures_by_year AS\n")[2].rstrip().rstrip(";")
    given_rows = (
        "WITH submission_measures AS (SELECT * REPLACE ('lower' AS better, if(system_id = 'ours', "
        "NULL, signature_id) AS signature_id) FROM main.submission_measures) "
    )
    (row,) = rows(
        years,
        f"{given_rows} FROM ({select}) WHERE measure = 'dea' AND year = 2021 "
        "AND system_kind = 'team'",
    )
    values = rows(
        years,
        "FROM submission_measures WHERE measure = 'dea' AND year = 2021 AND system_kind = 'team' "
        "AND submission_id <> $id",
        id=f"C21/ours/{OLD}",
    )
    assert row["best"] == min(value["score"] for value in values)
    assert row["worst"] == max(value["score"] for value in values)
    assert row["signatures"] == 1
    assert "treebank:" not in row["signature"]


def test_families_are_followed_from_year_to_year(years: Database) -> None:
    one, other = rows(years, "FROM families_by_year WHERE measure = 'dea' ORDER BY year")
    assert one["best_submission_id"] == f"C21/ours/{OLD}@2"
    assert other["latest_submission_id"] == f"C22/ours2/{NEW}"
    assert (one["previous_year"], one["change"]) == (None, None)
    assert other["change"] == other["best"] - one["best"]
    assert other["same_as_previous"] is False
    assert {row["family"] for row in rows(years, "FROM families_by_year")} == {"us"}


def test_test_sets_say_what_they_share_with_the_year_before(years: Database) -> None:
    old, new = rows(years, "FROM year_test_sets ORDER BY year")
    assert (old["previous_year"], old["shared_sentences"]) == (None, None)
    assert (new["previous_year"], new["previous_treebank_id"]) == (2021, OLD)
    assert (new["same_as_previous"], new["shared_sentences"]) == (False, SHARED)
    assert (new["sentences"], new["submissions"], new["systems"]) == (28, 4, 3)
    assert len(shared_sentences(years, NEW, OLD)[0]) == SHARED


TEXTS = st.lists(st.sampled_from(["a", "b", " a", "a  b", "a b", "é", "e\u0301", None]), max_size=8)


@given(TEXTS, TEXTS)
def test_repeated_texts_are_shared_as_often_as_both_have_them(
    one: list[str | None], other: list[str | None]
) -> None:
    plain = {" a": "a", "a  b": "a b", "e\u0301": "é"}
    counts = [Counter(plain.get(t, t) for t in texts if t is not None) for texts in (one, other)]
    run = TINY.connection.execute
    with TINY.transaction():
        run("DELETE FROM sentence")
        for treebank, texts in (("en_a", one), ("en_b", other)):
            run(
                "INSERT INTO sentence (treebank_id, sentence_no, text, text_given, comments, "
                "line_no) SELECT $treebank, place, ($texts::VARCHAR[])[place], true, [], 1 "
                "FROM range(1, len($texts::VARCHAR[]) + 1) AS numbers(place)",
                {"treebank": treebank, "texts": texts},
            )
    row = run("SELECT shared_sentences FROM year_test_sets WHERE year = 2022").fetchone()
    expected = sum((counts[0] & counts[1]).values())
    assert len(shared_sentences(TINY, "en_a", "en_b")[0]) == expected
    assert row == (expected,)


def tiny_database() -> Database:
    """Two campaigns with a submission each, to treebanks that have no sentence yet."""
    database = open_database(None)
    install(database)
    run = database.connection.execute
    register_system(database, "s")
    for treebank, campaign in (("en_a", "C21"), ("en_b", "C22")):
        register_campaign(database, campaign)
        run(
            "INSERT INTO treebank (treebank_id, language, scheme, excluded_relations, hidden_text, "
            "sentences, tokens, source, sha256) VALUES (?, 'en', 'ud', [], false, 0, 0, '', ?)",
            [treebank, treebank],
        )
        run(
            "INSERT INTO submission (submission_id, campaign_id, system_id, treebank_id, track, "
            "iteration, created_at, reference_form, analysis, params, tags, source, sha256) "
            "VALUES (?, ?, 's', ?, 'shallow', 1, now(), 'text', 'none', '{}', '{}', '', '')",
            [f"{campaign}/s/{treebank}", campaign, treebank],
        )
    return database


TINY = tiny_database()


# Lines


def entry(year: int, corpus: str | None = None, split: str = "test", **more: str) -> Entry:
    values = {"language": "en", "campaign_id": f"C{year}", "track": "shallow"} | more
    treebank_id = f"{values['language']}_{corpus}-{split}"
    return Entry(
        year=year,
        treebank_id=treebank_id,
        corpus=corpus,
        split=split,
        sentences=1,
        sha256=treebank_id,
        **values,
    )


def names(entries: list[Entry]) -> dict[str, list[int]]:
    return {name: [item.year for item in line] for name, line in lines_of(entries).items()}


def test_a_language_with_a_test_set_a_year_is_one_line() -> None:
    assert names([entry(2019, "news19"), entry(2018, "news18")]) == {"en": [2018, 2019]}
    both = [entry(2018, "ewt"), entry(2019, "ewt"), entry(2019, "pud")]
    assert names(both) == {"en_ewt": [2018, 2019], "en_pud": [2019]}
    splits = [entry(2018, "ewt"), entry(2018, "ewt", "dev"), entry(2019, "ewt")]
    assert names(splits) == {"en_ewt-test": [2018, 2019], "en_ewt-dev": [2018]}
    tracks = [entry(2018, "ewt"), entry(2018, "ewt", track="deep")]
    assert names(tracks) == {"en (deep)": [2018], "en (shallow)": [2018]}
    campaigns = [entry(2018, "ewt"), entry(2018, "ewt", campaign_id="TEAM")]
    assert set(names(campaigns)) == {"en_ewt-test C2018", "en_ewt-test TEAM"}


ENTRIES = st.lists(
    st.builds(
        entry,
        st.integers(2018, 2020),
        st.sampled_from([None, "ewt", "pud"]),
        st.sampled_from(["dev", "test"]),
        language=st.sampled_from(["en", "fr"]),
        campaign_id=st.sampled_from(["A", "B"]),
        track=st.sampled_from(["shallow", "deep"]),
    ),
    min_size=1,
    max_size=9,
    unique=True,
)


@given(ENTRIES)
def test_every_test_set_is_on_one_line_and_years_are_on_it_once(entries: list[Entry]) -> None:
    lines = lines_of(entries)
    assert Counter(item for line in lines.values() for item in line) == Counter(entries)
    for line in lines.values():
        assert [item.year for item in line] == sorted({item.year for item in line})
        assert len({(item.language, item.track) for item in line}) == 1


# Reading


def test_years_are_read_with_their_changes_and_families(years: Database) -> None:
    read = read_years(years, Choice(measures=["dea", "dea[nsubj]"], families=["us"]))
    assert list(dict.fromkeys(item.measure for item in read.scores)) == ["dea", "dea[nsubj]"]
    teams, family = scores_by_year(read, "dea"), scores_by_year(read, "dea", "family us")
    assert teams[2022].change == teams[2022].best - teams[2021].best
    assert (teams[2021].change, teams[2022].comparable) == (None, False)
    assert (teams[2021].systems, teams[2022].reference) == (3, 1.0)
    assert family[2022].best_system_id == "ours2"
    assert family[2021].median is None
    points = [point for point in read.points if point.measure == "dea"]
    assert len(points) == len({run[:2] for run in RUNS if run[0] != "PART"})
    (note,) = read.notes
    assert f"share {SHARED} sentences by text" in note
    assert "--shared" in note


def test_the_measure_that_was_chosen_for_the_newest_year_comes_first(
    database_file: Path, tmp_path: Path
) -> None:
    copy = shutil.copy(database_file, tmp_path / "chosen.duckdb")
    with sr_tracker.connect(copy) as db, db.writing():
        measures = [*dict.fromkeys(score.measure for score in db.years().scores)]
        db.primary("dist", campaign="C21")
        db.primary("chrf", campaign="C22")
        chosen = [*dict.fromkeys(score.measure for score in db.years().scores)]
    assert measures[0] == "bleu"
    assert chosen == ["chrf", *(name for name in measures if name != "chrf")]


def test_baselines_stand_in_where_asked_for(years: Database) -> None:
    read = read_years(years, Choice(measures=["bleu"], system_kind="baseline"))
    assert {item.group for item in read.scores} == {"baseline"}
    assert {item.best_system_id for item in read.scores} == {"shuffle"}


def test_peoples_scores_of_two_campaigns_have_no_change(years: Database) -> None:
    read = read_years(years, Choice(measures=["adequacy_z"]))
    assert [item.change for item in read.scores] == [None, None]
    assert any("z-scores of different campaigns" in note for note in read.notes)


@pytest.mark.parametrize(
    "choice",
    [
        Choice(languages=["xx"]),
        Choice(campaigns=["PART"]),
        Choice(treebanks=["en_none"]),
        Choice(measures=["nonsense"]),
        Choice(families=["them"]),
        Choice(campaigns=["C21"], treebanks=["en_new"]),
    ],
)
def test_unknown_names_are_told(years: Database, choice: Choice) -> None:
    with pytest.raises(UnknownNameError):
        read_years(years, choice)


def test_a_database_without_years_says_so() -> None:
    with (
        open_installed(None) as database,
        pytest.raises(UnknownNameError, match="campaign with a year"),
    ):
        read_years(database)


# Shared sentences


def test_shared_sentences_score_as_a_treebank_of_them_alone(years: Database) -> None:
    """NIST apart: its information weights are those of the whole treebank."""
    measures = [*METRICS, "dea[nsubj]", "dea[obj]"]
    read = read_years(years, Choice(measures=measures, shared=True))
    alone = {
        (row["measure"], row["system_id"]): row["score"]
        for row in rows(years, "FROM submission_measures WHERE campaign_id = 'PART'")
    }
    checked = 0
    for point in read.points:
        if (point.year, point.system_id) in {(2021, "ours"), (2022, "ours2"), (2022, "theirs")}:
            expected = alone[point.measure, point.system_id]
            assert point.score == pytest.approx(expected, rel=1e-12), point
            checked += 1
    assert checked == 3 * len(measures)
    assert {item.n for item in read.scores if item.measure == "bleu"} == {SHARED}
    assert all(item.comparable for item in read.scores if item.year == 2022)
    assert read.notes == [f"en: on the {SHARED} sentences that 2021, 2022 share (of 26, 28)"]


def test_peoples_scores_are_averaged_over_shared_sentences(years: Database) -> None:
    read = read_years(years, Choice(measures=["adequacy_z"], shared=True))
    one, other = scores_by_year(read, "adequacy_z").values()
    in_old = [number / 9 for number in range(13, 20)]
    in_new = [number / 9 for number in range(1, 15)]
    assert one.best == pytest.approx(statistics.fmean(in_old), rel=1e-12)
    assert other.best == pytest.approx(statistics.fmean(in_new), rel=1e-12)
    assert (one.n, other.n) == (len(in_old), len(in_new))


def test_one_test_set_in_all_years_keeps_its_scores(years: Database) -> None:
    choice = Choice(campaigns=["C22"], measures=["bleu", "dea[obj]"])
    shared = Choice(campaigns=["C22"], measures=["bleu", "dea[obj]"], shared=True)
    assert read_years(years, shared).scores == read_years(years, choice).scores


def test_what_cannot_be_told_of_single_sentences_is_undefined(years: Database) -> None:
    """A kind that is not known here, as later ones are not."""
    run = years.connection.execute
    run("ALTER VIEW submission_measures RENAME TO measured")
    run(
        "CREATE VIEW submission_measures AS SELECT * REPLACE "
        "(if(measure = 'dist', 'grammar', kind) AS kind) FROM measured"
    )
    try:
        read = read_years(years, Choice(measures=["dist", "bleu"], shared=True))
    finally:
        run("DROP VIEW submission_measures")
        run("ALTER VIEW measured RENAME TO submission_measures")
    assert {item.measure for item in read.scores} == {"bleu"}
    assert any("undefined on these sentences: dist" in note for note in read.notes)


# The command and the chart


def test_the_command_prints_a_table_for_each_measure(database_file: Path) -> None:
    options = ["-m", "dea", "-m", "dea[nsubj]", "--family", "us", "--shared"]
    result = commands.run(database_file, "--yes", "years", *options)
    for text in ("DEA (higher is better)", "DEA[nsubj]", "family us", OLD, "ours2"):
        assert text in result.stdout
    assert "14 sentences" in result.stderr


def test_the_command_writes_rows_and_a_chart(database_file: Path, tmp_path: Path) -> None:
    years = (database_file, "--quiet", "--yes", "years")
    chart = tmp_path / "years.svg"
    result = commands.run(*years, "-m", "bleu", "-f", "csv", "--chart", chart)
    table = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["year"] for row in table] == ["2021", "2022"]
    assert all(row["measure"] == "bleu" for row in table)
    assert "<svg" in chart.read_text()
    with pytest.raises(InputError):
        commands.run(*years, "--chart", "years.pdf")
    default = commands.rows(*years)
    assert {row["measure"] for row in default} >= {"bleu", "nist", "adequacy_z"}


def specification(read: Years, *, shared: bool = False) -> dict[str, Any]:
    chart = years_chart(read, shared=shared)
    check_specification(chart)
    return chart


def test_the_chart_has_a_panel_for_each_measure_and_line(years: Database) -> None:
    read = read_years(years, Choice(measures=["dea", "bleu"], families=["us"]))
    chart = specification(read)
    assert [len(row["hconcat"]) for row in chart["vconcat"]] == [1, 1]
    assert "dashed" in " ".join(chart["title"]["subtitle"])
    data = [row for rows in rows_of(chart) for row in rows]
    segments = [row for row in data if "next_year" in row]
    assert {row["what"] for row in segments} == {"best", "median", "family us"}
    assert not any(row["comparable"] for row in segments)
    references = [row for row in data if row.get("what") == "reference" and "start" in row]
    assert {row["year"] for row in references} == {2022}
    shared = read_years(years, Choice(measures=["dea"], shared=True))
    assert "dashed" not in " ".join(specification(shared, shared=True)["title"]["subtitle"])


def test_intervals_are_drawn_around_the_best(years: Database) -> None:
    read = read_years(years, Choice(measures=["dea"]))
    best = read.scores[0].best_submission_id
    chart = years_chart(read, intervals={(best, "dea"): (-1.0, 2.0)})
    check_specification(chart)
    data = [row for rows in rows_of(chart) for row in rows if "low" in row]
    ends = {(row["submission_id"], row["low"], row["high"]) for row in data}
    assert ends == {(best, -100.0, 200.0)}
    assert chart["vconcat"][0]["hconcat"][0]["encoding"]["y"]["scale"]["domain"] == [-100.0, 200.0]


def test_a_chart_of_nothing_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        years_chart(Years([], [], "team", []))
