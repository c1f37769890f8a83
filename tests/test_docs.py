"""The docs: their blocks of code run on a stage of the sample, or parse where they cannot run."""

from __future__ import annotations

import gzip
import pkgutil
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import sr_tracker
from sr_tracker.queries.meaning.matching import MeaningSettings
from sr_tracker.schema.errors import UnknownNameError
from tests import blocks
from tests.blocks import Block, Reader
from tests.check_site import loaded_from_elsewhere
from tests.conftest import SAMPLE, Once

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ("commands.md", "views.md", "tables.md")
PAGES = [
    ROOT / "README.md",
    *sorted(p for p in (ROOT / "docs").glob("*.md") if p.name not in GENERATED),
]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
"""Its recipes are cooked by test_contributing.py."""
LATER = ("long", "shared data")
"""Marks of blocks that the long form runs."""
OUTPUTS = SAMPLE / "SAMPLE25" / "submissions" / "ngram" / "en_sample-3.txt"
NAMES = {"outputs": re.findall("# text = (.*)", OUTPUTS.read_text(encoding="utf-8")), "epoch": 1}
"""What Python blocks take for given: the reader's own."""
EMPTY = ("tutorial.md",)
"""Pages that begin without a database."""
LOGS = Path(__file__).parent / "tracker" / "logs" / "lm_eval"
EWT = ("en_ewt-ud2.3-dev", "en_ewt-ud2.3-test", "en_ewt-ud2.15-dev", "en_partut-ud2.3-test")
"""Names of test sets that the docs use; here they are the sample's English one."""
TRAINING = ("en_ewt-ud2.3-train", "en_partut-ud2.3-train")
ITEMS = """sent_id,phenomenon,kind,pattern
en-test-001,negation,lacks,not
en-test-002,negation,lacks,never
"""
PAIRS = """source,good-translation,incorrect-translation,reference,phenomena,langpair
Ein Hund.,A dog.,A cat.,One dog.,addition,de-en
"""


@pytest.fixture(scope="module")
def stage(once: Once, sample_file: Path) -> Path:
    """A folder with what readers of the docs have: a database, and the files that blocks name.

    Everything comes from the sample. Names of real treebanks and systems stand for its own.
    """
    return once("stage", lambda folder: set_stage(folder, sample_file))


def set_stage(folder: Path, sample_file: Path) -> None:
    """Make the stage: files first, then what is in the database."""
    shutil.copytree(SAMPLE, folder)
    shutil.copy(sample_file, folder / "campaign.duckdb")
    test, train = (
        SAMPLE / "treebanks" / f"en_sample-ud-{part}.conllu" for part in ("test", "train")
    )
    runs = SAMPLE / "SAMPLE25" / "submissions" / "ngram"
    graphs = SAMPLE / "SAMPLE26"
    stands_for = {
        runs / "en_sample-1.txt": ("seed3.txt",),
        SAMPLE / "SAMPLE24" / "submissions" / "ngram" / "en_sample-1.txt": ("first.txt",),
        runs / "en_sample-2.txt": ("outputs.txt", "ours.txt", "seed1.txt"),
        runs / "en_sample-3.txt": ("better.txt", "seed2.txt"),
        test: (
            *("en_ewt-ud-dev.conllu", "en_ewt-ud-test.conllu"),
            *("en_partut-ud-test.conllu", "more.conllu"),
        ),
        SAMPLE / "treebanks" / "de_sample-ud-test.conllu": ("fr_partut-ud-test.conllu",),
        train: ("corpus.txt", "train.txt"),
        SAMPLE / "SAMPLE25" / "human" / "judgements.csv": ("raw.csv",),
        graphs / "gold.amr": ("lpp-test.txt", "lpp-dev.txt"),
        graphs / "submissions" / "literal.txt": ("texts.txt",),
        graphs / "parses" / "attentive" / "literal.amr": ("parses.amr", "parsed.amr"),
        graphs / "parses" / "attentive" / "references.amr": ("references.amr",),
    }
    for source, names in stands_for.items():
        for name in names:
            shutil.copy(source, folder / name)
    for name in ("en_ewt-ud-dev.conllu", "train.txt"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    sent = folder / "sent" / "Team"
    sent.mkdir(parents=True)
    shutil.copytree(LOGS, folder, dirs_exist_ok=True)
    shared_task_text = re.findall(r"^# (?:sent_id|text) = .*\n", test.read_text("utf-8"), re.M)
    (folder / "references.txt").write_text("".join(shared_task_text), encoding="utf-8")
    texts = NAMES["outputs"]
    numbered = (f"#sent_id = {number}\n#text = {text}\n" for number, text in enumerate(texts, 1))
    (folder / "en_partut.txt").write_text("\n".join(numbered), encoding="utf-8")
    shutil.copy(folder / "en_partut.txt", sent)
    (folder / "items.csv").write_text(ITEMS)
    (folder / "aces.tsv").write_text(PAIRS.replace(",", "\t"))
    with sr_tracker.connect(folder / "campaign.duckdb") as db, db.writing():
        for year in (25, 26):
            db.ingest_campaign(SAMPLE / f"SAMPLE{year}" / "campaign.toml")
        for treebank in (*EWT, "newstest"):
            db.ingest_treebank(test, treebank=treebank, language="en")
        for treebank in TRAINING:
            db.ingest_treebank(train, treebank=treebank, language="en")
        for run in (1, 2, 3):
            db.ingest_submission(
                runs / f"en_sample-{run}.txt", system="ours", treebank=EWT[0], iteration=run
            )
        for treebank in EWT[1:4:2]:
            for run, system in enumerate(("ADAPT", "DipInfo"), 1):
                db.ingest_submission(
                    runs / f"en_sample-{run}.txt", system=system, treebank=treebank, campaign="SR19"
                )
        db.score()
        db.form.score("ngram", train_on="en_sample-ud1.0-train", campaign="SAMPLE26")
        for parser in ("attentive/1.0", "hasty/1.0"):
            db.meaning.score(MeaningSettings(parser), campaign="SAMPLE26")
        db.human()
        for campaign in ("SAMPLE25", "SR19", "local"):
            db.analyse(campaign=campaign)


@pytest.fixture
def reader(
    request: pytest.FixtureRequest, stage: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Reader]:
    """Somebody with a copy of the stage, whose terminal is wide."""
    empty = "page" in request.fixturenames and request.getfixturevalue("page").name in EMPTY
    if not empty:
        shutil.copytree(stage, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    with sr_tracker.connect(tmp_path / "campaign.duckdb", create=empty) as db:
        yield Reader(monkeypatch, {**NAMES, "db": db})


def quick_or_long(page: Path) -> Any:
    """Return a page as a parameter; one that takes more than a few seconds is for the long form."""
    marks = [pytest.mark.long] if page.name in EMPTY else []
    return pytest.param(page, id=page.name, marks=marks)


def run_page(page: Path, reader: Reader, data: Path | None = None) -> None:
    """Run a page's blocks in order; with real data those of the long form, too."""
    computed = blocks.blocks(page.read_text(encoding="utf-8"))
    for block in computed:
        if block.mark == "file":
            Path(block.detail).write_text(block.text, encoding="utf-8")
        if block.mark == "shared data" and data:
            link(block.detail, data)
    for block in computed:
        if block.mark == "not run" or (block.mark in LATER and data is None):
            continue
        try:
            reader.run(block)
        except Exception as error:
            raise AssertionError(f"{page.name}:{block.line}: {error}") from error


def link(names: str, data: Path) -> None:
    """Put folders of real data, or all that is in one, where blocks look for them."""
    for name in names.split(", "):
        for path in data.glob(name):
            place = Path(path.name)
            if not place.exists():
                place.symlink_to(path)


@pytest.mark.parametrize("page", [quick_or_long(page) for page in PAGES])
def test_blocks_run(page: Path, reader: Reader) -> None:
    run_page(page, reader)


@pytest.mark.long
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if re.search(f"<!-- ({'|'.join(LATER)}):", page.read_text())],
    ids=lambda page: page.name,
)
def test_blocks_run_on_real_data(page: Path, reader: Reader, shared_data: Path) -> None:
    run_page(page, reader, shared_data)


@pytest.mark.parametrize("page", [*PAGES, CONTRIBUTING], ids=lambda page: page.name)
def test_blocks_parse(page: Path, any_file: None) -> None:
    """Those that run too: an option that is taken today may be one that is refused tomorrow."""
    text = page.read_text(encoding="utf-8")
    computed = blocks.blocks(text)
    assert text.count("```") == 2 * len(computed), "a block is not seen"
    for block in computed:
        entries = (
            f"{page.name}:{block.line}: say the block's language: sh, console, text (not run) …"
        )
        assert block.language in blocks.LANGUAGES, entries
        assert block.mark is None or block.mark in blocks.MARKS, f"{page.name}:{block.line}"
        try:
            with suppress(click.exceptions.Exit):  # of an option that lists something
                blocks.parse(block)
        except (click.ClickException, UnknownNameError, SyntaxError, ValueError) as error:
            pytest.fail(f"{page.name}:{block.line}: {error}")


@pytest.fixture
def any_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are named in docs are the reader's."""
    monkeypatch.setattr(
        click.Path, "convert", lambda self, value, *_: self.coerce_path_result(value)
    )


def test_a_wrong_block_is_found(reader: Reader, any_file: None) -> None:
    for wrong in ("tracker show leaderboard --colour", "tracker shwo", "tracker gate"):
        with pytest.raises((click.ClickException, UnknownNameError)):
            blocks.parse(Block(1, "sh", wrong))
    shown = "$ tracker show leaderboard --system ours --columns iteration\n 9"
    with pytest.raises(AssertionError, match="did not write"):
        reader.run(Block(1, "console", shown))
    with pytest.raises(AssertionError, match="ended with code 1"):
        reader.run(Block(1, "sh", "false"))


def test_each_page_has_its_place() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert pages == set(re.findall(r"^\| \[[^\]]+\]\(([^)]+)\)", index, re.MULTILINE))


NAMED = re.compile(
    r"`(?:sr_tracker\.)?(?P<object>(?:schema|ingest|queries|tracker)(?:\.\w+)+)`"
    r"|`(?P<file>(?:schema|ingest|queries|tracker|tests)/[\w./-]+)`"
)


def test_what_pages_name_is_there() -> None:
    missing = []
    for page in [*PAGES, SAMPLE / "README.md", *(ROOT / "tests").rglob("*.md")]:
        for named in NAMED.finditer(page.read_text(encoding="utf-8")):
            try:
                if named["file"]:
                    next(ROOT.glob(named["file"].replace("THEME", "*").rstrip("/")))
                else:
                    pkgutil.resolve_name(f"sr_tracker.{named['object']}")
            except (AttributeError, ImportError, StopIteration):
                missing.append(f"{page.name}: {named[0]}")
    assert not missing


def test_what_a_page_would_load_is_found(tmp_path: Path) -> None:
    (tmp_path / "fine.html").write_text('<a href="https://example.org"><script src="a.js">')
    assert loaded_from_elsewhere(tmp_path) == []
    (tmp_path / "bad.html").write_text('<script src="//example.org/a.js">')
    assert len(loaded_from_elsewhere(tmp_path)) == 1


def workflow(path: str) -> dict[str, Any]:
    """Return the jobs of a workflow."""
    jobs: dict[str, Any] = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))["jobs"]
    return jobs


def lines_of(jobs: dict[str, Any]) -> list[str]:
    """Return the lines that the steps of jobs run."""
    steps = [step for job in jobs.values() for step in job["steps"]]
    return [line for step in steps for line in step.get("run", "").splitlines()]


def test_workflows_use_targets_that_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    used = lines_of(workflow(".github/workflows/ci.yml"))
    made = {target for line in used if line.startswith("make ") for target in line.split()[1:]}
    assert made >= {"docs", "imports", "lint", "lowest", "package", "release", "test", "types"}
    assert made <= targets | {".venv/.ready"}


@pytest.mark.parametrize("path", [".github/workflows/ci.yml", "docs/gate-workflow.yml"])
def test_workflows_are_ones_that_a_host_takes(path: str) -> None:
    """What its linter would say: jobs that are waited for exist, and so does what is filled in."""
    text = (ROOT / path).read_text(encoding="utf-8")
    jobs = workflow(path)
    for job in jobs.values():
        assert {*job.get("needs", [])} <= jobs.keys()
        assert job["runs-on"] == "ubuntu-latest"
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            used = step.get("uses", "actions/x@v1")
            assert re.fullmatch(r"actions/[\w-]+@(v\d+|\w{40})|OWNER/sr-tracker@COMMIT", used)
        entries = {f"matrix.{name}" for name in job.get("strategy", {}).get("matrix", {})}
        filled = re.findall(r"\$\{\{ (matrix\.\w+)", yaml.safe_dump(job))
        assert {*filled} <= entries
    for filled in re.findall(r"\$\{\{ (.+?) \}\}", text):
        assert re.match(r"github\.|matrix\.|steps\.|always\(|hashFiles\(", filled), filled
    for named in re.findall(r"hashFiles\(([^)]*)\)", text):
        for name in re.findall(r"'([^']+)'", named):
            assert (ROOT / name).exists(), name


def test_the_container_file_copies_what_is_there() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    for name in names:
        assert (ROOT / name).exists(), name
    needed = re.findall(
        r'^    "([^"/]+)(?:/[^"]*)?": ', (ROOT / "hatch_build.py").read_text(), re.M
    )
    assert {*needed, "pyproject.toml", "hatch_build.py", "README.md", "LICENSE"} <= names
    stages = text.split("\nFROM ")
    user = re.findall(r"^USER (\S+)$", stages[-1], re.MULTILINE)
    assert user == ["tracker"]
    assert 'ENTRYPOINT ["tracker"]' in stages[-1]
