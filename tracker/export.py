"""Data out of the database: tables as Parquet, treebanks and submissions as CoNLL-U."""

from __future__ import annotations

import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..queries.catalog import views
from ..queries.errors.example_reading import Word, read_words
from ..queries.reading import read_batches
from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.files import single_line, write_file, writing
from ..schema.folders import HeldFolder
from ..schema.iterations import resolve_submission
from ..schema.keys import natural_keys
from ..schema.names import resolve_treebank
from ..schema.progress import Progress, silent
from ..schema.statements import Row, read_rows, read_table
from ..schema.themes import members


def export_tables(
    database: Database, folder: Path, *, with_views: bool = False, progress: Progress = silent
) -> int:
    """Write every table (and view) as ``<name>.parquet`` into a folder; return the number of files.

    They are moved there when all are written; what goes wrong before leaves nothing behind.

    Raises InputError where the folder cannot be made or written.
    """
    names = [*natural_keys(), *(view.name for view in views() if with_views)]
    made = not folder.exists()
    try:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            with HeldFolder("export", folder) as unfinished:
                for done, name in enumerate(names):
                    progress(name, done, len(names))
                    _write_parquet(database, name, Path(unfinished) / f"{name}.parquet")
                for name in names:
                    (Path(unfinished) / f"{name}.parquet").replace(folder / f"{name}.parquet")
    finally:
        if made:
            with suppress(OSError):  # it is not empty where all went well
                folder.rmdir()
    return len(names)


def _write_parquet(database: Database, name: str, file: Path) -> None:
    import pyarrow.parquet as pq

    rows = read_batches(database, name)
    with pq.ParquetWriter(file, rows.schema) as writer:
        for batch in rows:
            writer.write_batch(batch)


def export_treebank(
    database: Database, treebank_id: str, file: Path, *, sentence_nos: Sequence[int] | None = None
) -> int:
    """Write a treebank, or some of its sentences, as CoNLL-U and return the number of sentences.

    Raises UnknownNameError for a treebank that is not loaded, InputError where it has no words, and
    where the file cannot be written.
    """
    treebank_id = resolve_treebank(database, treebank_id)
    (blocks,) = read_table(database, "export_conllu", treebank_id=treebank_id).columns
    texts = blocks.to_pylist()
    if not texts:
        raise InputError(
            f"the references of '{treebank_id}' are text without words",
            hint="'tracker ingest parse' gives them words and trees, by a model",
        )
    if sentence_nos is not None:
        texts = [texts[sentence_no - 1] for sentence_no in sentence_nos]
    write_file(file, packed(file, (f"{text}\n\n" for text in texts)))
    return len(texts)


def packed(file: Path, texts: Iterable[str]) -> Iterator[bytes]:
    """Yield texts as bytes, compressed where the file's suffix is .gz or .xz."""
    packers: dict[str, Callable[[], Any]] = {
        ".gz": lambda: zlib.compressobj(wbits=zlib.MAX_WBITS | 16),
        ".xz": lzma.LZMACompressor,
    }
    contents = (text.encode() for text in texts)
    if file.suffix not in packers:
        yield from contents
        return
    packer = packers[file.suffix]()
    yield from (packer.compress(content) for content in contents)
    yield packer.flush()


BATCH = 1000
"""Sentences that are held at a time."""
NEAR = 12
"""Characters from the end of a word within which the next one starts."""
TREES = ("reference", "output")
_RESERVED = r"[\s|=,]+"
Broken = Mapping[tuple[int, int], Sequence[str]]


def export_submission(
    database: Database, submission: str, file: Path, *, trees: str = "reference"
) -> int:
    """Write the sentences of a submission as CoNLL-U; return how many there are.

    With the trees of the references, MISC has ``Edge=found``, ``missed`` or ``misplaced`` (the
    output has both words, elsewhere) where dependency edge accuracy is computed. With those of the
    outputs, as far as they are parsed, it has ``Rules=`` with the grammar rules that a word's
    dependency breaks, by the rule set that scored the submission last, and
    ``Error=SEVERITY:CATEGORY`` for marked errors. Comments have the output or the reference, and
    each marked error. Sentences without output words are left out.

    Raises UnknownNameError for a submission that does not exist, InputError for references that
    are texts alone, and where the file cannot be written.
    """
    submission_id = resolve_submission(database, submission)
    made = _Counted(
        _references(database, submission_id)
        if trees == "reference"
        else _outputs(database, submission_id, _broken_rules(database, submission_id))
    )
    write_file(file, packed(file, made))
    return made.count


class _Counted:
    """Sentences as text, counted as they pass."""

    def __init__(self, sentences: Iterator[list[str]]) -> None:
        self.sentences = sentences
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        for lines in self.sentences:
            self.count += 1
            yield "\n".join(lines) + "\n\n"


def _broken_rules(database: Database, submission_id: str) -> Broken:
    """Return the rules that each dependency of the outputs breaks, by sentence and word."""
    broken: dict[tuple[int, int], Sequence[str]] = {}
    for broken_by_word in members("queries", "violations", "broken_by_word"):
        broken |= broken_by_word(database, submission_id)
    return broken


def _batches(database: Database, submission_id: str, last: int) -> Iterator[dict[int, Row]]:
    for first in range(1, last + 1, BATCH):
        rows = read_rows(
            database,
            "export_outputs",
            submission=submission_id,
            first=first,
            last=min(first + BATCH - 1, last),
        )
        yield {row["sentence_no"]: row for row in rows}


def _last_sentence(database: Database, submission_id: str) -> tuple[str, int]:
    (row,) = read_rows(database, "exported_submission", submission=submission_id)
    return row["treebank_id"], row["sentences"]


def _references(database: Database, submission_id: str) -> Iterator[list[str]]:
    """Yield the references' sentences with what became of their edges."""
    treebank_id, last = _last_sentence(database, submission_id)
    blocks = read_table(database, "export_conllu", treebank_id=treebank_id)["text"]
    if not len(blocks):
        raise InputError(
            f"the references of '{treebank_id}' have no words",
            hint="take the outputs' words (--trees output); 'tracker ingest parse' gives trees",
        )
    for outputs in _batches(database, submission_id, last):
        words = read_words(database, submission_id, [*outputs])
        for number, row in outputs.items():
            lines = blocks[number - 1].as_py().split("\n")
            comments = [line for line in lines if line.startswith("#")]
            remarks = {str(word.token_no): _edge(word) for word in words[number]}
            yield [
                *comments,
                *_remarks(submission_id, row, "output"),
                *(_with_remark(line, remarks) for line in lines[len(comments) :]),
            ]


def _edge(word: Word) -> str:
    if word.found is None:
        return ""
    return f"Edge={'found' if word.found else 'misplaced' if word.misplaced else 'missed'}"


def _with_remark(line: str, remarks: Mapping[str, str]) -> str:
    number, rest = line.split("\t", 1)
    remark = remarks.get(number)
    if not remark:
        return line
    before, misc = rest.rsplit("\t", 1)
    return f"{number}\t{before}\t{remark if misc == '_' else f'{misc}|{remark}'}"


def _remarks(submission_id: str, row: Row, other: str) -> list[str]:
    """Return the comments about an output: whose it is, the other text, each error."""
    text = row["text" if other == "output" else "reference"]
    return [
        f"# submission = {submission_id}",
        *([] if text is None else [f"# {other} = {single_line(text)}"]),
        *(f"# error = {_error_text(error, row['text'])}" for error in row["errors"] or ()),
    ]


def _error_text(error: Row, text: str) -> str:
    start, end = error["start_character"], error["end_character"]
    place = "" if start is None else f" {start}-{end}"
    marked = "" if start is None or error["on_source"] else f" {single_line(text[start:end])}"
    side = " source" if error["on_source"] else ""
    return f"{_kind(error)}{side}{place}{marked}"


def _kind(error: Row) -> str:
    named = ":".join(filter(None, (error["severity"], error["category"]))) or "unspecified"
    return re.sub(_RESERVED, "_", named)


def _outputs(database: Database, submission_id: str, broken: Broken) -> Iterator[list[str]]:
    """Yield the outputs' sentences, with what is wrong with their words."""
    _, last = _last_sentence(database, submission_id)
    for outputs in _batches(database, submission_id, last):
        for number, row in outputs.items():
            if row["forms"]:
                yield [
                    f"# sent_id = {row['sent_id']}",
                    f"# text = {single_line(row['text'])}",
                    *_remarks(submission_id, row, "reference"),
                    *_word_lines(row, broken, number),
                ]


def _word_lines(row: Row, broken: Broken, sentence_no: int) -> Iterator[str]:
    """Yield a line for each word, and one before words that the text has only together."""
    forms, text = row["forms"], row["text"].rstrip()
    unknown = [None] * len(forms)
    upos, xpos, feats, heads, deprels = (
        row[name] or unknown for name in ("upos", "xpos", "feats", "heads", "deprels")
    )
    lemmas = row["lemmas"] or unknown
    for first, after, start, end in _pieces(forms, text):
        close = ["SpaceAfter=No"] if end < len(text) and not text[end].isspace() else []
        together = after - first > 1 and start < end
        if together:
            yield _line(f"{first + 1}-{after}", text[start:end], *"_" * 7, "|".join(close))
        for place in range(first, after):
            broken_rules = _rules_text(broken.get((sentence_no, place + 1), ()))
            misc = [
                *_errors_at(row["errors"], start, end),
                *broken_rules,
                *([] if together else close),
            ]
            yield _line(
                place + 1,
                forms[place],
                forms[place] if lemmas[place] == "" else lemmas[place],
                *(column[place] for column in (upos, xpos, feats, heads, deprels)),
                "_",
                "|".join(misc),
            )


def _pieces(forms: Sequence[str], text: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield pieces of a text: which of the words it is, and its characters.

    A word is looked for a dozen characters from the end of the one before; words that are not
    found, as parts of contractions, are one piece with what stands between their neighbours.
    """
    at = lost = 0
    for place, form in enumerate(forms):
        start = text.find(form, at, at + len(form) + NEAR)
        if start < 0:
            continue
        if lost < place:
            yield (lost, place, *_trimmed(text, at, start))
        at, lost = start + len(form), place + 1
        yield place, place + 1, start, at
    if lost < len(forms):
        yield (lost, len(forms), *_trimmed(text, at, len(text)))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end].strip()
    start = text.find(inner, start)
    return start, start + len(inner)


def _errors_at(errors: Sequence[Row] | None, start: int, end: int) -> list[str]:
    """Return the errors marked on these characters of the output."""
    over = [
        _kind(error)
        for error in errors or ()
        if not error["on_source"]
        and error["start_character"] is not None
        and error["start_character"] < end
        and error["end_character"] > start
    ]
    return [f"Error={','.join(dict.fromkeys(over))}"] if over else []


def _rules_text(rules: Sequence[str]) -> list[str]:
    return [f"Rules={','.join(re.sub(_RESERVED, '_', rule) for rule in rules)}"] if rules else []


def _line(*values: Any) -> str:
    return "\t".join(single_line(str("_" if value is None else value)) or "_" for value in values)
