"""Tables in files (CSV, TSV, JSONL, Parquet) → columns of text, with the line of each record."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..schema.errors import InputError
from ..schema.files import MAX_BYTES, check_unpacked, format_suffix, read_bytes, read_text
from ..schema.names import nearest

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

# The csv module refuses longer values; by default than 131,072 characters.
csv.field_size_limit(MAX_BYTES)

# More outputs, judgements or scores than any campaign has in one file.
MAX_RECORDS = 5_000_000
# Lines of JSON that each name columns of their own would fill the memory with empty values.
MAX_CELLS = 10**8
ROWS_AT_ONCE = 256
RECORD_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")

Key = TypeVar("Key", bound=Hashable)
_JSON_HINT = 'every line is one object, such as {"sent_id": "1", "text": "…"}'
_DECIMAL_COMMA = re.compile(r"[+-]?\d+(,\d+)?([eE][+-]?\d+)?")
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Placed:
    """Records whose lines in a file are known."""

    source: str
    lines: list[int]

    def where(self, record: int) -> str:
        """Return the place of a record, counted from 0, as file:line."""
        return f"{self.source}:{self.lines[record]}"


@dataclass(frozen=True)
class Records(Placed):
    """A table of text values; NULL and an empty cell are both None."""

    source: str
    columns: dict[str, list[str | None]]
    lines: list[int]
    nested: dict[str, int] = field(default_factory=dict)
    """The columns that hold a list or an object, each with the first record that does."""
    decimal_commas: bool = False
    """Whether numbers may be written as 0,5: no commas stand between the columns."""

    def check_column(self, name: str, *, nested: bool = False, option: str = "") -> None:
        """Raise InputError where the file has no column of a name, or one with lists or objects.

        It may hold those where it may be ``nested``; ``option`` names another column.
        """
        if name not in self.columns:
            hint = f"{option} says which it is" if option else ""
            raise no_column(name, self.columns, self.source, hint)
        if name in self.nested and not nested:
            raise InputError(
                f"'{name}' holds a list or an object, not a value",
                where=self.where(self.nested[name]),
                hint="write one text or number",
            )

    def column(self, name: str) -> list[str | None]:
        """Return a column; see ``check_column`` for what it raises."""
        self.check_column(name)
        return self.columns[name]

    def only(self, rows: Sequence[int]) -> Records:
        """Return some of the records, by their places from 0."""
        columns = {name: [values[row] for row in rows] for name, values in self.columns.items()}
        return replace(self, columns=columns, lines=[self.lines[row] for row in rows])

    def numerals(self, name: str) -> list[str | None]:
        """Return a column as ``column`` does, of numbers: with points for decimal commas.

        One that has points as well stays as it is: who reads its numbers refuses those with commas.
        """
        values = self.column(name)
        if not self.decimal_commas or any("." in value for value in values if value):
            return values
        return [
            value.replace(",", ".") if value and _DECIMAL_COMMA.fullmatch(value) else value
            for value in values
        ]


def no_column(name: str, there: Iterable[str], where: str, hint: str = "") -> InputError:
    """Return the error for a column that is not among those that are there: it tells the nearest.

    ``hint`` goes before what is said of any file.
    """
    names = list(there)
    hints = [hint] if hint else []
    hints += [f"nearest: '{near}'" for near in nearest(name, names)[:1]]
    hints.append(f"name one of the file's columns ({', '.join(names)}), or correct its header line")
    return InputError(f"there is no column '{name}'", where=where, hint="; ".join(hints))


def read_records(path: Path) -> Records:
    """Return the records of a CSV, TSV, JSONL or Parquet file; the name's suffix tells which.

    Spreadsheets of many languages write semicolons or tabs for commas, commas for decimal points,
    or UTF-16: columns are parted by what the header line has of these, and in a table without
    commas between its columns numbers may be written as 0,5 (``Records.numerals``).

    Raises InputError (file:line) for ragged rows, broken quoting or JSON, repeated columns, and a
    header of which it cannot be told what parts its columns.
    """
    suffix = format_suffix(path)
    if suffix == ".parquet":
        return _read_parquet(path)
    if suffix == ".jsonl":
        return _read_jsonl(path)
    return _read_delimited(path, "\t" if suffix == ".tsv" else ",")


def _read_delimited(path: Path, delimiter: str) -> Records:
    text = read_text(path, wide=True)
    check_records(str(path), text.count("\n"))
    if delimiter == ",":
        delimiter = _delimiter(path, text)
    rows = delimited_rows(path, text, delimiter)
    hint = "quote values that hold the delimiter"
    records = records_of_rows(path, rows, hint=hint, check=_check_header)
    return replace(records, decimal_commas=delimiter != ",")


def records_of_rows(
    path: Path,
    rows: Iterator[tuple[int, list[str]]],
    *,
    hint: str,
    check: Callable[[Sequence[str], str], None],
    missing: Collection[str] = ("",),
    fewest: Callable[[Sequence[str]], int] = len,
) -> Records:
    """Return the records of a table whose rows, with their lines, are told apart; a header first.

    Values that are ``missing`` are None. ``fewest`` is how many values a row has at least below a
    header, which are the first ones; ``hint`` is what is to be done where they are fewer or more.
    Of columns of one name the last counts.

    Raises InputError (file:line) for no header at all, ragged rows, and what ``check`` raises for
    the header and its place.
    """
    line, header = next(rows, (1, None))
    if header is None:
        raise InputError("the file is empty", where=str(path), hint="it needs a header line")
    check(header, f"{path}:{line}")
    lists: list[list[str]] = []
    lines: list[int] = []
    cells = 0
    for number, row in rows:
        cells += len(row)
        check_records(str(path), len(lists), cells)
        # A blank line is nothing, or else the empty value of a table with one column.
        if row or len(header) == 1:
            lists.append(row or [""])
            lines.append(number)
    least = fewest(header)
    for row, number in zip(lists, lines, strict=True):
        if not least <= len(row) <= len(header):
            message = f"the line has {len(row)} values, the header has {len(header)}"
            raise InputError(message, where=f"{path}:{number}", hint=hint)
        row += [""] * (len(header) - len(row))
    columns = list(zip(*lists, strict=True)) or [()] * len(header)
    return Records(
        str(path),
        {
            name: [None if value in missing else value for value in values]
            for name, values in zip(header, columns, strict=True)
        },
        lines,
    )


def _delimiter(path: Path, text: str) -> str:
    """Return what parts the columns of a CSV file: a comma where its header has one."""
    (_, header) = next(delimited_rows(path, text), (1, [""]))
    if len(header) != 1:
        return ","
    of_spreadsheets = [delimiter for delimiter in ";\t" if delimiter in header[0]]
    if len(of_spreadsheets) > 1:
        raise InputError(
            "semicolons and tabs are both in the header: which of them parts columns?",
            where=f"{path}:1",
            hint="save it as CSV with commas, in UTF-8",
        )
    return next(iter(of_spreadsheets), ",")


def delimited_rows(path: Path, text: str, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file's text, each with the line on which it begins.

    Raises InputError (file:line) for quotes that the csv module cannot read.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    end = 0
    try:
        for row in reader:
            yield end + 1, row
            end = reader.line_num
    except csv.Error as error:
        raise InputError(
            f"the quoting is broken: {error}",
            where=f"{path}:{reader.line_num}",
            hint='a quote inside a quoted value is written twice: ""',
        ) from error


def check_once(
    records: Placed,
    keys: Iterable[Key],
    described: Callable[[Key], str],
    hint: str = "keep one of them",
) -> None:
    """Raise InputError for the first record with the key of another.

    ``described`` names what a key stands for, and says that there are two of it.
    """
    first: dict[Key, int] = {}
    for record, key in enumerate(keys):
        if key in first:
            raise InputError(
                f"{described(key)}, the first on line {records.lines[first[key]]}",
                where=records.where(record),
                hint=hint,
            )
        first[key] = record


def _check_header(header: Sequence[str], where: str) -> None:
    twice = sorted(name for name, times in Counter(header).items() if times > 1)
    if twice:
        message = f"the column '{twice[0]}' stands twice in the header"
        raise InputError(message, where=where, hint="give every column its own name")


def _read_jsonl(path: Path) -> Records:
    objects: list[Mapping[str, Any]] = []
    lines: list[int] = []
    text = read_text(path)
    check_records(str(path), text.count("\n"))
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            value = json.loads(line)
            if not isinstance(value, dict):
                raise InputError("the line is not a JSON object", where=place, hint=_JSON_HINT)
            objects.append(value)
        except (ValueError, RecursionError) as error:
            reason = str(error).replace(": line 1 column", ": column")
            message = f"this is not JSON: {reason}"
            raise InputError(message, where=place, hint=_JSON_HINT) from None
        lines.append(number)
    return records_of(objects, lines, str(path))


def records_of(objects: Sequence[Mapping[str, Any]], lines: Sequence[int], source: str) -> Records:
    """Return objects of a JSON file as records, with the line, or place, of each.

    Raises InputError for too many names, and text that cannot be stored.
    """
    nested: dict[str, int] = {}
    rows: list[dict[str, str | None]] = []
    for place, (value, line) in enumerate(zip(objects, lines, strict=True)):
        for name, item in value.items():
            if isinstance(item, list | dict):
                nested.setdefault(name, place)
        try:
            rows.append({name: _text(item) for name, item in value.items()})
        except RecursionError:
            message = "this is not JSON: a value is nested too deeply"
            raise InputError(message, where=f"{source}:{line}", hint=_JSON_HINT) from None
    names = list(dict.fromkeys(name for value in objects for name in value))
    if len(names) * len(objects) > MAX_CELLS:
        raise InputError(
            f"{len(objects)} objects have {len(names)} different names",
            where=source,
            hint="every object names the same columns",
        )
    columns = {name: [row.get(name) for row in rows] for name in names}
    return _checked(Records(source, columns, [*lines], nested))


def _read_parquet(path: Path) -> Records:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = read_bytes(path)
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        _check_header(file.schema_arrow.names, f"{path}:1")
        columns = _bounded_columns(path, file, len(content))
    except MemoryError:
        raise InputError(
            "there is not enough memory for the values", where=str(path), hint="split the file"
        ) from None
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"this is not a Parquet file: {error}",
            where=str(path),
            hint="make the file again; is the suffix right?",
        ) from error
    except (OverflowError, LookupError) as error:
        raise InputError(
            f"a date, time or time zone has no text: {error}",
            where=str(path),
            hint="store it as text",
        ) from error
    nested = {column.name: 0 for column in file.schema_arrow if pa.types.is_nested(column.type)}
    lines = list(range(1, file.metadata.num_rows + 1))
    return _checked(Records(str(path), columns, lines, nested))


def _bounded_columns(path: Path, file: pq.ParquetFile, packed: int) -> dict[str, list[str | None]]:
    """Return a file's columns as text: few bytes of Parquet can hold a value any number of times.

    Raises InputError where that is more text than ``packed`` bytes can be expected to hold.
    """
    metadata, names = file.metadata, file.schema_arrow.names
    check_records(str(path), metadata.num_rows, metadata.num_rows * len(names))
    columns: dict[str, list[str | None]] = {name: [] for name in names}
    size = 0
    for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
        for name in names:
            values = _texts(batch[name])
            size += len("".join(filter(None, values)))
            check_unpacked(path, size, packed)
            columns[name] += values
    return columns


def _texts(column: pa.Array) -> list[str | None]:
    """Return values as text, as ``_text`` does each."""
    import pyarrow as pa

    if pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
        column = column.cast(pa.string())
    return [_text(value) for value in column.to_pylist()]


def check_records(source: str, records: int, cells: int = 0) -> None:
    """Raise InputError where a file has more records or values than any campaign."""
    if records > MAX_RECORDS or cells > MAX_CELLS:
        raise InputError(
            f"the file has more than {MAX_RECORDS:,} records or {MAX_CELLS:,} values",
            where=source,
            hint="is it the right file? A larger one is loaded in parts",
        )


def _checked(records: Records) -> Records:
    """Return records whose names and text can be stored.

    Raises InputError (file:line) for NUL characters and halves of surrogate pairs, which JSON and
    Parquet can hold.
    """
    for name, values in records.columns.items():
        if UNSTORABLE.search(name):
            message = f"the column name {name!a} holds a NUL character or half a surrogate pair"
            raise InputError(message, where=records.source, hint="rename it")
        if not UNSTORABLE.search("\n".join(filter(None, values))):
            continue
        for record, value in enumerate(values):
            if value is not None and UNSTORABLE.search(value):
                raise InputError(
                    f"'{name}' holds a NUL character or half a surrogate pair",
                    where=records.where(record),
                    hint="remove it",
                )
    return records


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if type(value) is float and isfinite(value):
        return repr(value)
    return json.dumps(value, default=str)
