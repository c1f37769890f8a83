"""One campaign's judgements: how careful their annotators are, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.names import resolve_criterion, resolve_name
from ...schema.statements import read_table, statement
from ...schema.temporary import insert, temporary
from ..functions.statistics import FEWEST_VALUES, Floats


def judged_campaigns(
    database: Database, campaign: str | None, criterion: str | None
) -> tuple[list[str], str | None]:
    """Return the campaigns with judgements, or the one asked for, and the criterion as stored.

    Raises UnknownNameError where there are no judgements, of the campaign or the criterion.
    """
    rows = database.connection.execute(
        "SELECT DISTINCT campaign_id, criterion FROM judgement ORDER BY campaign_id, criterion"
    ).fetchall()
    if criterion is not None and rows:
        criterion = resolve_criterion(criterion, {other for _, other in rows})
    found = [
        judged
        for judged, judged_criterion in rows
        if campaign in (None, judged) and criterion in (None, judged_criterion)
    ]
    if campaign is not None:
        resolve_name(database, "campaign", campaign)
    if not found:
        wanted = [f"of campaign '{campaign}'"] if campaign else []
        wanted += [f"on '{criterion}'"] if criterion else []
        there = ", ".join(dict.fromkeys(f"{one} ({other})" for one, other in rows))
        raise UnknownNameError(
            " ".join(["there are no judgements", *wanted]),
            hint=f"there are: {there}" if there else "load some with 'tracker ingest judgements'",
        )
    return list(dict.fromkeys(found)), criterion


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
        chosen = {"campaign_id": campaign_id, "criterion": criterion}
        connection.execute(statement("judgements_at_hand"), chosen)
        connection.execute(statement("pair_judgements"))
        rows = connection.execute(
            "SELECT DISTINCT criterion FROM judgement_at_hand ORDER BY criterion"
        ).fetchall()
        yield [name for (name,) in rows]


FEWEST_PAIRS = 2


def store_annotator_quality(
    database: Database, campaign_id: str, criteria: Sequence[str], threshold: float
) -> None:
    """Store how carefully each annotator judged, in place of what was stored before.

    An annotator passes whose degraded copies are rated lower than their originals with a p-value
    below ``threshold`` (one-sided paired t-test; Mille et al. 2018, section 3.2.1). Repeats and
    references are measured, not tested. Reads ``judgement_at_hand`` and ``judgement_pair``.
    """
    connection = database.connection
    measured = read_table(database, "annotator_measures", fewest=FEWEST_VALUES)
    pairs, difference, deviation = (
        measured[name].to_numpy().astype(np.float64)
        for name in ("degraded_pairs", "degraded_difference", "difference_deviation")
    )
    p_values = paired_p_values(pairs, difference, deviation)
    verdicts = [
        _verdict(row, p_value, threshold)
        for row, p_value in zip(measured.to_pylist(), p_values.tolist(), strict=True)
    ]
    rows = (
        measured.drop_columns("difference_deviation")
        .append_column("campaign_id", pa.repeat(campaign_id, measured.num_rows))
        .append_column("degraded_p_value", pa.array(p_values, from_pandas=True))
        .append_column("passed", pa.array([passed for passed, _ in verdicts], pa.bool_()))
        .append_column("reason", pa.array([reason for _, reason in verdicts], pa.string()))
    )
    connection.execute(
        "DELETE FROM annotator_quality WHERE campaign_id = ? AND list_contains(?, criterion)",
        [campaign_id, list(criteria)],
    )
    insert(database, "annotator_quality", rows)


def paired_p_values(pairs: Floats, difference: Floats, deviation: Floats) -> Floats:
    """Return one-sided p-values of paired t-tests: whether the mean difference is above zero.

    For each test the number of pairs, the mean difference and its sample standard deviation. Where
    all differences are equal, p is 0 above zero and 1 below; NaN for no difference at all and for
    fewer than two pairs.
    """
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / (deviation / np.sqrt(pairs))
        p_values: Floats = np.where(pairs >= FEWEST_PAIRS, stdtr(pairs - 1, -t), np.nan)
    return p_values


def _verdict(
    measured: Mapping[str, Any], p_value: float, threshold: float
) -> tuple[bool | None, str | None]:
    """Return whether an annotator passes, and why not or why it cannot be told."""
    if p_value < threshold:
        return True, None
    pairs = measured["degraded_pairs"]
    reasons = []
    if measured["judgements"] == 1:
        reasons.append("one judgement only")
    elif measured["sample_deviation"] == 0:
        reasons.append("all scores are the same")
    if pairs == 0:
        reasons.append("no degraded copies")
    elif pairs < FEWEST_PAIRS:
        reasons.append("one degraded copy only")
    elif measured["degraded_difference"] > 0:
        reasons.append("degraded copies are not rated significantly lower")
    else:
        reasons.append("degraded copies are not rated lower")
    return (None if pairs < FEWEST_PAIRS else False), "; ".join(reasons)
