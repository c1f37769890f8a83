"""The one way in which users' files are read: what format a file has, its columns, its rows.

A format is data: how a file of it is told from others, which columns it takes, what they are
called, what their values may be, and the function that makes our rows of it. Columns are found and
values are checked here alone, and every refusal names the line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa

from ..schema.errors import InputError, first_line
from ..schema.files import format_suffix, read_text
from .records import RECORD_SUFFIXES, Placed, Records, no_column, read_records, records_of

# Squares of numbers that are far larger are infinite: they would correlate with nothing.
LARGEST_NUMBER = 1e100
Content = TypeVar("Content", covariant=True)
LARGEST_WHOLE = 2**31 - 1


class UserFile:
    """A file that a user brings; what it holds is read once, when somebody asks for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = str(path)
        self.suffix = format_suffix(path)

    @property
    def is_table(self) -> bool:
        """Whether its name says that it is CSV, TSV, JSONL or Parquet."""
        return self.suffix in RECORD_SUFFIXES

    @cached_property
    def text(self) -> str:
        """Its text. Raises InputError (file:line) for what is none."""
        return read_text(self.path)

    def where(self, line: int) -> str:
        """Return the place of a line, counted from 1, as file:line."""
        return f"{self.source}:{line}"

    def lines(self) -> list[str]:
        """Return its lines; what ends the last one begins no other."""
        lines = self.text.split("\n")
        return lines if lines[-1] else lines[:-1]

    def filled_lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines that hold more than blanks, each with its number."""
        for number, line in enumerate(self.text.split("\n"), start=1):
            if line.strip():
                yield number, line

    def parquet_rows(self, hint: str) -> list[dict[str, Any]]:
        """Return the rows of a Parquet file, nested columns as Python has them.

        Raises InputError for what is no Parquet.
        """
        import pyarrow.parquet as pq

        try:
            rows: list[dict[str, Any]] = pq.read_table(self.path).to_pylist()
        except (pa.ArrowException, OSError) as error:
            message = f"the file cannot be read as Parquet: {first_line(error)}"
            raise InputError(message, where=self.source, hint=hint) from None
        return rows

    def json(self, hint: str, **how: Any) -> Any:
        """Return the value that a JSON file holds; ``how`` is what ``json.loads`` takes.

        Raises InputError (file:line) for what is no JSON.
        """
        return parse_json(self.text, self.where, hint, **how)


def records_in(path: Path) -> Records | None:
    """Return the records of a table, or of a list of objects in a JSON file; None of other files.

    Raises InputError (file:line) for a broken file.
    """
    file = UserFile(path)
    if file.is_table:
        return read_records(path)
    if file.suffix != ".json":
        return None
    value = file.json("a list of objects, one for each sentence")
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return None
    return records_of(value, [*range(1, len(value) + 1)], file.source)


def parse_json(text: str, where: Callable[[int], str] | str, hint: str, **how: Any) -> Any:
    """Return the value of a JSON text; ``where`` is its place, or gives that of one of its lines.

    Raises InputError there for what is no JSON.
    """
    try:
        return json.loads(text, **how)
    except (ValueError, RecursionError) as error:
        place = where if isinstance(where, str) else where(getattr(error, "lineno", 1))
        raise InputError(f"this is not JSON: {error}", where=place, hint=hint) from None


def number_in(text: str) -> float:
    """Return the number that a text is; NaN where it is none, or one beyond LARGEST_NUMBER."""
    try:
        number = math.nan if "_" in text else float(text)
    except ValueError:
        number = math.nan
    return number if abs(number) < LARGEST_NUMBER else math.nan


def is_number(value: object) -> bool:
    """Return whether a value of JSON is a number, and none beyond LARGEST_NUMBER."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < LARGEST_NUMBER
    )


def number_hint(absent: str) -> str:
    """Return how to write numbers, and what to do (``absent``) where there is none."""
    return f"write numbers as 0.5, with a point; where there is none, {absent}"


@dataclass(frozen=True)
class Column:
    """A column that a format takes."""

    field: str
    """What our rows call it."""
    names: Sequence[str] = ()
    """What files may call it, the first that is there goes first; none: as its field."""
    usual: str = ""
    """What errors call it where a file lacks it; nothing: its first name."""
    required: bool = False
    """Whether a file has to have it; ``Table.filled`` asks for every cell as well."""
    lowest: float = -math.inf
    highest: float = math.inf
    whole: bool = False
    """Whether its numbers are whole."""
    refusal: str = "{value:g} is not a number of {field}"
    """What is said of a number out of bounds."""
    hint: str = "give a whole number from {lowest}, or leave the cell empty"
    """What is to be done about one."""
    absent: str = "leave the cell empty"
    """What is to be done where there is no number."""
    nested: bool = False
    """Whether it may hold lists and objects."""
    option: str = ""
    """The option by which a user names it."""

    @property
    def called(self) -> Sequence[str]:
        """Its names in files."""
        return self.names or (self.field,)

    @property
    def expected_name(self) -> str:
        """The name that a file is asked for that lacks the column."""
        return self.usual or self.called[0]

    def among(self, names: Iterable[str]) -> str | None:
        """Return which of a file's columns it is, in any case; numbers, as of frames, are none."""
        names = [name for name in names if isinstance(name, str)]
        available = {**{name.lower(): name for name in names}, **{name: name for name in names}}
        spellings = (spelling for name in self.called for spelling in (name, name.lower()))
        return next((available[name] for name in spellings if name in available), None)


@dataclass(frozen=True)
class Columns:
    """The columns that files of a kind may have."""

    what: str
    """What these files hold, in the plural."""
    columns: Sequence[Column]
    filled_hint: str = "every score names what it belongs to"
    """What is to be done about an empty cell that has to be filled."""
    lacking_hint: str = ""
    """What else may be wrong where a column is missing."""

    @property
    def fields(self) -> list[str]:
        """What our rows call them."""
        return [column.field for column in self.columns]

    def column(self, field_name: str) -> Column:
        """Return the column of a field."""
        return next(column for column in self.columns if column.field == field_name)

    def check_fields(self, names: Iterable[str], source: str) -> None:
        """Raise InputError where one of the names is none of the fields."""
        unknown = sorted(set(names) - set(self.fields))
        if unknown:
            hint = f"fields: {', '.join(self.fields)}"
            raise InputError(
                f"'{unknown[0]}' is not a field of {self.what}", where=source, hint=hint
            )

    def check_header(self, names: Sequence[str], where: str) -> None:
        """Raise InputError where a column is required that is not among those of a header."""
        for column in self.columns:
            if column.required and column.among(names) is None:
                raise no_column(column.expected_name, names, where, self.lacking_hint)

    def table(
        self,
        records: Records,
        mapped: Mapping[str, str] | None = None,
        fixed: Mapping[str, str | None] | None = None,
    ) -> Table:
        """Return a file's records as a table of these columns.

        ``mapped`` are columns of the file by field, where a user names them; ``fixed`` is what all
        rows have in a field.

        Raises InputError for a field that there is not, and a column that is named, or required,
        and is not there.
        """
        mapped = mapped or {}
        same = {name: value for name, value in (fixed or {}).items() if value}
        self.check_fields(mapped, records.source)
        names = {}
        for column in self.columns:
            name = mapped.get(column.field) or column.among(records.columns)
            if column.field in mapped or (column.required and column.field not in same):
                records.check_column(
                    name or column.expected_name, nested=column.nested, option=column.option
                )
            names[column.field] = name
        return Table(self, records, names, same)


@dataclass(frozen=True)
class Table(Placed):
    """The records of a file by the fields of our rows."""

    columns: Columns
    records: Records
    names: Mapping[str, str | None]
    """The file's column of each field; None where it has none."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """What all rows have, by field."""

    def __len__(self) -> int:
        return len(self.records.lines)

    @property
    def source(self) -> str:  # type: ignore[override]
        """The file, as messages name it."""
        return self.records.source

    @property
    def lines(self) -> list[int]:  # type: ignore[override]
        """The line of each row."""
        return self.records.lines

    def has(self, field_name: str) -> bool:
        """Return whether something tells a field: a column, or what all rows have."""
        return field_name in self.fixed or self.names[field_name] is not None

    def texts(self, field_name: str) -> list[str | None]:
        """Return a field's values, one for all where it is fixed; None where nothing tells it."""
        name = self.names[field_name]
        if field_name in self.fixed or name is None:
            return [self.fixed.get(field_name)] * len(self)
        return self.records.column(name)

    def filled(self, field_name: str, hint: str | None = None) -> list[str]:
        """Return a field's values, of which none may be missing.

        Raises InputError where the file has no such column, and (file:line) for an empty cell.
        """
        column = self.columns.column(field_name)
        if field_name not in self.fixed:
            name = self.names[field_name] or column.expected_name
            self.records.check_column(name, option=column.option)
        values = self.texts(field_name)
        if None in values:
            raise InputError(
                f"'{field_name}' is empty",
                where=self.where(values.index(None)),
                hint=hint or self.columns.filled_hint,
            )
        return [str(value) for value in values]

    def numbers(self, field_name: str) -> list[float | None]:
        """Return a field as numbers, None where a cell is empty or there is no column.

        Raises InputError (file:line) for what is no number, and one out of the column's bounds.
        """
        name, column = self.names[field_name], self.columns.column(field_name)
        if name is None:
            return [None] * len(self)
        numbers = [
            None if text is None else number_in(text) for text in self.records.numerals(name)
        ]
        for row, number in enumerate(numbers):
            if number is None:
                continue
            if math.isnan(number):
                raise InputError(
                    f"'{self.records.numerals(name)[row]}' is not a {field_name.replace('_', ' ')}",
                    where=self.where(row),
                    hint=number_hint(column.absent),
                )
            if not column.lowest <= number <= column.highest or (
                column.whole and not number.is_integer()
            ):
                raise InputError(
                    column.refusal.format(value=number, field=field_name),
                    where=self.where(row),
                    hint=column.hint.format(lowest=column.lowest),
                )
        return numbers

    def whole_numbers(self, field_name: str) -> list[int | None]:
        """Return a field of whole numbers; see ``numbers``."""
        return [None if number is None else int(number) for number in self.numbers(field_name)]

    def only(self, rows: Sequence[int]) -> Table:
        """Return some of the rows."""
        return replace(self, records=self.records.only(rows))


@dataclass(frozen=True)
class Format(Generic[Content]):
    """A format of files, and what makes our rows of one."""

    name: str
    rows: Callable[..., Content]
    """What a file of it holds; further parameters are those of ``read_file``."""
    fits: Callable[[UserFile], bool] = lambda _: True
    """Whether a file is of it."""


def read_file(path: Path, formats: Sequence[Format[Content]], *about: Any) -> Content:
    """Return what a file holds, read by the first of the formats that it is of."""
    file = UserFile(path)
    return next(candidate for candidate in formats if candidate.fits(file)).rows(file, *about)


UNFIT = (ValueError, TypeError, OverflowError)
"""What pyarrow raises for a value that a type does not hold; its own errors are among these."""

_HINT = "texts are whole characters, whole numbers lie within ±2,147,483,647, others are finite"


def arrow_table(
    rows: Sequence[Mapping[str, Any]], schema: pa.Schema, place: Callable[[int], str]
) -> pa.Table:
    """Return rows as a table; what a row does not name is NULL.

    ``place`` tells where a row stands, counted from 0. Raises InputError there for a value that its
    column does not hold: too large a number, infinity and NaN, half a surrogate pair, another type.
    """
    columns = [
        arrow_column([row.get(field.name) for row in rows], field.type, field.name, place)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def arrow_column(
    values: Sequence[Any], kind: pa.DataType, name: str, place: Callable[[int], str]
) -> pa.Array:
    """Return values as an Arrow array; raises InputError as ``arrow_table`` does."""
    try:
        column = pa.array(values, kind)
    except UNFIT:
        column = None
    numbers = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if column is not None and not numbers:
        return column
    unfit = next((item for item, value in enumerate(values) if not _fits(value, kind)), None)
    if unfit is None:
        return column
    raise InputError(f"{values[unfit]!a} cannot be the {name}", where=place(unfit), hint=_HINT)


def _fits(value: Any, kind: pa.DataType) -> bool:
    try:
        array = pa.array([value], kind)
    except UNFIT:
        return False
    if pa.types.is_integer(kind):  # pyarrow would cut a fraction off
        return not isinstance(value, float)
    return not pa.types.is_floating(kind) or value is None or math.isfinite(array[0].as_py())
