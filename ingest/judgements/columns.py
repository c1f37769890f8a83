"""Judgements in the plain layout: columns, what their values may be, ratings behind z-scores."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ...schema.errors import InputError, check_choices
from ..formats import Column, Columns, Format, Table, UserFile, number_hint, number_in, read_file
from ..records import Records, read_records
from ..scores import ScoreFile
from ..scores.columns import CRITERION, SCORED, named_column
from .error_spans import is_mqm, off_scale

if TYPE_CHECKING:
    from .appraise_batches import BatchItem


Scales: TypeAlias = Mapping[str, tuple[float, float]]
"""Mean and standard deviation of each annotator's ratings."""

_SCALES = Columns(
    "scales", [Column(name, required=True) for name in ("annotator", "mean", "deviation")]
)
_PRINTED = re.compile(r'\[1\]\s+(?:"([^"]*)"|(\S+))\s*')
_UNDEFINED = ("NA", "NaN")
"""How R writes what is undefined."""
_WHOLE = 0.01
_DIGITS = 6


def read_scales(path: Path) -> Scales:
    """Return the means and deviations of a file.

    It is a table (CSV, TSV, JSONL, Parquet) with the columns annotator, mean and deviation, or what
    R prints: three lines for each annotator, ``[1] "A1"``, ``[1] 67.4`` and ``[1] 12.5``. ``NA`` is
    the mean of an annotator without ratings, who has no scale, and the deviation of a single
    rating: 0. Raises InputError (file:line) for anything else, and for an annotator with two
    scales.
    """
    table = _SCALES.table(read_file(path, _SCALE_FORMATS))
    rows = zip(*map(table.texts, _SCALES.fields), strict=True)
    scales: dict[str, tuple[float, float]] = {}
    for row, (annotator, mean, deviation) in enumerate(rows):
        where = table.where(row)
        if mean in _UNDEFINED and deviation in _UNDEFINED:
            continue
        scale = _number(mean, where), 0.0 if deviation in _UNDEFINED else _number(deviation, where)
        if annotator is None or scale[1] < 0:
            raise InputError(
                "the row has no annotator, or a deviation below 0", where=where, hint="correct it"
            )
        if scales.setdefault(annotator, scale) != scale:
            raise InputError(
                f"'{annotator}' has two scales", where=where, hint="keep the one of this file"
            )
    if not scales:
        raise InputError("the file holds no scales", where=str(path), hint="is it the right one?")
    return scales


def ratings(
    table: Table,
    annotators: Sequence[str | None],
    z_scores: Sequence[float | None],
    scales: Scales,
) -> tuple[list[float], list[str]]:
    """Return the ratings that were standardised, and what to know of them.

    mean + z-score times deviation; the mean where that is 0. Where all are nearly whole numbers
    they are whole numbers, else they keep six decimals: the scales are rounded.

    Raises InputError (file:line) for an annotator without scale, and for a row without z-score.
    """
    raw = []
    for row, (annotator, z_score) in enumerate(zip(annotators, z_scores, strict=True)):
        scale = scales.get(str(annotator))
        if scale is None:
            raise InputError(
                f"the file of means and deviations lacks '{annotator}'",
                where=table.where(row),
                hint="give the file that belongs to these z-scores",
            )
        mean, deviation = scale
        if z_score is None and deviation:
            raise InputError("'score' is empty", where=table.where(row), hint="give a z-score")
        raw.append(mean + deviation * (z_score or 0.0))
    if all(abs(rating - round(rating)) < _WHOLE for rating in raw):
        return [float(round(rating)) for rating in raw], []
    note = "the ratings behind the z-scores are not whole numbers: are these means and deviations "
    return [round(rating, _DIGITS) for rating in raw], [f"{note}theirs?"]


def _printed(file: UserFile) -> Records:
    """Return what R prints as a table."""
    values, lines = [], []
    for line, text in file.filled_lines():
        match = _PRINTED.fullmatch(text)
        if match is None:
            raise InputError(
                f"'{text[:60]}' is neither an annotator nor a number as R prints them",
                where=file.where(line),
                hint="a table has a name that ends in .csv, .tsv, .jsonl or .parquet",
            )
        values.append(match[1] if match[2] is None else match[2])
        lines.append(line)
    if len(values) % 3:
        raise InputError(
            "the file breaks off: an annotator has a mean and a deviation",
            where=file.where(lines[-1]),
            hint="fetch or make it again",
        )
    columns = {
        name: [value or None for value in values[place::3]]
        for place, name in enumerate(_SCALES.fields)
    }
    return Records(file.source, columns, lines[::3])


def _number(value: str | None, where: str) -> float:
    number = number_in(value or "")
    if math.isnan(number):
        raise InputError(f"'{value}' is no number", where=where, hint="write 67.4 or the like")
    return number


_SCALE_FORMATS = (
    Format("table", lambda file: read_records(file.path), lambda file: file.is_table),
    Format("printed by R", _printed),
)


_NO_RATING = "leave the row out"
COLUMNS = Columns(
    "judgements",
    (
        named_column(
            *("annotator", "annotator_id", "rater", "rater_id", "worker", "worker_id", "workerid"),
            *("evaluator", "evaluator_id", "participant", "participant_id", "judge"),
        ),
        named_column("hit", "hit_id", "hitid"),
        named_column("item"),
        *SCORED,
        CRITERION,
        named_column("kind"),
        named_column("score", "rating", "raw_score", absent=_NO_RATING),
        named_column("time", "timestamp"),
        *map(named_column, ("language", "error_spans", "text")),
    ),
)
"""The plain layout, of which all others make their rows."""
ROW_FIELDS = (
    *("annotator", "hit", "item", "system", "treebank", "language", "sent_id", "criterion"),
    *("kind", "score", "time", "error_spans", "document", "text"),
)
"""What other layouts may tell of a row."""


@dataclass(frozen=True)
class JudgementTable:
    """A file of judgements in the plain layout, and what to know of what it left out."""

    records: Records
    notes: list[str] = field(default_factory=list)
    placed: bool = False
    """Whether documents or texts tell the sentences, whatever these are called."""
    lines: int | None = None
    """How many sentences each system has a line for, judged or not; None where lines are others."""


@dataclass
class Rows:
    """Rows of the plain layout, one after the other."""

    source: str
    rows: list[tuple[str | None, ...]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, line: int, **values: str | None) -> None:
        """Add a row with the line that it comes from."""
        self.rows.append(tuple(map(values.get, ROW_FIELDS)))
        self.lines.append(line)

    def records(self) -> Records:
        """Return the rows by column."""
        columns = list(zip(*self.rows, strict=True)) or [()] * len(ROW_FIELDS)
        named = {name: [*values] for name, values in zip(ROW_FIELDS, columns, strict=True)}
        return Records(self.source, named, self.lines)


LEVELS = ("sent_id", "annotator", "criterion")
"""What objects of JSON name, from the outside in."""
KINDS = ("ordinary", "repeat", "degraded", "reference")
KIND_NAMES = {
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("system", "sys", "tgt"), "ordinary"),
    "chk": "repeat",
    **dict.fromkeys(("bad", "badref", "bad_ref", "cal"), "degraded"),
    "ref": "reference",
}
_ONE_OF_TWO = re.compile(r"(system|model)[\W_]*(a|b|1|2|left|right)", re.IGNORECASE)
HIGHEST_Z_SCORE = 5
_SCORES_HINT = (
    "z-scores of judgements need --scales, a file of means and deviations; those of outputs are "
    "loaded with 'tracker ingest scores' and z_score; --raw says that these are ratings from 0 to "
    "100 all the same"
)


@dataclass(frozen=True)
class JudgementFile(ScoreFile):
    """What a user says of a file of judgements: fixed values, columns, kinds and layout."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    """What the file's names of kinds mean: ordinary, repeat, degraded or reference."""
    layout: str = "plain"
    """plain (a table with a column for each field), wmt, mturk, json, appraise, ratings, mqm or
    pearmut."""
    levels: Sequence[str] = LEVELS
    """What the objects of a json file name, from the outside in."""
    ignore: Collection[str] = ()
    """Columns that are as if they were not there."""
    scales: Scales | None = None
    """Where the scores are z-scores: the annotators' means and deviations."""
    annotators: Collection[str] | None = None
    """The annotators whose judgements are taken; None for all."""
    register: bool = False
    """Whether test sets, systems and submissions that are not known are made known."""
    raw: bool = False
    """Whether numbers that look like z-scores are raw ratings."""
    scores: Mapping[str, Sequence[float | None]] | None = None
    """ratings: each system's scores line by line, where the file's errors do not make them."""
    weights: str | None = None
    """What marked errors cost: a scheme of ``error_spans.WEIGHTS``; None for the layout's own."""
    annotator_names: Mapping[str, str] | None = None
    """appraise: the annotator behind each login; None where logins are annotators."""
    language_pair: str | None = None
    """appraise: the pair that is read, such as eng-deu, None for all; pearmut: the campaign of a
    download with several, or a part of its name."""
    item_numbers: str = "auto"
    """appraise: what numbers of items are: segments of the test set, places in the HIT, or auto."""
    batches: Sequence[BatchItem] = ()
    """appraise: what the campaign's items show; empty where its batches are not there."""
    judged_segments: Mapping[str, Collection[int]] | None = None
    """appraise: the lines of the test set that were judged of each system, where not all of a
    document were; of a system that is not named, those of any."""

    def treebank_named(self, file: UserFile) -> str:
        """Return the test set that was named. Raises InputError where none was."""
        if self.treebank_id is None:
            raise InputError(
                "the test set of these judgements is not named",
                where=file.source,
                hint="give --treebank",
            )
        return self.treebank_id


def kinds(table: Table, settings: JudgementFile) -> list[str]:
    """Return what kind of item each judgement is of; ordinary where the file does not say.

    Raises InputError (file:line) for a kind that is not known.
    """
    names = KIND_NAMES | {name.lower(): kind for name, kind in settings.kinds.items()}
    for name, kind in settings.kinds.items():
        check_choices((f"kind that '{name}' can stand for", kind, KINDS), where=table.source)
    kinds_of_rows = []
    for row, value in enumerate(table.texts("kind")):
        kind_of_row = names.get(value.strip().lower()) if value else "ordinary"
        if kind_of_row is None:
            raise InputError(
                f"'{value}' is no kind of item",
                where=table.where(row),
                hint=f"say what it is: --kind '{value}=…', one of {', '.join(KINDS)}",
            )
        kinds_of_rows.append(kind_of_row)
    return kinds_of_rows


def without(records: Records, ignored: Collection[str]) -> Records:
    """Return records without some columns. Raises InputError for one that is not there."""
    for name in ignored:
        records.check_column(name, nested=True)
    columns = {name: values for name, values in records.columns.items() if name not in ignored}
    return replace(records, columns=columns)


def check_single(records: Records, settings: JudgementFile) -> None:
    """Raise InputError where a row compares the outputs of two systems: it has no rating."""
    pair = [name for name in records.columns if _ONE_OF_TWO.fullmatch(name)]
    if len(pair) == 2 and "system" not in settings.columns:
        raise InputError(
            f"a row compares two systems ('{pair[0]}', '{pair[1]}'): preferences are not read",
            where=records.source,
            hint="load ratings of outputs: annotator, system, sent_id, criterion and score",
        )


def raw_scores(
    table: Table, settings: JudgementFile, criteria: Sequence[str] = ()
) -> tuple[list[float], list[str]]:
    """Return the ratings, and what to know of those that were made of z-scores.

    Raises InputError (file:line) for empty ones, text, standardised ones without ``scales``, and
    any outside 0 to 100; those on ``mqm`` are minus the weights of the errors, at most 0.
    """
    numbers = table.numbers("score")
    notes: list[str] = []
    if settings.scales is not None:
        annotators = table.filled("annotator")
        scores, notes = ratings(table, annotators, numbers, settings.scales)
    else:
        table.filled("score", number_hint(_NO_RATING))
        scores = [number for number in numbers if number is not None]
        if not settings.raw and not any(map(is_mqm, criteria)):
            _check_not_standardised(table, scores)
    for row, score in enumerate(scores):
        wrong = off_scale(score, criteria[row] if criteria else None)
        if wrong is not None:
            message, hint = wrong
            raise InputError(f"the score {score:g} {message}", where=table.where(row), hint=hint)
    return scores, notes


def _check_not_standardised(table: Table, scores: list[float]) -> None:
    """Raise InputError for z-scores: a rating below 0, or decimals of which none is above 5."""
    below = next((row for row, score in enumerate(scores) if score < 0), None)
    if below is not None:
        raise InputError(
            f"the score {scores[below]:g} is below 0: these look like z-scores, not raw ratings",
            where=table.where(below),
            hint=_SCORES_HINT,
        )
    decimal = next((row for row, score in enumerate(scores) if not score.is_integer()), None)
    if decimal is not None and max(scores) <= HIGHEST_Z_SCORE:
        raise InputError(
            f"all scores are within 0 to {HIGHEST_Z_SCORE}, with decimals: these look like "
            "z-scores, not raw ratings",
            where=table.where(decimal),
            hint=_SCORES_HINT,
        )


def times(table: Table) -> list[datetime | None]:
    """Return when each judgement was made; a time without zone is taken as UTC.

    Raises InputError (file:line) for what is no date and time.
    """
    moments: list[datetime | None] = []
    for row, value in enumerate(table.texts("time")):
        try:
            # A Parquet file's own times arrive as quoted text.
            time = datetime.fromisoformat(value.strip('"')) if value else None
            if time is not None:
                time = (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            raise InputError(
                f"'{value}' is no date and time",
                where=table.where(row),
                hint="write 2018-05-21 14:30:00, or leave the cell empty; --ignore leaves out a "
                "column of something else, such as a duration",
            ) from None
        moments.append(time)
    return moments


def read_annotators(text: str) -> list[str]:
    """Return a list of annotators: words between commas, or a file of them.

    The file has one on each line, or is a JSON list of texts, or a JSON object that holds one.
    Raises InputError where it holds none.
    """
    file = UserFile(Path(text))
    if file.suffix == ".json":
        names = _json_list(file)
    else:
        names = file.text.split("\n") if file.suffix == ".txt" else text.split(",")
    names = [name.strip() for name in names if name.strip()]
    if not names:
        raise InputError("the list of annotators is empty", where=text, hint="name at least one")
    return names


def _json_list(file: UserFile) -> list[str]:
    content = file.json("correct it")
    values = list(content.values()) if isinstance(content, dict) else [content]
    lists = [value for value in values if isinstance(value, list)]
    if len(lists) != 1 or not all(isinstance(name, str) for name in lists[0]):
        raise InputError(
            "the file holds no list of annotators, or several",
            where=file.source,
            hint='write ["A1", "A2"], or one annotator a line in a .txt file',
        )
    return list(lists[0])
