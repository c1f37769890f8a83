"""An ensemble of submissions: per tree, the output of the one that realises its relations best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from sr_tracker.ingest.analysers.base import ANALYSIS_SCHEMA
from sr_tracker.ingest.campaigns import register_system
from sr_tracker.ingest.outputs import OutputFile
from sr_tracker.ingest.submissions import Run, Submitted, load_references, store_outputs
from sr_tracker.queries.catalog import install, statement
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.names import campaign_treebanks, resolve_name, resolve_treebank
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.tracker.analysis.ensemble_members import Candidate, members_of
from sr_tracker.tracker.scoring import score

DESCRIPTION = "per tree, the output of the submission with the best accuracy on its relations"
GIVEN_ANALYSIS = "conllu"
_ROWS = pa.schema(
    [
        ("submission_id", pa.string()),
        ("role", pa.string()),
        ("sentences", pa.int64()),
        ("share", pa.float64()),
        ("dea", pa.float64()),
        ("bleu", pa.float64()),
    ]
)


@dataclass(frozen=True)
class Share:
    """What an ensemble took from one submission, and that one's own scores (0 to 1)."""

    submission_id: str
    sentences: int
    share: float
    dea: float | None
    bleu: float | None


@dataclass(frozen=True)
class EnsembleReport:
    """What became of an ensemble, and how good it is (scores 0 to 1).

    The oracle takes of every tree the output with the best score of its own: for DEA no choice
    among the members can be better, for BLEU of the corpus it is close to the best there is.
    """

    submission_id: str
    changed: bool
    folds: int
    seed: int
    shares: list[Share]
    dea: float | None
    bleu: float | None
    oracle_dea: float | None
    oracle_bleu: float | None

    def table(self) -> pa.Table:
        """Return one row per member, best DEA first, then the ensemble and the oracle."""
        rows = [
            *(
                (each.submission_id, "member", each.sentences, each.share, each.dea, each.bleu)
                for each in self.shares
            ),
            (self.submission_id, "ensemble", None, None, self.dea, self.bleu),
            (None, "oracle", None, None, self.oracle_dea, self.oracle_bleu),
        ]
        return pa.Table.from_pylist(
            [dict(zip(_ROWS.names, row, strict=True)) for row in rows], _ROWS
        )


def make_ensemble(
    database: Database,
    treebank_id: str,
    *,
    campaign: str | None = None,
    systems: Sequence[str] | None = None,
    all_iterations: bool = False,
    folds: int = 10,
    seed: int = 0,
    name: str = "ensemble",
    replace: bool = False,
    progress: Progress = silent,
) -> EnsembleReport:
    """Load and score a submission made of the outputs of others, and report how good it is.

    Of every tree it takes the output of the member whose accuracy (DEA) on the tree's relations
    has the highest mean over the tree's edges (Shimorina et al. 2021, section 6). What a sentence
    says about the members never decides about itself: the accuracies come from the other of
    ``folds`` parts of the treebank. ``systems`` names the members as ``SYSTEM`` (its latest
    iteration) or ``SYSTEM@ITERATION``; by default all systems but human references and other
    ensembles take part. Nothing changes where the same ensemble is there already.

    Raises UnknownNameError for treebanks, systems and iterations that are not there; InputError
    for fewer than two members, members that are not scored or not comparable, and other content
    under the same name (unless ``replace``).
    """
    install(database)
    campaign = campaign and resolve_name(database, "campaign", campaign)
    among = campaign_treebanks(database, campaign) if campaign else None
    treebank_id = resolve_treebank(database, treebank_id, among)
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
        if not _is_known(database, name):
            register_system(database, name, description=DESCRIPTION)
        tokens = _chosen_tokens(database, choice)
        file = OutputFile(
            f"{name} of {len(members)} submissions",
            None,
            choice["text"].to_pylist(),
            choice["sentence_no"].to_pylist(),
            tokens if members[0].analysis == GIVEN_ANALYSIS else None,
        )
        words = _CopiedWords(members[0].analysis, tokens)
        submitted = store_outputs(database, file, run, references, lambda _: words, replace=replace)
    progress("scoring", 1, 2)
    score(database, submissions=[submitted.submission_id])
    score(database, submissions=names, metric_names=["bleu"])
    progress("scored", 2, 2)
    return _report(database, submitted, members, choice, folds, seed)


def choose_outputs(
    database: Database,
    treebank_id: str,
    submissions: Sequence[str],
    *,
    folds: int = 10,
    seed: int = 0,
) -> pa.Table:
    """Return one row per sentence: sentence_no, fold (from 1), submission_id, score, text.

    The score is the mean of the submission's accuracies over the edges of the sentence's tree, 0
    to 1, NULL for a tree without edges. See ``make_ensemble`` and ensemble_choice.sql.
    """
    return database.connection.execute(
        statement("ensemble_choice"),
        {
            "treebank_id": treebank_id,
            "submissions": list(submissions),
            "folds": folds,
            "seed": str(seed),
        },
    ).to_arrow_table()


@dataclass(frozen=True)
class _CopiedWords:
    """An analyser that returns the words which the members' outputs have already."""

    version: str
    tokens: pa.Table
    name: str = "copied"

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:  # noqa: ARG002
        return self.tokens


def _check_folds(folds: int, sentences: int) -> None:
    if not 2 <= folds <= sentences:
        raise InputError(
            f"{folds} folds cannot be made of {sentences} sentences",
            hint="give --folds from 2 to the number of sentences",
        )


def _is_known(database: Database, system_id: str) -> bool:
    found = database.connection.execute(
        "SELECT 1 FROM system WHERE system_id = ?", [system_id]
    ).fetchone()
    return found is not None


def _chosen_tokens(database: Database, choice: pa.Table) -> pa.Table:
    """Return the words of the chosen outputs as an analyser does."""
    connection = database.connection
    connection.register("choice", choice)
    tokens = connection.execute(
        f"SELECT {', '.join(ANALYSIS_SCHEMA.names)} "  # noqa: S608
        "FROM output_token SEMI JOIN choice USING (submission_id, sentence_no) "
        "ORDER BY sentence_no, token_no"
    ).to_arrow_table()
    connection.unregister("choice")
    return tokens.cast(ANALYSIS_SCHEMA)


def _report(
    database: Database,
    submitted: Submitted,
    members: Sequence[Candidate],
    choice: pa.Table,
    folds: int,
    seed: int,
) -> EnsembleReport:
    names = [member.submission_id for member in members]
    connection = database.connection
    scores = {
        row[0]: row[1:]
        for row in connection.execute(
            "SELECT submission_id, dea, bleu FROM leaderboard "
            "WHERE list_contains(?, submission_id)",
            [[*names, submitted.submission_id]],
        ).fetchall()
    }
    taken = choice["submission_id"].to_pylist()
    shares = [
        Share(each, taken.count(each), taken.count(each) / len(taken), *scores[each])
        for each in names
    ]
    shares.sort(key=lambda share: (-(share.dea or 0.0), share.submission_id))
    oracle_dea, oracle_bleu = connection.execute(
        statement("ensemble_oracle"), {"submissions": names}
    ).fetchall()[0]
    dea, bleu = scores[submitted.submission_id]
    return EnsembleReport(
        submission_id=submitted.submission_id,
        changed=submitted.changed,
        folds=folds,
        seed=seed,
        shares=shares,
        dea=dea,
        bleu=bleu,
        oracle_dea=oracle_dea,
        oracle_bleu=oracle_bleu,
    )
