"""Baselines as submissions: a treebank's trees are realised and loaded as any outputs are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sr_tracker.ingest.campaigns.registering import register_system
from sr_tracker.ingest.outputs.reading import OutputFile
from sr_tracker.ingest.outputs.submissions import Run, Submitted, load_references, store_outputs
from sr_tracker.ingest.treebanks.test_sets import text_treebanks
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.names import check_names, resolve_treebank
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.statements import read_rows, read_table
from sr_tracker.schema.writing import make_folder, write_file
from sr_tracker.tracker.baselines import BASELINES, realise

if TYPE_CHECKING:
    from sr_tracker.tracker.api import Tracker


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
