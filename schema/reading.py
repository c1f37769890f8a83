"""Opening what users bring: the one place, for every reader, with bounds on size and lines."""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from sr_tracker.schema.errors import HALF_A_PAIR, InputError

# What one Arrow array of strings can hold.
MAX_BYTES = 2 * 1024**3 - 1
# Longer than any sentence, table row or JSON document of an evaluation.
MAX_LINE_BYTES = 16 * 1024**2
# More words than any treebank, more entries than any dictionary.
MAX_LINES = 20_000_000
MAX_BLANK_BYTES = 4 * 1024**2
# Text shrinks to a tenth when it is packed, very regular tables to a fiftieth.
MAX_RATIO = 200
FREELY_UNPACKED = 64 * 1024**2
BLOCK = 1024**2

UNPACKERS: dict[str, Callable[[IO[bytes]], object]] = {".gz": gzip.open, ".xz": lzma.open}


def read_blocks(path: Path, *, text: bool = True, most: int | None = None) -> Iterator[bytes]:
    """Yield a file's content in blocks of at most 1 MiB, unpacked where it ends in .gz or .xz.

    ``text`` bounds lines as well: their length, their number, and how much may be blank. ``most``
    is the largest size, MAX_BYTES by default.

    Raises InputError at the first block that goes beyond a bound, at once for what is no regular
    file (a pipe would be waited for, a device never ends), and for files that are missing, damaged
    or not readable.
    """
    bound = MAX_BYTES if most is None else most
    total = lines = line = blank = 0
    with _opened(path) as (stream, packed):
        while block := stream.read(BLOCK):
            total += len(block)
            if total > bound:
                raise InputError("the file holds 2 GiB or more", where=str(path), hint="split it")
            if packed is not None:
                check_unpacked(path, total, packed)
            if text:
                first = block.find(b"\n")
                line += len(block) if first < 0 else first
                blank = 0 if block.strip() else blank + len(block)
                _check_line(path, lines, line, blank)
                lines += block.count(b"\n")
                if lines > MAX_LINES:
                    message = f"the file has more than {MAX_LINES:,} lines"
                    raise InputError(message, where=str(path), hint="split it")
                if first >= 0:
                    line = len(block) - block.rfind(b"\n") - 1
            yield block


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file of any size, without their ends; see ``read_blocks`` for errors."""
    rest = b""
    for block in read_blocks(path, most=2**63):
        *whole, rest = (rest + block).split(b"\n")
        yield from whole
    if rest:
        yield rest


def check_unpacked(path: Path, size: int, packed: int) -> None:
    """Raise InputError where a packed file holds more than packed text does."""
    if size > max(FREELY_UNPACKED, MAX_RATIO * packed):
        raise InputError(
            f"the file unpacks to more than {MAX_RATIO} times its size",
            where=str(path),
            hint="is it the right file? As plain text it may be larger",
        )


def _check_line(path: Path, lines: int, line: int, blank: int) -> None:
    where, hint = f"{path}:{lines + 1}", "is it the right file, and complete?"
    if line > MAX_LINE_BYTES:
        message = f"the line is longer than {_size(MAX_LINE_BYTES)}"
        raise InputError(message, where=where, hint=hint)
    if blank > MAX_BLANK_BYTES:
        message = f"more than {_size(MAX_BLANK_BYTES)} of blank lines lead up to this one"
        raise InputError(message, where=where, hint=hint)


def _size(number: int) -> str:
    return f"{number / 1024**2:.0f} MiB"


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], int | None]]:
    """Open a regular file; give its unpacked stream, and its size where that is packed."""
    unpack = UNPACKERS.get(path.suffix.lower())
    if HALF_A_PAIR.search(str(path)):
        raise InputError("the file's name is no text in UTF-8", where=str(path), hint="rename it")
    try:
        # A pipe that nobody writes to opens at once, but only so.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise _no_file(path, found.st_mode)
            if unpack is None:
                yield file, None
                return
            with cast(IO[bytes], unpack(file)) as stream:
                yield stream, found.st_size
    except FileNotFoundError:
        raise InputError(
            "the file does not exist", where=str(path), hint="check the name and the folder"
        ) from None
    except IsADirectoryError:
        raise _no_file(path, stat.S_IFDIR) from None
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"the compressed file is damaged or cut short: {error}",
            where=str(path),
            hint="fetch or make the file again; one that is not compressed needs another suffix",
        ) from error
    except MemoryError:
        raise InputError(
            "there is not enough memory to read the file", where=str(path), hint="split it"
        ) from None
    except OSError as error:
        raise InputError(
            f"the file cannot be read: {error.strerror}",
            where=str(path),
            hint="check its permissions and the disk",
        ) from error


def check_regular(path: Path) -> None:
    """Raise InputError where a path is there and is neither a regular file nor a folder."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise _no_file(path, path.stat().st_mode)


def _no_file(path: Path, mode: int) -> InputError:
    if stat.S_ISDIR(mode):
        message, hint = "this is a folder, not a file", "name the files in it"
    else:
        kind = "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
        message, hint = f"this is a {kind}, not a file", "write what it gives to a file first"
    return InputError(message, where=str(path), hint=hint)
