"""The measures that verdicts of a campaign rest on, chosen by its organisers."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import check_names, known_names, resolve_name
from ...schema.statements import read_table, read_tuples
from ..metrics import metrics


def chosen_metrics(database: Database, campaign: str | None = None) -> pa.Table:
    """Return campaign_id, place and metric of what was chosen, for one campaign or all.

    Raises UnknownNameError for a campaign that is not there.
    """
    if campaign is not None:
        campaign = resolve_name(database, "campaign", campaign)
    return read_table(database, "chosen_primary_metrics", campaign=campaign)


def choose_metrics(
    database: Database, chosen: Sequence[str], campaign: str | None = None
) -> pa.Table:
    """Let verdicts of a campaign rest on these measures, in this order; none for the default.

    They are metrics, and what people said (adequacy_z). A campaign need not be named where there
    is only one. Verdicts that are stored stay until the next test; see ``stored``.

    Raises UnknownNameError for a measure or a campaign that is not there, InputError for a measure
    named twice, and where it takes the name of a campaign.
    """
    campaigns = known_names(database, "campaign")
    if campaign is None and len(campaigns) != 1:
        raise InputError("the campaign is not named", hint="give its --campaign")
    campaign = resolve_name(database, "campaign", campaign or campaigns[0])
    human = [name for (name,) in read_tuples(database, "human_measures")]
    check_names("metric", chosen, [*metrics(), *human], hint="'tracker show metrics' lists all")
    if len({*chosen}) < len(chosen):
        raise InputError("a metric is named twice", hint="name each once")
    with database.transaction() as connection:
        connection.execute("DELETE FROM primary_metric WHERE campaign_id = ?", [campaign])
        rows = [[campaign, place, name] for place, name in enumerate(chosen, start=1)]
        if rows:
            connection.executemany("INSERT INTO primary_metric VALUES (?, ?, ?)", rows)
    return chosen_metrics(database, campaign)
