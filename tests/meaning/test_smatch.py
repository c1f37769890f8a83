"""Two files of graphs compared without a campaign: known figures, pairs, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from sr_tracker.queries.meaning.functions.graph_aspects import ASPECTS
from sr_tracker.queries.meaning.matching import MeaningSettings
from sr_tracker.queries.meaning.scoring import score_meaning
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.meaning.graph_files import compare_files
from tests import commands
from tests.building import written
from tests.meaning.test_meaning import GOLD, PARSES, TEXTS, amr

SETTINGS = MeaningSettings("toy", top="none")


def smatch(folder: Path, *arguments: object) -> Result:
    """Run the command with a database that is not there."""
    done = commands.run(folder / "none.duckdb", "meaning", "smatch", *arguments)
    assert not (folder / "none.duckdb").exists()
    return done


def rows_of(done: Result) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Parses of a bad system, two of them missing, and gold graphs."""
    output, gold = tmp_path / "output.amr", tmp_path / "gold.amr"
    output.write_text(amr(PARSES["bad"], TEXTS), encoding="utf-8")
    gold.write_text(amr(GOLD, TEXTS), encoding="utf-8")
    return output, gold


def test_the_corpus_and_each_pair(files: tuple[Path, Path], tmp_path: Path) -> None:
    """Gold graphs have 6, 4, 7 and 1 triples; the two parses match 5 of 6 and 3 of 3."""
    (row,) = rows_of(smatch(tmp_path, *files, "--top", "none", "--format", "json"))
    assert row == {
        "aspect": "all",
        "f1": pytest.approx(2 * 8 / (9 + 18)),
        "precision": pytest.approx(8 / 9),
        "recall": pytest.approx(8 / 18),
        "mean_f1": pytest.approx((5 / 6 + 6 / 7) / 4),
        "matched": 8,
        "triples": 9,
        "gold_triples": 18,
        "pairs": 4,
        "without_graph": 2,
        "unproved": 0,
        "gap": 0,
    }
    done = smatch(tmp_path, *files, "--top", "none", "--by", "pair", "--aspects", "-f", "json")
    rows = rows_of(done)
    assert [(row["pair"], row["aspect"]) for row in rows] == [
        (pair, aspect) for pair in (1, 2, 3, 4) for aspect in ASPECTS
    ]
    assert {row["id"] for row in rows} == {"s1", "s2", "s3", "s4"}
    assert [row["f1"] for row in rows if row["aspect"] == "all"] == [
        pytest.approx(5 / 6),
        pytest.approx(6 / 7),
        0,
        0,
    ]
    negation = {row["pair"]: row["f1"] for row in rows if row["aspect"] == "negation"}
    assert negation == {1: None, 2: 0, 3: None, 4: None}
    assert "matched by id; smatch|parser:output.amr|top:none|mode:exact" in done.stderr


def test_files_get_what_a_campaign_gets(files: tuple[Path, Path], tmp_path: Path) -> None:
    output, gold = files
    with connect(None) as tracker:
        tracker.ingest_amr(gold, treebank="gold", language="en")
        (tmp_path / "o.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
        tracker.ingest_submission(tmp_path / "o.txt", system="bad", treebank="gold")
        tracker.ingest_graphs(output, parser="toy", submission="local/bad/gold")
        score_meaning(tracker.database, SETTINGS)
        columns = "aspect, f1, precision, recall, matched, triples, gold_triples"
        stored = tracker.sql(f"SELECT {columns} FROM fine_grained_scores").to_pylist()
    rows = compare_files(output, gold, SETTINGS, aspects=ASPECTS).rows
    own = rows.select(columns.split(", ")).to_pylist()
    assert sorted(own, key=lambda row: row["aspect"]) == sorted(stored, key=lambda r: r["aspect"])


def test_similar_concepts_count_in_part(files: tuple[Path, Path], tmp_path: Path) -> None:
    vectors = written(tmp_path / "vectors.txt", "boy 1 0\ngirl 0.8 0.6\n")
    options = ("--top", "none", "--vectors", vectors, "-f", "json")
    (row,) = rows_of(smatch(tmp_path, *files, *options))
    assert row["matched"] == pytest.approx(8.8)
    with pytest.raises(InputError, match="counted without vectors"):
        smatch(tmp_path, *files, *options, "--aspects")


def test_pairs_without_ids(tmp_path: Path) -> None:
    output, gold = tmp_path / "output.amr", tmp_path / "gold.amr"
    gold.write_text("\n\n".join(GOLD) + "\n", encoding="utf-8")
    output.write_text(
        "".join(f"# ::id p{n}\n{g}\n\n" for n, g in enumerate(GOLD)), encoding="utf-8"
    )
    computed = compare_files(output, gold, SETTINGS)
    assert computed.way == "by position"
    assert computed.rows["f1"].to_pylist() == [1]
    output.write_text("\n\n".join(GOLD[:3]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"3 graphs.*4"):
        compare_files(output, gold, SETTINGS)


def test_broken_files_and_other_graphs(files: tuple[Path, Path], tmp_path: Path) -> None:
    output, gold = files
    gold.write_text(amr([*GOLD[:3], "(r / rain-01"], TEXTS), encoding="utf-8")
    output.write_text(amr(["(w / want-01", *GOLD[1:3], GOLD[3]], TEXTS), encoding="utf-8")
    with pytest.raises(InputError, match="not closed"):
        smatch(tmp_path, *files)
    done = smatch(tmp_path, *files, "--top", "none", "--accept-broken", "-f", "json")
    (row,) = rows_of(done)
    assert (row["matched"], row["triples"], row["gold_triples"]) == (11, 11, 17)
    assert (row["pairs"], row["without_graph"]) == (3, 1)
    assert f"gold graphs left out: 1\n  {gold}:" in done.stderr
    output.write_text(amr(GOLD, [f"Quite another text {n} ." for n in range(4)]), encoding="utf-8")
    gold.write_text(amr(GOLD, TEXTS), encoding="utf-8")
    with pytest.raises(InputError, match="text"):
        smatch(tmp_path, *files)
    assert rows_of(smatch(tmp_path, *files, "--accept-mismatch", "-f", "json"))[0]["f1"] == 1


@pytest.mark.parametrize(("top", "f1"), [("concept", 0.8136), ("constant", 0.8475)])
def test_the_known_example(shared_data: Path, tmp_path: Path, top: str, f1: float) -> None:
    pair = (shared_data / "amr" / "small" / f"smatch-{number}.txt" for number in (1, 2))
    (row,) = rows_of(smatch(tmp_path, *pair, "--top", top, "-f", "json"))
    assert (round(row["f1"], 4), row["pairs"], row["unproved"]) == (f1, 3, 0)
