"""Threads, batches and the order of loading change no digit of any score."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sr_tracker.queries.metrics.scoring
from sr_tracker.ingest.outputs.submissions import Run as ModelRun
from sr_tracker.queries.catalog import install, open_installed
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import open_database
from sr_tracker.tracker.api.tracker import Tracker

if TYPE_CHECKING:
    from tests.faults.conftest import Contents


pytestmark = pytest.mark.long


@pytest.mark.parametrize(("threads", "outputs"), [(2, 1), (1, 60), (2, 50_000), (4, 60)])
def test_neither_threads_nor_batches_change_a_digit(
    scored: Path,
    manifest: Path,
    tmp_path: Path,
    contents_of: Callable[[Path], Contents],
    monkeypatch: pytest.MonkeyPatch,
    threads: int,
    outputs: int,
) -> None:
    monkeypatch.setattr(sr_tracker.queries.metrics.scoring, "OUTPUTS_PER_BATCH", outputs)
    path = tmp_path / "campaign.duckdb"
    with open_database(path) as database:
        database.connection.execute(f"PRAGMA threads = {threads}")
        install(database)
        Tracker(database).ingest_campaign(manifest)
        score(database)
    assert contents_of(path) == contents_of(scored)


def test_the_order_of_loading_changes_no_digit(
    scored: Path, manifest: Path, tmp_path: Path, contents_of: Callable[[Path], Contents]
) -> None:
    """Submissions loaded and scored one by one, the last first, give the same scores."""
    path = tmp_path / "campaign.duckdb"
    folder = manifest.parent
    with open_installed(path) as database:
        tracker = Tracker(database)
        for file in sorted(folder.glob("*-test.conllu"), reverse=True):
            tracker.ingest_treebank(file, campaign="F26")
        for system in ("beta", "alpha"):
            for file in sorted(folder.glob(f"{system}/*.txt")):
                treebank, iteration = file.stem.split("-")
                run = ModelRun("F26", system, f"{treebank}-ud1.0-test", int(iteration))
                tracker.ingest_submission(
                    file,
                    system=run.system_id,
                    treebank=run.treebank_id,
                    campaign=run.campaign_id,
                    iteration=run.iteration,
                    reference_form="text",
                )
                tracker.score()
    computed, expected = contents_of(path), contents_of(scored)
    results = (
        *("signature", "edge_outcome", "ngram_match", "edit_match", "statistic_match"),
        *("sentence_score", "submission_score", "sentence_complexity", "reference_edge"),
    )
    for table in results:
        assert computed[table] == expected[table], table
