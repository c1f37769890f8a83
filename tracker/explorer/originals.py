"""What the explorer copies: a campaign file, or what a lake holds."""

from __future__ import annotations

import shutil
import time
from collections.abc import Hashable
from pathlib import Path
from typing import Protocol

from ...queries.lake.exchange import fetch
from ...schema.database import open_database
from ...schema.lake.address import LakeAddress, Place
from ...schema.lake.opening import newest_snapshot


class Original(Protocol):
    """What is copied, and how it tells that it has changed."""

    name: str
    """Of the file that a copy is."""

    def may_differ(self, state: Hashable) -> bool:
        """Return whether it is worth asking for the state; at once."""

    def state(self) -> Hashable:
        """Return what is another one after each change."""

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Make a file that holds the same, and return the state that it is of."""


class OriginalFile:
    """A file, copied with the log of its changes while nobody writes to it."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path

    def may_differ(self, state: Hashable) -> bool:
        """Return whether the file has changed."""
        return self.state() != state

    def state(self) -> Hashable:
        """Return times and sizes of the file and its log."""
        return tuple((stat.st_mtime_ns, stat.st_size) for stat in map(Path.stat, self._files()))

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Copy the file. Raises what opening it raises, after ``wait`` seconds where it is held."""
        with open_database(self._path, read_only=True, wait_seconds=wait):
            state = self.state()
            for each in self._files():
                shutil.copyfile(each, file.with_name(each.name))
        return state

    def _files(self) -> list[Path]:
        beside = self._path.with_name(f"{self._path.name}.wal")
        return [self._path, beside] if beside.exists() else [self._path]


class OriginalLake:
    """A lake, of which everything is fetched; asked for its state now and then."""

    name = "lake.duckdb"
    LOOKED_EVERY = 5.0
    """Seconds between two questions to the catalog's server."""

    def __init__(self, address: LakeAddress) -> None:
        self._address = address
        self._looked = 0.0

    def may_differ(self, state: Hashable) -> bool:  # noqa: ARG002
        """Return whether the lake was not asked for a while."""
        return time.monotonic() - self._looked > self.LOOKED_EVERY

    def state(self) -> Hashable:
        """Return the number of the newest snapshot. Raises DatabaseUnavailableError."""
        self._looked = time.monotonic()
        return newest_snapshot(self._address)

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Fetch everything. Raises DatabaseUnavailableError where the lake is not reached."""
        state = self.state()
        fetch(self._address, file, wait_seconds=wait)
        return state


def original_of(place: Place) -> Original:
    """Return what the explorer copies of a place."""
    return OriginalLake(place) if isinstance(place, LakeAddress) else OriginalFile(place)
