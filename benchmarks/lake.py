"""Measure a lake and many processes on a synthetic campaign: ``make bench-lake``.

Nothing here is a test: times are reported only, ratios between rows of one run say more.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from servers import bucket, postgres
from synthetic import write_campaign

import sr_tracker
from sr_tracker.queries.lake import cut, fetch, publish, work
from sr_tracker.schema.address import LakeAddress
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.lake.workers import compute_of

TREEBANKS = 10
READS = 5
VIEWS = {
    "leaderboard": "FROM leaderboard",
    "output_scores of a submission": "FROM output_scores WHERE submission_id = '{run}'",
    "dea_by_relation of a campaign": "FROM dea_by_relation WHERE campaign_id = '{campaign}'",
}
Row = tuple[str, str, str]


def main() -> None:
    """Run the benchmarks and print their table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=1_000)
    parser.add_argument("--sentences", type=int, default=1_000)
    parser.add_argument("--s3", action="store_true", help="data on an S3-like server, not a folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, postgres() as new_database, bucket("bench") as s3:
        folder = Path(name)

        def new_lake(title: str) -> LakeAddress:
            data = f"{s3}/{title}" if arguments.s3 else str(folder / title)
            return LakeAddress(f"postgres:{new_database(title)}", data)

        loaded = folder / "loaded.duckdb"
        manifest = write_campaign(
            folder / "campaign", submissions=arguments.submissions, sentences=arguments.sentences
        ).manifest
        with sr_tracker.connect(loaded, create=True) as db:
            db.ingest_campaign(manifest)
        outputs = arguments.submissions * arguments.sentences
        rows = [*_many(loaded, new_lake, outputs), *_batch(loaded, new_lake("batch"), folder)]
        rows += _exchange(loaded, new_lake("exchange"), folder, outputs)
    table = Table("what", "measured", "ratio", box=None)
    for row in rows:
        table.add_row(*row)
    Console(width=120).print(table)


def _timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _many(loaded: Path, new_lake: Callable[[str], LakeAddress], outputs: int) -> list[Row]:
    """Score everything by one process without a lake, and on one by one, two and four workers."""
    alone = loaded.with_name("alone.duckdb")
    shutil.copy(loaded, alone)
    seconds = [_timed(sr_tracker.connect(alone).score)]
    titles = ["one process, a file"]
    for workers in (1, 2, 4):
        lake = new_lake(f"by{workers}")
        publish(loaded, lake)
        seconds.append(
            _timed(
                lambda lake=lake, n=workers: sr_tracker.connect(lake).score(scheduler=f"local:{n}")
            )
        )
        titles.append(f"{workers} workers, a lake")
    return [
        (
            f"score: {title}",
            f"{took:.1f} s, {outputs / took:,.0f} outputs/s",
            f"{took / seconds[1]:.2f}",
        )
        for title, took in zip(titles, seconds, strict=True)
    ]


def _batch(loaded: Path, lake: LakeAddress, folder: Path) -> list[Row]:
    """Do one batch, step by step: read, compute, commit."""
    publish(loaded, lake)
    with sr_tracker.connect(lake).reading() as database:
        batch = cut(database, lake, sr_tracker.connect(lake).select())[0][0]
    parts: dict[str, float] = {}

    def compute(database: object, submissions: object) -> None:
        parts["read"] = time.perf_counter() - begun
        compute_of("score")(database, submissions)  # type: ignore[arg-type]
        parts["compute"] = time.perf_counter() - begun - parts["read"]

    begun = time.perf_counter()
    done = work(batch, compute, str(folder))
    parts["commit"] = time.perf_counter() - begun - parts["read"] - parts["compute"]
    rows = sum(done.copied.rows.values())
    return [
        (
            f"a batch of {batch.outputs:,} outputs: {part}",
            f"{took:.2f} s",
            f"{rows:,} rows" * (part == "commit"),
        )
        for part, took in parts.items()
    ]


def _exchange(loaded: Path, lake: LakeAddress, folder: Path, outputs: int) -> list[Row]:
    """Publish and fetch what is scored, and read views of both."""
    scored = folder / "alone.duckdb"
    took = {
        "publish": _timed(lambda: publish(scored, lake)),
        "publish again": _timed(lambda: publish(scored, lake)),
        "fetch": _timed(lambda: fetch(lake, folder / "back.duckdb")),
    }
    rows = [
        (what, f"{seconds:.1f} s, {outputs / seconds:,.0f} outputs/s", "")
        for what, seconds in took.items()
    ]
    file, shared = sr_tracker.connect(scored), sr_tracker.connect(lake)
    run = file.select()[-1]
    for what, query in VIEWS.items():
        text = query.format(run=run, campaign=run.partition("/")[0])
        here, there = _read(file, text), _read(shared, text)
        milliseconds = f"{here * 1e3:.0f}, {there * 1e3:.0f} ms"
        rows.append((f"{what}: file, lake", milliseconds, f"{there / here:.1f}"))
    size = scored.stat().st_size
    rows.append(("the file", f"{size / outputs:.0f} bytes an output", ""))
    if lake.folder and "://" not in lake.folder:
        data = sum(seconds.stat().st_size for seconds in Path(lake.folder).rglob("*.parquet"))
        rows.append(("the lake", f"{data / outputs:.0f} bytes an output", f"{data / size:.2f}"))
    return rows


def _read(db: Tracker, query: str) -> float:
    """Return the seconds of reading the rows of a query, the median of READS times."""
    with db.reading() as opened:
        return statistics.median(
            _timed(lambda: opened.connection.execute(query).fetchall()) for _ in range(READS)
        )


if __name__ == "__main__":
    main()
