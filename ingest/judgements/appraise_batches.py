"""Appraise's batches.json: what each item of a campaign shows, and so of which sentence it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.statements import read_tuples
from ...schema.temporary import lent
from ..formats import UserFile
from .appraise import Item, Shown, shown

_HINT = (
    "a file is a list of batches, of a task (sourceLanguage, targetLanguage) and items (itemID, "
    "itemType, sourceText, targetID, targetText, and documentID where there are documents)"
)


class BatchItem(NamedTuple):
    """A system's output in a batch, as annotators see it."""

    batch: tuple[int, int]
    """The places of the file and of the batch in it."""
    shown: Shown
    source: str
    text: str
    tutorial: bool
    whole_document: bool


def read_batches(paths: Iterable[Path]) -> list[BatchItem]:
    """Return what the batches of a campaign show, in the order of the files.

    An output of several systems (``A+B``) is each one's, also under the joined name. Of a pairwise
    campaign's items each target is one.

    Raises InputError (file: batch) for what is no batch.
    """
    return [item for number, path in enumerate(paths) for item in _items(path, number)]


def _items(path: Path, number: int) -> Iterator[BatchItem]:
    batches = UserFile(path).json(_HINT)
    for place, batch in enumerate(batches if isinstance(batches, list) else [None], start=1):
        where = f"{path}: batch {place}"
        try:
            pair = "{sourceLanguage}-{targetLanguage}".format(**batch["task"])
            for item in batch["items"]:
                yield from _outputs(item, pair, (number, place), where)
        except (TypeError, KeyError, AttributeError):
            raise InputError("this is no batch of Appraise", where=where, hint=_HINT) from None


def _outputs(
    item: Mapping[str, Any], pair: str, batch: tuple[int, int], where: str
) -> Iterator[BatchItem]:
    marks = item.get("mqm")
    source = item["segmentText"] if "targets" in item else item["sourceText"]
    for output in item.get("targets", [item]):
        joined = output["targetID"]
        for system in dict.fromkeys([joined, *joined.split("+")]):
            yield BatchItem(
                batch,
                shown(
                    *(pair, system, item.get("documentID") or "", item["itemType"]),
                    *(str(item["itemID"]), where, _HINT),
                ),
                str(source),
                str(output["targetText"]),
                isinstance(marks, dict) and "tutorial" in marks,
                bool(item.get("isCompleteDocument")),
            )


def only_pair(batches: Sequence[BatchItem]) -> str | None:
    """Return the languages that the batches are of; None where they are of several."""
    pairs = {item.shown[0] for item in batches}
    return next(iter(pairs)) if len(pairs) == 1 else None


def place_by_batches(
    database: Database,
    items: Sequence[Item],
    batches: Sequence[BatchItem],
    treebanks: Mapping[str, str],
    campaign: str,
    file: UserFile,
) -> tuple[list[Item], list[str]]:
    """Return the items that count, each with its sentence, and what to know of the others.

    A sentence is the one whose source (or reference, where nothing was translated) the batch shows,
    or else the one for which the system's output is shown; of equal ones in a document, or in a
    batch without documents, the first item has the first. Tutorials do not count, nor ratings of
    whole documents.

    Raises InputError (file:line) for items that no batch has, and for those that show no sentence,
    or one of several.
    """
    places: defaultdict[Shown, list[int]] = defaultdict(list)
    for place, shown_item in enumerate(batches):
        places[shown_item.shown].append(place)
    of_login: dict[str, set[tuple[int, int]]] = {}
    for item in items:
        having = {batches[place].batch for place in places[item.shown]}
        of_login[item.login] = of_login.get(item.login, having) & having
    sentences = _sentences(database, batches, treebanks, campaign)
    counting: list[Item] = []
    tutorials = documents = others = 0
    for item in items:
        at = [n for n in places[item.shown] if batches[n].batch in of_login[item.login]]
        at = at or places[item.shown]
        if at and all(batches[n].tutorial for n in at):
            tutorials += 1
        elif at and all(batches[n].whole_document and n not in sentences for n in at):
            documents += 1
        else:
            item.sent_id, differs = _sentence(item, at, sentences, treebanks[item.pair], file)
            others += differs and item.kind in ("ordinary", "repeat")
            counting.append(item)
    counts = {
        "of tutorials left out": tutorials,
        "of whole documents left out": documents,
        "of texts that are not the loaded outputs: were other versions judged?": others,
    }
    notes = [f"{plural(n, 'rating')} {what} ({file.source})" for what, n in counts.items() if n]
    return counting, notes


def _sentence(
    item: Item,
    places: Sequence[int],
    sentences: Mapping[int, tuple[str, bool]],
    treebank: str,
    file: UserFile,
) -> tuple[str, bool]:
    """Return an item's sentence, and whether the batch shows another output than is loaded."""
    candidates = [sentences.get(place, ("", False)) for place in places]
    if candidates and candidates[0][0] and len({name for name, _ in candidates}) == 1:
        return candidates[0]
    what = f"item {item.number} of {item.system}" + f" ('{item.document}')" * bool(item.document)
    if not places:
        message = f"no batch has {what}"
        hint = "give --batches all files of the campaign, or --language-pair what they are of"
    else:
        message = f"{what} shows no sentence of '{treebank}', or one of several that are alike"
        hint = "load the test set's sources and documents, and the systems' outputs, first"
    raise InputError(message, where=file.where(item.line), hint=hint)


def _sentences(
    database: Database,
    batches: Sequence[BatchItem],
    treebanks: Mapping[str, str],
    campaign: str,
) -> dict[int, tuple[str, bool]]:
    """Return the sentence of each item by its place, and whether another output is loaded."""
    rows = [
        (
            n,
            str(batch_item.batch),
            treebanks.get(batch_item.shown[0]),
            *batch_item.shown[1:5],
            batch_item.source,
            batch_item.text,
        )
        for n, batch_item in enumerate(batches)
    ]
    names = "item batch treebank_id system document copy kind source shown"
    columns = dict(zip(names.split(), zip(*rows, strict=True), strict=True))
    with lent(database, batch_items=pa.table({name: list(v) for name, v in columns.items()})):
        rows_of_items = read_tuples(database, "sentences_of_batches", campaign=campaign)
    return {item: (sentence, differs) for item, sentence, differs in rows_of_items}
