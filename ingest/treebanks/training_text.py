"""Training files, of any size, batch by batch: their sentences and where these stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...schema.errors import InputError
from ...schema.files import UNPACKERS, format_suffix, read_lines
from ...schema.progress import Progress, silent

BATCH_BYTES = 4 * 1024**2
PACKED_TO = 4
"""How many times larger a packed file is taken to be, for telling how far reading is."""
_TEXT = b"# text ="


class TrainingBatch(NamedTuple):
    """Some sentences of a training file."""

    source: str
    lines: list[int]
    """The line on which each begins."""
    text: str
    """The sentences, one a line."""


def read_training(paths: Sequence[Path], *, progress: Progress = silent) -> Iterator[TrainingBatch]:
    """Yield the sentences of files in batches of about 4 MiB, so that memory stays bounded.

    A file has a sentence a line or, where it ends in .conllu, is CoNLL-U: the texts, or the forms
    where there are none. Files that end in .gz or .xz are unpacked. Lines are decoded from UTF-8.

    Raises InputError (file:line) for what cannot be read and bytes that are not UTF-8.
    """
    sizes = [_size(path) for path in paths]
    whole = max(1, sum(sizes))
    for place, path in enumerate(paths):
        done, before = 0, sum(sizes[:place])
        for lines, sentences in _batches(path):
            yield TrainingBatch(path.name, lines, _decoded(path, lines, sentences))
            done = min(done + sum(map(len, sentences)), sizes[place])
            progress(path.name, before + done, whole)
    progress("read", whole, whole)


def training_texts(path: Path) -> Iterator[str]:
    """Yield the sentences of one file; see ``read_training``."""
    for batch in read_training([path]):
        yield from batch.text.splitlines()


def _size(path: Path) -> int:
    try:
        size = path.stat().st_size
    except OSError:
        return 0  # opening it tells what is wrong
    return size * (PACKED_TO if path.suffix.lower() in UNPACKERS else 1)


def _batches(path: Path) -> Iterator[tuple[list[int], list[bytes]]]:
    numbers: list[int] = []
    sentences: list[bytes] = []
    held = 0
    numbered = _conllu(path) if format_suffix(path) == ".conllu" else enumerate(read_lines(path), 1)
    for number, sentence in numbered:
        numbers.append(number)
        sentences.append(sentence)
        held += len(sentence) + 1
        if held >= BATCH_BYTES:
            yield numbers, sentences
            numbers, sentences, held = [], [], 0
    if numbers:
        yield numbers, sentences


def _conllu(path: Path) -> Iterator[tuple[int, bytes]]:
    start, text, forms = 0, None, []
    for number, line in enumerate(read_lines(path), 1):
        start = start or number
        if line.startswith(_TEXT):
            text = line[len(_TEXT) :]
        elif line[:1].isdigit():
            columns = line.split(b"\t", 2)
            if len(columns) > 1 and columns[0].isdigit():
                forms.append(columns[1])
        elif not line.strip():
            if forms:
                yield start, text if text is not None else b" ".join(forms)
            start, text, forms = 0, None, []
    if forms:
        yield start, text if text is not None else b" ".join(forms)


def _decoded(path: Path, lines: Sequence[int], sentences: Sequence[bytes]) -> str:
    joined = b"\n".join(sentences)
    try:
        return joined.decode("utf-8").replace("\r", " ")
    except UnicodeDecodeError as error:
        line = lines[joined.count(b"\n", 0, error.start)]
        raise InputError(
            f"byte {joined[error.start]:#04x} is not valid UTF-8",
            where=f"{path}:{line}",
            hint="save the file as UTF-8",
        ) from None
