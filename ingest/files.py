"""Reading text files: decoding what users bring, and telling what is wrong with it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sr_tracker.schema.errors import InputError
from sr_tracker.schema.reading import UNPACKERS, read_blocks


def read_bytes(path: Path) -> bytes:
    """Return the content of a file that is no text; see ``read_blocks`` for what it raises."""
    return b"".join(read_blocks(path, text=False))


def read_text(path: Path) -> str:
    """Return a file's text: UTF-8, no byte-order mark, lines ended by a line feed.

    Raises InputError with the line for bytes that are not UTF-8, NUL characters and lone
    carriage returns; see ``read_blocks`` for more.
    """
    content = b"".join(read_blocks(path))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"byte {error.object[error.start]:#04x} is not valid UTF-8",
            where=f"{path}:{line}",
            hint="save the file as UTF-8",
        ) from None
    text = text.replace("\r\n", "\n")
    for character, name in (("\0", "a NUL character"), ("\r", "a lone carriage return")):
        place = text.find(character)
        if place >= 0:
            line = text.count("\n", 0, place) + 1
            raise InputError(
                f"the line holds {name}",
                where=f"{path}:{line}",
                hint="remove it; lines end with a line feed",
            )
    return text


def content_hash(*parts: str | bytes) -> str:
    """Return the SHA-256 of the parts, each ended by a NUL byte, as hexadecimal text."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\0")
    return digest.hexdigest()


def bare_name(path: Path) -> str:
    """Return the file's name without the suffixes of compression and format."""
    if path.suffix.lower() in UNPACKERS:
        path = path.with_suffix("")
    return path.stem


def format_suffix(path: Path) -> str:
    """Return the suffix that names the format, such as ``.conllu``, looking behind .gz and .xz."""
    if path.suffix.lower() in UNPACKERS:
        path = path.with_suffix("")
    return path.suffix.lower()
