"""Measure the whole job on a synthetic campaign and print one table: ``make bench``.

Seconds are of processor time, of all threads. Peers run in the same process, right beside what they
are compared with, on a sample where they would take too long. Nothing here is a test: times are
reported only.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path

import afterwards
import before
import graph_peers
import growth
import lambre_peer
import mining
import pages
import reading
import significance
import whole_job
from measuring import Row, peak, print_table
from synthetic import TREEBANKS, SyntheticCampaign, write_campaign

import sr_tracker

SMALL = 60


def main() -> None:
    """Run the benchmarks and print their table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=174)
    parser.add_argument("--sentences", type=int, default=2_000)
    parser.add_argument(
        "--growth", action="store_true", help="also campaigns of other sizes and shapes"
    )
    parser.add_argument("--before", metavar="COMMIT", help="also that commit's times, in pairs")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)  # peers say what they do
    rows: list[Row] = []
    earlier = before.Pairs({}, {})
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            small = write_campaign(folder / "small", submissions=TREEBANKS * 2, sentences=SMALL)
            _measure(small, folder / "small")
            campaign = write_campaign(
                folder / "campaign",
                submissions=arguments.submissions,
                sentences=arguments.sentences,
            )
            rows += _measure(campaign, folder / "campaign")
            rows += lambre_peer.measure(folder)
            rows += graph_peers.measure()
            rows += growth.memory(folder / "campaign")
            if arguments.before:
                earlier = before.compare(folder, campaign, arguments.before)
            if arguments.growth:
                rows += growth.measure(folder, arguments.sentences)
    finally:  # whatever failed, what was measured before is printed
        _print(rows, earlier)


def _print(rows: list[Row], earlier: before.Pairs) -> None:
    work = {row.what for row in rows}
    rows += [Row(what, now) for what, now in earlier.now.items() if what not in work]
    print_table(rows, earlier.before)


def _measure(campaign: SyntheticCampaign, folder: Path) -> list[Row]:
    """Return the rows of a campaign; those of a small one first load what is compiled."""
    database = folder / "campaign.duckdb"
    rows = reading.measure(campaign)
    with sr_tracker.connect(database, create=True) as db:
        rows += whole_job.measure(db, campaign, folder)
        rows += significance.measure(db)
        rows += mining.measure(campaign, folder)
        rows += afterwards.measure(db, campaign, folder)
    rows += pages.measure(database)
    return [*rows, Row("peak memory, peers included", f"{peak():.2f} GiB", aim="4 GiB")]


if __name__ == "__main__":
    main()
