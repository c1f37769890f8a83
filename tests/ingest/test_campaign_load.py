"""Loading a campaign: order, names, idempotence, continuing after an interruption."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sr_tracker.ingest.analysers import Analyser, analyser_factory, create_analyser
from sr_tracker.ingest.campaigns import loading
from sr_tracker.ingest.campaigns.loading import Report, ingest_campaign
from sr_tracker.ingest.campaigns.manifest import read_manifest
from sr_tracker.ingest.names import (
    name_treebank,
    register_campaign,
    register_system,
    treebank_named,
    year_in,
)
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, UnknownNameError
from tests.building import written
from tests.fuzz.seeds import TREEBANK

Factory = Callable[[str], Analyser]
Counts = Callable[[], dict[str, int]]
CAMPAIGN = """\
[campaign]
id = "C19"
name = "Campaign of 2019"

[[systems]]
id = "A"
kind = "baseline"
description = "from the manifest"

[[treebanks]]
path = "treebanks/*.conllu"

[[submissions]]
path = "runs/{team}/{treebank}.{iteration}.txt"
created_at = 2019-10-13

[[human_scores]]
path = "scores.csv"
"""


@pytest.fixture
def campaign(tmp_path: Path, database: Database, treebank: str, references: list[str]) -> Path:
    """A campaign of one treebank, two teams, three iterations of one of them, and scores."""
    for name in ("treebanks", "runs/A", "runs/B"):
        (tmp_path / name).mkdir(parents=True)
    source = tmp_path / "en_toy-ud-test.conllu"
    source.rename(tmp_path / "treebanks" / source.name)
    for table in ("treebank", "sentence", "token", "ingestion"):
        database.connection.execute(f"DELETE FROM {table}")
    for run in ("A/en_toy.1", "A/en_toy.2", "A/en_toy.10", "B/en_toy.1"):
        (tmp_path / "runs" / f"{run}.txt").write_text("\n".join([*references[:-1], run]))
    scores = "system,treebank,sent_id,criterion,z_score\nA,en_toy,s-1,fluency,0.5\n"
    (tmp_path / "scores.csv").write_text(scores)
    path = tmp_path / "campaign.toml"
    path.write_text(CAMPAIGN)
    return path


def load(database: Database, path: Path, analyser: Factory, **options: object) -> Report:
    return ingest_campaign(database, read_manifest(path), analyser, **options)  # type: ignore[arg-type]


def test_a_campaign_from_nothing(database: Database, campaign: Path, analyser: Factory) -> None:
    calls: list[tuple[str, int, int]] = []
    report = load(database, campaign, analyser, progress=lambda *message: calls.append(message))
    assert (report.treebanks, len(report.submissions), report.human_scores) == (1, 4, 1)
    assert (report.files, report.unchanged) == (6, 0)
    assert [done for _, done, _ in calls] == list(range(7))
    assert {total for *_, total in calls} == {6}
    run = database.connection.execute
    base = "C19/A/en_toy-ud-test"
    assert run(
        "SELECT submission_id, iteration, parent_submission_id, epoch(created_at) FROM submission "
        "ORDER BY system_id, iteration"
    ).fetchall() == [
        (base, 1, None, 1570924800.0),
        (f"{base}@2", 2, base, 1570924800.0),
        (f"{base}@10", 10, f"{base}@2", 1570924800.0),
        ("C19/B/en_toy-ud-test", 1, None, 1570924800.0),
    ]
    assert run("SELECT system_id, team, kind, description FROM system ORDER BY ALL").fetchall() == [
        ("A", "A", "baseline", "from the manifest"),
        ("B", "B", "team", None),
    ]
    assert run("FROM campaign_treebank").fetchall() == [("C19", "en_toy-ud-test")]
    assert run("SELECT campaign_id, name, year FROM campaign").fetchall() == [
        ("C19", "Campaign of 2019", 2019)
    ]


def test_loading_twice_changes_nothing(
    database: Database, campaign: Path, analyser: Factory, row_counts: Counts
) -> None:
    load(database, campaign, analyser)
    before = row_counts()
    for replace in (False, True):
        report = load(database, campaign, analyser, replace=replace)
        assert report.unchanged == report.files == 6
        assert (report.treebanks, report.human_scores) == (0, 0)
        assert not any(submitted.changed for submitted in report.submissions)
        assert row_counts() == before


def test_families_are_as_the_newest_manifest_declares_them(
    database: Database, campaign: Path, analyser: Factory
) -> None:
    """Declared, never guessed: a manifest that says nothing of it changes nothing."""
    text = campaign.read_text()
    for family, expected in (("first", "first"), (None, "first"), ("other", "other")):
        line = f'family = "{family}"\n' if family else ""
        campaign.write_text(text.replace('kind = "baseline"\n', f'kind = "baseline"\n{line}'))
        load(database, campaign, analyser)
        cursor = database.connection.execute("SELECT system_id, family FROM system ORDER BY ALL")
        assert cursor.fetchall() == [("A", expected), ("B", None)]


@pytest.mark.parametrize("stop", [0, 1, 3, 6])
def test_an_interrupted_load_continues_where_it_was(
    database: Database, campaign: Path, analyser: Factory, stop: int
) -> None:
    def interrupt(_name: str, done: int, _total: int) -> None:
        if done == stop:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(database, campaign, analyser, progress=interrupt)
    report = load(database, campaign, analyser)
    assert report.unchanged == stop
    row = database.connection.execute("SELECT count(*) FROM submission").fetchone()
    assert row == (4,)


def test_a_broken_file_leaves_those_before_it_and_nothing_of_its_own(
    database: Database, campaign: Path, analyser: Factory, row_counts: Counts
) -> None:
    broken = campaign.parent / "runs/B/en_toy.1.txt"
    good = broken.read_text()
    broken.write_text("one line\n")
    with pytest.raises(InputError, match="1 output") as error:
        load(database, campaign, analyser)
    assert error.value.where == str(broken)
    systems = database.connection.execute("SELECT system_id FROM system").fetchall()
    assert systems == [("A",)]  # B is unknown although its team was to be noted
    assert row_counts()["submission"] <= 3
    broken.write_text(good)
    load(database, campaign, analyser)
    assert row_counts()["submission"] == 4


def batches(monkeypatch: pytest.MonkeyPatch, write: str) -> list[list[Any]]:
    """What becomes of files that one of the loader's functions writes together; none waits."""
    results: list[list[Any]] = []
    real = getattr(loading, write)

    def noted(database: Database, files: Sequence[object]) -> list[Any]:
        results.append(real(database, files))
        return results[-1]

    monkeypatch.setattr(loading, write, noted)
    monkeypatch.setattr(loading, "WRITTEN_AFTER", 1000.0)
    return results


def test_submissions_are_written_together_but_for_what_depends_on_them(
    database: Database, campaign: Path, analyser: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_together = batches(monkeypatch, "write_submissions")
    report = load(database, campaign, analyser)
    together = [[item.submission_id for item in batch] for batch in written_together if batch]
    assert max(map(len, together)) > 1
    loaded = [submission.submission_id for submission in report.submissions]
    assert loaded == [item for batch in together for item in batch]
    for batch in together:  # no two runs of a system on a treebank
        assert len({item.partition("@")[0] for item in batch}) == len(batch)


def test_treebanks_are_written_together_and_those_before_a_broken_one_too(
    database: Database, tmp_path: Path, analyser: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = batches(monkeypatch, "write_treebanks")
    for name in ("a/en_a", "b/en_a", "b/en_b", "c/en_c", "d/en_d"):
        broken = written(tmp_path / f"{name}-ud-test.conllu", TREEBANK)
    broken.write_text("1\tbroken\n")
    manifest = tmp_path / "campaign.toml"
    manifest.write_text('[campaign]\nid = "C"\n[[treebanks]]\npath = "*/*.conllu"\n')
    with pytest.raises(InputError) as error:
        load(database, manifest, analyser)
    assert (error.value.where or "").startswith(str(broken))
    # a file with the name or the id of one before is looked at when that is written
    assert [batch for batch in together if batch] == [[True], [False], [True, True]]
    broken.write_text(TREEBANK)
    report = load(database, manifest, analyser)
    assert (report.treebanks, report.unchanged) == (1, 4)


def rewritten(campaign: Path, submissions: str) -> Path:
    head, _, _ = CAMPAIGN.partition("[[submissions]]")
    campaign.write_text(head + submissions)
    return campaign


def entry(file: str, rest: str) -> str:
    return f"[[submissions]]\npath = 'runs/{file}.txt'\ntreebank = 'en_toy'\n{rest}\n"


def test_parents_are_loaded_first(database: Database, campaign: Path, analyser: Factory) -> None:
    base = "C19/{}/en_toy-ud-test"
    path = rewritten(
        campaign,
        entry("A/en_toy.1", f"system = 'A'\nparent = '{base.format('Z')}'")
        + entry("A/en_toy.2", f"system = 'Z'\nparent = '{base.format('M')}'")
        + entry("A/en_toy.10", "system = 'A'\niteration = 2")
        + entry("B/en_toy.1", "system = 'M'"),
    )
    report = load(database, path, analyser)
    ids = [submitted.submission_id for submitted in report.submissions]
    assert ids == [base.format("M"), base.format("Z"), base.format("A"), f"{base.format('A')}@2"]


@pytest.mark.parametrize(
    ("submissions", "line", "kind", "message"),
    [
        (
            entry("A/en_toy.1", "system = 'A'\nparent = 'C19/B/en_toy-ud-test'")
            + entry("A/en_toy.2", "system = 'B'\nparent = 'C19/A/en_toy-ud-test'"),
            13,
            InputError,
            "has itself among its parents",
        ),
        (
            entry("A/en_toy.1", "system = 'A'").replace("'en_toy'", "'xx'"),
            None,
            UnknownNameError,
            "no treebank 'xx'",
        ),
        (entry("A/en_toy.1", "system = 'A B'"), None, InputError, "cannot be the id of a system"),
    ],
)
def test_runs_that_cannot_be(
    database: Database,
    campaign: Path,
    analyser: Factory,
    row_counts: Counts,
    submissions: str,
    line: int | None,
    kind: type[InputError],
    message: str,
) -> None:
    with pytest.raises(kind, match=message) as error:
        load(database, rewritten(campaign, submissions), analyser)
    if line is not None:
        assert error.value.where == f"{campaign}:{line}"
    assert error.value.hint
    assert row_counts()["submission"] == 0


def test_relations_left_out_and_names_given(
    database: Database, campaign: Path, analyser: Factory
) -> None:
    campaign.write_text(
        "[campaign]\nid = 'C'\n[[treebanks]]\npath = 'treebanks/*'\nid = 'mine'\n"
        "language = 'en'\nsplit = 'dev'\nwithout = ['orphan']\n"
    )
    load(database, campaign, analyser)
    assert database.connection.execute(
        "SELECT treebank_id, language, split, excluded_relations FROM treebank"
    ).fetchall() == [("mine", "en", "dev", ["orphan"])]


def test_short_names_mean_the_campaigns_own_treebanks(database: Database, tmp_path: Path) -> None:
    def add(treebank_id: str, campaign_id: str | None) -> None:
        path = tmp_path / f"{treebank_id}.conllu"
        path.write_text("1\tw\tw\tX\t_\t_\t0\troot\t_\t_\n")
        name = name_treebank(path, treebank_id=treebank_id)
        ingest_treebank(database, path, name, campaign_id=campaign_id)

    add("en_a-ud-test", "C")
    add("en_a-ud-train", "C")
    add("en_a-ud2.0-test", "D")
    add("xx-ud-test", "C")
    assert treebank_named(database, "C", "en_a") == "en_a-ud-test"
    assert treebank_named(database, "D", "en_a") == "en_a-ud2.0-test"
    assert treebank_named(database, "C", "en_a-ud2.0-test") == "en_a-ud2.0-test"
    assert treebank_named(database, "C", "xx") == "xx-ud-test"
    assert treebank_named(database, "C", "fr_a") == "fr_a"
    add("en_a-ud-dev", "C")
    with pytest.raises(InputError, match="stands for 2 treebanks") as error:
        treebank_named(database, "C", "en_a")
    assert "en_a-ud-dev, en_a-ud-test" in (error.value.hint or "")


def test_what_is_said_of_campaigns_and_systems_adds_up(database: Database) -> None:
    register_campaign(database, "SR20", description="d")
    register_campaign(database, "SR20", name="Surface")
    register_campaign(database, "SR20", year=2021)
    register_campaign(database, "SR20")
    assert database.connection.execute("FROM campaign").fetchall() == [
        ("SR20", "Surface", 2021, "d")
    ]
    register_system(database, "A", kind="human")
    register_system(database, "A", team="t")
    assert database.connection.execute("FROM system").fetchall() == [
        ("A", "t", "human", None, None)
    ]
    with pytest.raises(InputError, match="no kind of system"):
        register_system(database, "A", kind="robot")


def test_a_system_of_two_teams_is_refused_before_anything_is_written(
    database: Database, campaign: Path, analyser: Factory, row_counts: Counts
) -> None:
    text = campaign.read_text()
    before = row_counts()
    folder = campaign.parent / "runs"
    for team, number in (("A", 1), ("B", 3)):
        (folder / team / "one").mkdir()
        for file in (folder / team).glob("*.txt"):
            file.rename(folder / team / "one" / file.name.replace(".1.", f".{number}."))
    by_folder = text.replace("runs/{team}/", "runs/{team}/{system}/")
    assert by_folder != text
    campaign.write_text(by_folder.replace('id = "A"', 'id = "one"'))
    with pytest.raises(InputError, match="system one is of A, and here of B"):
        load(database, campaign, analyser)
    assert row_counts() == before


def test_a_team_is_another_only_where_it_is_replaced(
    database: Database, campaign: Path, analyser: Factory
) -> None:
    text = campaign.read_text()
    teams = "SELECT system_id, team FROM system ORDER BY ALL"

    def say(team: str) -> None:
        campaign.write_text(text.replace('id = "A"\n', f'id = "A"\nteam = "{team}"\n'))

    load(database, campaign, analyser)
    for team in ("Team A", "Team A"):  # the folder's name is no more than a first guess
        say(team)
        load(database, campaign, analyser)
        assert database.connection.execute(teams).fetchall() == [("A", "Team A"), ("B", "B")]
    say("Others")
    with pytest.raises(InputError, match="A is of Team A, and here of Others") as caught:
        load(database, campaign, analyser)
    assert caught.value.where == str(campaign)
    assert "--replace" in (caught.value.hint or "")
    load(database, campaign, analyser, replace=True)
    assert database.connection.execute(teams).fetchall() == [("A", "Others"), ("B", "B")]


@pytest.mark.parametrize(
    ("campaign_id", "year"),
    [("SR19", 2019), ("WMT2021", 2021), ("2018", 2018), ("local", None), ("v3", None)],
)
def test_years_in_names(campaign_id: str, year: int | None) -> None:
    assert year_in(campaign_id) == year


@pytest.mark.parametrize("language", ["en", "zh", None])
def test_the_version_known_beforehand_is_the_analysers(
    database: Database, tmp_path: Path, language: str | None
) -> None:
    path = tmp_path / "t.conllu"
    path.write_text("1\tcats\tcat\tNOUN\t_\t_\t0\troot\t_\t_\n")
    ingest_treebank(database, path, name_treebank(path, treebank_id="t", language=language))
    lazy = analyser_factory(database, "reference")("t")
    tokens = database.connection.execute("SELECT * FROM token").to_arrow_table()
    ranges = database.connection.execute("SELECT * FROM multiword_token").to_arrow_table()
    real = create_analyser(
        "reference", tokens=tokens, multiword_tokens=ranges, language=language, model=None
    )
    assert (lazy.name, lazy.version) == (real.name, real.version)
    arguments = (pa.array([1], pa.int32()), pa.array(["Cats !"]))
    assert lazy.analyse(*arguments).equals(real.analyse(*arguments))


def test_analysers_are_made_once_and_anew_for_new_content(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "t.conllu"
    name = name_treebank(path, treebank_id="t")
    factory = analyser_factory(database, "reference")
    lemmas = []
    for lemma in ("cat", "feline"):
        path.write_text(f"1\tcats\t{lemma}\tNOUN\t_\t_\t0\troot\t_\t_\n")
        ingest_treebank(database, path, name, replace=True)
        analyser = factory("t")
        assert factory("t") is analyser
        words = analyser.analyse(pa.array([1], pa.int32()), pa.array(["cats"]))
        lemmas += words["lemma"].to_pylist()
    assert lemmas == ["cat", "feline"]


def test_an_unknown_analyser_is_refused(database: Database, treebank: str) -> None:
    with pytest.raises(InputError, match="analyser 'magic'"):
        analyser_factory(database, "magic")(treebank)


WITH_ANALYSERS = """\
[[submissions]]
path = "runs/{team}/{treebank}.{iteration}.txt"
analyser = "spacy"
model = "models/../models"

[[submissions]]
path = "own/{system}.txt"
treebank = "en_toy"
analyser = "reference"

[[submissions]]
path = "other/{system}.txt"
treebank = "en_toy"
"""


def test_entries_name_their_analyser_and_one_model_serves_them_all(
    database: Database, campaign: Path, analyser: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("own", "other", "models"):
        (campaign.parent / name).mkdir()
    outputs = (campaign.parent / "runs/B/en_toy.1.txt").read_text()
    for name in ("own/C", "other/D"):
        (campaign.parent / f"{name}.txt").write_text(outputs)
    text = CAMPAIGN[: CAMPAIGN.index("[[submissions]]")] + WITH_ANALYSERS
    campaign.write_text(text)
    made: list[Path | None] = []

    class Pipeline:
        name = "spacy"
        version = "spacy/9"

        def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
            return create("reference", **results).analyse(sentence_nos, texts)

    results: dict[str, object] = {}
    create = create_analyser

    def counted(name: str, **options: object) -> Analyser:
        if name != "spacy":
            return create(name, **options)  # type: ignore[arg-type]
        made.append(options.pop("model"))  # type: ignore[arg-type]
        results.update(options, model=None)
        return Pipeline()

    monkeypatch.setattr("sr_tracker.ingest.analysers.create_analyser", counted)
    load(database, campaign, analyser)
    rows = database.connection.execute(
        "SELECT system_id, split_part(analysis, '/', 1) FROM submission ORDER BY ALL"
    ).fetchall()
    assert rows == [
        *([("A", "spacy")] * 3),
        ("B", "spacy"),
        ("C", "reference"),
        ("D", "reference"),
    ]
    assert made == [campaign.parent / "models/../models"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('model = "runs"', "the model has no analyser"),
        ('analyser = "udpipe"', "the analyser udpipe needs a model"),
        ('analyser = "spacy"\nmodel = "none"', "there is no 'none'"),
        ('analyser = "clever"', "analyser = 'clever' cannot be"),
    ],
)
def test_a_wrong_analyser_is_told_before_anything_is_loaded(
    database: Database, campaign: Path, analyser: Factory, lines: str, message: str
) -> None:
    campaign.write_text(campaign.read_text().replace("created_at", f"{lines}\ncreated_at"))
    with pytest.raises(InputError, match=message) as error:
        load(database, campaign, analyser)
    assert error.value.where == f"{campaign}:13"
    assert database.connection.execute("SELECT count(*) FROM treebank").fetchone() == (0,)


def test_a_treebank_keeps_the_version_that_was_given(
    database: Database, campaign: Path, analyser: Factory
) -> None:
    (source,) = (campaign.parent / "treebanks").iterdir()
    source.rename(source.with_name("toy.conllu"))
    head = CAMPAIGN[: CAMPAIGN.index("[[systems]]")] + '[[treebanks]]\npath = "treebanks/*"\n'

    def loaded(lines: str) -> list[tuple[object, ...]]:
        campaign.write_text(head + lines)
        load(database, campaign, analyser)
        return database.connection.execute(
            "SELECT treebank_id, language, version FROM treebank ORDER BY ALL"
        ).fetchall()

    assert loaded("") == [("toy", None, None)]
    assert loaded('version = 2.10\nlanguage = "en"') == [("toy", "en", "2.10")]
    assert loaded("") == [("toy", "en", "2.10")]
    named = source.with_name("en_toy-ud-test.conllu")
    source.with_name("toy.conllu").rename(named)
    other = ("en_toy-ud2.10-test", "en", "2.10")
    assert loaded('version = "2.10"') == [other, ("toy", "en", "2.10")]
    assert loaded("") == [other, ("toy", "en", "2.10")]
    named.write_text(named.read_text() + "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert loaded("")[0] == ("en_toy-ud-test", "en", None)
