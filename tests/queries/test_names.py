"""Names on the command line: each one resolves in the same way, or is refused with the nearest.

The commands and their options are found by walking the command line, so that a new one fails here
until it is said what its names stand for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from sr_tracker.schema.errors import QueryError, TrackerError, UnknownNameError
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.cli import cli
from tests import commands

TREEBANK, FRENCH, SHORT = "en_one-ud1.0-test", "fr_two-ud1.0-test", "en_one"
SUBMISSION, LATER = f"C20/random/{TREEBANK}", f"C20/random/{TREEBANK}@3"


@dataclass(frozen=True)
class Kind:
    """What a name may stand for: one that is there, as one writes it, and its other names."""

    right: str
    short: str | None = None
    wrong: str | None = None


NAMED = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
KINDS = {name: Kind(**words) for name, words in NAMED["kinds"].items()}
OPTIONS = {option: kind for kind, options in NAMED["options"].items() for option in options}
"""What the name is of, by option or argument."""
SPECIAL = {
    **{f"keep {deed} name": "submission" for deed in ("remove", "rename", "tag", "note")},
    "ingest baseline --name": "baseline",
    "keep choose metric": "metric with settings",
    "share promote --metric": "measure",
    "grammar correlate --metric": "measure",
    "why correlate --against": "measure",
    "examples --over": "sentence label with value",
}
NEW = {*NAMED["new"]["names"]}
"""What names nothing that is there, by option or by command and option."""
FILE = "@file"
BASES = NAMED["bases"]
"""What else each command is given: options, and arguments in their order; @ is a file."""


READING = ("show", "examples", "meaning explain", "share export", "history", "keep prune")
"""Commands that are quick: the others take right names in the long form only."""


def label(parameter: click.Parameter) -> str:
    long = [name for name in parameter.opts if name.startswith("--")]
    return long[0] if long else str(parameter.name)


def texts() -> Iterator[tuple[str, str]]:
    """Every option and argument that is any text."""
    for command, item in commands.every():
        for parameter in item.params:
            flag = isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count)
            if isinstance(parameter.type, click.types.StringParamType) and not flag:
                yield command, label(parameter)


def kind_of(command: str, name: str) -> str | None:
    whole = f"{command} {name}"
    if whole in SPECIAL or not {whole, name} & NEW:
        return SPECIAL.get(whole) or OPTIONS[name]
    return None


NAMES = [
    text for text in texts() if not {" ".join(text), text[1]} & NEW or " ".join(text) in SPECIAL
]


def test_every_text_is_known_to_be_a_name_or_not() -> None:
    unknown = [
        f"{command} {name}"
        for command, name in NAMES
        if name not in OPTIONS and f"{command} {name}" not in SPECIAL
    ]
    assert unknown == []


@pytest.fixture(scope="module")
def folder(file_with_all_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that commands are given."""
    made = tmp_path_factory.mktemp("names")
    (made / "file").write_text("".join(f"a dog {number}\n" for number in range(16)))
    (made / "amr").write_text("# ::id s1\n(a / see-01)\n")
    (made / "m2").write_text("S a dog\nA 0 1|||R:X|||the|||REQUIRED|||-NONE-|||0\n")
    (made / "conllu").write_text(
        "1\ta\ta\tX\t_\t_\t2\tdet\t_\t_\n2\tdog\tdog\tX\t_\t_\t0\troot\t_\t_\n"
    )
    (made / "human").write_text("LP SYSTEM HUMAN\nde-en random 0.1\nde-en partial 0.2\n")
    (made / "scores.csv").write_text(
        "system,treebank,sent_id,z_score,probability,reference_probability\n"
        f"random,{TREEBANK},s1,0.5,0.1,0.1\n"
    )
    (made / "judgements.csv").write_text(
        f"annotator,hit,item,system,treebank,sent_id,criterion,score\na,h,i,random,{TREEBANK},s1,x,50\n"
    )
    (made / "challenge.csv").write_text("sent_id,phenomenon,kind,pattern\ns1,x,contains,a\n")
    (made / "labels.csv").write_text("sent_id,genre\ns1,news\n")
    (made / "unimorph").write_text("dog\tdogs\tN;PL\n")
    return made


@dataclass(frozen=True)
class Command:
    """A command with what it is given besides one name."""

    file: Path
    folder: Path
    tmp: Path
    name: str

    def run(self, parameter: str, value: str) -> Result:
        arguments = dict(BASES.get(self.name, {}))
        if self.name == "ingest graphs" and parameter in ("--references", "--system"):
            del arguments["--submission"]
        if parameter == "submissions":
            value = f"{value} C20/random/{TREEBANK}@2"
        if (self.name, parameter) == ("why plot", "--labels"):
            arguments["kind"] = "patterns"
        for twin in (f"--{parameter}", parameter.removeprefix("--")):
            arguments.pop(twin, None)  # what is an argument may be named by its flag instead
        arguments[parameter] = value
        computed = dict(commands.every())[self.name]
        order = [str(param.name) for param in computed.params if isinstance(param, click.Argument)]
        words = [str(self.file), *self.name.split()]
        for name, text in arguments.items():
            if name not in order:
                words += [name, *([self._path(text)] if text else [])]
        for name in order:
            words += self._path(arguments.get(name, "")).split(" ") if arguments.get(name) else []
        return CliRunner().invoke(cli, ["-q", "-y", "-d", *words])

    def _path(self, text: str) -> str:
        if text.startswith("ducklake:@"):
            return f"ducklake:{self.tmp / text.partition('@')[2]}"
        if not text.startswith("@"):
            return text
        there = self.folder / text[1:]
        return str(there if there.exists() else self.tmp / text[1:])


@pytest.fixture(scope="module")
def copy(file_with_all_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the small campaign, for commands that open it for writing and are refused."""
    made = tmp_path_factory.mktemp("copy") / "c.duckdb"
    made.write_bytes(file_with_all_rows.read_bytes())
    return made


FIRST_OF_KIND = {kind_of(*item): item for item in reversed(NAMES) if item[1] in OPTIONS}.values()


def also_long(names: Iterable[tuple[str, str]], short: Container[tuple[str, str]]) -> list[Any]:
    """Names as parameters, those that are not in ``short`` for the long form alone."""
    return [
        item if item in short else pytest.param(*item, marks=pytest.mark.long) for item in names
    ]


@pytest.mark.parametrize(("command", "parameter"), NAMES)
def test_a_wrong_name_is_refused_with_the_nearest(
    copy: Path, folder: Path, tmp_path: Path, command: str, parameter: str
) -> None:
    kind = KINDS[kind_of(command, parameter) or ""]
    wrong = kind.wrong or f"{kind.right[:-1]}q"
    refused(Command(copy, folder, tmp_path, command).run(parameter, wrong), kind.right)


LETTERS = [item for item in NAMES if item[1] not in ("--year", "--criterion")]
CRITERIA = [item for item in NAMES if item[1] == "--criterion"]


@pytest.mark.parametrize(("command", "parameter"), also_long(LETTERS, FIRST_OF_KIND))
def test_case_counts(
    copy: Path, folder: Path, tmp_path: Path, command: str, parameter: str
) -> None:
    right = KINDS[kind_of(command, parameter) or ""].right
    refused(Command(copy, folder, tmp_path, command).run(parameter, right.swapcase()), right)


@pytest.mark.parametrize(("command", "parameter"), also_long(CRITERIA, CRITERIA[:1]))
def test_a_criterion_is_taken_in_any_case(
    copy: Path, folder: Path, tmp_path: Path, command: str, parameter: str
) -> None:
    criterion = KINDS[kind_of(command, parameter) or ""].right
    for written in (criterion.upper(), criterion.title()):
        done = Command(copy, folder, tmp_path, command).run(parameter, written)
        assert not isinstance(done.exception, UnknownNameError), (done.output, done.exception)


def test_years_select_what_is_of_their_campaigns(file_with_all_rows: Path, tmp_path: Path) -> None:
    copy = tmp_path / "c.duckdb"
    copy.write_bytes(file_with_all_rows.read_bytes())
    with connect(copy) as tracker:
        everything = tracker.select()
        assert tracker.select(year=2020) == tracker.select(year=["2020"]) == everything
        with tracker.writing() as database:
            database.connection.execute("INSERT INTO campaign VALUES ('C21', 'C21', 2021, NULL)")
        assert tracker.select(year=[2020, 2021]) == everything
        with pytest.raises(UnknownNameError, match="no submission of year '2021'"):
            tracker.select(year=2021)
        for view in ("leaderboard", "campaign", "output", "dea_by_relation"):
            rows = tracker.show(view, year=2020).num_rows
            assert rows == tracker.show(view).num_rows - (view == "campaign") > 0
            assert tracker.show(view, year=2021).num_rows == (view == "campaign")
        with pytest.raises(UnknownNameError, match="has no column 'year'"):
            tracker.show("sentence", year=2020)


def refused(done: Result, right: str) -> None:
    """See that a name was refused, and the right one told."""
    assert isinstance(done.exception, UnknownNameError), (done.output, done.exception)
    assert done.exception.exit_code == 2
    assert right in (done.exception.hint or ""), done.exception


@pytest.mark.parametrize(
    ("command", "parameter"),
    also_long(
        [item for item in NAMES if KINDS[kind_of(*item) or ""].short],
        [item for item in NAMES if item[0] in READING],
    ),
)
def test_a_short_name_does_as_well(
    file_with_all_rows: Path, folder: Path, tmp_path: Path, command: str, parameter: str
) -> None:
    file = tmp_path / "c.duckdb"
    file.write_bytes(file_with_all_rows.read_bytes())
    (tmp_path / "folder").mkdir()
    short = KINDS[kind_of(command, parameter) or ""].short or ""
    done = Command(file, folder, tmp_path, command).run(parameter, short)
    assert not isinstance(done.exception, UnknownNameError), done.exception
    assert done.exception is None or isinstance(done.exception, TrackerError | SystemExit)


def test_columns_and_conditions_are_sql(file_with_all_rows: Path) -> None:
    with pytest.raises(QueryError, match="system_id") as raised:
        commands.run(file_with_all_rows, "show", "leaderboard", "--columns", "sistem_id")
    assert "--describe" in str(raised.value.hint)
