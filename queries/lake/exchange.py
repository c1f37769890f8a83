"""Bringing what a file has to a lake, and fetching what one needs from there."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import duckdb

from ...schema.address import LakeAddress
from ...schema.batching import batches
from ...schema.database import (
    WAIT_SECONDS,
    Database,
    attach_file,
    open_database,
    say_nothing,
)
from ...schema.lake.copying import (
    EVERYTHING,
    SOURCE,
    TARGET,
    Chosen,
    Copied,
    check,
    choose,
    copy,
)
from ...schema.lake.making import NAME
from ...schema.lake.opening import attach
from ...schema.progress import Progress, silent
from ...schema.selection import Names, passing, resolve_filters
from ...schema.sharing import unreachable_when_lost
from ...schema.temporary import temporary
from ..catalog import open_installed

FILE = "attached_file"
"""What the file is called on the lake's connection."""
OUTPUTS_PER_COMMIT = 500_000
_ATTEMPTS = 12
_LONGEST_PAUSE = 5.0

T = TypeVar("T")


def publish(
    file: Path,
    lake: LakeAddress,
    chosen: Chosen = EVERYTHING,
    *,
    dry_run: bool = False,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    progress: Progress = silent,
) -> Copied:
    """Bring to a lake what it has not, make the lake where there is none, and return the new rows.

    Treebanks and systems come first, then submissions with their results, some hundred thousand
    outputs at a time, each a commit of its own: where one fails, what came before is whole, and
    the next call goes on. ``dry_run`` looks for conflicts alone.

    Raises ConflictError, before anything is written, where both have something of one name with
    other content; DatabaseUnavailableError where either cannot be opened or is lost meanwhile.
    """
    with open_database(file, read_only=True, create=False, wait_seconds=wait_seconds, say=say):
        pass
    with (
        unreachable_when_lost(lake),
        open_installed(lake, create=not dry_run, wait_seconds=wait_seconds, say=say) as database,
    ):
        attach_file(database.connection, file, FILE, wait_seconds=wait_seconds, say=say)
        titles = {SOURCE: str(file), TARGET: str(lake)}
        return _bring(database, FILE, NAME, chosen, titles, progress, dry_run=dry_run, say=say)


def fetch(
    lake: LakeAddress,
    file: Path,
    chosen: Chosen = EVERYTHING,
    *,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    progress: Progress = silent,
) -> Copied:
    """Bring to a file, made where there is none, what it has not of what is chosen in a lake.

    Raises what ``publish`` does.
    """
    with open_installed(file, wait_seconds=wait_seconds, say=say) as database:
        return fetch_into(database, lake, chosen, progress=progress)


def fetch_into(
    database: Database, lake: LakeAddress, chosen: Chosen, *, progress: Progress = silent
) -> Copied:
    """Bring to an open database what it has not of what is chosen in a lake.

    Raises what ``publish`` does.
    """
    titles = {SOURCE: str(lake), TARGET: database.where}
    with attached(database, lake):
        return _bring(database, NAME, database.catalog, chosen, titles, progress)


def _bring(
    database: Database,
    source: str,
    target: str,
    chosen: Chosen,
    titles: Mapping[str, str],
    progress: Progress,
    *,
    dry_run: bool = False,
    say: Callable[[str], None] = say_nothing,
) -> Copied:
    """Copy what is chosen batch by batch, after a look for conflicts in all of it."""
    with temporary(database):
        choose(database.connection, source, chosen)
        cut = _batches(database, source, chosen)
        if dry_run or len(cut) > 1:  # one batch is looked at when it is copied
            check(database.connection, source, target, titles=titles)
    total = Copied()
    for number, batch in enumerate(() if dry_run else cut):
        progress("copied", number, len(cut))

        def commit(batch: Chosen = batch) -> Copied:
            with database.transaction():
                return copy(database, source, target, batch, titles=titles)

        total += _persistently(commit, say)
    progress("copied", len(cut), len(cut))
    return total


def copy_file(
    database: Database,
    file: Path,
    chosen: Chosen,
    *,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
) -> Copied:
    """Bring what is chosen in another file to a database that is open for writing."""
    attach_file(database.connection, file, FILE, wait_seconds=wait_seconds, say=say)
    try:
        with database.transaction():
            titles = {SOURCE: str(file), TARGET: database.where}
            return copy(database, FILE, database.catalog, chosen, titles=titles)
    finally:
        database.connection.execute(f"DETACH {FILE}")


def chosen_by(database: Database, filters: Mapping[str, Names]) -> Chosen:
    """Return what passes all filters, as in ``schema.selection``; everything without any.

    A treebank or campaign that is named comes though no submission is to it.
    """
    found = resolve_filters(database, filters)
    if not found:
        return EVERYTHING
    return Chosen(passing(database, found), found.get("treebank", []), found.get("campaign", []))


@contextmanager
def attached(database: Database, lake: LakeAddress) -> Iterator[None]:
    """Let the block read a lake by NAME on a database's connection, which is not locked down."""
    with unreachable_when_lost(lake):
        attach(database.connection, lake, read_only=True)
        try:
            yield
        finally:
            database.connection.execute(f"DETACH {NAME}")


def _persistently(action: Callable[[], T], say: Callable[[str], None]) -> T:
    """Return what an action returns that commits to a lake, tried again where others were first.

    DuckLake tries again by itself, but not after each kind of conflict. The pauses grow, with
    chance, so that those who met do not meet again.
    """
    for attempt in range(_ATTEMPTS - 1):
        try:
            return action()
        except duckdb.TransactionException as error:
            pause = min(_LONGEST_PAUSE, 0.05 * 2**attempt) * random.uniform(0.5, 1)
            say(f"another was first ({str(error).splitlines()[0]}): once more")
            time.sleep(pause)
    return action()


def _batches(database: Database, source: str, chosen: Chosen) -> list[Chosen]:
    """Cut what is chosen by submissions, of one treebank after the other, and then all of it.

    The last brings what is not about one submission; of the others it finds nothing new.
    """
    rows = database.connection.execute(
        "SELECT submission_id, coalesce(sentences, 0) "  # noqa: S608
        f"FROM {source}.main.submission LEFT JOIN {source}.main.treebank USING (treebank_id) "
        "WHERE ('submission', submission_id) IN (FROM chosen) "
        "ORDER BY treebank_id, created_at, submission_id"
    ).fetchall()
    cut = list(batches(rows, lambda row: row[1], lambda _: OUTPUTS_PER_COMMIT))
    if len(cut) < 2:
        return [chosen]
    return [*(Chosen([name for name, _ in batch], (), ()) for batch in cut), chosen]
