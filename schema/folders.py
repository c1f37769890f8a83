"""Temporary folders, which are cleared after processes that were killed."""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir

try:
    import fcntl
except ImportError:  # only POSIX systems have it
    fcntl = None  # type: ignore[assignment]


class HeldFolder(TemporaryDirectory[str]):
    """A temporary folder of this process; making one removes those that killed processes left.

    A lock on the folder tells that its process lives, on whatever side of a container it is.
    """

    _YOUNG_SECONDS = 60.0
    """So long a folder may be there before its lock is."""

    def __init__(self, kind: str, within: Path | None = None) -> None:
        """Make a folder of a kind, such as ``explorer``; a hidden one ``within`` another folder."""
        prefix = f"{'.' if within else ''}sr-tracker-{kind}-"
        place = within or Path(gettempdir())
        for left in place.glob(f"{prefix}*"):
            with suppress(OSError):
                self._remove_if_left(left)
        super().__init__(prefix=prefix, dir=place)
        self._held = _locked(Path(self.name))

    @classmethod
    def _remove_if_left(cls, folder: Path) -> None:
        """Remove a folder of this user's that no process holds."""
        state = folder.lstat()
        young = time.time() - state.st_mtime < cls._YOUNG_SECONDS
        if fcntl is None or young or state.st_uid != os.getuid() or not stat.S_ISDIR(state.st_mode):
            return
        held = _locked(folder)
        if held is not None:
            rmtree(folder, ignore_errors=True)
            os.close(held)

    def cleanup(self) -> None:
        """Remove it."""
        super().cleanup()
        if self._held is not None:
            os.close(self._held)
            self._held = None


def _locked(folder: Path) -> int | None:
    """Return a descriptor that holds a folder; None where another has it, or none can."""
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
