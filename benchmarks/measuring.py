"""How the benchmark measures, and the one table that it prints."""

from __future__ import annotations

import gc
import re
import resource
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table


class Row(NamedTuple):
    """A row of the table: what was measured, beside what and what is to be reached."""

    what: str
    now: str
    peer: str = ""
    """The peer by name and version, or what bounds the work."""
    times: str = ""
    """How many times the peer's processor time ours goes into, or the bound into ours."""
    aim: str = ""


def seconds_of(
    action: Callable[[], object], rounds: int = 1, before: Callable[[], object] | None = None
) -> float:
    """Return the seconds of processor time of all threads, the fewest of some rounds.

    What is done ``before`` each round is not timed.
    """
    seconds = []
    for _ in range(rounds):
        if before is not None:
            before()
        gc.collect()
        start = time.process_time()
        action()
        seconds.append(time.process_time() - start)
    return min(seconds)


def against(
    what: str, now: str, ours: float, peers: Mapping[str, float | None], aim: str = ""
) -> list[Row]:
    """Return a row for each peer: of equal work, the peer's seconds over ours.

    A peer is a distribution's name, and what of it was run. One that is not installed has None.
    """
    rows = []
    for peer, seconds in peers.items():
        times = "not installed" if seconds is None else f"{seconds / ours:,.1f}x"
        rows.append(Row(what, now, named(peer), times, aim))
        what, now, aim = "", "", ""
    return rows


def named(peer: str) -> str:
    """Return a peer with the version of its distribution, its first word."""
    distribution, rest = re.match(r"([\w-]*)(.*)", peer).groups()
    try:
        return f"{distribution} {version(distribution)}{rest}"
    except PackageNotFoundError:
        return peer


def installed(module: str) -> bool:
    """Return whether a peer is there: none is needed."""
    return find_spec(module) is not None


def print_table(rows: Iterable[Row], before: Mapping[str, str]) -> None:
    """Print the rows, those of an earlier commit beside the work that they are of."""
    table = Table("what", "now", "before", "peer or bound", "times", "aim", box=None)
    for row in rows:
        table.add_row(row.what, row.now, before.get(row.what, ""), *row[2:])
    Console(width=150).print(table)


def peak() -> float:
    """Return the most memory this process had, in GiB: ru_maxrss would count its parent's too."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    lines = status.read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024**2
