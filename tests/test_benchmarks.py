"""The benchmark still finds the inner functions that it times."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import sr_tracker

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


def test_paired_tests_and_pages_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    significance, pages, synthetic = map(import_module, ("significance", "pages", "synthetic"))
    monkeypatch.setattr(significance, "installed", lambda _: False)
    monkeypatch.setattr(pages, "TIMES", 1)
    campaign = synthetic.write_campaign(tmp_path, treebanks=1, submissions=2, sentences=20)
    file = tmp_path / "campaign.duckdb"
    with sr_tracker.connect(file, create=True) as db, db.writing():
        db.ingest_campaign(campaign.manifest)
        db.score(metrics=["bleu_13a"])
        rows = significance.measure(db)
    rows += pages.measure(file)
    assert {"paired bootstrap", "page: comparison"} < {row.what for row in rows if row.now}
