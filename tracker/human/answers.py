"""The answers of annotators, joined with the key to the items they saw."""

from __future__ import annotations

from pathlib import Path

from sr_tracker.ingest.records import Records, read_records
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.files import write_file
from sr_tracker.tracker.human.sampling import refuse_existing
from sr_tracker.tracker.human.tables import table_bytes

GIVEN = ("annotator", "hit", "item", "score", "time")
KEPT = ("submission", "treebank", "sent_id", "criterion", "kind")


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
