"""One campaign's judgements: how careful their annotators are, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.names import resolve_criterion, resolve_name
from ...schema.parameters import SEED
from ...schema.statements import fetch_table, read_table, statement
from ...schema.temporary import insert, rows_of, temporary
from ..clusters import FEWEST_CLUSTERS, cluster_sums, clusters
from ..functions.metric_tests import draws_of_items
from ..functions.pair_agreement import RESAMPLES, ROUNDING
from ..functions.statistics import FEWEST_VALUES, Floats, Integers, finite


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
    campaigns = [
        judged
        for judged, judged_criterion in rows
        if campaign in (None, judged) and criterion in (None, judged_criterion)
    ]
    if campaign is not None:
        resolve_name(database, "campaign", campaign)
    if not campaigns:
        wanted = [f"of campaign '{campaign}'"] if campaign else []
        wanted += [f"on '{criterion}'"] if criterion else []
        there = ", ".join(dict.fromkeys(f"{one} ({other})" for one, other in rows))
        raise UnknownNameError(
            " ".join(["there are no judgements", *wanted]),
            hint=f"there are: {there}" if there else "load some with 'tracker ingest judgements'",
        )
    return list(dict.fromkeys(campaigns)), criterion


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
    below ``threshold`` (one-sided paired t-test; Mille et al. 2018, section 3.2.1). Whether repeats
    differ from their originals is tested too (two-sided; section 5.2.1) and decides nothing.
    Reads ``judgement_at_hand`` and ``judgement_pair``.
    """
    connection = database.connection
    measured = read_table(database, "annotator_measures", fewest=FEWEST_VALUES)
    p_values = _tested(measured, "degraded_pairs", "degraded_difference", "difference_deviation")
    above = _tested(measured, "repeat_pairs", "repeat_shift", "repeat_deviation")
    same = (measured["repeat_shift"].to_numpy() == 0) & (
        measured["repeat_pairs"].to_numpy() >= FEWEST_PAIRS
    )
    repeats = np.where(same, 1.0, 2 * np.minimum(above, 1 - above))
    verdicts = [
        _verdict(row, p_value, threshold)
        for row, p_value in zip(measured.to_pylist(), p_values.tolist(), strict=True)
    ]
    rows = (
        measured.drop_columns(["difference_deviation", "repeat_shift", "repeat_deviation"])
        .append_column("campaign_id", pa.repeat(campaign_id, measured.num_rows))
        .append_column("degraded_p_value", pa.array(p_values, from_pandas=True))
        .append_column("repeat_p_value", pa.array(repeats, from_pandas=True))
        .append_column("passed", pa.array([passed for passed, _ in verdicts], pa.bool_()))
        .append_column("reason", pa.array([reason for _, reason in verdicts], pa.string()))
    )
    connection.execute(
        "DELETE FROM annotator_quality WHERE campaign_id = ? AND list_contains(?, criterion)",
        [campaign_id, list(criteria)],
    )
    insert(database, "annotator_quality", rows)


def _tested(measured: pa.Table, *names: str) -> Floats:
    """Return p-values of paired t-tests, of the columns with their pairs, means and deviations."""
    pairs, difference, deviation = (measured[name].to_numpy().astype(np.float64) for name in names)
    return paired_p_values(pairs, difference, deviation)


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


LARGEST = 1 - 1e-9
"""Fisher's z of 1 is infinite."""
ANNOTATOR, HIT = "annotator", "HIT"


def store_agreements(database: Database, campaign_id: str, annotators: str) -> None:
    """Store the agreement within and among these annotators, all or passing, with its interval.

    Within: Pearson's r between repeats and originals per annotator and HIT, averaged over the HITs
    (Mille et al. 2018, section 3.2.2); HITs with fewer than three repeats or without variance are
    left out. Among: Krippendorff's alpha (interval) over outputs with several annotators. Reads
    ``judgement_at_hand``, ``judgement_pair`` and the annotators' quality.

    Intervals of 95 % are by t, of the spread of Fisher's z over resampled units (the units of Hayes
    and Krippendorff 2007, whose percentiles are too narrow where these are few), for the annotators
    that there are: of alpha documents, equal texts or sentences (``clusters``) with all
    their ratings, of r all HITs of an annotator, or HITs where there are fewer than ten annotators
    or each has one. There is none of fewer than ten units.
    """
    connection = database.connection
    counted = {"campaign_id": campaign_id, "annotators": annotators}
    with temporary(database):
        connection.execute(statement("counted_annotators"), counted)
        connection.execute(statement("correlate_repeats"), {"fewest": FEWEST_VALUES})
        connection.execute(statement("pair_ratings"))
        rows = [*_of_repeats(database), *_of_outputs(database)]
        intervals = rows_of(database, "annotator_agreement", rows)
        with temporary(database, agreement_interval=intervals):
            connection.execute(statement("store_annotator_agreement"), counted)


def _of_repeats(database: Database) -> Iterator[dict[str, Any]]:
    """Yield the interval of each criterion's mean r of HITs."""
    rows = fetch_table(
        database.connection,
        "SELECT criterion, annotator_id, correlation FROM repeat_correlation "
        "WHERE correlation IS NOT NULL ORDER BY criterion, annotator_id, hit_id",
    )
    criteria, annotators = (rows[name].to_numpy() for name in ("criterion", "annotator_id"))
    for criterion in np.unique(criteria):
        mine = criteria == criterion
        r = rows["correlation"].to_numpy()[mine]
        _, keys = np.unique(annotators[mine], return_inverse=True)
        unit = ANNOTATOR if FEWEST_CLUSTERS <= keys.max() + 1 < len(r) else HIT
        keys = keys if unit == ANNOTATOR else np.arange(len(r))
        interval = _interval(_mean, np.stack([r, np.ones(len(r))], axis=1), keys, unit)
        yield {"criterion": criterion, "kind": "intra", **interval}


def _of_outputs(database: Database) -> Iterator[dict[str, Any]]:
    """Yield the interval of each criterion's alpha."""
    rows = read_table(database, "sentence_ratings")
    criteria, treebanks, sentences = (
        rows[name].to_numpy() for name in ("criterion", "treebank_id", "sentence_no")
    )
    names = ("ratings", "weighted_variance", "total", "squares")
    sums = np.stack([rows[name].to_numpy() for name in names], axis=1)
    keys = np.zeros(len(sums), np.int64)
    units = {}
    for place, treebank_id in enumerate(np.unique(treebanks)):
        mine = treebanks == treebank_id
        together = clusters(database, treebank_id)
        units[treebank_id] = together.unit
        keys[mine] = together.of(sentences[mine]) + place * 2**32  # no two test sets share a key
    for criterion in np.unique(criteria):
        mine = criteria == criterion
        unit = " or ".join(sorted({units[treebank] for treebank in np.unique(treebanks[mine])}))
        interval = _interval(_alpha, sums[mine], keys[mine], unit)
        yield {"criterion": criterion, "kind": "alpha", **interval}


def _mean(sums: Floats) -> Floats:
    mean: Floats = sums[:, 0] / sums[:, 1]
    return mean


def _alpha(sums: Floats) -> Floats:
    """Return alpha of sums of ratings, their weighted variance within outputs, and squares."""
    ratings, within, total, squares = sums.T
    overall = ratings * (squares - total**2 / ratings) / (ratings - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha: Floats = np.where(overall > ROUNDING, 1 - within / overall, np.nan)
    return alpha


def _interval(
    statistic: Callable[[Floats], Floats], parts: Floats, keys: Integers, unit: str
) -> dict[str, Any]:
    """Return the interval of a statistic of sums of parts (rows), or why there is none.

    The keys are columns of annotator_agreement: low, high, resampling_unit, clusters, no_interval.
    """
    from scipy.stats import t

    parts = cluster_sums(parts[np.newaxis], keys)[0]
    units = len(parts)
    interval: dict[str, Any] = {"low": None, "high": None, "no_interval": None}
    interval |= {"resampling_unit": unit, "clusters": units}
    if units < FEWEST_CLUSTERS:
        return interval | {"no_interval": f"fewer than {FEWEST_CLUSTERS} {unit}s"}
    drawn = draws_of_items(units, RESAMPLES, SEED) @ parts
    seen, *z = np.arctanh(statistic(np.vstack([parts.sum(axis=0), drawn])).clip(-LARGEST, LARGEST))
    error = np.nanstd(z) * np.sqrt(units / (units - 1))
    low, high = np.tanh(seen + error * t.ppf([0.025, 0.975], units - 1))
    return interval | {"low": finite(low), "high": finite(high)}
