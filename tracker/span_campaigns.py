"""Campaign files of platforms on which annotators mark errors: Appraise and Pearmut."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sr_tracker.queries.people.span_batches import DocumentOutput, Segment, SpanBatches
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.writing import make_folder, write_file
from sr_tracker.tracker.judging import refuse_existing
from sr_tracker.tracker.show.formats import json_text

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
    files = [folder / each for each in contents]
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
