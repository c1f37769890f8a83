"""Writing result files: whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .errors import InputError


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, where it is not there.

    Raises InputError where it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the folder: {error.strerror}",
            where=str(folder),
            hint="is a file in its place? Check the permissions of the folder above",
        ) from error


def write_file(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file, whole or piece by piece, under another name first: no half is ever seen.

    A symbolic link is replaced, not followed; a device such as /dev/stdout is written as it is.

    Raises InputError where the file cannot be written.
    """
    pieces = [content] if isinstance(content, bytes) else content
    try:
        if path.exists() and not path.is_file():
            _write(path, pieces)
            return
        temporary = path.with_name(f".{path.name}.part")
        try:
            temporary.unlink(missing_ok=True)
            _write(temporary, pieces)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(
            f"cannot write: {error.strerror}",
            where=str(path),
            hint="check the folder's permissions and the room on the disk",
        ) from error


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(pieces)
