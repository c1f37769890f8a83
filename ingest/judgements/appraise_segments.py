"""Which sentences Appraise's items are: by their numbers, or by their places in documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from pathlib import Path

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.staging import commit
from ...schema.statements import read_tuples
from ..formats import Column, Columns, UserFile
from ..names import treebank_named
from ..records import Records, delimited_rows, records_of_rows
from ..scores.files import read_score_lines
from ..treebanks.sources import source_load
from .appraise import Item, numbered_by_segment, read_items, table
from .appraise_batches import only_pair, place_by_batches
from .columns import JudgementFile, JudgementTable

AUTOMATIC, SEGMENTS, PLACES = "auto", "segments", "places"
ITEM_NUMBERS = (AUTOMATIC, SEGMENTS, PLACES)


def read_appraise(file: UserFile, settings: JudgementFile, database: Database) -> JudgementTable:
    """Return the judgements of Appraise's export, each with its sentence.

    Items are numbered by segment of the test set (WMT 2024), whose first line may be a canary that
    they do not count: the documents tell. Or they are numbered by place in the HIT (WMT 2023).
    Then a document's items are its segments in order: all of them, or those of
    ``judged_segments`` of the system; of a document that two HITs share the first login has the
    first part. A degraded copy has the items of its original in the same HIT. Where the campaign's
    ``batches`` are given, the texts that they show tell it instead.

    Raises InputError (file:line) for broken rows, and for documents that the items do not fit.
    """
    items, notes = read_items(file, settings.language_pair, only_pair(settings.batches))
    pairs = sorted({item.pair for item in items})
    if settings.treebank_id and len(pairs) > 1:
        raise InputError(
            f"the file has {len(pairs)} language pairs, one test set is given",
            where=file.source,
            hint=f"--language-pair takes one of {', '.join(pairs)}",
        )
    campaign = str(settings.campaign_id)
    treebanks = {pair: settings.treebank_id or f"{campaign.lower()}-{pair}" for pair in pairs}
    if settings.batches:
        registered = {pair: treebank_named(database, campaign, treebanks[pair]) for pair in pairs}
        items, more = place_by_batches(
            database, items, settings.batches, registered, campaign, file
        )
        return table(items, settings, file, treebanks, [*notes, *more], placed=True)
    by_segment = settings.item_numbers == SEGMENTS or (
        settings.item_numbers == AUTOMATIC and numbered_by_segment(items)
    )
    placed = True
    for pair in pairs:
        of_pair = [item for item in items if item.pair == pair]
        if by_segment:
            placed &= _number(of_pair, database, treebanks[pair], file)
        else:
            _place(database, of_pair, treebanks[pair], settings, file)
    if by_segment:
        items.sort(key=lambda item: (item.pair, item.number))
    return table(items, settings, file, treebanks, notes, placed=placed)


def _number(items: Sequence[Item], database: Database, treebank: str, file: UserFile) -> bool:
    """Give each item its sentence by its number, or by the next where documents fit that alone.

    Returns whether documents tell that the numbers are right.
    """
    rows = read_tuples(database, "document_sentences", treebank=treebank)
    documents = {sentence: document for document, _, sentence in rows}
    misfits = [
        [
            item
            for item in items
            if item.document
            and documents.get(str(item.number + shift), item.document) != item.document
        ]
        for shift in (0, 1)
    ]
    shift = min((0, 1), key=lambda offset: len(misfits[offset]))
    for item in items:
        item.sent_id = str(item.number + shift)
    if not misfits[shift]:
        return bool(documents) and all(item.document for item in items)
    item = min(misfits[shift], key=lambda item: item.line)
    raise InputError(
        f"item {item.number} is of '{item.document}', line {item.sent_id} of '{treebank}' of "
        f"'{documents[item.sent_id]}'",
        where=file.where(item.line),
        hint="these are judgements of another test set, or of another of its language pairs",
    )


def _place(
    database: Database,
    items: Sequence[Item],
    treebank: str,
    settings: JudgementFile,
    file: UserFile,
) -> None:
    """Give each item its sentence, by the places of items in documents."""
    segments = _documents(database, treebank, settings, file)
    originals: defaultdict[tuple[str, str], list[Item]] = defaultdict(list)
    copies: defaultdict[tuple[str, str, str, str], list[Item]] = defaultdict(list)
    for item in items:
        if item.copy:
            copies[item.login, item.system, item.document, item.copy].append(item)
        else:
            originals[item.system, item.document].append(item)
    parts: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    judged = settings.judged_segments
    of_any = frozenset[int]() if judged is None else frozenset().union(*judged.values())
    for (system, document), group in originals.items():
        group.sort(key=lambda item: (item.login, item.number))
        there = None if judged is None else judged.get(system, of_any)
        ids = [
            sent_id
            for number, sent_id in segments.get(document, [])
            if there is None or number in there
        ]
        if len(group) != len(ids):
            raise InputError(
                f"{plural(len(group), 'item')} of '{document}' by {system}, which has "
                f"{plural(len(ids), 'segment')}{'' if judged is None else ' that were judged'}",
                where=file.where(min(item.line for item in group)),
                hint="where segments were left out, --judged-segments names a file with the "
                "rest: *.seg.score, with None for them; several annotators of a document need a "
                "file each",
            )
        for item, sent_id in zip(group, ids, strict=True):
            item.sent_id = sent_id
            parts[item.login, system, document].append(sent_id)
    for (login, system, document, _), group in copies.items():
        group.sort(key=lambda item: item.number)
        ids = parts[login, system, document]
        if len(group) != len(ids):
            raise InputError(
                f"a degraded copy of '{document}' has {plural(len(group), 'item')}, its original "
                "in the same "
                f"HIT {len(ids)}",
                where=file.where(min(item.line for item in group)),
                hint="is the file whole?",
            )
        for item, sent_id in zip(group, ids, strict=True):
            item.sent_id = sent_id


def _documents(
    database: Database, treebank: str, settings: JudgementFile, file: UserFile
) -> dict[str, list[tuple[int, str]]]:
    """Return the sentences of each document in order: number and sent_id."""
    treebank_id = treebank_named(database, str(settings.campaign_id), treebank)
    rows = read_tuples(database, "document_sentences", treebank=treebank_id)
    if not rows:
        raise InputError(
            f"the documents of '{treebank_id}' are not known, and items are numbered by place",
            where=file.source,
            hint="load the test set with its documents (--documents); --item-numbers segments says "
            "that items are numbered by segment of the test set",
        )
    documents: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for document, number, sent_id in rows:
        documents[document].append((number, sent_id))
    return documents


def store_documents(
    database: Database, records: Records, treebanks: Sequence[str], numbers: Sequence[int]
) -> None:
    """Store which documents the sentences of test sets are of that judgements made known."""
    named = records.columns.get("document")
    if named is None or not any(named):
        return
    hidden = database.connection.execute(
        "SELECT treebank_id FROM treebank WHERE hidden_text AND treebank_id IN (SELECT unnest(?))",
        [sorted(set(treebanks))],
    ).fetchall()
    for (treebank_id,) in hidden:
        there = database.connection.execute(
            "SELECT sentence_no FROM sentence_source WHERE treebank_id = ?", [treebank_id]
        ).fetchall()
        stored = {number for (number,) in there}
        added = {
            number: document
            for treebank, number, document in zip(treebanks, numbers, named, strict=True)
            if treebank == treebank_id and document and number not in stored
        }
        if added:
            documents = [added.get(number) for number in range(1, max(added) + 1)]
            source, content = Path(records.source).name, repr(sorted(added.items()))
            load = source_load(treebank_id, source, content, sorted(added), document_id=documents)
            commit(database, load)


def read_judged_segments(path: Path) -> Mapping[str, Collection[int]]:
    """Return the lines of a test set that were judged of each system, by a ``*.seg.score`` file.

    A line is SYSTEM TAB SCORE.

    Raises InputError (file:line) for another line.
    """
    places: defaultdict[str, int] = defaultdict(int)
    judged: defaultdict[str, set[int]] = defaultdict(set)
    for _, system, score in read_score_lines(path):
        places[system] += 1
        if score is not None:
            judged[system].add(places[system])
    if not judged:
        raise InputError("no segment was judged", where=str(path), hint="is it the right file?")
    return {system: judged[system] for system in places}


_LOGINS = Columns(
    "logins",
    (
        Column("login", required=True),
        Column("annotator", ["annotator", "annotatorid"], required=True),
    ),
    lacking_hint="write a header: login,annotator",
)


def read_annotator_names(path: Path) -> dict[str, str]:
    """Return the annotator of each login, by a CSV file with the columns login and annotator.

    Raises InputError (file:line) for a login with two annotators.
    """
    file = UserFile(path)
    rows = delimited_rows(path, file.text)
    _, header = next(rows, (1, []))
    names = [name.strip().lower().replace("_", "") for name in header]
    cells = ((line, row[: len(names)]) for line, row in rows if any(row))
    records = records_of_rows(
        path,
        chain([(1, names)], cells),
        hint=_LOGINS.lacking_hint,
        check=_LOGINS.check_header,
        fewest=lambda _: 1,
    )
    table = _LOGINS.table(records)
    annotators: dict[str, str] = {}
    for row, pair in enumerate(zip(table.texts("login"), table.texts("annotator"), strict=True)):
        login, annotator = ((value or "").strip() for value in pair)
        if not login or not annotator:
            raise InputError(
                "the row lacks a login or an annotator", where=table.where(row), hint="fill it in"
            )
        if annotators.setdefault(login, annotator) != annotator:
            raise InputError(
                f"'{login}' is the login of two annotators",
                where=table.where(row),
                hint="keep the right one",
            )
    return annotators
