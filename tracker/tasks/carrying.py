"""Outputs carried to another version of their test set: in Python and as a command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from ...schema.errors import InputError
from ...schema.iterations import resolve_submission
from ...schema.names import resolve_treebank
from ...schema.parameters import ItsCampaign, ItsTreebank, Option, Replace, Submission, Treebank
from ...schema.progress import Progress, silent
from ...schema.statements import read_rows, read_table
from ...schema.temporary import temporary

if TYPE_CHECKING:
    from ...ingest.outputs.submissions import Submitted
    from ..api.tracker import Tracker

GUIDED = "reference/"
"""What the name of an analysis begins with that depends on the references."""
TAG = "carried_from"


def carry(
    tracker: Tracker,
    *submissions: Annotated[Submission, Option(required=True)],
    to: Annotated[Treebank, Option("The other version: id, or en_ewt.")],
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    replace: Annotated[
        Replace, Option("Load in place of other outputs under the same name.")
    ] = False,
    progress: Progress = silent,
) -> list[Submitted]:
    """Load the outputs of SUBMISSIONS for another version of their treebank, and score them.

    A run keeps its system, iteration, date and params; the tag carried_from names the original.
    Outputs are matched to their sentences by sent_id, else by text. 'tracker task drift' then shows
    how much of a score's change comes from the references.

    Returns what became of each. A run keeps its campaign, track, params and reference form too;
    outputs of sentences that the version lacks are left out, sentences that are new have none.
    Words that were analysed by the references are analysed anew, all others are taken over. The
    same again changes nothing.

    Raises InputError where the treebanks share no sentence or are one, UnknownNameError for names
    that do not exist.

    >>> later, _ = db.ingest_treebank("revised/en_sample-ud-test.conllu", version="1.1")
    >>> (carried,) = db.carry("ngram@1", to=later, treebank="en_sample-ud1.0-test")
    >>> carried.submission_id
    'SAMPLE25/ngram/en_sample-ud1.1-test'
    """
    from ...queries.metrics.scoring import score

    database = tracker.database
    target = resolve_treebank(database, to)
    chosen = [
        resolve_submission(database, name, treebank=treebank, campaign=campaign)
        for name in submissions
    ]
    carried = []
    for done, submission_id in enumerate(dict.fromkeys(chosen)):
        progress(submission_id, done, len(chosen))
        carried.append(_carried(tracker, submission_id, target, replace=replace))
    if carried:
        score(database, submissions=[*chosen, *(item.submission_id for item in carried)])
    progress("carried", len(chosen), len(chosen))
    return carried


def _carried(tracker: Tracker, submission_id: str, target: str, *, replace: bool) -> Submitted:
    from ...ingest.analysers import ANALYSIS_SCHEMA, KnownWords
    from ...ingest.campaigns.runs import Run
    from ...ingest.outputs.reading import OutputFile
    from ...ingest.outputs.submissions import load_references, store_outputs
    from ...queries.tasks.drift.reading import pair_versions
    from ..making import GOLD

    database = tracker.database
    (row,) = read_rows(database, "carried_run", submission=submission_id)
    with temporary(database):
        pair_versions(database, row["treebank_id"], target)
        outputs = read_table(database, "carried_outputs", submission=submission_id)
        words = read_table(database, "carried_words", submission=submission_id)
    tokens = words.select(ANALYSIS_SCHEMA.names).cast(ANALYSIS_SCHEMA)
    texts = outputs["text"].to_pylist()
    if not any(text is not None for text in texts):
        raise InputError(
            f"'{submission_id}' has no output for the sentences of '{target}'",
            hint="is it another version of the same test set?",
        )
    analysed = row["analysis"] == GOLD
    file = OutputFile(
        row["source"], None, texts, outputs["new_no"].to_pylist(), tokens if analysed else None
    )
    run = Run(
        campaign_id=row["campaign_id"],
        system_id=row["system_id"],
        treebank_id=target,
        iteration=row["iteration"],
        track=row["track"],
        created_at=row["created_at"],
        reference_form=row["reference_form"],
        params=json.loads(row["params"] or "{}"),
        tags=json.loads(row["tags"] or "{}") | {TAG: submission_id},
        accept_mismatch=True,
    )
    analyser = (
        tracker.analyser_of
        if row["analysis"].startswith(GUIDED)
        else lambda _: KnownWords(row["analysis"], tokens)
    )
    references = load_references(database, target)
    return store_outputs(database, file, run, references, analyser, replace=replace)
