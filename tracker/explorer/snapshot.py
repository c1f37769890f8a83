"""A private copy of the database that pages are made from, so that nobody waits for the explorer.

A DuckDB file is held by one process at a time. The explorer copies it whenever it has changed and
is free, and answers from its copy: a run being submitted makes no page fail, and an open explorer
keeps nobody from writing. Of a lake the copy saves each page some hundred questions to its catalog.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Thread
from typing import Protocol

from ...queries.catalog import open_installed
from ...queries.exploring import keep_rows
from ...queries.limits import lock_down
from ...queries.query_process import Waiting
from ...queries.reading import Result
from ...schema.address import LakeAddress, Place
from ...schema.database import Database, open_database
from ...schema.engine import limit_threads
from ...schema.errors import DatabaseBusyError, DatabaseUnavailableError
from ...schema.folders import HeldFolder
from ...schema.themes import members
from ...schema.waiting import log_of
from ..api.tracker import Tracker

PAGE_BYTES = 8 * 10**6
"""Size of the rows of a stranger's statement on a page, at most."""


@dataclass
class _Copy:
    folder: Path
    database: Database
    state: Hashable
    taken: datetime
    queries: int = 0
    """How many processes are asked about its file, and may still have to open it."""


class Snapshots:
    """The newest copy of a database, made anew beside the answers when the original changes."""

    def __init__(
        self, place: Place, *, wait: float, seen: Callable[[Original], Original] | None = None
    ) -> None:
        """Copy it; ``seen`` returns what of it those see whom the copies are for.

        Raises what opening it raises, after ``wait`` seconds where a file is held.
        """
        original = original_of(place)
        self._original = seen(original) if seen else original
        self._folder = HeldFolder("explorer")
        self._copying, self._counting = Lock(), Lock()
        self._waiting = Waiting()
        self._number = 0
        self._trouble: DatabaseUnavailableError | None = None
        """Why there is no copy of what the original is now."""
        self._newest = self._copy(wait)

    @contextmanager
    def reading(self) -> Iterator[Tracker]:
        """Give the block a database of its own on the newest copy there is."""
        with self._newest.database.aside() as database:
            yield Tracker(database)

    def query(self, query: str, *, rows: int, seconds: float) -> Result:
        """Return the rows of a stranger's SELECT for a page, as ``queries.query_process`` does."""
        with self.held_file() as file:
            return self._waiting.run(file, query, rows=rows, seconds=seconds, most=PAGE_BYTES)

    def file(self, query: str, kind: str, *, rows: int, seconds: float) -> bytes:
        """Return the rows of a stranger's SELECT as a file, as ``queries.query_process`` does."""
        with self.held_file() as file:
            return self._waiting.run_file(file, query, kind, rows=rows, seconds=seconds)

    @contextmanager
    def held_file(self) -> Iterator[Path]:
        """Give the block the file of the newest copy, which stays for as long."""
        with self._counting:
            newest = self._newest
            newest.queries += 1
        try:
            yield self._file(newest)
        finally:
            with self._counting:
                newest.queries -= 1
            self._remove_if_former(newest)

    def prepare(self) -> None:
        """Expect a stranger's SELECT."""
        self._waiting.prepare(self._file(self._newest))

    def taken(self) -> datetime:
        """Return when the newest copy was made; where it may be old, begin a newer one.

        Raises DatabaseUnavailableError where the original is gone, or no database any more.
        """
        if not self._original.may_differ(self._newest.state):
            self._trouble = None
        elif self._copying.acquire(blocking=False):
            Thread(target=self._refresh, daemon=True).start()
        if self._trouble is not None:
            raise self._trouble
        return self._newest.taken

    @property
    def last_taken(self) -> datetime:
        """When the newest copy was made, whatever became of the original."""
        return self._newest.taken

    def renew(self) -> None:
        """Wait until the copy is as new as the original, where that is free."""
        with self._copying:
            self._follow()

    def close(self) -> None:
        """Remove the copies, once the one that is being made is."""
        self._waiting.close()
        with self._copying:
            self._newest.database.close()
            self._folder.cleanup()

    def _refresh(self) -> None:
        try:
            self._follow()
        finally:
            self._copying.release()

    def _follow(self) -> None:
        try:
            if self._original.state() == self._newest.state:
                return
            newest = self._copy(wait=0.0)
        except (DatabaseBusyError, OSError):
            return  # The next request tries again; until then the older copy answers.
        except DatabaseUnavailableError as error:
            if self._original.is_lost_by_error:
                self._trouble = error
            return
        self._trouble = None
        with self._counting:
            former, self._newest = self._newest, newest
        self._remove_if_former(former)

    def _remove_if_former(self, copy: _Copy) -> None:
        """Remove the file of a copy that is not the newest, once no process has to open it.

        Pages that are being made keep its connection.
        """
        with self._counting:
            needed = copy is self._newest or copy.queries
        if not needed:
            shutil.rmtree(copy.folder, ignore_errors=True)

    def _file(self, copy: _Copy) -> Path:
        return copy.folder / self._original.name

    def _copy(self, wait: float) -> _Copy:
        self._number += 1
        folder = Path(self._folder.name) / str(self._number)
        folder.mkdir()
        try:
            state = self._original.copy_to(folder / self._original.name, wait)
            with open_installed(folder / self._original.name) as database:
                keep_rows(database)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        database = open_installed(folder / self._original.name, read_only=True)
        # A page is many small statements: more threads wait for each other longer than they work,
        # and pages that are asked for at once have one each.
        limit_threads(database, 1)
        lock_down(database)
        return _Copy(folder, database, state, datetime.now(UTC))


class Original(Protocol):
    """What is copied, and whether it has changed since."""

    name: str
    """Of the file that a copy is."""
    is_lost_by_error: bool
    """Whether one that cannot be opened is no longer there: a server may come back."""

    def may_differ(self, state: Hashable) -> bool:
        """Return whether it is worth asking for the state; at once."""

    def state(self) -> Hashable:
        """Return what is another one after each change."""

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Make a file that holds the same, and return the state that it is of."""


class OriginalFile:
    """A file, copied with the log of its changes while nobody writes to it."""

    is_lost_by_error = True

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path

    def may_differ(self, state: Hashable) -> bool:
        """Return whether the file has changed. Raises DatabaseUnavailableError without one."""
        return self.state() != state

    def state(self) -> Hashable:
        """Return times and sizes of the file and its log. Raises as ``may_differ`` does."""
        try:
            stats = [self._path.stat()]
            with suppress(FileNotFoundError):
                stats.append(log_of(self._path).stat())
        except OSError as error:
            raise DatabaseUnavailableError(
                f"the database cannot be read any more: {error.strerror}",
                where=str(self._path),
                hint="put it back, or end this server and serve another",
            ) from error
        return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Copy the file. Raises what opening it raises, after ``wait`` seconds where it is held."""
        with open_database(self._path, read_only=True, wait_seconds=wait):
            state = self.state()
            shutil.copyfile(self._path, file)
            if log_of(self._path).exists():
                shutil.copyfile(log_of(self._path), log_of(file))
        return state


def original_of(place: Place) -> Original:
    """Return what the explorer copies of a place."""
    if not isinstance(place, LakeAddress):
        return OriginalFile(place)
    (of_lake,) = members("tracker", "operations", "OriginalLake")
    original: Original = of_lake(place)
    return original
