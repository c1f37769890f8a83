"""The judgements that an evaluation by people is about: one campaign's, in temporary tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import UnknownNameError
from sr_tracker.schema.names import check_names, resolve_name
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary


def judged_campaigns(database: Database, campaign: str | None, criterion: str | None) -> list[str]:
    """Return the campaigns with judgements, or the one asked for.

    Raises UnknownNameError where there are no judgements, of the campaign or the criterion.
    """
    rows = database.connection.execute(
        "SELECT DISTINCT campaign_id, criterion FROM judgement ORDER BY campaign_id, criterion"
    ).fetchall()
    found = [
        judged
        for judged, judged_criterion in rows
        if campaign in (None, judged) and criterion in (None, judged_criterion)
    ]
    if campaign is not None:
        resolve_name(database, "campaign", campaign)
    if criterion is not None and rows:
        check_names("criterion", [criterion], {other for _, other in rows})
    if not found:
        wanted = [f"of campaign '{campaign}'"] if campaign else []
        wanted += [f"on '{criterion}'"] if criterion else []
        there = ", ".join(dict.fromkeys(f"{one} ({other})" for one, other in rows))
        raise UnknownNameError(
            " ".join(["there are no judgements", *wanted]),
            hint=f"there are: {there}" if there else "load some with 'tracker ingest judgements'",
        )
    return list(dict.fromkeys(found))


@contextmanager
def judgements_at_hand(
    database: Database, campaign_id: str, criterion: str | None
) -> Iterator[list[str]]:
    """Hold a campaign's judgements in temporary tables; yield the criteria they are about.

    ``judgement_at_hand`` are the judgements, ``judgement_pair`` repeats and degraded copies with
    the score of their original.
    """
    connection = database.connection
    with temporary(database):
        connection.execute(
            "CREATE TEMP TABLE judgement_at_hand AS FROM judgement "
            "WHERE campaign_id = $campaign_id AND criterion = coalesce($criterion, criterion) "
            "ORDER BY judgement_no",
            {"campaign_id": campaign_id, "criterion": criterion},
        )
        connection.execute(statement("pair_judgements"))
        rows = connection.execute(
            "SELECT DISTINCT criterion FROM judgement_at_hand ORDER BY criterion"
        ).fetchall()
        yield [name for (name,) in rows]
