"""How time and memory grow: campaigns of other sizes and shapes, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
from measuring import Row, peak
from synthetic import write_campaign

import sr_tracker
from sr_tracker.tracker.api.tracker import Tracker

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


STEPS: dict[str, Callable[[Tracker, Path], object]] = {
    "ingest": lambda db, place: db.ingest_campaign(place / "campaign.toml"),
    "score": lambda db, place: db.score(),
    "analyse": lambda db, place: db.analyse(),
    "report": lambda db, place: db.report(place / "report.html"),
}
"""What is done with a campaign, in order; a report is left out where time alone is told."""


def memory(place: Path) -> list[Row]:
    """Return a row for each step with the campaign in a folder: the most memory it takes.

    Each is a process of its own.
    """
    peaks = [(step, _measured(place, step)["peak"]) for step in STEPS]
    return [Row(f"memory: {step}", f"{most:.2f} GiB", aim="1 GiB") for step, most in peaks]


def measure(folder: Path, sentences: int) -> list[Row]:
    """Return a row for each shape: milliseconds of a submission by step, and the most memory."""
    rows = []
    for number, (name, shape) in enumerate(SHAPES.items()):
        place = folder / f"shape{number}"
        campaign = write_campaign(place, **{"sentences": sentences, **shape})
        spent = _measured(place, "ingest", "score", "analyse")
        most = spent.pop("peak")
        per_submission = 1000 / len(campaign.submissions)
        steps = ", ".join(
            f"{what} {seconds * per_submission:.0f}" for what, seconds in spent.items()
        )
        rows.append(Row(name, f"{steps} ms a submission, peak {most:.2f} GiB"))
    return rows


def _measured(place: Path, *steps: str) -> dict[str, float]:
    """Return what ``_measure_once`` does, in a process of its own."""
    command = [sys.executable, __file__, str(place), *steps]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _measure_once(place: Path, steps: Sequence[str]) -> dict[str, float]:
    """Return the seconds of processor time that each step takes, and the most memory in GiB."""
    pa.set_cpu_count(2)
    spent = {}
    with sr_tracker.connect(place / "steps.duckdb", create=True) as db:
        for step in steps:
            start = time.process_time()
            STEPS[step](db, place)
            spent[step] = time.process_time() - start
    return {**spent, "peak": peak()}


if __name__ == "__main__":
    print(json.dumps(_measure_once(Path(sys.argv[1]), sys.argv[2:])))  # noqa: T201
