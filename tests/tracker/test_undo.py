"""Removing leaves what would be there without; renaming there and back changes nothing."""

from __future__ import annotations

import csv
import random
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sr_tracker.ingest import undo
from sr_tracker.ingest.undo.removing import KINDS, TARGETS
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.change.significance import run_significance
from sr_tracker.queries.errors import Settings, analyses
from sr_tracker.queries.errors.jobs import run_analyses
from sr_tracker.queries.grammar.extraction import ExtractionSettings, extract_rules
from sr_tracker.queries.grammar.scoring import score_grammar
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.keys import links, natural_keys
from sr_tracker.schema.migrate import tables
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests.building import conllu, contents
from tests.tracker.in_process import run

METRICS = ("bleu", "dea")
ANALYSES = Settings(kinds=("correlation",))
SIGNIFICANCE = SignificanceSettings(replicates=40)
COMPUTED = natural_keys().keys() - {
    *("ingestion", "removal", "catalog", "change_log", "schema_version", "comparison", "change")
}
"""Neither provenance nor verdicts: a rename forgets them, as their words tell the names."""
WORDS = ("the", "big", "dog", "saw", "a", "small", "tree", "and", "ran", "to", "it")
SENTENCES = 8
TREEBANKS = ("en_a-ud1.0-test", "en_b-ud1.0-test")
Run = tuple[str, str, str, int]
"""Campaign, system, treebank and iteration."""
RUNS: tuple[Run, ...] = (
    ("C20", "one", TREEBANKS[0], 1),
    ("C20", "one", TREEBANKS[0], 2),
    ("C20", "one", TREEBANKS[0], 3),
    ("C20", "two", TREEBANKS[0], 1),
    ("C20", "two", TREEBANKS[1], 1),
    ("C21", "three", TREEBANKS[0], 1),
)
MIDDLE = "C20/one/en_a-ud1.0-test@2"


def sentences(treebank: str) -> list[list[str]]:
    rng = random.Random(treebank)
    return [[rng.choice(WORDS) for _ in range(rng.randint(3, 9))] for _ in range(SENTENCES)]


def id_of(run: Run) -> str:
    campaign, system, treebank, iteration = run
    return f"{campaign}/{system}/{treebank}" + (f"@{iteration}" if iteration > 1 else "")


def fill(
    tracker: Tracker,
    folder: Path,
    runs: Sequence[Run],
    *,
    people: bool = False,
    seeds: Sequence[str] = (),
) -> None:
    """Load, score, analyse and test runs, in which people have judged; campaigns as if alone."""
    folder.mkdir(exist_ok=True)
    for treebank in sorted({run_[2] for run_ in runs}):
        path = folder / f"{treebank}.conllu"
        words = sentences(treebank)
        trees = [
            [(w, n, "obl" if n else "root", "X", "Case=Nom") for n, w in enumerate(word)]
            for word in words
        ]
        path.write_text(conllu(trees, texts=[" ".join(word) for word in words]))
        tracker.ingest_treebank(path)
    judged = []
    for place, run_ in enumerate(runs):
        campaign, system, treebank, iteration = run_
        rng = random.Random(f"{treebank[:4]} {seeds[place] if seeds else id_of(run_)}")
        texts = [" ".join(rng.sample(words, len(words))) for words in sentences(treebank)]
        path = folder / f"{seeds[place] if seeds else id_of(run_)}.txt".replace("/", " ")
        path.write_text(
            "".join(f"# sent_id = s{n}\n# text = {t}\n\n" for n, t in enumerate(texts, start=1))
        )
        tracker.ingest_submission(
            path,
            system=system,
            treebank=treebank,
            campaign=campaign,
            iteration=iteration,
            reference_form="tokens",
            created_at=datetime(2020, 1, iteration, tzinfo=UTC),
            params={"seed": 1},
        )
        judged += [
            (campaign, f"a{annotator}", id_of(run_), treebank, f"s{number}", rng.randint(0, 100))
            for annotator in range(2)
            for number in range(1, SENTENCES + 1)
        ]
    for campaign in sorted({run_[0] for run_ in runs}) if people else ():
        path = folder / f"{campaign}.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["annotator", "submission", "treebank", "sent_id", "score"])
            writer.writerows(row[1:] for row in judged if row[0] == campaign)
        tracker.ingest_judgements(path, campaign=campaign, criterion="fluency")
        tracker.human(campaign)
    tracker.score(metrics=METRICS)
    run_analyses(tracker.database, analyses(ANALYSES))
    run_significance(tracker.database, settings=SIGNIFICANCE)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two databases with all runs: plain, and judged by people."""
    folder = tmp_path_factory.mktemp("filled")
    for name in ("plain", "judged"):
        with connect(folder / f"{name}.duckdb", create=True) as tracker, tracker.writing():
            fill(tracker, folder / name, RUNS, people=name == "judged")
            assert run_audits(tracker.database) == []
    return folder


@pytest.fixture(scope="module")
def filled(files: Path) -> Iterator[Tracker]:
    """A database with all runs, judged; tests leave it as it was."""
    with connect(files / "judged.duckdb") as tracker, tracker.writing():
        yield tracker


@pytest.fixture
def plain(files: Path, tmp_path: Path) -> Iterator[Tracker]:
    """A database with all runs, not judged."""
    with connect(shutil.copy(files / "plain.duckdb", tmp_path)) as tracker, tracker.writing():
        yield tracker


@pytest.mark.parametrize(
    ("removed", "left"),
    [
        (
            {"submission": MIDDLE, "treebank": "en_b", "campaign": "C21"},
            [RUNS[n] for n in (0, 2, 3)],
        ),
        ({"system": "one"}, RUNS[3:]),
    ],
)
def test_removing_leaves_what_would_be_there_without(
    removed: dict[str, str], left: Sequence[Run], plain: Tracker, tmp_path: Path
) -> None:
    for kind, name in removed.items():
        before = contents(plain.database, COMPUTED)
        seen = plain.remove(kind, name, dry_run=True)
        assert contents(plain.database, COMPUTED) == before
        change = plain.remove(kind, name)
        assert change.rows == seen.rows
        assert (seen.done, change.done) == (False, True)
        after = contents(plain.database, COMPUTED)
        for table in before:
            lost = len(before[table]) - len(after[table])
            assert change.rows.get(table, 0) == lost, table
        assert run_audits(plain.database) == []
        recorded = plain.sql("FROM ingestion WHERE kind = 'remove'").to_pylist()[-1]
        assert recorded["target"] == f"{kind} {change.target}"
        assert recorded["records"] == sum(change.rows.values())
    with connect(None) as without:
        fill(without, tmp_path / "without", left)
        assert contents(plain.database, COMPUTED) == contents(without.database, COMPUTED)


def test_removing_one_whom_people_judged_removes_what_was_computed_of_all(
    files: Path, tmp_path: Path
) -> None:
    left = [run for run in RUNS if id_of(run) != MIDDLE]
    judged = shutil.copy(files / "judged.duckdb", tmp_path)
    with connect(None) as without, connect(judged) as tracker, tracker.writing():
        fill(without, tmp_path / "without", left, people=True)
        change = tracker.remove("submission", MIDDLE)
        message = " ".join(change.notes)
        assert "tracker human --campaign C20" in message
        assert "C21" not in message
        rankings = tracker.sql("SELECT DISTINCT campaign_id FROM human_ranking").to_pylist()
        assert rankings == [{"campaign_id": "C21"}]
        assert run_audits(tracker.database) == []
        for item in (tracker, without):
            item.human()
            run_analyses(item.database, analyses(ANALYSES))
            assert run_audits(item.database) == []
        assert contents(tracker.database, COMPUTED) == contents(without.database, COMPUTED)


def test_children_of_what_is_removed_get_its_parent(plain: Tracker) -> None:
    def parent() -> str | None:
        (row,) = plain.sql(
            "SELECT parent_submission_id AS parent FROM submission "
            "WHERE submission_id = 'C20/one/en_a-ud1.0-test@3'"
        ).to_pylist()
        return row["parent"]

    change = plain.remove("submission", MIDDLE)
    assert parent() == "C20/one/en_a-ud1.0-test"
    assert change.notes[0].startswith("C20/one/en_a-ud1.0-test@3 gets the parent of its parent")
    plain.remove("submission", "C20/one/en_a-ud1.0-test")
    assert parent() is None


@pytest.mark.parametrize(
    ("kind", "old", "new", "back"),
    [
        pytest.param("system", "one", "zz", "one", marks=pytest.mark.long),
        pytest.param("campaign", "C20", "SR20", "C20", marks=pytest.mark.long),
        ("treebank", "en_a-ud1.0-test", "xx_new", "en_a-ud1.0-test"),
        ("submission", MIDDLE, "three@4", "one@2"),
        ("submission", "C20/two/en_b-ud1.0-test", "@2", "C20/two/en_b-ud1.0-test"),
    ],
)
def test_renaming_there_and_back_changes_nothing(
    filled: Tracker, kind: str, old: str, new: str, back: str
) -> None:
    def loaded() -> list[dict[str, object]]:
        return filled.sql(
            "SELECT * EXCLUDE revision FROM ingestion WHERE kind <> 'rename' ORDER BY ALL"
        ).to_pylist()

    before, ingestions = contents(filled.database, COMPUTED), loaded()
    seen = filled.rename(kind, old, new, dry_run=True)
    assert contents(filled.database, COMPUTED) == before
    change = filled.rename(kind, old, new)
    assert change.rows == seen.rows
    assert run_audits(filled.database) == []
    between = contents(filled.database, COMPUTED)
    assert between != before
    gone = f"'{old}" if kind != "submission" else f"'{old}'"
    assert not [table for table, rows in between.items() for row in rows if f"{gone}'" in row]
    filled.rename(kind, change.target, back)
    assert contents(filled.database, COMPUTED) == before
    assert loaded() == ingestions


def test_renamed_is_what_would_be_there_with_that_name(plain: Tracker, tmp_path: Path) -> None:
    name = {"C20": "SR9", "one": "zz"}
    new = [(name.get(c, c), name.get(s, s), *rest) for c, s, *rest in RUNS]
    with connect(None) as named:
        fill(named, tmp_path / "b", new, seeds=[id_of(item) for item in RUNS])
        plain.rename("campaign", "C20", "SR9")
        plain.rename("system", "one", "zz")
        computed, wanted = contents(plain.database, COMPUTED), contents(named.database, COMPUTED)
        computed["campaign"] = wanted["campaign"]  # its year is guessed from its id when it is made
        assert computed == wanted
        plain.rename("treebank", TREEBANKS[0], "xx_new")
        assert plain.score(metrics=METRICS).scores == 0


def test_interrupted_half_way_nothing_is_changed(
    filled: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(filled.database)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    for module in ("removing", "mending"):
        monkeypatch.setattr(f"sr_tracker.ingest.undo.{module}.record", interrupted)
    for deed in (
        lambda: filled.remove("campaign", "C20"),
        lambda: filled.rename("treebank", "en_a", "xx"),
        lambda: filled.tag("system", "one", {"a": "b"}),
    ):
        with pytest.raises(KeyboardInterrupt):
            deed()
        assert contents(filled.database) == before


def test_rule_sets_and_their_checks_go_with_their_treebank(plain: Tracker) -> None:
    settings = ExtractionSettings(minimum_share=0.1, minimum_pairs=1)
    stored = extract_rules(plain.database, TREEBANKS[1], settings)
    score_grammar(plain.database, stored.rule_set_id)
    assert plain.sql("FROM rule_set").num_rows == 1
    change = plain.remove("treebank", TREEBANKS[1])
    assert change.rows["rule_set"] == 1
    assert run_audits(plain.database) == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("remove", "system", "onne"), UnknownNameError, "one"),
        (("remove", "house", "x"), InputError, "submission, system"),
        (("remove", "submission", "one"), InputError, "@latest"),
        (("rename", "system", "one", "two"), InputError, "already"),
        (("rename", "system", "one", "o n e"), InputError, "cannot be"),
        (("rename", "system", "one", "a/b"), InputError, "cannot be"),
        (("rename", "treebank", "en_a", "x y"), InputError, "cannot be"),
        (("rename", "submission", MIDDLE, "@3"), InputError, "already"),
        (("rename", "submission", MIDDLE, "@0"), InputError, "iteration"),
        (("rename", "submission", MIDDLE, "nobody@1"), UnknownNameError, "nobody"),
        (("rename", "submission", MIDDLE, "C21/one/en_a"), InputError, "stays in its campaign"),
        (("rename", "submission", MIDDLE, ""), InputError, "cannot be"),
        (("tag", "system", "one", {" ": "b"}), InputError, "no name"),
        (("tag", "system", "one", {"a=b": "c"}), InputError, "could not write it"),
        (("tag", "submission", MIDDLE, {"=": "c"}), InputError, "could not write it"),
        (("tag", "system", "one", {"a": "b\0"}), InputError, "could not write it"),
    ],
)
def test_wrong_names_are_errors_that_say_what_to_do(
    filled: Tracker, arguments: tuple[object, ...], error: type[Exception], message: str
) -> None:
    deed, *rest = arguments
    with pytest.raises(error) as raised:
        getattr(filled, str(deed))(*rest)
    assert message in str(raised.value)


@pytest.mark.parametrize("tags", [{" ": "b"}, {"a=b": "c"}, {"a": "b\0"}, {"a": "\ud800"}])
def test_outputs_come_with_no_tag_that_a_command_could_not_write(
    filled: Tracker, tags: dict[str, str]
) -> None:
    before = contents(filled.database, COMPUTED)
    with pytest.raises(InputError, match="tag"):
        filled.submit([], system="new", treebank="en_a", tags=tags, log=False)
    assert contents(filled.database, COMPUTED) == before


def test_tags_and_notes_are_kept_shown_and_removed(filled: Tracker) -> None:
    before = contents(filled.database, COMPUTED)
    for kind, name in (("submission", "one@latest"), ("system", "one"), ("treebank", "en_a")):
        filled.tag(kind, name, {"best": "yes", "colour": "red"})
        filled.note(kind, name, "look at 's1'")
        target = undo.resolve(filled.database, kind, name)
        wanted = {"best": "yes", "colour": "red", "note": "look at 's1'"}
        assert undo.tags_of(filled.database, kind, target) == wanted
        assert filled.tag(kind, name, {"best": "yes"}).rows == {}
        with pytest.raises(UnknownNameError, match="bset"):
            filled.tag(kind, name, without=["bset"])
        filled.tag(kind, name, without=["best", "colour"])
        filled.note(kind, name, "")
    assert contents(filled.database, COMPUTED) == before
    assert run_audits(filled.database) == []


def test_the_commands_show_ask_and_change(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shutil.copy(files / "plain.duckdb", tmp_path)

    def tracked(*arguments: str) -> tuple[int, str, str]:
        done = run(monkeypatch, "--database", str(file), *arguments)
        return done.code, done.stdout.decode(), done.stderr.decode()

    code, shown, _ = tracked(
        "keep", "remove", "submission", "one@2", "--dry-run", "--format", "csv"
    )
    assert (code, shown.splitlines()[1]) == (0, "submission,1")
    code, _, message = tracked("keep", "remove", "submission", "one@2")
    assert (code, "add --yes" in message) == (2, True)
    assert tracked("keep", "remove", "submission", "one@2", "--yes")[0] == 0
    assert tracked("keep", "rename", "system", "one", "ours", "-y")[0] == 0
    assert tracked("keep", "tag", "submission", "ours@latest", "best-so-far=yes")[0] == 0
    assert tracked("keep", "tag", "submission", "ours@latest", "best-so-far")[0] == 2
    noted = tracked("keep", "note", "campaign", "C20", "a 'first' try")
    assert (noted[0], noted[2]) == (0, "noted: campaign C20\n")
    assert tracked("check")[0] == 0
    with connect(file, read_only=True) as tracker, tracker.reading():
        rows = tracker.sql(
            "SELECT submission_id, tags FROM submission WHERE system_id = 'ours' ORDER BY ALL"
        ).to_pylist()
        assert [row["submission_id"] for row in rows] == [
            *("C20/ours/en_a-ud1.0-test", "C20/ours/en_a-ud1.0-test@3")
        ]
        assert rows[1]["tags"] == '{"best-so-far": "yes"}'
        assert tracker.sql("SELECT value FROM tag").to_pylist() == [{"value": "a 'first' try"}]


def test_what_tables_declare_to_refer_to_is_found_by_the_names_of_columns(filled: Tracker) -> None:
    declared = {
        (name, column, target)
        for name, table in tables().items()
        for column, target in table.refers.items()
        if target in KINDS
    }
    computed = {(link.table, link.column, link.kind) for link in links()}
    assert len(declared) > 30
    assert {item for item in declared if item[1] != "target"} <= computed
    assert {table for table, column, _ in declared if column == "target"} <= {*TARGETS}
