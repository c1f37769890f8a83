"""How two ways of evaluating the same systems by people go together."""

from __future__ import annotations

import pyarrow as pa

from sr_tracker.queries.functions.statistics import METHODS
from sr_tracker.queries.people.metric_agreement import correlations
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary

KEYS = ("campaign_id", "criterion", "other_campaign_id", "other_criterion", "treebank_id")
ROWS = pa.schema(
    [
        *[(name, pa.string()) for name in (*KEYS, "method")],
        ("n", pa.int32()),
        ("coefficient", pa.float64()),
        ("p_value", pa.float64()),
        ("undefined_reason", pa.string()),
    ]
)


def store_evaluation_agreement(database: Database) -> int:
    """Store how the systems' mean z-scores of two evaluations correlate; returns the row count.

    Two evaluations are campaigns that judged the same systems of a treebank by the same criterion,
    such as a crowd and experts, or two criteria of a campaign. Systems are the same by name and
    iteration; fewer than two in common are none, human references do not count. Pearson's,
    Spearman's and Kendall's coefficients: Mille et al. 2018, section 5.2.2, Tables 10 and 11.

    All earlier rows are replaced, in the caller's transaction.
    """
    import numpy as np

    connection = database.connection
    connection.execute("DELETE FROM evaluation_agreement")
    with temporary(database):
        connection.execute(statement("judged_system"))
        pairs = connection.execute(statement("twice_judged_systems")).to_arrow_table().to_pylist()
    rows = []
    for pair in pairs:
        one, other = np.array([pair["z_scores"], pair["other_z_scores"]], np.float64)
        names = (_name(pair, ""), _name(pair, "other_"))
        for method in METHODS:
            (found,) = correlations(one, other, method, names, "system")
            rows.append({**{key: pair[key] for key in KEYS}, "method": method, **vars(found)})
    with temporary(database, agreement_rows=pa.Table.from_pylist(rows, ROWS)):
        connection.execute("INSERT INTO evaluation_agreement BY NAME FROM agreement_rows")
    return len(rows)


def _name(pair: dict[str, str], prefix: str) -> str:
    return f"{pair[f'{prefix}criterion']} of {pair[f'{prefix}campaign_id']}"
