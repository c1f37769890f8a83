"""Reading what users bring, with bounds on size and lines, and decoded; writing results whole."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import platform
import stat
import sys
import time
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from threading import Lock
from typing import IO, cast

from .errors import HALF_A_PAIR, DatabaseUnavailableError, InputError, remedy

_UTF_16 = "save it as UTF-8"
_FORGOTTEN_SECONDS = 24 * 60 * 60.0
"""A part of a file that nothing was written to for so long is nobody's any more."""
_KEEPING = Lock()
KINDS = {
    b"PK\x03\x04": ("a ZIP archive", "unpack it"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"Rar!": ("a RAR archive", "unpack it"),
    b"\x1f\x8b": ("packed by gzip", "let its name end in .gz"),
    b"\xfd7zXZ": ("packed by xz", "let its name end in .xz"),
    b"BZh": ("packed by bzip2", "unpack it"),
    b"\x28\xb5\x2f\xfd": ("packed by zstd", "unpack it"),
    b"\xff\xfe": ("text in UTF-16", _UTF_16),
    b"\xfe\xff": ("text in UTF-16", _UTF_16),
    b"PAR1": ("a Parquet file", "let its name end in .parquet, where a table is asked for"),
    b"%PDF": ("a PDF", "save its text as UTF-8"),
}
"""What files begin with that are no text in UTF-8, and what to do with them."""


def read_bytes(path: Path) -> bytes:
    """Return the content of a file that is no text; see ``read_blocks`` for what it raises."""
    return b"".join(read_blocks(path, text=False))


def read_text(path: Path, *, wide: bool = False) -> str:
    """Return a file's text: UTF-8, no byte-order mark, lines ended by a line feed.

    Where it may be ``wide``, as spreadsheets save tables, a file that begins with the mark of
    UTF-16 is in UTF-16.

    Raises InputError with the line for bytes that are not UTF-8, NUL characters and lone
    carriage returns; see ``read_blocks`` for more.
    """
    content = b"".join(read_blocks(path))
    is_wide = wide and content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
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
    if error.encoding.startswith("utf-16"):
        hint = "save it anew, as UTF-8"
        return InputError("the text in UTF-16 is damaged", where=str(path), hint=hint)
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
    if "\0" in str(path):
        raise InputError("no file has a NUL character in its name", where=repr(str(path)))
    try:
        # A pipe that nobody writes to opens at once, but only so.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _no_file(path, status.st_mode)
            if unpack is None:
                yield file, None
                return
            with cast(IO[bytes], unpack(file)) as stream:
                yield stream, status.st_size
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


def part_of(file: Path) -> Path:
    """Return where this process makes a file that gets its name when it is whole.

    What processes of this machine that were killed left of such a file is removed, and what those
    of another, of which nothing can be known here, left a day ago.
    """
    machine = _machine()
    for left in file.parent.glob(f".{escape(file.name)}.*.part*"):
        owner, _, process = left.name.removeprefix(f".{file.name}.").partition(".")
        number, _, start = process.partition(".part")[0].partition("-")
        with suppress(OSError):
            is_dead = owner == machine and number.isdecimal() and _start_of(int(number)) != start
            if is_dead or time.time() - left.stat().st_mtime > _FORGOTTEN_SECONDS:
                left.unlink()
    own = os.getpid()
    return file.with_name(f".{file.name}.{machine}.{own}-{_start_of(own)}.part")


def _machine() -> str:
    """Return whose numbers of processes they are: a machine's, or a container's on it."""
    with suppress(OSError):
        return f"{_short(platform.node())}-{Path('/proc/self/ns/pid').stat().st_ino}"
    return _short(platform.node())


def _short(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def _start_of(process: int) -> str:
    """Return when a process began, as the system counts; "0" for any where it does not say.

    Empty where there is no such process.
    """
    try:
        return (
            Path(f"/proc/{process}/stat")
            .read_text("utf-8", "replace")
            .rpartition(")")[2]
            .split()[19]
        )
    except (OSError, IndexError):
        return "" if Path("/proc/self/stat").exists() or not _is_alive(process) else "0"


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":  # there, to ask is to end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def write_file(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file, whole or piece by piece, under another name first: no half is ever seen.

    A symbolic link is replaced, not followed; a device such as /dev/stdout is written as it is.

    Raises InputError where the file cannot be written.
    """
    pieces = [content] if isinstance(content, bytes) else content
    with writing(path):
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


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Write in the block; raises InputError where that fails, with exit code 3 for a full disk."""
    try:
        yield
    except OSError as error:
        system = remedy(error)
        hint = system or "check the folder's permissions and the room on the disk"
        refusal = InputError(
            f"cannot write: {error.strerror or error}", where=str(place), hint=hint
        )
        refusal.exit_code = DatabaseUnavailableError.exit_code if system else refusal.exit_code
        raise refusal from error


def keep(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` make a file that is kept beside byte code, where that may be kept."""
    if sys.dont_write_bytecode:
        return
    with _KEEPING:  # threads of a process have one name for a part
        part = part_of(path)
        try:
            with suppress(OSError):
                write(part)
                part.replace(path)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(pieces)
