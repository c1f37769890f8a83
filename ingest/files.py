"""Reading text files: the one place that opens, unpacks and decodes what users bring."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

from schema.errors import HALF_A_PAIR, InputError

# What one Arrow array of strings can hold.
MAX_BYTES = 2 * 1024**3 - 1
_COMPRESSED: dict[str, Callable[[Path], object]] = {".gz": gzip.open, ".xz": lzma.open}


def read_bytes(path: Path) -> bytes:
    """Return a file's content, unpacked where its name ends in .gz or .xz.

    Raises InputError where the file is missing, damaged or unpacks to 2 GiB or more.
    """
    opener = _COMPRESSED.get(path.suffix.lower())
    if HALF_A_PAIR.search(str(path)):
        raise InputError("the file's name is no text in UTF-8", where=str(path), hint="rename it")
    try:
        with cast(IO[bytes], opener(path) if opener else path.open("rb")) as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(
            "the file does not exist", where=str(path), hint="check the name and the folder"
        ) from None
    except IsADirectoryError:
        raise InputError(
            "this is a folder, not a file", where=str(path), hint="name the files in it"
        ) from None
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"the compressed file is damaged or cut short: {error}",
            where=str(path),
            hint="fetch or make the file again; one that is not compressed needs another suffix",
        ) from error
    except OSError as error:
        raise InputError(
            f"the file cannot be read: {error.strerror}",
            where=str(path),
            hint="check its permissions and the disk",
        ) from error
    if len(content) > MAX_BYTES:
        raise InputError("the file holds 2 GiB or more", where=str(path), hint="split it")
    return content


def read_text(path: Path) -> str:
    """Return a file's text: UTF-8, no byte-order mark, lines ended by a line feed.

    Raises InputError with the line for bytes that are not UTF-8, NUL characters and lone
    carriage returns.
    """
    content = read_bytes(path)
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
    if path.suffix.lower() in _COMPRESSED:
        path = path.with_suffix("")
    return path.stem


def format_suffix(path: Path) -> str:
    """Return the suffix that names the format, such as ``.conllu``, looking behind .gz and .xz."""
    if path.suffix.lower() in _COMPRESSED:
        path = path.with_suffix("")
    return path.suffix.lower()
