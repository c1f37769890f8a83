"""Files of judging: what annotators see, the key to it, their answers, campaigns of platforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...ingest.formats import Column, Columns, Table
from ...ingest.records import read_records
from ...queries.examination.hits import DocumentOutput, Segment
from ...queries.examination.sampling import KEY, SEEN, Sample, SpanBatches
from ...queries.formats import csv_text, json_text
from ...schema.errors import InputError
from ...schema.files import make_folder, write_file

ANSWERS = Columns(
    "answers",
    (
        *(Column(name, required=True) for name in ("annotator", "hit", "item", "score")),
        Column("time"),
    ),
    filled_hint="leave out what was not answered",
)
COPIED = ("submission", "treebank", "sent_id", "text", "criterion", "kind")
"""What judgements need of the key; ``text`` is not in older keys."""
ANSWERED = Columns(
    "keys",
    [Column(name, required=name != "text") for name in ("hit", "item", *COPIED)],
)


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
    table = ANSWERS.table(read_records(answers))
    items = _items(ANSWERED.table(read_records(key)))
    names = [name for name in ANSWERS.fields if table.has(name)]
    for name in names:
        if name != "time":
            table.filled(name)
    judged: set[tuple[str | None, ...]] = set()
    rows: list[dict[str, str | None]] = []
    for row, values in enumerate(zip(*map(table.texts, names), strict=True)):
        answer = dict(zip(names, values, strict=True))
        place = (answer["hit"], answer["item"])
        if place not in items:
            raise InputError(
                f"there is no item '{answer['item']}' of HIT '{answer['hit']}' in the key",
                where=table.where(row),
                hint="join answers with the key that was written with their HITs",
            )
        if (answer["annotator"], *place) in judged:
            raise InputError(
                f"'{answer['annotator']}' judges item '{answer['item']}' twice",
                where=table.where(row),
                hint="keep one of the answers",
            )
        judged.add((answer["annotator"], *place))
        rows += [
            {**answer, **item, "item": _numbered(str(answer["item"]), number)}
            for number, item in enumerate(items[place], start=1)
        ]
    format_name = "jsonl" if output.suffix == ".jsonl" else "csv"
    write_file(output, table_bytes(rows, [*names, *COPIED], format_name))
    return len(rows)


def _numbered(item_id: str, number: int) -> str:
    return item_id if number == 1 else f"{item_id}+{number}"


def _items(key: Table) -> dict[tuple[str | None, ...], list[dict[str, str | None]]]:
    """Return what each item of each HIT is: one dictionary per submission."""
    items: dict[tuple[str | None, ...], list[dict[str, str | None]]] = {}
    for hit, item, *values in zip(*map(key.texts, ANSWERED.fields), strict=True):
        items.setdefault((hit, item), []).append(dict(zip(COPIED, values, strict=True)))
    return items


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


APPRAISE, PEARMUT = PLATFORMS = ("appraise", "pearmut")
PROTOCOLS = ("esa", "mqm")
BELOW = 50
"""A score that attention checks of Pearmut expect at most."""
_LONGEST_NUMBER = 9


def write_campaign(
    drawn: SpanBatches,
    folder: Path,
    *,
    platform: str,
    name: str,
    protocol: str = "esa",
    language_pair: str | None = None,
    replace: bool = False,
) -> list[Path]:
    """Write what a platform needs for a campaign, and return the files.

    Appraise gets batches.json and manifest.json (a Document task, one annotator for each batch);
    Pearmut campaign.json (a task for each annotator). Systems, documents and sentences are named as
    the readers of ``tracker ingest judgements --layout`` expect them back: no key is needed.

    Raises InputError for an unknown platform or protocol, for Appraise without a
    ``language_pair`` such as eng-deu and for sentences that are not numbered, and where a file is
    there already and is not to be replaced.
    """
    if platform not in PLATFORMS or protocol not in PROTOCOLS:
        raise InputError(
            f"there is no {protocol} on '{platform}'",
            hint=f"platforms: {', '.join(PLATFORMS)}; protocols: {', '.join(PROTOCOLS)}",
        )
    if platform == PEARMUT:
        contents: dict[str, Any] = {"campaign.json": _pearmut(drawn, name, protocol)}
    else:
        pair = tuple((language_pair or "").split("-"))
        if len(pair) != 2 or not all(len(code) == 3 and code.isalpha() for code in pair):
            raise InputError(
                f"'{language_pair or ''}' is no pair of languages for Appraise",
                hint="give --language-pair with codes of three letters, such as eng-deu; where "
                "nothing was translated the same twice",
            )
        contents = {
            "batches.json": [
                _batch(number, batch, *pair) for number, batch in enumerate(drawn.batches, start=1)
            ],
            "manifest.json": _manifest(drawn, name, protocol, *pair),
        }
    files = [folder / file_name for file_name in contents]
    for path in files:
        refuse_existing(path, replace=replace)
    make_folder(folder)
    for path, content in zip(files, contents.values(), strict=True):
        write_file(path, json_text(content).encode())
    return files


def _manifest(
    drawn: SpanBatches, name: str, protocol: str, source: str, target: str
) -> dict[str, Any]:
    count = len(drawn.batches)
    return {
        "CAMPAIGN_URL": "http://127.0.0.1:8000/dashboard/sso/",
        "CAMPAIGN_NAME": name,
        "CAMPAIGN_KEY": name,
        "CAMPAIGN_NO": 1,
        "REDUNDANCY": 1,
        "TASKS_TO_ANNOTATORS": [[source, target, "uniform", count, count]],
        "TASK_TYPE": "Document",
        "TASK_OPTIONS": protocol.upper(),
    }


def _batch(
    number: int, batch: Sequence[DocumentOutput], source: str, target: str
) -> dict[str, Any]:
    return {
        "items": [
            {
                "mqm": [],
                "documentID": document.document + ("#bad1" if document.degraded else ""),
                "sourceID": f"{source}-{target}",
                "targetID": document.system,
                "sourceText": _shown(segment),
                "targetText": segment.text,
                "itemType": "BAD" if document.degraded else "TGT",
                "itemID": _number(segment),
                "_item": "",
                "isCompleteDocument": False,
            }
            for document in batch
            for segment in document.segments
        ],
        "task": {
            "batchNo": number,
            "randomSeed": 0,
            "requiredAnnotations": 1,
            "sourceLanguage": source,
            "targetLanguage": target,
        },
    }


def _shown(segment: Segment) -> str:
    """Return what an output is held against: its source, or the reference where there is none."""
    return segment.source or segment.reference or ""


def _number(segment: Segment) -> int:
    """Return the number by which Appraise's results name a sentence."""
    sent_id = segment.sent_id
    if sent_id is None:
        return segment.sentence_no
    if sent_id.isascii() and sent_id.isdigit() and len(sent_id) <= _LONGEST_NUMBER:
        number = int(sent_id)
        if str(number) == sent_id:
            return number
    raise InputError(
        f"sentence '{sent_id}' has no number, by which Appraise names sentences",
        hint="--format pearmut takes any names",
    )


def _pearmut(drawn: SpanBatches, name: str, protocol: str) -> dict[str, Any]:
    return {
        "info": {"assignment": "task-based", "protocol": protocol.upper()},
        "campaign_id": name,
        "data": [
            [[_item(document, segment) for segment in document.segments] for document in batch]
            for batch in drawn.batches
        ],
    }


def _item(document: DocumentOutput, segment: Segment) -> dict[str, Any]:
    against = {"src": segment.source, "ref": None if segment.source else segment.reference}
    item: dict[str, Any] = {
        "item_id": segment.sent_id or str(segment.sentence_no),
        "doc_id": document.document,
        **{key: text for key, text in against.items() if text},
        "tgt": {document.system: segment.text},
    }
    if document.degraded:
        # Without a warning: annotators are not told that they are checked.
        item["validation"] = {document.system: {"score": [0, BELOW]}}
    return item
