"""Standardisation: from raw scores to z-scores, and to one score per output."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import pyarrow as pa

from sr_tracker.queries.people.ranking import Rule
from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary

ALL, PASSING = CHOICES = ("all", "passing")
DEVIATIONS = ("sample", "population")
CAMPAIGN, TREEBANK = SCOPES = ("campaign", "treebank")
NULL, ZERO = UNVARIED = ("null", "zero")
SOURCE = "judgements"


def standardise_judgements(
    database: Database, deviation: str, within: str, unvaried: str = NULL
) -> None:
    """Make the temporary table ``standardised_judgement`` of what counts in scores.

    z = (raw - mean) / deviation, by the annotator's scores of all kinds on the criterion in the
    campaign, or in the treebank where ``within`` says so (Mille et al. 2018, section 3.2). Where
    these scores do not vary it is what ``unvaried`` says: null, or zero (WebNLG 2020).
    """
    database.connection.execute(
        statement("standardise_judgements"),
        {
            "deviation": deviation,
            "within": within,
            "unvaried": 0.0 if unvaried == ZERO else None,
        },
    )


def average_sentences(database: Database, annotators: str) -> None:
    """Make the temporary table ``human_sentence``: mean scores of each output.

    Its columns are campaign_id, treebank_id, criterion, submission_id, sentence_no, raw_mean,
    z_mean and assessments. ``annotators`` is all or passing.
    """
    database.connection.execute(statement("human_sentences"), {"annotators": annotators})


def scored_by_files(database: Database, *, replace: bool) -> dict[str, str]:
    """Return the criteria on which files brought scores of what was judged, each with its file.

    These scores stay, on the whole criterion: beside scores made of judgements, means would mix two
    scales. ``replace`` removes them instead. Reads ``standardised_judgement``.
    """
    judged = (
        "(submission_id, criterion) IN "
        "(SELECT (submission_id, criterion) FROM standardised_judgement)"
    )
    if replace:
        database.connection.execute(
            f"DELETE FROM human_score WHERE source <> ? AND {judged}",  # noqa: S608
            [SOURCE],
        )
    rows = database.connection.execute(
        f"SELECT criterion, min(source) FROM human_score WHERE source <> ? AND {judged} "  # noqa: S608
        "GROUP BY criterion ORDER BY criterion",
        [SOURCE],
    ).fetchall()
    return dict(rows)


def store_human_scores(
    database: Database,
    campaign_id: str,
    chosen: Mapping[str, str],
    annotators: str,
    by_files: Container[str] = (),
) -> None:
    """Store the scores of outputs on the criteria for which these annotators count.

    ``chosen`` names the annotators by criterion, ``by_files`` are criteria left to files. Reads
    ``human_sentence``. Scores of the campaign that were made from judgements before give way.
    """
    criteria = [criterion for criterion, choice in chosen.items() if choice == annotators]
    database.connection.execute(
        "DELETE FROM human_score WHERE source = ? AND list_contains(?, criterion) "
        "AND submission_id IN (SELECT submission_id FROM submission WHERE campaign_id = ?)",
        [SOURCE, criteria, campaign_id],
    )
    free = [criterion for criterion in criteria if criterion not in by_files]
    database.connection.execute(
        statement("store_human_scores"), {"criteria": free, "source": SOURCE}
    )


def store_standardisation(
    database: Database,
    campaign_id: str,
    chosen: Mapping[str, str],
    *,
    deviation: str,
    within: str,
    unvaried: str,
    threshold: float,
    rule: Rule,
) -> None:
    """Store how the campaign's scores and rankings were made, in place of what was stored."""
    connection = database.connection
    criteria: Sequence[str] = list(chosen)
    chosen_annotators = pa.table({"criterion": criteria, "annotators": [*chosen.values()]})
    with temporary(database, chosen_annotators=chosen_annotators):
        condition = "campaign_id = ? AND list_contains(?, criterion)"
        connection.execute(
            f"CREATE TEMP TABLE former_standardisation AS FROM standardisation WHERE {condition}",
            [campaign_id, criteria],
        )
        connection.execute(
            f"DELETE FROM standardisation WHERE {condition}",  # noqa: S608
            [campaign_id, criteria],
        )
        connection.execute(
            statement("store_standardisation"),
            {
                "campaign_id": campaign_id,
                "deviation": deviation,
                "within": within,
                "unvaried": unvaried,
                "threshold": threshold,
                "ranked_by": rule.ranked_by,
                "ranked_over": rule.over,
                "ranked_test": rule.test,
                "domain_pattern": rule.domain_pattern,
                "tool": TOOL_VERSION,
            },
        )
