"""Files on their way into a store."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...schema.errors import TrackerError

if TYPE_CHECKING:
    from mlflow.entities import Run

    from .store import Store

_LITTLE = 1_000_000


class ScratchError(TrackerError):
    """The folder for temporary files is full, or may not be written."""

    exit_code = 3


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for the files of a run, which goes with the block.

    Raises ScratchError where the block cannot write into it: the store is not to blame for that.
    """
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    except OSError as error:
        if _is_of_scratch(error):
            raise ScratchError(
                f"temporary files cannot be written: {error.strerror or error}",
                where=os.environ.get("TMPDIR") or "the system's folder for temporary files",
                hint="make room there, or let TMPDIR name a folder that has it; the results are "
                "kept in the database, 'tracker share log' catches up",
            ) from error
        raise


@contextmanager
def run_folder(store: Store, run: Run) -> Iterator[Path]:
    """Lend a folder for files of a run: the run's own where that is here, else they are sent.

    Files that the run has already stay.
    """
    from urllib.request import url2pathname

    own = urlsplit(run.info.artifact_uri)
    if own.scheme == "file" and not own.netloc and not store.is_remote:
        folder = Path(url2pathname(own.path))
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with scratch_folder() as folder:
        yield folder
        store.client.log_artifacts(run.info.run_id, str(folder))


def _is_of_scratch(error: OSError) -> bool:
    """Return whether temporary files are what cannot be written; not every error names its file."""
    try:
        folder = tempfile.gettempdir()
        if error.filename is not None:
            return str(error.filename).startswith(folder)
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:  # there is not one folder for temporary files
        return True
