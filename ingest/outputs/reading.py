"""Files of outputs → texts with ids.

They are shared-task text, lines, CoNLL-U, CSV, TSV, JSONL, JSON or Parquet. Several files, a column
of lists or one of trials are several trials.
"""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unicodedata import is_normalized, normalize

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import listed
from ...schema.errors import InputError
from ..analysers import ANALYSIS_SCHEMA
from ..formats import Column, Columns, Format, UserFile, read_file
from ..records import Placed, Records, check_records, read_records, records_of
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import conllu_tables, positions_within, read_heads, surface_texts

_LINE = re.compile(r"#\s*(?:sent_id\s*=(.*)|text\s*=\s?(.*))")
_SHARED_TASK = re.compile(r"^#[^\S\n]*(sent_id|text)[^\S\n]*=", re.MULTILINE)
_JSON_HINT = (
    "outputs are a list of objects, such as "
    '{"sent_id": "1", "text": "…"}, a list of texts, or an object of texts by sent_id'
)
SENTENCE = Column(
    "sent_id",
    ["sent_id", "id", "sentence_id", "sentence_no", "segment_id", "sample_id", "gem_id", "key"],
    option="--id-column",
)
SYSTEM = Column("system", ["system", "system_id", "system_name", "model"])
_SYSTEM_OF_ROW = Column("system", [*SYSTEM.called, "model_id", "model_name"])
OUTPUT = Column(
    "text",
    ["output", "outputs", "prediction", "predictions", "hypothesis", "response", "text"],
    usual="text",
    required=True,
    nested=True,
    option="--text-column",
)
REFERENCE = Column(
    "reference",
    ["reference", "references", "ref", "target", "targets", "ground_truth", "expected_response"],
)
_TRIAL = Column("trial", ["trial", "trial_no", "replicate"])
COLUMNS = Columns("outputs", (SENTENCE, OUTPUT, _TRIAL))


@dataclass(frozen=True)
class OutputFile(Placed):
    """The outputs of a file in its order; ``ids`` is None where outputs are aligned by position."""

    source: str
    ids: list[str] | None
    texts: list[str | None]
    lines: list[int]
    tokens: pa.Table | None = None
    """Analysed words (ANALYSIS_SCHEMA), where sentence_no counts the file's outputs from 1."""
    label: str | None = None
    """What tells a trial from others, such as its seed."""
    further: Sequence[OutputFile] = ()
    """Further trials: other seeds, or samples, of the same run."""

    @property
    def trials(self) -> list[OutputFile]:
        """All trials, of which this is the first."""
        return [self, *self.further]


def with_trials(trials: Sequence[OutputFile]) -> OutputFile:
    """Return the first of some trials, with all others."""
    return replace(trials[0], further=tuple(trials[1:]))


def read_trials(paths: Sequence[Path], **columns: str | None) -> OutputFile:
    """Return the outputs of files as trials of one run, labelled by the names of the files.

    Raises InputError for no file, one that is named twice, one that holds several trials itself,
    and what ``read_outputs`` does.
    """
    if not paths:
        raise InputError("no outputs are given", hint="give a file of outputs")
    resolved = [path.resolve() for path in paths]
    for place, path in enumerate(resolved):
        if path in resolved[:place]:
            raise InputError(
                f"the file {paths[place].name} is given twice",
                where=str(paths[place]),
                hint="each trial is a file of its own: another seed, or another sample",
            )
    files = [read_outputs(path, **columns) for path in paths]
    if len(files) == 1:
        return files[0]
    for file in files:
        if file.further:
            raise InputError(
                f"the file holds {len(file.trials)} trials itself",
                where=file.source,
                hint="give it alone, or one trial in each file",
            )
    return with_trials(
        [replace(file, label=path.name) for file, path in zip(files, paths, strict=True)]
    )


def read_outputs(
    path: Path,
    *,
    id_column: str | None = None,
    text_column: str | None = None,
    system: str | None = None,
) -> OutputFile:
    """Return the outputs of a file; an output of blanks only counts as none given (None).

    The suffix tells CoNLL-U, CSV, TSV, JSONL and Parquet; other files are shared-task text where
    a line reads ``# sent_id = …`` or ``# text = …``, else one output a line. Of a table with the
    outputs of several systems those of one ``system`` are read, see ``of_system``.

    Raises InputError (file:line) for whatever does not fit the format.
    """
    return read_file(path, _FORMATS, id_column, text_column, system)


def of_system(records: Records, system: str | None, id_column: str | None = None) -> Records:
    """Return the rows of one system, for None the first of each id.

    That is of a table in which ids stand several times, for several systems; others stay as they
    are. Raises InputError where there is no row of the system, and no trials are told apart.
    """
    name, ids = _SYSTEM_OF_ROW.among(records.columns), SENTENCE.among(records.columns)
    ids = id_column if id_column in records.columns else ids
    if name is None or ids is None:
        return records
    systems, sent_ids = records.columns[name], records.columns[ids]
    if len({*systems}) < 2 or len({*sent_ids}) == len(sent_ids):
        return records
    if system is None:
        first = {sent_id: row for row, sent_id in reversed([*enumerate(sent_ids)])}
        return records.only(sorted(first.values()))
    if system not in systems and _TRIAL.among(records.columns):
        return records
    if system not in systems:
        there = listed(sorted({*map(str, systems)}))
        hint = f"the column '{name}' has {there}"
        raise InputError(f"no row is of the system '{system}'", where=records.source, hint=hint)
    return records.only([row for row, value in enumerate(systems) if value == system])


def composed(file: OutputFile) -> OutputFile:
    """Return a file's outputs with their texts, forms and lemmas in composed Unicode (NFC)."""
    tokens = file.tokens
    if tokens is not None:
        for name in ("form", "lemma"):
            values = pa.array(_composed(tokens[name].to_pylist()), pa.string())
            tokens = tokens.set_column(tokens.column_names.index(name), name, values)
    further = tuple(map(composed, file.further))
    return replace(file, texts=_composed(file.texts), tokens=tokens, further=further)


def _composed(texts: Sequence[str | None]) -> list[str | None]:
    if is_normalized("NFC", "\n".join(text for text in texts if text)):
        return [*texts]
    return [None if text is None else normalize("NFC", text) for text in texts]


def _text_or_none(text: str | None) -> str | None:
    return text if text and text.strip() else None


def _from_lines(file: UserFile, *_: object) -> OutputFile:
    lines = file.lines()
    check_records(file.source, len(lines))
    texts = [_text_or_none(line) for line in lines]
    return OutputFile(file.source, None, texts, [*range(1, len(lines) + 1)])


def _from_shared_task(file: UserFile, *_: object) -> OutputFile:
    ids: list[str] = []
    texts: list[str | None] = []
    numbers: list[int] = []
    awaiting_text = False
    for number, line in file.filled_lines():
        match = _LINE.fullmatch(line)
        sent_id, text = match.groups() if match else (None, None)
        if sent_id is not None:
            ids.append(sent_id.strip())
            texts.append(None)
            numbers.append(number)
            awaiting_text = True
        elif text is not None and awaiting_text:
            texts[-1] = _text_or_none(text)
            awaiting_text = False
        else:
            raise InputError(
                "the line is neither sent_id nor text"
                if text is None
                else "a text without its sent_id",
                where=file.where(number),
                hint="each output is '# sent_id = ID', then '# text = TEXT', then a blank line",
            )
    return OutputFile(file.source, ids, texts, numbers)


def _from_table(file: UserFile, *columns: str | None) -> OutputFile:
    return _from_records(read_records(file.path), *columns)


def _from_records(
    records: Records, id_column: str | None, text_column: str | None, system: str | None
) -> OutputFile:
    records = of_system(records, system, id_column)
    mapped = {"sent_id": id_column, "text": text_column}
    table = COLUMNS.table(records, {name: column for name, column in mapped.items() if column})
    ids = table.texts("sent_id") if table.has("sent_id") else None
    if ids is not None and None in ids:
        raise InputError(
            f"'{table.names['sent_id']}' is empty",
            where=table.where(ids.index(None)),
            hint="give every output its id, or drop the column to align by position",
        )
    named = None if ids is None else [str(sent_id) for sent_id in ids]
    column = str(table.names["text"])
    if column in table.records.nested:
        values = [
            _listed(text, table.where(row))
            for row, text in enumerate(table.records.columns[column])
        ]
        return of_lists(OutputFile(table.source, named, [], table.lines), values)
    cells = table.texts("text")
    lists = _printed_lists(cells)
    if lists is not None:
        return of_lists(OutputFile(table.source, named, [], table.lines), lists)
    texts = [_text_or_none(text) for text in cells]
    outputs = OutputFile(table.source, named, texts, table.lines)
    return by_trial(outputs, table.texts("trial")) if table.has("trial") else outputs


def _listed(text: str | None, where: str) -> list[str | None]:
    """Return the outputs that stand in a list, as JSON; of another value, it alone."""
    try:
        value = json.loads(text or "null")
    except ValueError:
        value = text
    values = value if isinstance(value, list) else [value]
    for one in values:
        if not isinstance(one, str | None):
            raise InputError(
                f"the list of outputs holds {described(one)}, not a text",
                where=where,
                hint='write a text, or a list of texts, one for each trial: ["…", "…"]',
            )
    return [_text_or_none(one) for one in values]


def _printed_lists(cells: Sequence[str | None]) -> list[list[str | None]] | None:
    """Return the lists that all cells hold as text, as JSON or Python writes them, else None."""
    lists: list[list[str | None]] = []
    for cell in cells:
        text = (cell or "").strip()
        if text and not (text.startswith("[") and text.endswith("]")):
            return None
        try:
            value = literal_eval(text) if text else []
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
        if not all(isinstance(one, str) for one in value):
            return None
        lists.append([_text_or_none(one) for one in value])
    return lists if any(lists) else None


def of_lists(file: OutputFile, values: Sequence[Sequence[str | None]]) -> OutputFile:
    """Return trials: the first outputs of all sentences, the second ones, and so on.

    Where a sentence has fewer than others, it has no output in the last trials.
    """
    most = max(map(len, values), default=1) or 1
    return with_trials(
        [
            replace(
                file,
                texts=[texts[place] if place < len(texts) else None for texts in values],
                label=str(place + 1) if most > 1 else None,
            )
            for place in range(most)
        ]
    )


def by_trial(file: OutputFile, labels: Sequence[str | None]) -> OutputFile:
    """Return trials by the label of each output, in the order of their first outputs."""
    if None in labels:
        raise InputError(
            "the output is of no trial",
            where=file.where(labels.index(None)),
            hint="say of every output which trial it is of, or of none",
        )
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        rows.setdefault(str(label), []).append(row)
    if len(rows) < 2:
        return file
    return with_trials(
        [
            replace(
                file,
                ids=None if file.ids is None else [file.ids[row] for row in some],
                texts=[file.texts[row] for row in some],
                lines=[file.lines[row] for row in some],
                label=label,
            )
            for label, some in rows.items()
        ]
    )


def _from_json(file: UserFile, *columns: str | None) -> OutputFile:
    """Return the outputs of a list of objects or texts, or of an object of texts by sent_id."""
    value = file.json(_JSON_HINT)
    if isinstance(value, dict) and all(isinstance(text, str | None) for text in value.values()):
        value = [{"sent_id": sent_id, "text": text} for sent_id, text in value.items()]
    elif isinstance(value, list) and all(isinstance(text, str | None) for text in value):
        value = [{"text": text} for text in value]
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError("the JSON value holds no outputs", where=file.source, hint=_JSON_HINT)
    check_records(file.source, len(value))
    places = [*range(1, len(value) + 1)]
    return _from_records(records_of(value, places, file.source), *columns)


def _from_conllu(file: UserFile, *_: object) -> OutputFile:
    parsed = parse_conllu(file.text, file.source)
    tables = conllu_tables(parsed, read_heads(parsed))
    if tables.hidden:
        raise InputError(
            "every form is hidden (_)", where=file.source, hint="an output needs its words"
        )
    _, joined = surface_texts(tables, len(parsed.lengths))
    texts = zip(parsed.texts, joined.to_pylist(), strict=True)
    return OutputFile(
        file.source,
        _conllu_ids(parsed),
        [_text_or_none(text) or words for text, words in texts],
        parsed.lines,
        _analysed(tables.tokens),
    )


def _conllu_ids(file: ConlluFile) -> list[str] | None:
    ids = [sent_id for sent_id in file.sent_ids if sent_id is not None]
    if ids and len(ids) < len(file.sent_ids):
        line = file.lines[file.sent_ids.index(None)]
        raise InputError(
            "the sentence has no sent_id although others have one",
            where=f"{file.source}:{line}",
            hint="give every sentence a sent_id, or none",
        )
    return ids or None


def _analysed(tokens: pa.Table) -> pa.Table:
    """Return words as an analysis: punctuation is what `is_punctuation` says it is."""
    punctuation = pc.coalesce(
        pc.match_substring_regex(tokens["deprel"], "^punct(:|$)"),
        pc.equal(tokens["upos"], "PUNCT"),
        pc.match_substring_regex(tokens["form"], r"^[\p{P}\p{Sk}]+$"),
    ).combine_chunks()
    counted = pc.invert(punctuation).to_numpy(zero_copy_only=False)
    positions = positions_within(tokens["sentence_no"].to_numpy(), counted)
    columns = {name: tokens[name] for name in ANALYSIS_SCHEMA.names if name != "position"}
    columns["position"] = pa.array(positions, pa.int32(), mask=~counted)
    return pa.table(columns).select(ANALYSIS_SCHEMA.names).cast(ANALYSIS_SCHEMA)


_FORMATS = (
    Format("CoNLL-U", _from_conllu, lambda file: file.suffix == ".conllu"),
    Format("table", _from_table, lambda file: file.is_table),
    Format("one JSON value", _from_json, lambda file: file.suffix == ".json"),
    Format(
        "shared-task text", _from_shared_task, lambda file: bool(_SHARED_TASK.search(file.text))
    ),
    Format("lines", _from_lines),
)


def described(value: Any) -> str:
    """Return the kind of a value in words: a list, an int."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
