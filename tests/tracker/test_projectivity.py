"""Projective against non-projective sentences of real treebanks."""

from __future__ import annotations

from pathlib import Path

import pytest

import sr_tracker
from sr_tracker.queries.errors import Settings


@pytest.mark.parametrize(
    ("file", "treebank", "projective", "non_projective"),
    [
        ("2.0/nl-ud-test", "nl-ud2.0-test", 547, 138),
        ("2.3/ko_gsd-ud-test", "ko_gsd-ud2.3-test", 898, 91),
    ],
)
def test_groups_are_those_of_table_3(
    shared_data: Path,
    tmp_path: Path,
    file: str,
    treebank: str,
    projective: int,
    non_projective: int,
) -> None:
    """Sample sizes of nl and ko_gsd in Shimorina et al. (2021), Table 3, exactly."""
    with sr_tracker.connect(None) as db:
        db.ingest_treebank(shared_data / f"ud/{file}.conllu.gz", treebank=treebank)
        texts = db.sql("SELECT text FROM sentence ORDER BY sentence_no")["text"].to_pylist()
        outputs = tmp_path / "outputs.txt"
        outputs.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        db.ingest_submission(outputs, system="copy", treebank=treebank)
        db.score(metrics=["dist"])
        settings = Settings(kinds=["projectivity"], convention="tacl2021")
        assert db.analyse(settings).analyses == 1
        (row,) = db.show("projectivity_tests").to_pylist()
    assert (row["metric"], row["projective"], row["non_projective"]) == (
        *("dist", projective, non_projective),
    )
    assert row["projective_median"] == row["non_projective_median"] == 1.0
    assert (row["p_value"], row["rank_biserial"]) == (1.0, 0.0)
