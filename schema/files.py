"""Reading text files: decoding what users bring, and telling what is wrong with it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sr_tracker.schema.errors import InputError
from sr_tracker.schema.reading import UNPACKERS, read_blocks

KINDS = {
    b"PK\x03\x04": ("a ZIP archive", "unpack it"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"Rar!": ("a RAR archive", "unpack it"),
    b"\x1f\x8b": ("packed by gzip", "let its name end in .gz"),
    b"\xfd7zXZ": ("packed by xz", "let its name end in .xz"),
    b"BZh": ("packed by bzip2", "unpack it"),
    b"\x28\xb5\x2f\xfd": ("packed by zstd", "unpack it"),
    b"\xff\xfe": ("text in UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "save it as UTF-8"),
    b"PAR1": ("a Parquet file", "let its name end in .parquet, where a table is asked for"),
    b"%PDF": ("a PDF", "save its text as UTF-8"),
}
"""What files begin with that are no text in UTF-8, and what to do with them."""


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
        raise _no_text(path, error) from None
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


def _no_text(path: Path, error: UnicodeDecodeError) -> InputError:
    for beginning, (kind, hint) in KINDS.items():
        if error.object.startswith(beginning):
            return InputError(f"the file is {kind}", where=f"{path}:1", hint=hint)
    line = error.object.count(b"\n", 0, error.start) + 1
    message = f"byte {error.object[error.start]:#04x} is not valid UTF-8"
    return InputError(message, where=f"{path}:{line}", hint="save the file as UTF-8")


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


def model_fingerprint(path: Path) -> str:
    """Return `<name>@<8 hexadecimal digits>`: the SHA-256 of a model file or of a folder's files.

    A folder's digest covers the relative paths and the bytes of all its files.
    """
    digest = hashlib.sha256()
    files = [path] if path.is_file() else sorted(item for item in path.rglob("*") if item.is_file())
    for file in files:
        if path.is_dir():
            digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return f"{path.name}@{digest.hexdigest()[:8]}"


def single_line(text: str) -> str:
    """Return the text with every stretch of blanks and line ends as one blank, none at the ends."""
    return " ".join(text.split())
