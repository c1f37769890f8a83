"""Writing result files: whole or not at all."""

from __future__ import annotations

from pathlib import Path

from sr_tracker.schema.errors import InputError


def write_file(path: Path, content: bytes) -> None:
    """Write a file under another name first, so that no half of it is ever seen.

    A symbolic link is replaced, not followed; a device such as /dev/stdout is written as it is.

    Raises InputError where the file cannot be written.
    """
    temporary = path.with_name(f".{path.name}.part")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        try:
            temporary.unlink(missing_ok=True)
            temporary.write_bytes(content)
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
