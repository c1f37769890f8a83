"""Reading campaign.toml: files, placeholders and values, and what is wrong on which line."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.ingest.campaigns.manifest import Manifest, read_manifest
from sr_tracker.schema.errors import InputError, TrackerError


def manifest(folder: Path, content: str, *files: str) -> Path:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    path = folder / "campaign.toml"
    path.write_text('[campaign]\nid = "C19"\n\n' + content)
    return path


def entries_of(read: Manifest) -> dict[str, dict[str, Any]]:
    folder = read.path.parent
    return {
        os.path.relpath(entry.path, folder): {k: v for k, v in entry.values.items() if k != "path"}
        for entry in read.submissions
    }


def submissions(path: str, rest: str = "") -> str:
    return f"[[submissions]]\npath = '{path}'\n{rest}\n"


def test_everything_a_manifest_may_say(tmp_path: Path) -> None:
    content = """
name = "Campaign"
year = 2019
description = "d"
[[treebanks]]
path = "t.conllu"
id = "x"
version = 2.3
without = ["orphan"]
[[systems]]
id = "A"
kind = "baseline"
[[submissions]]
path = "o.txt"
system = "A"
treebank = "x"
iteration = 2
created_at = 2019-10-13
params = {rate = 0.1, nested = {deep = true}}
tags = {a = "b"}
accept_mismatch = true
[[human_scores]]
path = "h.csv"
columns = {z_score = "z"}
"""
    read = read_manifest(manifest(tmp_path, content, "t.conllu", "o.txt", "h.csv"))
    assert read.campaign == {"id": "C19", "name": "Campaign", "year": 2019, "description": "d"}
    assert read.systems == [{"id": "A", "kind": "baseline"}]
    assert [entry.path for entry in read.treebanks] == [tmp_path / "t.conllu"]
    assert read.treebanks[0].values["version"] == "2.3"
    assert read.treebanks[0].values["without"] == ["orphan"]
    values = read.submissions[0].values
    assert values["created_at"] == datetime(2019, 10, 13, tzinfo=UTC)
    assert values["params"] == {"rate": 0.1, "nested": {"deep": True}}
    assert values["iteration"] == 2
    assert read.human_scores[0].values["columns"] == {"z_score": "z"}
    assert read.submissions[0].where == f"{tmp_path / 'campaign.toml'}:16"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("runs/{system}/{treebank}.txt", {"runs/A/en_x.txt": ("A", "en_x", None)}),
        ("./runs/{system}/{treebank}.txt", {"runs/A/en_x.txt": ("A", "en_x", None)}),
        ("runs//{system}/en_x.txt", {"runs/A/en_x.txt": ("A", None, None)}),
        ("{system}_{treebank}.txt", {"B_fr_y.txt": ("B", "fr_y", None)}),
        ("{system}-{iteration}.out", {"B-2.out": ("B", None, 2), "B-10.out": ("B", None, 10)}),
        ("*-?.out", {"B-2.out": (None, None, None), "B-x.out": (None, None, None)}),
        ("twice/{system}/{system}.txt", {"twice/A/A.txt": ("A", None, None)}),
        ("**/{treebank}.txt", None),
        ("odd/[{system}].txt", {"odd/[A].txt": ("A", None, None)}),
        ("runs/../B_fr_y.txt", {"B_fr_y.txt": (None, None, None)}),
    ],
)
def test_globs_and_placeholders(
    tmp_path: Path, pattern: str, expected: dict[str, tuple[Any, ...]] | None
) -> None:
    files = ["runs/A/en_x.txt", "runs/A/deeper/en_x.txt", "B_fr_y.txt", "B-2.out", "B-10.out"]
    files += ["B-x.out", "twice/A/A.txt", "twice/A/B.txt", "odd/[A].txt", "odd/A.txt"]
    read = read_manifest(manifest(tmp_path, submissions(pattern), *files))
    names = entries_of(read)
    if expected is None:
        assert set(names) == {name for name in files if name.endswith(".txt")}
        return
    places = ("system", "treebank", "iteration")
    assert {f: tuple(v.get(p) for p in places) for f, v in names.items()} == expected


def test_a_system_may_name_its_family(tmp_path: Path) -> None:
    content = '[[systems]]\nid = "A20"\nfamily = "A"\n[[systems]]\nid = "B"\nfamily = 7\n'
    read = read_manifest(manifest(tmp_path, content))
    assert read.systems == [{"id": "A20", "family": "A"}, {"id": "B", "family": "7"}]
    with pytest.raises(InputError, match="family"):
        read_manifest(manifest(tmp_path, '[[systems]]\nid = "A20"\nfamily = ["A", "B"]\n'))


def test_paths_above_and_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "campaign"
    folder.mkdir()
    content = submissions("../out/{system}.txt") + submissions(f"{tmp_path}/out/{{team}}.txt")
    path = manifest(folder, content, "../out/A.txt")
    for given_path in (path, Path("campaign.toml")):
        monkeypatch.chdir(folder)
        read = read_manifest(given_path)
        assert [entry.values.get("system") for entry in read.submissions] == ["A", None]
        assert [entry.values.get("team") for entry in read.submissions] == [None, "A"]
        assert all(entry.path.samefile(tmp_path / "out/A.txt") for entry in read.submissions)


def test_the_entry_outweighs_the_placeholder(tmp_path: Path) -> None:
    content = submissions("{system}.txt", 'system = "mine"\niteration = 3')
    values = read_manifest(manifest(tmp_path, content, "A.txt")).submissions[0].values
    assert (values["system"], values["iteration"]) == ("mine", 3)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2019-10-13", datetime(2019, 10, 13, tzinfo=UTC)),
        ("2019-10-13T11:27:00", datetime(2019, 10, 13, 11, 27, tzinfo=UTC)),
        ("2019-10-13 11:27:00Z", datetime(2019, 10, 13, 11, 27, tzinfo=UTC)),
        (
            "2019-10-13T11:27:00+02:00",
            datetime(2019, 10, 13, 11, 27, tzinfo=timezone(timedelta(hours=2))),
        ),
        ('"2019-10-13"', datetime(2019, 10, 13, tzinfo=UTC)),
        ('"2019-10-13 11:27"', datetime(2019, 10, 13, 11, 27, tzinfo=UTC)),
    ],
)
def test_dates(tmp_path: Path, written: str, expected: datetime) -> None:
    content = submissions("a.txt", f"created_at = {written}")
    read = read_manifest(manifest(tmp_path, content, "a.txt"))
    assert read.submissions[0].values["created_at"] == expected


SUBMISSION = "[[submissions]]\npath = 'a.txt'\n"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("x = 'open\n", 4, "not TOML"),
        ("a = " + "[" * 5000 + "\n", None, "not TOML"),
        ("[[submission]]\npath = 'a.txt'\n", 4, "no section 'submission'"),
        ("colour = 1\n", 1, r"\[campaign\] has no key 'colour'"),
        ("year = '2019'\n", 1, "year = '2019' cannot be"),
        ("year = 0x" + "f" * 5000 + "\n", 1, "year = a huge number cannot be"),
        ("name = " + "9" * 30 + "\n", 1, "name = 9{30} cannot be"),
        ("year = " + "9" * 5000 + "\n", None, "a number is too long"),
        ("\n" * 100_000 + "[other]\n", 100_004, "no section 'other'"),
        ("year = true\n", 1, "year = True cannot be"),
        ("[[systems]]\nteam = 'A'\n", 4, "lacks the key 'id'"),
        (SUBMISSION.replace("a.txt", "**x"), 4, "names no file"),
        (SUBMISSION.replace("a.txt", ""), 4, "names no file"),
        (SUBMISSION.replace("a.txt", "a" * 300), 4, "names no file"),
        (SUBMISSION.replace("a.txt", "*/" * 3000), 4, "names no file"),
        (SUBMISSION.replace("a.txt", "/"), 4, "names no file"),
        (SUBMISSION.replace("a.txt", "."), 4, "names no file"),
        (SUBMISSION.replace("'a.txt'", '"a\\u0000"'), 4, "names no file"),
        (SUBMISSION.replace("'a.txt'", "['a.txt']"), 4, "path = .* cannot be"),
        (SUBMISSION + "iteration = 99999999999\n", 4, "iteration = .* cannot be"),
        (SUBMISSION + "created_at = 11:27:00\n", 4, "created_at = .* cannot be"),
        (SUBMISSION + "created_at = 2019\n", 4, "created_at = 2019 cannot be"),
        (SUBMISSION + f"created_at = {[1] * 5000}\n", 4, "created_at = .{80}… cannot be"),
        (SUBMISSION + "params = 'x'\n", 4, "params = 'x' cannot be"),
        (SUBMISSION + "params = {beam = [1, nan]}\n", 4, "params = .* cannot be"),
        (SUBMISSION + "accept_mismatch = 1\n", 4, "accept_mismatch = 1 cannot be"),
        ("[[treebanks]]\npath = 'a.txt'\nwithout = 'orphan'\n", 4, "without = 'orphan' cannot"),
        ("[[human_scores]]\npath = 'a.txt'\ncolumns = {a = 1}\n", 4, "columns = .* cannot be"),
    ],
)
def test_what_is_wrong_and_on_which_line(
    tmp_path: Path, content: str, line: int | None, message: str
) -> None:
    path = manifest(tmp_path, content, "a.txt")
    with pytest.raises(InputError, match=message) as error:
        read_manifest(path)
    if line is not None:
        assert error.value.where == f"{path}:{line}"
    assert error.value.hint


def test_a_manifest_without_campaign(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    for content in ("", "campaign = 'x'\n", "[[systems]]\nid = 'A'\n"):
        path.write_text(content)
        with pytest.raises(InputError, match=r"section \[campaign\] is missing"):
            read_manifest(path)
    path.write_text("[campaign]\nname = 'x'\n")
    with pytest.raises(InputError, match="lacks the key 'id'"):
        read_manifest(path)
    with pytest.raises(InputError, match="does not exist"):
        read_manifest(tmp_path / "nothing.toml")


PIECES = st.sampled_from(
    [
        *("[campaign]\n", "[[submissions]]\n", "[[treebanks]]\n", "[[human_scores]]\n", "[", "]"),
        *("id", "path", "iteration", "created_at", "params", " = ", "'a.txt'", "1", "2019-01-01"),
        *("\n", "{}", "'{system}.txt'", "true", '"\\u0000"', "x", "'../*'", "'**/a'"),
    ]
)


@settings(max_examples=300)
@given(content=st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=14).map("".join)))
def test_any_text_is_a_manifest_or_a_tracker_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.txt").write_text("")
    path = tmp_path / "campaign.toml"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    try:
        read_manifest(path)
    except TrackerError as error:
        assert (error.where or "").startswith(str(path))  # noqa: PT017
