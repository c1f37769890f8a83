"""An ensemble of submissions: per tree, the output of the one that realises its relations best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.iterations import LATEST, resolve_submission
from ...schema.names import check_names
from ...schema.statements import read_table, read_tuples, statement

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
                (share.submission_id, "member", share.sentences, share.share, share.dea, share.bleu)
                for share in self.shares
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
    to 1, NULL for a tree without edges. See ``tracker.making.ensemble`` and ensemble_choice.sql.
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
        Share(name, taken.count(name), taken.count(name) / len(taken), *scores[name])
        for name in names
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


@dataclass(frozen=True)
class Candidate:
    """A submission that an ensemble may take outputs from."""

    submission_id: str
    campaign_id: str
    system_id: str
    iteration: int
    reference_form: str
    analysis: str
    track: str
    dea: float | None

    @property
    def name(self) -> str:
        """How ``systems`` names it: the system, with @iteration after the first."""
        return self.system_id if self.iteration == 1 else f"{self.system_id}@{self.iteration}"


def members_of(
    database: Database,
    treebank_id: str,
    name: str,
    *,
    campaign: str | None = None,
    systems: Sequence[str] | None = None,
    all_iterations: bool = False,
) -> list[Candidate]:
    """Return the members of the ensemble called ``name``, in the order of their ids.

    See ``tracker.making.ensemble`` for who that is and for what it raises.
    """
    candidates = _candidates(database, treebank_id, campaign, name, named=systems is not None)
    if systems is not None:
        ids = {
            submission_id
            for text in systems
            for submission_id in _named(
                database, text, treebank_id, campaign, all_iterations=all_iterations
            )
        }
        check_names("member", ids, {one.submission_id for one in candidates}, where=name)
        members = [one for one in candidates if one.submission_id in ids]
    else:
        latest = {(one.campaign_id, one.system_id): one for one in candidates}
        members = candidates if all_iterations else [*latest.values()]
    members.sort(key=lambda member: member.submission_id)
    campaigns = sorted({member.campaign_id for member in members})
    if len(campaigns) > 1:
        raise InputError(
            f"treebank '{treebank_id}' has submissions in several campaigns",
            hint=f"choose one with --campaign: {', '.join(campaigns)}",
        )
    if len(members) < 2:
        raise InputError(
            f"an ensemble needs two submissions, there "
            f"{'is' if len(members) == 1 else 'are'} {len(members)}",
            hint="'tracker show submission_overview' lists them; --all-iterations takes every "
            "iteration of a system",
        )
    _check_comparable(members)
    return members


def _candidates(
    database: Database, treebank_id: str, campaign: str | None, name: str, *, named: bool
) -> list[Candidate]:
    """Return what may take part; human references and ensembles only where systems are named."""
    rows = database.connection.execute(
        statement("ensemble_candidates"),
        {"treebank_id": treebank_id, "campaign": campaign, "name": name, "named": named},
    ).fetchall()
    if campaign is not None and not rows:
        raise UnknownNameError(
            f"there is no submission for '{treebank_id}' in campaign '{campaign}'",
            hint="'tracker show submission_overview' lists what is loaded",
        )
    return [Candidate(*row) for row in rows]


def _named(
    database: Database, text: str, treebank_id: str, campaign: str | None, *, all_iterations: bool
) -> list[str]:
    """Return the submission that is named, of a system its latest, or all of its iterations."""
    which = text if "@" in text else f"{text}@{LATEST}"
    submission = resolve_submission(database, which, treebank=treebank_id, campaign=campaign)
    if not all_iterations or "@" in text:
        return [submission]
    rows = read_tuples(database, "all_iterations", submission=submission)
    return [submission_id for (submission_id,) in rows]


def _check_comparable(members: Sequence[Candidate]) -> None:
    for attribute, what in (
        ("reference_form", "are compared with different forms of the references"),
        ("analysis", "were turned into words by different analysers"),
        ("track", "are of different tracks"),
    ):
        values = {getattr(one, attribute): one.submission_id for one in members}
        if len(values) > 1:
            named = ", ".join(f"{value} ({values[value]})" for value in sorted(values))
            raise InputError(
                f"the submissions {what}: {named}",
                hint="name submissions that have it in common with --systems",
            )
    unscored = [one.submission_id for one in members if one.dea is None]
    if unscored:
        raise InputError(f"submission '{unscored[0]}' has no DEA", hint="run 'tracker score'")
