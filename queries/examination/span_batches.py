"""Batches of whole documents in which annotators mark errors, with documents made worse in them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.statements import read_tuples
from .hits import Degrader
from .sampling import JudgingPlan, drawn_sentences

COPY_MARK = "#"


@dataclass(frozen=True)
class Segment:
    """An output to mark errors in."""

    sentence_no: int
    sent_id: str | None
    source: str | None
    reference: str | None
    text: str


@dataclass(frozen=True)
class DocumentOutput:
    """A system's outputs for the sentences of a document, as they are or made worse."""

    system: str
    document: str
    segments: Sequence[Segment]
    degraded: bool = False


@dataclass(frozen=True)
class SpanBatches:
    """What was drawn: one batch for each annotator."""

    treebank_id: str
    batches: Sequence[Sequence[DocumentOutput]]
    sentences: int
    outputs: int


def draw_batches(
    database: Database, campaign_id: str, treebank_id: str, plan: JudgingPlan
) -> SpanBatches:
    """Return the outputs of a campaign's submissions to a treebank as batches of whole documents.

    A document of a system comes once, in a batch that has room for it: at most ``hit_size``
    outputs, of which ``controls`` or little fewer are degraded copies of documents of the same
    batch, before or after their originals. Sentences of no known document are documents
    themselves. Documents come in random order; the same plan gives the same batches. So WMT lays
    out campaigns of error span annotation (Kocmi et al. 2024).

    Raises UnknownNameError and InputError as ``draw_sample`` does, and InputError for a document
    that is longer than a batch, or whose name has a # in it, which marks copies.
    """
    place = drawn_sentences(database, campaign_id, treebank_id, plan)
    rows = read_tuples(
        database,
        "segments_to_judge",
        submissions=place.submissions,
        sentence_nos=[each.sentence_no for each in place.sentences],
    )
    where = f"{place.campaign_id}, {place.treebank_id}"
    if not rows:
        raise InputError("there is no output to judge", where=where)
    documents = [
        DocumentOutput(system, document, [Segment(*row[2:]) for row in found])
        for (system, document), found in groupby(rows, key=lambda row: (row[0], row[1]))
    ]
    room = plan.hit_size - plan.controls
    if plan.hit_size < 2 or not 0 <= plan.controls <= plan.hit_size // 2:
        raise InputError(
            f"a HIT of {plan.hit_size} items cannot have {plan.controls} control items",
            hint="at least half of a HIT are outputs to judge: change --hit-size or --controls",
        )
    longest = max(documents, key=lambda each: len(each.segments))
    if len(longest.segments) > room:
        raise InputError(
            f"document '{longest.document}' has {plural(len(longest.segments), 'sentence')} to "
            "judge, a HIT "
            f"room for {room}",
            where=where,
            hint="raise --hit-size, or draw fewer sentences",
        )
    marked = [each.document for each in documents if COPY_MARK in each.document]
    if marked:
        raise InputError(
            f"the document's name '{marked[0]}' has a # in it, which marks copies",
            where=where,
            hint="load the test set with other names of documents",
        )
    rng = random.Random(f"{place.campaign_id} {place.treebank_id} {plan.seed} spans")
    rng.shuffle(documents)
    texts = [(each.sentence_no, each.text) for one in documents for each in one.segments]
    degrader = Degrader(texts, rng)
    batches = [
        _with_controls(batch, plan.controls, degrader, rng) for batch in _filled(documents, room)
    ]
    return SpanBatches(place.treebank_id, batches, len(place.sentences), len(rows))


def _filled(documents: Sequence[DocumentOutput], room: int) -> list[list[DocumentOutput]]:
    """Return batches: each document in the first one that has room for it, the longest first."""
    batches: list[list[DocumentOutput]] = []
    free: list[int] = []
    for document in sorted(documents, key=lambda each: -len(each.segments)):
        size = len(document.segments)
        place = next((at for at, left in enumerate(free) if left >= size), len(free))
        if place == len(free):
            batches.append([])
            free.append(room)
        batches[place].append(document)
        free[place] -= size
    return batches


def _with_controls(
    batch: list[DocumentOutput], controls: int, degrader: Degrader, rng: random.Random
) -> list[DocumentOutput]:
    """Return a batch in random order, with copies made worse of some of its documents."""
    copies = []
    for document in rng.sample(batch, len(batch)):
        worse = [
            degrader.degraded(segment.sentence_no, segment.text) for segment in document.segments
        ]
        if len(worse) > controls or None in worse:
            continue
        controls -= len(worse)
        segments = [
            replace(segment, text=text or "")
            for segment, text in zip(document.segments, worse, strict=True)
        ]
        copies.append(replace(document, segments=segments, degraded=True))
    whole = [*batch, *copies]
    rng.shuffle(whole)
    return whole
