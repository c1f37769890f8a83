"""An ensemble of submissions: per tree, the output of the one that realises its relations best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.statements import read_table, read_tuples

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


@dataclass(frozen=True, repr=False)
class EnsembleReport(Brief):
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
    return read_table(
        database,
        "ensemble_choice",
        treebank_id=treebank_id,
        submissions=list(submissions),
        folds=folds,
        seed=str(seed),
    )


def report_ensemble(
    database: Database,
    submission_id: str,
    names: Sequence[str],
    choice: pa.Table,
    *,
    changed: bool,
    folds: int,
    seed: int,
) -> EnsembleReport:
    """Return how good a scored ensemble is, made of these submissions by this choice."""
    connection = database.connection
    scores = {
        row[0]: row[1:]
        for row in connection.execute(
            "SELECT submission_id, dea, bleu FROM leaderboard "
            "WHERE list_contains(?, submission_id)",
            [[*names, submission_id]],
        ).fetchall()
    }
    taken = choice["submission_id"].to_pylist()
    shares = [
        Share(each, taken.count(each), taken.count(each) / len(taken), *scores[each])
        for each in names
    ]
    shares.sort(key=lambda share: (-(share.dea or 0.0), share.submission_id))
    oracle_dea, oracle_bleu = read_tuples(database, "ensemble_oracle", submissions=list(names))[0]
    dea, bleu = scores[submission_id]
    return EnsembleReport(
        submission_id=submission_id,
        changed=changed,
        folds=folds,
        seed=seed,
        shares=shares,
        dea=dea,
        bleu=bleu,
        oracle_dea=oracle_dea,
        oracle_bleu=oracle_bleu,
    )
