"""Statistics of a submission: how its performance goes with the complexity of the references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from queries.metrics import metrics
from schema.database import Database

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMPLEXITIES = ("depth", "length", "mdd", "mfs", "mfw", "arity")
FEWEST_SENTENCES = 3
SUBMISSIONS_AT_ONCE = 25

_SCHEMA = pa.schema(
    [
        ("submission_id", pa.string()),
        ("metric", pa.string()),
        ("complexity", pa.string()),
        ("rho", pa.float64()),
        ("n", pa.int64()),
        ("undefined_reason", pa.string()),
    ]
)

_PERFORMANCE = f"""
WITH performance AS (
    SELECT submission_id, sentence_no, metric, score
    FROM sentence_score
    SEMI JOIN current_scoring USING (submission_id, metric, signature_id)
    WHERE submission_id IN (SELECT unnest($submissions))
        AND metric NOT IN (SELECT unnest($derived))
    UNION ALL
    SELECT submission_id, sentence_no, criterion || '_z', z_score
    FROM human_score
    WHERE submission_id IN (SELECT unnest($submissions))
)
SELECT submission_id, metric, score, {", ".join(COMPLEXITIES)}
FROM performance
JOIN submission USING (submission_id)
JOIN sentence_complexity USING (treebank_id, sentence_no)
WHERE convention = 'standard'
ORDER BY submission_id, metric, sentence_no
"""  # noqa: S608


@dataclass(frozen=True)
class Correlation:
    """Spearman's rho over ``n`` sentences, -1 to 1; None with the reason where it is undefined."""

    rho: float | None
    n: int
    undefined_reason: str | None


def correlations(database: Database, submissions: Sequence[str] | None = None) -> pa.Table:
    """Return how the sentence scores of submissions go with the complexity of their references.

    One row per submission, performance (a metric, or a human criterion's z-score, such as
    ``adequacy_z``) and complexity (standard convention): submission_id, metric, complexity, rho,
    n, undefined_reason. Sentences without one of the two values are left out of that pair, and
    metrics that are derived from another one's counts are left out altogether. Submissions that
    are not scored have no rows. Spearman's rho within each submission as in Shimorina et al.
    2021, section 4.
    """
    if submissions is None:
        rows = database.connection.execute(
            "SELECT submission_id FROM submission ORDER BY submission_id"
        ).fetchall()
        submissions = [row[0] for row in rows]
    found: list[dict[str, object]] = []
    for start in range(0, len(submissions), SUBMISSIONS_AT_ONCE):
        found += _correlate(database, submissions[start : start + SUBMISSIONS_AT_ONCE])
    return pa.Table.from_pylist(found, schema=_SCHEMA)


def spearman(first: NDArray[np.float64], second: NDArray[np.float64]) -> Correlation:
    """Return the rank correlation of two columns over the rows where both are numbers.

    Both are arrays of the same length; NaN stands for a missing value.
    """
    import numpy as np
    from scipy.stats import rankdata

    both = ~(np.isnan(first) | np.isnan(second))
    n = int(both.sum())
    if n < FEWEST_SENTENCES:
        return Correlation(None, n, f"fewer than {FEWEST_SENTENCES} sentences have both values")
    ranks = rankdata(np.stack([first[both], second[both]]), axis=1)
    deviations = ranks - ranks.mean(axis=1, keepdims=True)
    spread = (deviations**2).sum(axis=1)
    if not spread[0]:
        return Correlation(None, n, "the score is the same for every sentence")
    if not spread[1]:
        return Correlation(None, n, "the complexity is the same for every sentence")
    rho = float((deviations[0] * deviations[1]).sum() / np.sqrt(spread[0] * spread[1]))
    return Correlation(min(1.0, max(-1.0, rho)), n, None)


def _correlate(database: Database, submissions: Sequence[str]) -> Iterator[dict[str, object]]:
    import numpy as np

    derived = [metric.name for metric in metrics().values() if metric.statistics_of]
    table = database.connection.execute(
        _PERFORMANCE, {"submissions": list(submissions), "derived": derived}
    ).to_arrow_table()
    # Arrow returns groups in any order: back to the order of the rows.
    groups = (
        table.group_by(["submission_id", "metric"])
        .aggregate([([], "count_all")])
        .sort_by([("submission_id", "ascending"), ("metric", "ascending")])
    )
    columns = {
        name: np.asarray(table[name].to_numpy(), np.float64) for name in ("score", *COMPLEXITIES)
    }
    start = 0
    for group in groups.to_pylist():
        rows = slice(start, start + group["count_all"])
        start = rows.stop
        for complexity in COMPLEXITIES:
            found = spearman(columns["score"][rows], columns[complexity][rows])
            yield {
                "submission_id": group["submission_id"],
                "metric": group["metric"],
                "complexity": complexity,
                **asdict(found),
            }
