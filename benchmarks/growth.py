"""How time and memory grow: campaigns of other sizes and shapes, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
from measuring import Row, peak
from synthetic import write_campaign

import sr_tracker

SHAPES: dict[str, dict[str, int]] = {
    "20 submissions": {"submissions": 20},
    "80 submissions": {"submissions": 80},
    "320 submissions": {"submissions": 320},
    "2,000 systems on 20 sentences": {"treebanks": 1, "submissions": 2_000, "sentences": 20},
    "one sentence of 20,000 words": {
        "treebanks": 1,
        "submissions": 1,
        "sentences": 1,
        "mean_length": 20_000,
    },
    "10,000 outputs of a word": {
        "treebanks": 1,
        "submissions": 1,
        "sentences": 10_000,
        "mean_length": 1,
    },
    "50 treebanks of 100 sentences": {"treebanks": 50, "submissions": 50, "sentences": 100},
}


def measure(folder: Path, sentences: int) -> list[Row]:
    """Return a row for each shape: milliseconds of a submission by step, and the most memory."""
    rows = []
    for number, (name, shape) in enumerate(SHAPES.items()):
        place = folder / f"shape{number}"
        campaign = write_campaign(place, **{"sentences": sentences, **shape})
        done = subprocess.run(
            [sys.executable, __file__, str(place)], capture_output=True, text=True, check=True
        )
        spent = json.loads(done.stdout)
        most = spent.pop("peak")
        per_submission = 1000 / len(campaign.submissions)
        steps = ", ".join(
            f"{what} {seconds * per_submission:.0f}" for what, seconds in spent.items()
        )
        rows.append(Row(name, f"{steps} ms a submission, peak {most:.2f} GiB"))
    return rows


def _measure_once(place: Path) -> dict[str, float]:
    """Return the seconds of processor time that each step takes, and the most memory in GiB."""
    pa.set_cpu_count(2)
    spent = {}
    with sr_tracker.connect(place / "campaign.duckdb", create=True) as db:
        for what, action in (
            ("ingest", lambda: db.ingest_campaign(place / "campaign.toml")),
            ("score", db.score),
            ("analyse", db.analyse),
        ):
            start = time.process_time()
            action()
            spent[what] = time.process_time() - start
    return {**spent, "peak": peak()}


if __name__ == "__main__":
    print(json.dumps(_measure_once(Path(sys.argv[1]))))  # noqa: T201
