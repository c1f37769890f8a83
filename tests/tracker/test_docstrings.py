"""Examples in the docstrings of the interface in Python run, each on a copy of one campaign."""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from sr_tracker.tracker.api.tracker import Tracker, connect
from tests.examination.test_ingest_wmt import FILES as WMT
from tests.tracker.test_api import NAMESPACES

SAMPLE = Path(str(files("sr_tracker.tracker").joinpath("demo", "sample")))
EN_TEST = "en_sample-ud1.0-test"
SMALL = {
    "comet.csv": f"system,treebank,sent_id,score\nngram,{EN_TEST},en-test-001,0.81\n"
    f"ngram,{EN_TEST},en-test-002,0.64\n",
    "eng.tsv": "house\thouse\tN;SG\nhouse\thouses\tN;PL\n",
    "genres.csv": "sent_id,genre\nen-test-001,news\nen-test-002,news\nen-test-003,chat\n"
    "en-test-004,chat\n",
    "gpt2.csv": "system,treebank,sent_id,probability,reference_probability\n"
    + "".join(f"fluent,en_meaning,meaning-0{number},0.{number},0.5\n" for number in (1, 2)),
    "items.csv": "sent_id,phenomenon,kind,pattern\nen-test-001,articles,contains,the\n"
    "en-test-002,articles,contains,a\n",
    "learners.m2": "S Das sind schöne Haus .\n"
    "A 3 4|||R:NOUN:FORM|||Häuser|||REQUIRED|||-NONE-|||0\n",
    "mqm.tsv": "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "ngram\tnews\t1\ten-test-001\trater\t\tThe <v>dog</v>\tAccuracy\tMajor\n",
    "naturalness.csv": f"treebank,sent_id,criterion,raw_mean\n{EN_TEST},en-test-001,naturalness,4\n"
    f"{EN_TEST},en-test-002,naturalness,3.5\n",
    "answers.jsonl": '{"question": "1 + 1?", "output": "2", "reference": "2"}\n',
    "news.txt": "The dog sees a house.\nNobody knows.\n",
    "prompt.txt": "From 0 to 100, how good is: {output}\nIt should say: {reference}\n",
    "sent/ours/en_sample.txt": "The dog sees a house.\n",
}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that examples name, and three campaigns scored in one database."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
    for name, content in {**SMALL, **{f"wmt24/{name}": text for name, text in WMT.items()}}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    treebank = folder / "treebanks" / "en_sample-ud-test.conllu"
    (folder / "revised").mkdir()
    (folder / "revised" / treebank.name).write_text(
        treebank.read_text(encoding="utf-8").replace("\tobl\t", "\tobj\t", 3), encoding="utf-8"
    )
    with connect(folder / "campaign.duckdb", create=True) as db, db.writing():
        for name in ("SAMPLE23", "SAMPLE25", "SAMPLE26"):
            db.ingest_campaign(folder / name / "campaign.toml")
        db.score(metrics=["bleu", "dea"])
        db.analyse()
        db.human("SAMPLE25")
    return folder


def examples() -> Iterator[tuple[str, doctest.DocTest]]:
    """Every public method with the examples of its docstring."""
    owners = {"": Tracker, **{name: getattr(Tracker, name).fget for name in NAMESPACES}}
    for owner, kind in owners.items():
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_") and name not in ("close", "reading", "writing"):
                called = f"{owner}.{name}".lstrip(".")
                (computed,) = doctest.DocTestFinder().find(inspect.unwrap(method), called, globs={})
                yield called, computed


EXAMPLES = dict(examples())


@pytest.mark.parametrize("method", sorted(EXAMPLES))
def test_every_method_has_an_example_that_runs(
    method: str, campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = EXAMPLES[method]
    assert example.examples
    if all(item.options.get(doctest.SKIP) for item in example.examples):
        return
    shutil.copytree(campaign, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    with connect("campaign.duckdb") as db:
        example.globs = {"Path": Path, "db": db}
        assert not doctest.DocTestRunner().run(example).failed


DOTTED = re.compile(r"``((?:schema|ingest|queries|tracker)(?:\.\w+)+)")
ROOT = Path(__file__).resolve().parents[2]


def named_in_docstrings() -> Iterator[tuple[str, str]]:
    """Every module or object that a docstring names in full, and the file that does."""
    for folder in ("schema", "ingest", "queries", "tracker"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    for name in DOTTED.findall(node.value):
                        yield str(path.relative_to(ROOT)), name


def test_what_docstrings_name_is_there() -> None:
    missing = []
    for path, name in named_in_docstrings():
        try:
            pkgutil.resolve_name(f"sr_tracker.{name}")
        except (AttributeError, ImportError):
            missing.append(f"{path}: {name}")
    assert not missing
