"""Files of judging: what annotators see, the key to it, and their answers joined with the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sr_tracker.ingest.records import Records, read_records
from sr_tracker.queries.people.sampling import KEY, SEEN, Sample
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.writing import make_folder, write_file
from sr_tracker.tracker.show.formats import csv_text, json_text

GIVEN = ("annotator", "hit", "item", "score", "time")
KEPT = ("submission", "treebank", "sent_id", "criterion", "kind")


def write_sample(
    sample: Sample, folder: Path, *, format_name: str = "csv", replace: bool = False
) -> tuple[Path, Path]:
    """Write what annotators see and the key, and return the two files.

    They are hits.csv and key.csv, or with the ending .jsonl; as ``spreadsheet`` no text of
    hits.csv runs as a formula. The key tells annotators what they must not know: keep it apart.

    Raises InputError where a file is there already and is not to be replaced, or cannot be written.
    """
    of_key = "jsonl" if format_name == "jsonl" else "csv"
    seen, key = (folder / f"{name}.{of_key}" for name in ("hits", "key"))
    for path in (seen, key):
        refuse_existing(path, replace=replace)
    make_folder(folder)
    write_file(key, table_bytes(sample.key, KEY, of_key))
    write_file(seen, table_bytes(sample.seen, SEEN, format_name))
    return seen, key


def refuse_existing(path: Path, *, replace: bool) -> None:
    """Raise InputError where a file is there already and is not to be replaced."""
    if path.is_file() and not replace:
        raise InputError(
            "the file is there already",
            where=str(path),
            hint="annotators may have judged by it: write elsewhere, or give --replace",
        )


def join_answers(answers: Path, key: Path, output: Path, *, replace: bool = False) -> int:
    """Write judgements for ``tracker ingest judgements`` and return how many rows they are.

    ``answers`` names annotator, hit, item and score, and may name a time; ``key`` is the file that
    was written with the HITs (either CSV, TSV, JSONL or Parquet). An answer becomes a row for each
    submission whose output the item is; from the second one on its item ends in +2, +3 and so on.
    ``output`` is CSV, or JSONL if its name ends so.

    Raises InputError (file:line) for an item that is not in the key, an annotator who judges one
    twice, and empty cells; and where ``output`` is there already and is not to be replaced.
    """
    refuse_existing(output, replace=replace)
    given, known = read_records(answers), _items(read_records(key))
    names = [name for name in GIVEN if name != "time" or name in given.columns]
    columns = {name: given.column(name) for name in names}
    judged: set[tuple[str | None, ...]] = set()
    rows: list[dict[str, str | None]] = []
    for record in range(len(given.lines)):
        answer = {name: values[record] for name, values in columns.items()}
        _check(given, record, answer)
        place = (answer["hit"], answer["item"])
        if place not in known:
            raise InputError(
                f"there is no item '{answer['item']}' of HIT '{answer['hit']}' in the key",
                where=given.where(record),
                hint="join answers with the key that was written with their HITs",
            )
        if (answer["annotator"], *place) in judged:
            raise InputError(
                f"'{answer['annotator']}' judges item '{answer['item']}' twice",
                where=given.where(record),
                hint="keep one of the answers",
            )
        judged.add((answer["annotator"], *place))
        rows += [
            {**answer, **item, "item": _numbered(str(answer["item"]), number)}
            for number, item in enumerate(known[place], start=1)
        ]
    format_name = "jsonl" if output.suffix == ".jsonl" else "csv"
    write_file(output, table_bytes(rows, [*names, *KEPT], format_name))
    return len(rows)


def _numbered(item_id: str, number: int) -> str:
    return item_id if number == 1 else f"{item_id}+{number}"


def _items(key: Records) -> dict[tuple[str | None, ...], list[dict[str, str | None]]]:
    """Return what each item of each HIT is: one dictionary per submission."""
    columns = {name: key.column(name) for name in ("hit", "item", *KEPT)}
    items: dict[tuple[str | None, ...], list[dict[str, str | None]]] = {}
    for record in range(len(key.lines)):
        kept = {name: columns[name][record] for name in KEPT}
        place = (columns["hit"][record], columns["item"][record])
        items.setdefault(place, []).append(kept)
    return items


def _check(given: Records, record: int, answer: dict[str, str | None]) -> None:
    for name in ("annotator", "hit", "item", "score"):
        if answer[name] is None:
            raise InputError(
                f"'{name}' is empty",
                where=given.where(record),
                hint="leave out what was not answered",
            )


def table_bytes(
    rows: Sequence[Mapping[str, str | None]], columns: Sequence[str], format_name: str
) -> bytes:
    """Return rows as the content of a CSV or JSONL file in UTF-8; None is an empty cell or null.

    As ``spreadsheet`` they are CSV in which no text runs as a formula.
    """
    if format_name == "jsonl":
        lines = (json_text({name: row[name] for name in columns}, indent=None) for row in rows)
        return "".join(lines).encode()
    cells = ([row[name] for name in columns] for row in rows)
    return csv_text(columns, cells, formulas=format_name != "spreadsheet").encode()
