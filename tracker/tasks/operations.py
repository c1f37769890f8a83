"""Shared tasks and test sets: made, received, and what is in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from ...queries.tasks import OverlapSettings
from ...schema.errors import InputError, UnknownNameError
from ...schema.iterations import passing, resolve_submission
from ...schema.names import resolve_treebank
from ...schema.parameters import (
    LEVEL,
    REPLICATES,
    SEED,
    ItsCampaign,
    ItsTreebank,
    Language,
    Level,
    Measure,
    OneFile,
    Option,
    Replace,
    Replicates,
    Seed,
    Submission,
    Treebank,
)
from ...schema.progress import Progress, silent
from ...schema.statements import read_rows, read_table
from ...schema.temporary import temporary
from ..api.methods import Fields, Filters, reads, settings_of, writes
from .making import TaskFolder, read_task, task_make
from .receiving import task_receive

if TYPE_CHECKING:
    from ...ingest.outputs.submissions import Submitted
    from ...ingest.tasks.challenges import LoadedChallenge
    from ...ingest.tasks.outputs import CheckedOutputs
    from ...queries.tasks.challenges import Challenges
    from ...queries.tasks.drift import Drift
    from ...queries.tasks.overlap import Overlap
    from ..api.tracker import Tracker


def task_check(
    tracker: Tracker,  # noqa: ARG001
    file: Path | str,
    task: TaskFolder,
    *,
    treebank: Annotated[
        Treebank | None,
        Option("Treebank of the task, where the file is not called after it."),
    ] = None,
) -> CheckedOutputs:
    """Show what is wrong with a FILE of outputs; no database is needed.

    Exit code 0: no faults, though perhaps doubts; 1: faults.

    Returns what was found.

    >>> task, changed = db.task_make(["en_sample-ud1.0-test"], "task")
    >>> checked = db.task_check("news.txt", "task", treebank="en_sample-ud1.0-test")
    >>> [finding.kind for finding in checked.findings]
    ['neither id nor text', 'missing id']
    """
    return read_task(Path(task)).check(Path(file), treebank)


def drift(
    tracker: Tracker,
    *versions: Annotated[Treebank, Option(required=True)],
    metrics: Annotated[
        Sequence[Measure] | None,
        Option(
            "Only this measure; may be repeated. dea[nsubj] is a relation, dea[*] all of them.",
            flag="--metric",
        ),
    ] = None,
    base: Annotated[
        Submission | None, Option("The older run, of the first or the last version.")
    ] = None,
    new: Annotated[
        Submission | None, Option("The newer run, of the first or the last version.")
    ] = None,
    replicates: Annotated[Replicates, Option("Number of resampled test sets.")] = REPLICATES,
    seed: Seed = SEED,
    level: Level = LEVEL,
    progress: Progress = silent,
) -> Drift:
    """Show what changed between VERSIONS of a test set, the oldest first, and the effect on scores.

    Sentences belong together by sent_id, else by text; words by their forms. The scores of each run
    that is loaded for both ('tracker ingest carry') are followed from the first version to the
    last: a change is the sum of the effects of sentences that one version lacks, of the references
    and of the system. With --base and --new it is the change from one run to another.

    Returns a Drift, see ``queries.tasks.drift``.

    >>> later, _ = db.ingest_treebank("revised/en_sample-ud-test.conllu", version="1.1")
    >>> db.drift("en_sample-ud1.0-test", later).steps[0].counts.trees_changed
    3
    """
    from ...queries.tasks.drift.reading import read_drift
    from ...schema.names import resolve_treebank

    database = tracker.database
    treebanks = [resolve_treebank(database, name) for name in versions]
    ends = (treebanks[0], treebanks[-1]) if treebanks else ()
    runs = [_of_versions(tracker, name, ends) for name in (base, new)]
    return read_drift(
        database,
        treebanks,
        metrics=metrics,
        base=runs[0],
        new=runs[1],
        replicates=replicates,
        seed=seed,
        level=level,
        progress=progress,
    )


def _of_versions(tracker: Tracker, name: str | None, versions: Sequence[str]) -> str | None:
    """Return the submission that a name means by one of the versions, the first that has it."""
    if name is None:
        return None
    for version in versions[:-1]:
        with suppress(UnknownNameError):
            return resolve_submission(tracker.database, name, treebank=version)
    return resolve_submission(tracker.database, name, treebank=versions[-1] if versions else None)


def challenge(tracker: Tracker, **filters: Unpack[Filters]) -> Challenges:
    """Show which items of challenge sets outputs pass, by phenomenon, from run to run.

    Intervals are Wilson's; changes since the run before are tested by McNemar's exact test,
    corrected over phenomena (Holm). Of contrastive sets the result also shows how often each metric
    prefers the good output.

    Returns Challenges, see ``queries.tasks.challenges``.

    >>> items = db.ingest_challenge("items.csv", treebank="en_sample-ud1.0-test")
    >>> db.challenge(system="ngram").rates.num_rows
    6
    """
    from ...queries.tasks.challenges import read_challenges

    return read_challenges(tracker.database, tracker.select(**filters))


def overlap(
    tracker: Tracker,
    treebank: Treebank,
    *training: Path | str,
    name: Annotated[
        str | None, Option("Name of the training files; else their file names.")
    ] = None,
    metrics: Annotated[
        Sequence[Measure] | None, Option("Only this measure; may be repeated.", flag="--metric")
    ] = None,
    replicates: Annotated[Replicates, Option("Number of resampled test sets.")] = REPLICATES,
    seed: Seed = SEED,
    settings: OverlapSettings | Fields | None = None,
    progress: Progress = silent,
    **fields: Any,
) -> Overlap:
    """Show which sentences of a TREEBANK the TRAINING files hold, and how systems score on them.

    References, and sources where there are any, are looked for word by word, by n-grams of words
    and by the most similar line. Files have a sentence a line, or are CoNLL-U; .gz and .xz are
    unpacked. The result is stored; without files, the last result is shown again.

    Returns an Overlap. ``fields`` are those of ``settings``, see
    ``queries.tasks.OverlapSettings``.

    >>> training = "treebanks/en_sample-ud-train.conllu"
    >>> db.overlap("en_sample-ud1.0-test", training).sentences.num_rows
    3
    """
    from ...ingest.treebanks.training_text import read_training
    from ...queries.tasks.overlap import find_overlap, overlap_metrics, stored_training
    from ...queries.tasks.overlap_scores import read_overlap
    from ...schema.names import resolve_treebank

    overlapping = settings_of(OverlapSettings, settings, fields)
    files = [Path(path) for path in training]
    label = name or ", ".join(path.name for path in files)
    with tracker.reading() as database:
        treebank_id = resolve_treebank(database, treebank)
        names = overlap_metrics(metrics)
    if files:
        batches = read_training(files, progress=progress)
        find_overlap(tracker.database, treebank_id, label, batches, overlapping)
    with tracker.reading() as database:
        return read_overlap(
            database,
            treebank_id,
            label or stored_training(database, treebank_id),
            metrics=names,
            replicates=replicates,
            seed=seed,
        )


def ingest_challenge(
    tracker: Tracker,
    path: OneFile,
    *,
    treebank: Annotated[
        Treebank | None,
        Option("Test set of the items, or the name that a contrastive set gets."),
    ] = None,
    name: Annotated[str | None, Option("Name of the challenge set; else the file's name.")] = None,
    pair: Annotated[
        str | None, Option("Load only this language pair of a contrastive set, such as en-de.")
    ] = None,
    language: Annotated[Language | None, Option("Language of a contrastive set's outputs.")] = None,
    replace: Annotated[
        Replace, Option("Load in place of other items under the same name.")
    ] = False,
    progress: Progress = silent,
) -> LoadedChallenge:
    """Load a FILE of expectations of outputs, and score by it.

    Columns phenomenon, sent_id, kind (contains, lacks, matches, avoids, edge) and pattern describe
    expectations of the outputs for a test set; phenomenon, reference, good and incorrect (source,
    langpair) make a test set whose good outputs metrics should prefer, as ACES. CSV, TSV, JSONL or
    Parquet.

    Returns what became of it, see ``ingest.tasks.challenges``. The two outputs of a contrastive
    set are scored by all metrics that need no choices. Submissions that come later are checked when
    they come.

    >>> db.ingest_challenge("items.csv", treebank="en_sample-ud1.0-test").items
    2
    """
    from ...ingest.tasks.challenges import ingest_challenge
    from ...queries.metrics.scoring import score
    from ...queries.tasks.challenges import score_challenges

    loaded = ingest_challenge(
        tracker.database,
        Path(path),
        tracker.analyser_of,
        treebank=treebank,
        name=name,
        pair=pair,
        language=language,
        replace=replace,
    )
    to_it = passing(tracker.database, {"treebank": [loaded.treebank_id]})
    sides = [metric for metric in to_it if metric.startswith("challenge/")]
    if sides:
        score(tracker.database, submissions=sides, progress=progress)
    score_challenges(tracker.database, to_it, progress=progress)
    return replaced(loaded, submissions=len(to_it))


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


class Methods:
    """What a Tracker has of shared tasks and test sets."""

    ingest_challenge = writes(ingest_challenge)
    carry = writes(carry)
    drift = reads(drift)
    challenge = reads(challenge)
    overlap = overlap
    task_make = task_make
    task_check = task_check
    task_receive = task_receive
