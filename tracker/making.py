"""Runs that are made of what is there: by baselines, and of several systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ..schema.brief import plural
from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.files import make_folder, write_file
from ..schema.names import (
    campaign_treebanks,
    check_names,
    names_of,
    resolve_name,
    resolve_treebank,
)
from ..schema.parameters import Campaign, Option, Replace, Seed, Treebank
from ..schema.progress import Progress, silent
from ..schema.statements import read_rows, read_table
from ..schema.temporary import temporary

if TYPE_CHECKING:
    import pyarrow as pa

    from ..ingest.outputs.submissions import Submitted
    from ..queries.errors.ensemble import EnsembleReport
    from .api.tracker import Tracker


GOLD = "conllu"
"""The name of an analysis that outputs brought with them."""


def baseline(
    tracker: Tracker,
    treebank: Treebank,
    *,
    names: Annotated[
        Sequence[str] | None, Option("Only this baseline (see --list).", flag="--name")
    ] = None,
    train: Annotated[
        Treebank | None,
        Option("Treebank to learn from; else the same corpus's train or dev split."),
    ] = None,
    campaign: Campaign = "local",
    seed: Seed = 0,
    folder: Annotated[
        Path | str | None,
        Option(
            "Write the outputs as text files into this folder as well.",
            flag="--output",
            short="-o",
            path="folder",
        ),
    ] = None,
    replace: Annotated[Replace, Option("Load in place of runs with other outputs.")] = False,
    progress: Progress = silent,
) -> list[Submitted]:
    """Realise TREEBANK's trees with the baselines and load their outputs as submissions.

    The baselines see the words of each sentence and their tree, not the order.

    Returns what became of each, see ``tracker.baselines``; those that learn are left out where
    there is nothing to learn from, unless they are named. Raises UnknownNameError for treebanks and
    baselines that are not there, InputError where a named one has nothing to learn from.

    >>> (made,) = db.baseline("en_sample-ud1.0-test", names=["random"], seed=1)
    >>> made.submission_id
    'local/baseline-random/en_sample-ud1.0-test'
    """
    from ..ingest.campaigns.runs import Run
    from ..ingest.names import register_system
    from ..ingest.outputs.reading import OutputFile
    from ..ingest.outputs.submissions import load_references, store_outputs
    from .baselines import BASELINES, realise

    database = tracker.database
    check_names("baseline", names or (), BASELINES)
    treebank_id = resolve_treebank(database, treebank)
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
            _write(Path(folder) / f"{run.system_id}-{treebank_id}.txt", texts)
    return runs


def _tokens(database: Database, treebank_id: str) -> pa.Table:
    from ..ingest.treebanks.test_sets import text_treebanks

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


DESCRIPTION = "per tree, the output of the submission with the best accuracy on its relations"


def ensemble(
    tracker: Tracker,
    treebank: Annotated[Treebank, Option(flag="--treebank")],
    *,
    campaign: Annotated[
        Campaign | None, Option("Campaign, where the treebank is in several.")
    ] = None,
    systems: Annotated[
        Sequence[str] | None,
        Option(
            "Members, as SYSTEM,SYSTEM@ITERATION,…; else all but human references and ensembles.",
            commas=True,
        ),
    ] = None,
    all_iterations: Annotated[
        bool, Option("Take every iteration of a system, not only its latest.")
    ] = False,
    folds: Annotated[int, Option("Parts of the treebank to learn from.")] = 10,
    seed: Annotated[Seed, Option("Seed of the folds.")] = 0,
    name: Annotated[str, Option("System to load it as.")] = "ensemble",
    replace: Annotated[Replace, Option("Load in place of another ensemble of that name.")] = False,
    progress: Progress = silent,
) -> EnsembleReport:
    """Make a submission of the outputs of others, tree by tree, and score it.

    For every tree, the ensemble takes the output of the system that realises the tree's relations
    best. How well a system realises them is learned from the other folds of the treebank, never
    from the tree itself.

    Returns how good it is; nothing changes where the same ensemble is there already. The accuracy
    (DEA) of a member is the mean over the tree's edges, learned from the other of ``folds`` parts
    (Shimorina et al. 2021, section 6). Raises UnknownNameError for treebanks, systems and
    iterations that are not there; InputError for fewer than two members, members that are not
    scored or not comparable, and other content under the same name (unless ``replace``).

    >>> made = db.ensemble("en_sample-ud1.0-test", campaign="SAMPLE23", folds=2)
    >>> made.submission_id, round(made.bleu, 3)
    ('SAMPLE23/ensemble/en_sample-ud1.0-test', 0.764)
    """
    from ..ingest.analysers import KnownWords
    from ..ingest.campaigns.runs import Run
    from ..ingest.names import register_system
    from ..ingest.outputs.reading import OutputFile
    from ..ingest.outputs.submissions import load_references, store_outputs
    from ..queries.catalog import install
    from ..queries.errors.ensemble import choose_outputs, members_of, report_ensemble
    from ..queries.metrics.scoring import score

    database = tracker.database
    install(database)
    campaign = campaign and resolve_name(database, "campaign", campaign)
    among = campaign_treebanks(database, campaign) if campaign else None
    treebank_id = resolve_treebank(database, treebank, among)
    references = load_references(database, treebank_id)
    if references.hidden:
        raise InputError(f"the text of treebank '{treebank_id}' is hidden: DEA is undefined")
    _check_folds(folds, len(references.texts))
    members = members_of(
        database,
        treebank_id,
        name,
        campaign=campaign,
        systems=systems,
        all_iterations=all_iterations,
    )
    progress("choosing", 0, 2)
    names = [member.submission_id for member in members]
    choice = choose_outputs(database, treebank_id, names, folds=folds, seed=seed)
    run = Run(
        campaign_id=members[0].campaign_id,
        system_id=name,
        treebank_id=treebank_id,
        track=members[0].track,
        reference_form=members[0].reference_form,
        params={"systems": [member.name for member in members], "folds": folds, "seed": seed},
        tags={"ensemble": True},
        accept_mismatch=True,
    )
    with database.transaction():
        if name not in names_of(database, "system"):
            register_system(database, name, description=DESCRIPTION)
        tokens = _chosen_tokens(database, choice)
        file = OutputFile(
            f"{name} of {plural(len(members), 'submission')}",
            None,
            choice["text"].to_pylist(),
            choice["sentence_no"].to_pylist(),
            tokens if members[0].analysis == GOLD else None,
        )
        words = KnownWords(members[0].analysis, tokens)
        submitted = store_outputs(database, file, run, references, lambda _: words, replace=replace)
    progress("scoring", 1, 2)
    score(database, submissions=[submitted.submission_id])
    score(database, submissions=names, metric_names=["bleu"])
    progress("scored", 2, 2)
    return report_ensemble(
        database,
        submitted.submission_id,
        names,
        choice,
        changed=submitted.changed,
        folds=folds,
        seed=seed,
    )


def _check_folds(folds: int, sentences: int) -> None:
    if not 2 <= folds <= sentences:
        raise InputError(
            f"{folds} folds cannot be made of {plural(sentences, 'sentence')}",
            hint="give --folds from 2 to the number of sentences",
        )


def _chosen_tokens(database: Database, choice: pa.Table) -> pa.Table:
    """Return the words of the chosen outputs as an analyser does."""
    from ..ingest.analysers import ANALYSIS_SCHEMA

    with temporary(database, ensemble_choice=choice):
        tokens = read_table(database, "ensemble_tokens")
    return tokens.select(ANALYSIS_SCHEMA.names).cast(ANALYSIS_SCHEMA)
