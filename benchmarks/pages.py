"""Pages of the explorer, each made anew for several submissions: median and 95th percentile."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
from measuring import Row, seconds_of

from sr_tracker.tracker.explorer.snapshot import Snapshots
from sr_tracker.tracker.pages import made, request_of
from sr_tracker.tracker.pages.lists import SITE
from sr_tracker.tracker.pages.registry import PAGES, SUBMISSION
from sr_tracker.tracker.show.html import served

TIMES = 20
Address = tuple[dict[str, object], list[tuple[str, str]]]


def measure(database: Path) -> list[Row]:
    """Return a row for each page: milliseconds of processor time that one waits for."""
    rows = []
    with closing(Snapshots(database, wait=60)) as snapshots:
        for name, (path, addresses) in _addresses(snapshots).items():
            milliseconds = [
                1000 * seconds_of(partial(_write, snapshots, path, place, query))
                for place, query in addresses
            ]
            half, most = np.quantile(milliseconds, [0.5, 0.95])
            rows.append(Row(f"page: {name}", f"p50 {half:.0f} ms, p95 {most:.0f} ms", aim="200 ms"))
    return rows


def _addresses(snapshots: Snapshots) -> dict[str, tuple[str, list[Address]]]:
    """Return the path of each page, and what stands in its place and its query, several times."""
    with snapshots.reading() as tracker:
        submissions = tracker.select()
        rows = tracker.sql("SELECT treebank_id FROM treebank ORDER BY ALL")
        pairs = tracker.sql(
            "SELECT one.submission_id AS one, other.submission_id AS other "
            "FROM submission AS one JOIN submission AS other USING (treebank_id) "
            f"WHERE one.submission_id < other.submission_id ORDER BY ALL LIMIT {TIMES}"
        ).to_pylist()
    treebanks = rows["treebank_id"].to_pylist()
    some = submissions[:: max(len(submissions) // TIMES, 1)][:TIMES]
    sentences = [(treebanks[number % len(treebanks)], number + 1) for number in range(TIMES)]
    return {
        "home": ("/", [({}, [])] * TIMES),
        "leaderboard": ("/leaderboard", [({}, [])] * TIMES),
        "submission": (SUBMISSION, [({"submission": name}, []) for name in some]),
        "comparison": (
            "/compare",
            [({}, [("new", pair["one"]), ("base", pair["other"])]) for pair in pairs],
        ),
        "sentence": (
            "/sentence/{treebank}/{sentence_no:int}",
            [({"treebank": name, "sentence_no": number}, []) for name, number in sentences],
        ),
    }


def _write(
    snapshots: Snapshots, path: str, place: dict[str, object], query: list[tuple[str, str]]
) -> None:
    with snapshots.reading() as tracker:
        page = made(PAGES[path], tracker, request_of(query, place))
        served(page, SITE, snapshots.taken())
