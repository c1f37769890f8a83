"""Carrying a run's outputs to another version of its test set, where they are loaded and scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sr_tracker.ingest.analysers.base import ANALYSIS_SCHEMA, KnownWords
from sr_tracker.ingest.campaigns.runs import Run
from sr_tracker.ingest.outputs.reading import OutputFile
from sr_tracker.ingest.outputs.submissions import Submitted, load_references, store_outputs
from sr_tracker.queries.change.drift.reading import pair_versions
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.iterations import resolve_submission
from sr_tracker.schema.names import resolve_treebank
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.statements import read_rows, read_table
from sr_tracker.schema.temporary import temporary

if TYPE_CHECKING:
    from sr_tracker.tracker.api import Tracker

GUIDED = "reference/"
"""What the name of an analysis begins with that depends on the references."""
GIVEN = "conllu"
"""The name of an analysis that outputs brought with them."""
TAG = "carried_from"


def carry(
    tracker: Tracker,
    submissions: Sequence[str],
    to: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
    replace: bool = False,
    progress: Progress = silent,
) -> list[Submitted]:
    """Load submissions' outputs for another version of their treebank, score them, return them.

    A run keeps its campaign, system, track, iteration, date, params and reference form; its tag
    carried_from tells what it was. Outputs find their sentence by sent_id, else by its text;
    those of sentences that the version lacks are left out, sentences that are new have none. Words
    that were analysed by the references are analysed anew, all others are taken over. The same
    again changes nothing.

    Raises InputError where the treebanks share no sentence or are one, UnknownNameError for names
    that do not exist.
    """
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
        score(database, submissions=[*chosen, *(each.submission_id for each in carried)])
    progress("carried", len(chosen), len(chosen))
    return carried


def _carried(tracker: Tracker, submission_id: str, target: str, *, replace: bool) -> Submitted:
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
    given = row["analysis"] == GIVEN
    file = OutputFile(
        row["source"], None, texts, outputs["new_no"].to_pylist(), tokens if given else None
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
