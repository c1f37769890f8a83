"""The interface in Python does what commands do; its examples run, its results are small."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import sr_tracker
from sr_tracker.schema.brief import Brief
from sr_tracker.schema.errors import InputError, TrackerError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.cli.groups import FORMER
from tests import commands

SAMPLE = files("sr_tracker.tracker").joinpath("demo", "sample")
NAMESPACES = ("grammar", "gec", "meaning", "form", "parsers", "score_with")
TREEBANK = "en_sample-ud1.0-test"
ELSEWHERE = {
    "why correlate": "correlate",
    "share token": "token",
    "form ingest": "ingest_probabilities",
    "grammar import": "grammar.import_",
    **{
        f"score-with {item}": f"score_with.{item}"
        for item in ("bertscore", "meteor", "comet", "judge")
    },
    "lake maintain": "maintain",
    "lake upgrade": "upgrade",
    "mf": "meaning.mf",
    "explain": "meaning.explain",
    "smatch": "meaning.smatch",
    "noise": "parsers.add_noise",
    "train-parser": "parsers.train_udpipe",
    "evaluate-parser": "parsers.evaluate",
}
"""Commands whose method is called otherwise."""
WITHOUT = {
    "demo": "makes a folder with a database of its own",
    "serve": "serves pages until it is ended",
}
LONGEST = 1000
"""Characters of a result, printed."""


def method_of(command: str) -> str:
    """The method of a command: it is called as the command is, but for groups by purpose."""
    for name, now in FORMER.items():
        if command == now or command.startswith(f"{now} "):
            command = name + command.removeprefix(now)
    group, _, name = command.partition(" ")
    if command in ELSEWHERE:
        return ELSEWHERE[command]
    joined = f"{group}.{name}" if group in NAMESPACES else f"{group} {name}".strip()
    return joined.replace(" ", "_").replace("-", "_")


@pytest.fixture(scope="module")
def db() -> Iterator[Tracker]:
    """A database in memory with a year of the sample campaign, scored by two metrics."""
    with connect(None) as tracker:
        tracker.ingest_campaign(str(SAMPLE.joinpath("SAMPLE23", "campaign.toml")))
        tracker.score(metrics=["bleu", "dea"])
        yield tracker


def methods(owner: object) -> dict[str, Any]:
    return {
        name: getattr(owner, name)
        for name in dir(owner)
        if not name.startswith("_") and inspect.ismethod(getattr(owner, name))
    }


@pytest.mark.parametrize("command", sorted({name for name, _ in commands.every()} - {*WITHOUT}))
def test_every_command_has_a_method(db: Tracker, command: str) -> None:
    method = attrgetter(method_of(command))(db)
    assert callable(method)
    assert method.__doc__


@pytest.mark.parametrize("owner", ["", *NAMESPACES])
def test_methods_say_what_they_take(db: Tracker, owner: str) -> None:
    for name, method in methods(getattr(db, owner) if owner else db).items():
        assert method.__doc__, name
        for parameter in inspect.signature(method).parameters.values():
            assert parameter.annotation is not inspect.Parameter.empty, name
            if parameter.kind is parameter.VAR_KEYWORD and parameter.name != "fields":
                assert str(parameter.annotation).startswith("Unpack["), name


def test_results_are_small_to_print_whatever_they_hold(db: Tracker) -> None:
    new, base = db.select(treebank="en_sample")
    results = [
        db.compare(new, base, replicates=100),
        db.history("random", treebank="en_sample", tests="none"),
        db.examples(new, "(nsubj)"),
        db.years(),
        db.gate(new, base, max_drop={"bleu": 5}),
        db.remove("campaign", "SAMPLE23", dry_run=True),
        db.prune(dry_run=True),
    ]
    for result in results:
        assert isinstance(result, Brief)
        assert len(repr(result)) <= LONGEST, type(result)
        assert "\n" not in repr(result)
        assert repr(result).startswith(f"{type(result).__name__}(")


def test_dir_tells_what_is_there(db: Tracker) -> None:
    assert {"Tracker", "TrackerError", "connect", "progress_bar"} == {*dir(sr_tracker)}
    public = {name for name in dir(db) if not name.startswith("_")}
    assert public >= {*NAMESPACES, "compare", "remove", "show"}
    assert all(getattr(db, name) is not None for name in public)


def test_a_filter_that_there_is_not_is_told() -> None:
    with connect(None) as tracker, pytest.raises(TypeError, match="not chosen by treebanks"):
        tracker.select(treebanks="en_sample")  # type: ignore[call-arg]


WRONG: dict[str, Callable[[Tracker, Path], object]] = {
    "there is no submission '3'": lambda db, _: db.compare(db.select()[0], 3),  # type: ignore[arg-type]
    "there is no treebank '7'": lambda db, _: db.drift(TREEBANK, 7),  # type: ignore[arg-type]
    "cannot be resampled 0 times": lambda db, _: db.compare(*db.select()[:2], replicates=0),
    "there is no track 'flat'": lambda db, path: db.task_make([TREEBANK], path, track="flat"),
    "-1 is no seed": lambda db, path: db.task_make([TREEBANK], path, seed=-1),
    "-1 is no weight": lambda db, _: db.meaning.mf([-1]),
    "there is no rule set '5'": lambda db, _: db.grammar.export(5),  # type: ignore[arg-type]
    "7 names no file": lambda db, path: db.task_make(7, path),  # type: ignore[arg-type]
    "a NUL character": lambda db, _: db.ingest_references("a\0.txt", treebank="t"),
    "cannot make the folder": lambda db, _: db.form.train(TREEBANK, folder=__file__),
}


@pytest.mark.parametrize("message", WRONG)
def test_values_that_cannot_be_are_told(db: Tracker, tmp_path: Path, message: str) -> None:
    """As on the command line, where the parser of options refuses some of them before."""
    with pytest.raises(TrackerError, match=message):
        WRONG[message](db, tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_one_file_is_several_too(db: Tracker, tmp_path: Path) -> None:
    one, _ = db.task_make(TREEBANK, tmp_path / "one")
    several, _ = db.task_make([TREEBANK], tmp_path / "several")
    assert len(one.treebanks) == len(several.treebanks) == 1


def test_paths_may_be_text(db: Tracker, tmp_path: Path) -> None:
    db.baseline(TREEBANK, names=["random"], folder=str(tmp_path / "outputs"), replace=True)
    assert [file.suffix for file in (tmp_path / "outputs").rglob("*") if file.is_file()] == [".txt"]
    with pytest.raises(InputError, match="the folder exists"):
        db.parsers.train_stanza(["a.conllu"], str(tmp_path), dev="b.conllu", language="en")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("upos", "'upos' is no Settings and no mapping"),
        ({"label": ["upos"]}, "Settings has no field 'label'"),
    ],
)
def test_settings_are_objects_or_mappings_of_their_fields(
    db: Tracker, settings: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        db.analyse(settings)
    assert "labels" in str(caught.value.hint)
    with pytest.raises(InputError, match="PowerSettings lacks the field 'difference'"):
        db.plan_power({})
