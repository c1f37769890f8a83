"""Drawing the outputs that people are to judge: what they see, and the key to it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.iterations import resolve_submission
from ...schema.names import campaign_treebanks, resolve_name, resolve_treebank
from ...schema.statements import read_tuples
from .hits import (
    DEGRADED,
    REFERENCE,
    Degrader,
    DocumentOutput,
    Item,
    Output,
    Segment,
    build_hits,
    check_sizes,
    filled,
    with_controls,
)

LENGTH = "length"
_FROM_ONE = "give a number from 1, or all"
ADEQUACY, FLUENCY = "adequacy", "fluency"
SEEN = ("hit", "item", "criterion", "reference", "text")
KEY = (
    *("hit", "item", "criterion", "kind", "submission", "treebank", "sent_id", "text"),
    "original",
)


@dataclass(frozen=True)
class Sentence:
    """A sentence whose outputs can be judged."""

    sentence_no: int
    sent_id: str
    reference: str | None
    length: float
    """In words, or where there are none in letters: the same for all sentences of a treebank."""


@dataclass(frozen=True)
class JudgingPlan:
    """What is to be judged and how it is spread over HITs."""

    sentences: int | None = 1000
    """How many to draw; None for all."""
    by: str = LENGTH
    """How they are drawn: by length as in the treebank, or as ``planning.comparing`` has it."""
    criteria: Sequence[str] = (ADEQUACY, FLUENCY)
    systems: Sequence[str] | None = None
    """As SYSTEM or SYSTEM@ITERATION; None for all, the latest iteration of each."""
    hit_size: int = 100
    controls: int = 20
    deduplicate: bool = True
    """Whether equal outputs of several systems for a sentence are judged once."""
    seed: int = 0


@dataclass(frozen=True)
class Drawn:
    """Whose outputs for which sentences are to be judged."""

    campaign_id: str
    treebank_id: str
    submissions: Sequence[str]
    sentences: Sequence[Sentence]


@dataclass(frozen=True)
class Sample:
    """What was drawn."""

    seen: list[dict[str, str | None]]
    """One row per item, in the order annotators see them; columns as in SEEN."""
    key: list[dict[str, str | None]]
    """One row per item and submission; columns as in KEY."""
    sentences: int
    outputs: int
    hits: int


def draw_sample(
    database: Database, campaign_id: str, treebank_id: str, plan: JudgingPlan
) -> Sample:
    """Return outputs of a campaign's submissions to a treebank as HITs, for each criterion anew.

    Annotators see the reference beside the text, but for fluency, which is judged without one.
    Outputs that are missing or blank cannot be judged. The same plan gives the same sample. Mille
    et al. 2018, sections 3.2 and 3.2.1.

    Raises UnknownNameError where there are no such submissions; InputError where references are
    needed and hidden, nothing is to be judged, or the sizes do not fit.
    """
    if not plan.criteria:
        raise InputError("there is no criterion to judge by", hint="give --criterion")
    place = drawn_sentences(database, campaign_id, treebank_id, plan)
    campaign_id, treebank_id = place.campaign_id, place.treebank_id
    submissions, sentences = place.submissions, place.sentences
    outputs = _outputs(database, submissions, sentences, deduplicate=plan.deduplicate)
    if not outputs:
        raise InputError("there is no output to judge", where=f"{campaign_id}, {treebank_id}")
    references = {row.sentence_no: row.reference for row in sentences if row.reference}
    sent_ids = {row.sentence_no: row.sent_id for row in sentences}
    texts = [(output.sentence_no, output.text) for output in outputs]
    seen: list[dict[str, str | None]] = []
    key: list[dict[str, str | None]] = []
    hits = 0
    for criterion in plan.criteria:
        shows_reference = criterion != FLUENCY
        if shows_reference and len(references) < len(sentences):
            raise InputError(
                f"{criterion} is judged against references, which are hidden",
                where=treebank_id,
                hint=f"judge {FLUENCY} alone: --criterion {FLUENCY}",
            )
        rng = random.Random(f"{campaign_id} {treebank_id} {plan.seed} {criterion}")
        batches = build_hits(
            outputs,
            references,
            Degrader(texts, rng).degraded,
            size=plan.hit_size,
            controls=plan.controls,
            rng=rng,
        )
        name = hashlib.sha256(f"{submissions} {plan} {criterion}".encode()).hexdigest()[:6]
        for number, batch in enumerate(batches, start=1):
            hit = f"{name}-{number:03d}"
            items = {f"{hit}-{place:03d}": item for place, item in enumerate(batch, start=1)}
            for item_id, item in items.items():
                reference = references[item.output.sentence_no] if shows_reference else None
                own = {"hit": hit, "item": item_id, "criterion": criterion}
                seen.append({**own, "reference": reference, "text": item.text})
            key += _key(items, hit, criterion, treebank_id, sent_ids)
        hits += len(batches)
    return Sample(seen, key, len(sentences), len(outputs), hits)


def drawn_sentences(
    database: Database, campaign_id: str, treebank_id: str, plan: JudgingPlan
) -> Drawn:
    """Return whose outputs for which sentences are to be judged.

    Raises UnknownNameError where there are no such submissions, and InputError where fewer than one
    sentence is wanted.
    """
    campaign_id = resolve_name(database, "campaign", campaign_id)
    among = campaign_treebanks(database, campaign_id)
    treebank_id = resolve_treebank(database, treebank_id, among)
    submissions = _submissions(database, campaign_id, treebank_id, plan.systems)
    rows = read_tuples(
        database, "sentences_to_judge", submissions=submissions, treebank=treebank_id
    )
    there = [Sentence(*row) for row in rows]
    if plan.by == LENGTH:
        rng = random.Random(f"{campaign_id} {treebank_id} {plan.seed}")
        sentences = draw_sentences(there, plan.sentences, rng)
    else:
        sentences = _chosen(database, treebank_id, submissions, there, plan)
    return Drawn(campaign_id, treebank_id, submissions, sentences)


def draw_sentences(
    sentences: Sequence[Sentence], wanted: int | None, rng: random.Random
) -> list[Sentence]:
    """Return so many sentences with the lengths distributed as in all, in their order.

    Sorted by length, they are cut into as many equal parts as are wanted, and one is drawn from
    each: the share up to any length differs from that in all by less than two sentences. All are
    returned where no more are there than wanted. Mille et al. 2018, section 3.2.

    Raises InputError where fewer than one is wanted.
    """
    if wanted is not None and wanted < 1:
        raise InputError(f"{wanted} sentences cannot be drawn", hint=_FROM_ONE)
    if wanted is None or wanted >= len(sentences):
        return list(sentences)
    shuffled = list(sentences)
    rng.shuffle(shuffled)
    shuffled.sort(key=lambda sentence: sentence.length)
    ends = [place * len(shuffled) // wanted for place in range(wanted + 1)]
    drawn = [shuffled[rng.randrange(start, end)] for start, end in pairwise(ends)]
    return sorted(drawn, key=lambda sentence: sentence.sentence_no)


def _submissions(
    database: Database, campaign_id: str, treebank_id: str, systems: Sequence[str] | None
) -> list[str]:
    """Return the ids of the submissions to judge, of each system the latest unless named."""
    rows = database.connection.execute(
        "SELECT system_id, arg_max(submission_id, iteration) FROM submission "
        "WHERE campaign_id = ? AND treebank_id = ? GROUP BY system_id",
        [campaign_id, treebank_id],
    ).fetchall()
    if not rows:
        raise UnknownNameError(
            f"there is no submission for '{treebank_id}' in campaign '{campaign_id}'",
            hint="'tracker show submission_overview' lists what is loaded",
        )
    latest = dict(rows)
    return sorted(
        {
            latest.get(name)
            or resolve_submission(database, name, treebank=treebank_id, campaign=campaign_id)
            for name in (latest if systems is None else systems)
        }
    )


def _chosen(
    database: Database,
    treebank_id: str,
    submissions: Sequence[str],
    sentences: Sequence[Sentence],
    plan: JudgingPlan,
) -> list[Sentence]:
    """Return the sentences that come first by the plan's way of choosing, in their order."""
    from .planning.comparing import ordered_sentences

    if plan.sentences is not None and plan.sentences < 1:
        raise InputError(f"{plan.sentences} sentences cannot be drawn", hint=_FROM_ONE)
    numbers = [row.sentence_no for row in sentences]
    rng = np.random.default_rng(plan.seed)
    order = ordered_sentences(database, plan.by, treebank_id, submissions, numbers, rng)
    wanted = set(order[: plan.sentences])
    return [row for row in sentences if row.sentence_no in wanted]


def _outputs(
    database: Database,
    submissions: Sequence[str],
    sentences: Sequence[Sentence],
    *,
    deduplicate: bool,
) -> list[Output]:
    numbers = [sentence.sentence_no for sentence in sentences]
    rows = read_tuples(database, "outputs_to_judge", submissions=submissions, sentence_nos=numbers)
    groups: dict[tuple[int, str, str], list[str]] = {}
    for number, submission_id, text in rows:
        groups.setdefault((number, text, "" if deduplicate else submission_id), []).append(
            submission_id
        )
    return [Output(number, text, tuple(ids)) for (number, text, _), ids in groups.items()]


def _key(
    items: dict[str, Item],
    hit: str,
    criterion: str,
    treebank_id: str,
    sent_ids: dict[int, str],
) -> list[dict[str, str | None]]:
    """Return a row per item and submission whose output it is.

    A degraded copy checks the annotator and counts for no submission: it is given to one of them.
    """
    originals = {id(item.output): name for name, item in items.items() if item.kind == "ordinary"}
    rows: list[dict[str, str | None]] = []
    for name, item in items.items():
        submissions: Sequence[str | None] = item.output.submissions
        if item.kind == REFERENCE:
            submissions = [None]
        elif item.kind == DEGRADED:
            submissions = submissions[:1]
        rows += [
            {
                "hit": hit,
                "item": name,
                "criterion": criterion,
                "kind": item.kind,
                "submission": submission_id,
                "treebank": treebank_id,
                "sent_id": sent_ids[item.output.sentence_no],
                "text": item.output.text,
                "original": None if item.kind == "ordinary" else originals[id(item.output)],
            }
            for submission_id in submissions
        ]
    return rows


COPY_MARK = "#"


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
        sentence_nos=[item.sentence_no for item in place.sentences],
    )
    where = f"{place.campaign_id}, {place.treebank_id}"
    if not rows:
        raise InputError("there is no output to judge", where=where)
    documents = [
        DocumentOutput(system, document, [Segment(*row[2:]) for row in group])
        for (system, document), group in groupby(rows, key=lambda row: (row[0], row[1]))
    ]
    room = plan.hit_size - plan.controls
    check_sizes(plan.hit_size, plan.controls)
    longest = max(documents, key=lambda item: len(item.segments))
    if len(longest.segments) > room:
        raise InputError(
            f"document '{longest.document}' has {plural(len(longest.segments), 'sentence')} to "
            "judge, a HIT "
            f"room for {room}",
            where=where,
            hint="raise --hit-size, or draw fewer sentences",
        )
    marked = [item.document for item in documents if COPY_MARK in item.document]
    if marked:
        raise InputError(
            f"the document's name '{marked[0]}' has a # in it, which marks copies",
            where=where,
            hint="load the test set with other names of documents",
        )
    rng = random.Random(f"{place.campaign_id} {place.treebank_id} {plan.seed} spans")
    rng.shuffle(documents)
    texts = [(item.sentence_no, item.text) for one in documents for item in one.segments]
    degrader = Degrader(texts, rng)
    batches = [
        with_controls(batch, plan.controls, degrader, rng) for batch in filled(documents, room)
    ]
    return SpanBatches(place.treebank_id, batches, len(place.sentences), len(rows))
