"""Runs that are made of what is there: by baselines, and of another version of a test set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ..ingest.analysers.base import ANALYSIS_SCHEMA, KnownWords
from ..ingest.campaigns.registering import register_system
from ..ingest.campaigns.runs import Run
from ..ingest.outputs.reading import OutputFile
from ..ingest.outputs.submissions import Submitted, load_references, store_outputs
from ..ingest.treebanks.test_sets import text_treebanks
from ..queries.metrics.scoring import score
from ..queries.tasks.drift.reading import pair_versions
from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.iterations import resolve_submission
from ..schema.names import check_names, resolve_treebank
from ..schema.progress import Progress, silent
from ..schema.statements import read_rows, read_table
from ..schema.temporary import temporary
from ..schema.writing import make_folder, write_file
from .baselines import BASELINES, realise

if TYPE_CHECKING:
    from .api import Tracker


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


def run_baselines(
    tracker: Tracker,
    treebank_id: str,
    *,
    names: Sequence[str] | None = None,
    train: str | None = None,
    campaign: str = "local",
    seed: int = 0,
    folder: Path | None = None,
    replace: bool = False,
    progress: Progress = silent,
) -> list[Submitted]:
    """Realise a treebank with baselines, load the outputs, and return what became of each.

    Baselines that learn do so from the treebank ``train``, by default the train or else the dev
    split of the same corpus; without one they are left out unless named. ``folder`` receives the
    outputs as shared-task text files.

    Raises UnknownNameError for treebanks that are not loaded, InputError for unknown baselines and
    where a named one has nothing to learn from.
    """
    database = tracker.database
    check_names("baseline", names or (), BASELINES)
    treebank_id = resolve_treebank(database, treebank_id)
    references = load_references(database, treebank_id)
    tokens = _tokens(database, treebank_id)
    train_id = resolve_treebank(database, train) if train else _train_split(database, treebank_id)
    learned = _tokens(database, train_id) if train_id else None
    chosen = names or [
        n for n, b in BASELINES.items() if learned is not None or not b.needs_training
    ]
    runs = []
    for done, name in enumerate(chosen):
        progress(name, done, len(chosen))
        texts = realise(name, tokens, train=learned, seed=seed)["text"].to_pylist()
        run = Run(
            campaign_id=campaign,
            system_id=f"baseline-{name}",
            treebank_id=treebank_id,
            reference_form="tokens",
            params={"baseline": name, "seed": seed}
            | ({"train": train_id} if BASELINES[name].needs_training else {}),
            accept_mismatch=True,
        )
        file = OutputFile(f"baseline {name}", None, texts, list(range(1, len(texts) + 1)))
        with database.transaction():
            register_system(
                database,
                run.system_id,
                team="baseline",
                kind="human" if BASELINES[name].sees_order else "baseline",
                description=BASELINES[name].description,
            )
            runs.append(
                store_outputs(database, file, run, references, tracker.analyser_of, replace=replace)
            )
        if folder is not None:
            _write(folder / f"{run.system_id}-{treebank_id}.txt", texts)
    return runs


def _tokens(database: Database, treebank_id: str) -> pa.Table:
    tokens = read_table(database, "treebank_words", treebank=treebank_id)
    if not tokens.num_rows and treebank_id in text_treebanks(database):
        raise InputError(
            f"'{treebank_id}' has no words to order", hint="its references are text without trees"
        )
    if tokens["form"].null_count:
        raise InputError(
            f"the text of treebank '{treebank_id}' is hidden: there are no words to order"
        )
    return tokens


def _train_split(database: Database, treebank_id: str) -> str | None:
    rows = read_rows(database, "training_split", treebank=treebank_id)
    return str(rows[0]["treebank_id"]) if rows else None


def _write(file: Path, texts: Sequence[str]) -> None:
    blocks = (f"# sent_id = {n}\n# text = {text}\n\n" for n, text in enumerate(texts, start=1))
    make_folder(file.parent)
    write_file(file, "".join(blocks).encode())
