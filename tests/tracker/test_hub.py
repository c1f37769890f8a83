"""Datasets for the Hub: read by DuckDB and YAML alone, whole or not at all."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker import hub
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests import building, commands


@pytest.fixture
def sample(sample_file: Path) -> Iterator[Tracker]:
    with connect(sample_file) as tracker:
        yield tracker


def header(folder: Path) -> dict[str, Any]:
    """What the Hub reads of a card."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    read: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    return read


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_tables_have_the_rows_of_the_views(sample: Tracker, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    written = sample.export(folder, hub=True, licence="cc-by-4.0", title="Sample")
    configs = {config["config_name"]: config for config in header(folder)["configs"]}
    assert [*configs] == [*written.tables]
    assert {"output_scores", "leaderboard", "judgement"} <= {*configs}
    assert configs["output_scores"]["default"]
    for name, config in configs.items():
        ((data,),) = [config["data_files"]]
        assert data["split"] == "test"
        shared = duckdb.read_parquet(str(folder / data["path"]))
        rows = sample.show(name).to_pylist()
        if name == "judgement":
            rows = [row for row in rows if row["submission_id"]]
        assert len(shared) == len(rows) == written.tables[name]
        columns = [column for column in shared.columns if column != "annotator_id"]
        left_out = {*sample.show(name).column_names} - {*shared.columns}
        assert all(
            column.endswith("_at") or not any(row[column] is not None for row in rows)
            for column in left_out
        )
        there = sorted(repr([row[column] for column in columns]) for row in rows)
        assert sorted(map(repr, map(list, shared.select(*columns).fetchall()))) == there


def test_the_fingerprint_is_what_the_card_says_how_to_compute(
    sample: Tracker, tmp_path: Path
) -> None:
    folder = tmp_path / "dataset"
    written = sample.export(folder, hub=True, licence="other")
    card = (folder / "README.md").read_text(encoding="utf-8")
    (query,) = re.findall("```sql\n(.*?)```", card, re.DOTALL)
    hashes = {}
    for name, count in written.tables.items():
        rows, digest = duckdb.sql(query.replace("TABLE", f"{folder}/{name}")).fetchall()[0]
        assert rows == count
        hashes[name] = digest
    lines = "".join(f"{name} {hashes[name]}\n" for name in sorted(hashes))
    assert written.fingerprint == f"sha256:{hashlib.sha256(lines.encode()).hexdigest()}"
    assert written.fingerprint in card
    citation = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["identifiers"][0]["value"] == citation["version"] == written.fingerprint
    shuffled = query.replace("TABLE/*.parquet", f"{folder}/judgement/*.parquet").replace(
        "AS entry", "AS entry ORDER BY random()"
    )
    assert duckdb.sql(shuffled).fetchall()[0][1] == hashes["judgement"]


def test_the_same_again_touches_nothing_and_other_content_replaces_it(
    sample: Tracker, tmp_path: Path
) -> None:
    folder = tmp_path / "dataset"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text("mine")
    first = sample.export(folder, hub=True, licence="other")
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*")}
    again = sample.export(folder, hub=True, licence="other")
    assert (first.changed, again.changed) == (True, False)
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*")} == before
    fewer = sample.export(folder, hub=True, licence="other", system="ngram", treebank="en_sample")
    assert fewer.changed
    assert fewer.fingerprint != first.fingerprint
    for name in ("submission_overview", "output_scores", "dea_by_relation", "leaderboard"):
        systems = duckdb.sql(f"SELECT DISTINCT system_id FROM '{folder}/{name}/*.parquet'")
        assert systems.fetchall() == [("ngram",)]
    assert header(folder)["language"] == ["en"]
    assert (folder / ".git" / "config").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["dataset"]


@pytest.mark.parametrize("error", [OSError("no room"), KeyboardInterrupt()])
def test_what_goes_wrong_leaves_the_folder_as_it_was(
    sample: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    folder = tmp_path / "dataset"
    sample.export(folder, hub=True, licence="other")
    before = contents(tmp_path)

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(hub._Card, "citation", fail)
    with pytest.raises((InputError, KeyboardInterrupt)):
        sample.export(folder, hub=True, licence="cc0-1.0")
    assert contents(tmp_path) == before


def test_many_rows_are_several_files(
    sample: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    written = sample.export(whole, hub=True, licence="other")
    monkeypatch.setattr(hub, "FILE_ROWS", 101)
    assert sample.export(cut, hub=True, licence="other").fingerprint == written.fingerprint
    files = sorted(file.name for file in (cut / "output_scores").iterdir())
    count = -(-written.tables["output_scores"] // 101)
    assert files == [f"test-{number:05}-of-{count:05}.parquet" for number in range(count)]
    for name in written.tables:
        one, several = (
            duckdb.sql(f"FROM read_parquet('{folder}/{name}/*.parquet')").fetchall()
            for folder in (whole, cut)
        )
        assert one == several


def test_annotators_are_numbers(sample: Tracker, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    sample.export(folder, hub=True, licence="other")
    query = "SELECT campaign_id, judgement_no, annotator_id"
    numbers = duckdb.sql(f"{query} FROM '{folder}/judgement/*.parquet'").fetchall()
    rows = sample.sql(f"{query} FROM judgement").to_pylist()
    ids = {(row["campaign_id"], row["judgement_no"]): row["annotator_id"] for row in rows}
    pairs = {(number, ids[campaign, judgement]) for campaign, judgement, number in numbers}
    assert all(re.fullmatch(r"annotator-\d+", number) for number, _ in pairs)
    assert (
        len(pairs) == len({number for number, _ in pairs}) == len({name for _, name in pairs}) > 1
    )


def test_licences_that_nothing_says_are_asked_for(sample_file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "c.duckdb"
    copy.write_bytes(sample_file.read_bytes())
    folder = tmp_path / "dataset"
    chosen = ("share", "export", folder, "--hub", "--treebank", "en_sample")
    assert "the licence of en_sample-ud1.0-test is not known" in commands.run(copy, *chosen).stderr
    commands.run(copy, "keep", "tag", "treebank", "en_sample", "license=cc-by-sa-4.0")
    assert "nothing says" not in commands.run(copy, *chosen).stderr
    assert "| 120 | cc-by-sa-4.0 |" in (folder / "README.md").read_text(encoding="utf-8")
    assert header(folder)["license"] == "other"


def test_a_test_set_without_a_language_has_none(tmp_path: Path) -> None:
    with connect(tmp_path / "c.duckdb", create=True) as tracker, tracker.writing():
        references = building.written(tmp_path / "references.txt", "one\ntwo\n")
        tracker.submit(["one", "three"], system="s", references=references, log=False)
        tracker.export(tmp_path / "d", hub=True, licence="mit")
    assert "language" not in header(tmp_path / "d")
    assert "| unknown | 2 | unknown |" in (tmp_path / "d" / "README.md").read_text(encoding="utf-8")


def test_names_from_outside_stay_text(tmp_path: Path) -> None:
    title = 'A "b"\n---\nlicense: mit # |x| <script>\u2028\x07 no'
    outputs = ["</script>\n---", "=1+1", ""]
    with connect(tmp_path / "c.duckdb", create=True) as tracker, tracker.writing():
        references = building.written(tmp_path / "references.txt", "one |\ntwo\nthree\n")
        tracker.submit(
            outputs, system="a|b`c", references=references, campaign="no", language="no", log=False
        )
        written = tracker.export(tmp_path / "d", hub=True, title=title)
    read = header(tmp_path / "d")
    assert read["license"] == "other"
    assert read["language"] == ["no"]
    assert read["pretty_name"] == 'A "b" --- license: mit # |x| <script>\ufffd\u2407 no'
    card = (tmp_path / "d" / "README.md").read_text(encoding="utf-8")
    assert "<script>" not in card.partition("---\n\n")[2]
    shared = duckdb.sql(
        f"SELECT output FROM '{tmp_path}/d/output_scores/*.parquet' ORDER BY sentence_no"
    )
    assert [text for (text,) in shared.fetchall()] == [*outputs[:2], None]
    assert written.unlicensed


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"hub": True, "licence": "CC BY 4.0"}, "is no name of a licence"),
        ({"hub": True, "views": True}, "not for a dataset"),
        ({"year": 2024}, "--year are for a dataset"),
        ({"licence": "mit"}, "--license are for a dataset"),
        ({"submission": ["a", "b"]}, "several names are for a dataset"),
        ({"hub": True, "system": "ngrm"}, "no system 'ngrm'"),
    ],
)
def test_what_does_not_go_together_is_refused(
    sample: Tracker, tmp_path: Path, how: dict[str, Any], message: str
) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        sample.export(tmp_path / "d", **how)
    assert not [*tmp_path.iterdir()]


def test_a_folder_with_anything_else_is_left_alone(sample: Tracker, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(InputError, match="something other than a dataset"):
        sample.export(tmp_path, hub=True)
    assert contents(tmp_path) == {"README.md": b"mine"}
