"""Errors that annotators marked: how many there are, on what they fall, what metrics make of them.

The marks are those of MQM (Freitag et al. 2021) and ESA (Kocmi et al. 2024).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import check_names, resolve_criterion, resolve_treebank
from ...schema.statements import read_rows, read_table
from ..counting import Counting, counted, kinds_of, selecting
from ..functions.statistics import fisher_greater, holm

WHO = ("system", "submission", "campaign")
KINDS = ("severity", "category")
BY = (*WHO, *KINDS, "relation", "pattern", "accuracy", "metric")
EVERY = "all"
_KEYS = {
    "accuracy": ("criterion", "system_id"),
    "metric": ("criterion", "metric", "about", "value"),
}
FEWEST = 10
"""Sentences that there must be on both sides for an interval."""
_COUNTS = ("units", "hits", "other_units", "other_hits")


def marked_errors(
    database: Database,
    submissions: Sequence[str],
    by: str = "system",
    *,
    criterion: str | None = None,
    trees: str | None = None,
) -> pa.Table:
    """Return the errors marked in outputs of some submissions, by one of ``BY``.

    ``system``, ``submission`` and ``campaign``: errors of each severity, per 100 words of the
    judged outputs and as often as these were judged, and what they cost. What follows is over the
    submissions that count (``queries.counting``). ``severity`` and ``category``: how many, and
    their share. ``relation``: words of parsed outputs, and outputs by their reference's tree; the
    share of them that is marked (for outputs: has a major or critical error) with Wilson's
    interval, how many were expected by the share of all, and the one-sided Fisher test of error
    mining, after Holm. ``pattern``: the coverage of patterns mined by a measure of errors, such as
    ``mqm_errors[critical]``. ``accuracy``: the share of reference edges that outputs realise, near
    a marked word and elsewhere, of edges whose words both are in the output. ``metric``: pairs of
    an output with a major or critical error and one without for the same sentence, in which the
    metric does not give the first the worse score. The intervals of the last two are of the
    difference from elsewhere at 95 %, over sentences as clusters (linearised), NULL where fewer
    than ``FEWEST`` of them have some on either side.

    ``trees`` names another treebank of the same sentences, such as the parsed sources of a
    translation: relations are of its trees in place of the references'.

    Raises InputError where no errors are marked, for an unknown ``by``, and for trees of other
    sentences; UnknownNameError for an unknown criterion or treebank.
    """
    check_names("way to look at marked errors", [by], BY)
    criteria = _criteria(database, submissions)
    if not criteria:
        raise InputError(
            "no errors are marked in the outputs of these submissions",
            hint="load judgements that mark errors: 'tracker ingest judgements --layout'",
        )
    criterion = resolve_criterion(criterion, criteria, "criterion with marked errors")
    if trees is not None:
        trees = resolve_treebank(database, trees)
        _check_trees(database, trees, submissions)
    if by in WHO:
        return read_table(
            database, "marked_by_whom", by=by, submissions=list(submissions), criterion=criterion
        )
    counting: Counting = "all" if kinds_of(database, submissions) == {"human"} else "newest"
    chosen = counted(database, submissions, counting, having="marked_outputs", scope=["criterion"])
    parameters = {"submissions": chosen, "criterion": criterion}
    if by in KINDS:
        return read_table(database, "marked_by_kind", by=by, **parameters)
    if by == "relation":
        parsed = _having(database, chosen, "parsed")
        return _relations(
            read_table(database, "marked_by_relation", trees=trees, parsed=parsed, **parameters)
        )
    if by == "pattern":
        with selecting(database, chosen, counting):
            return read_table(
                database, "marked_patterns", criteria=sorted(criteria), criterion=criterion
            )
    if by == "accuracy":
        parameters["submissions"] = _having(database, chosen, "with_edges")
        edges = read_table(database, "marked_edges", **parameters)
        every = edges.set_column(
            edges.column_names.index("system_id"), "system_id", pa.repeat(EVERY, len(edges))
        )
        return rates_apart(pa.concat_tables([every, edges.cast(every.schema)]), _KEYS[by])
    return rates_apart(
        read_table(database, "missed_by_sentence", trees=trees, **parameters), _KEYS[by]
    )


def has_marked_errors(database: Database, submissions: Sequence[str]) -> bool:
    """Return whether annotators could mark errors in outputs of some of the submissions."""
    return bool(_criteria(database, submissions))


def _having(database: Database, submissions: Sequence[str], what: str) -> list[str]:
    """Return the submissions that are ``parsed`` or ``with_edges``."""
    rows = read_rows(database, "submissions_with_trees", submissions=list(submissions))
    return [row["submission_id"] for row in rows if row[what]]


def _criteria(database: Database, submissions: Sequence[str]) -> set[str]:
    rows = database.connection.execute(
        "SELECT DISTINCT criterion FROM marked_outputs WHERE list_contains(?, submission_id)",
        [list(submissions)],
    ).fetchall()
    return {criterion for (criterion,) in rows}


def _check_trees(database: Database, trees: str, submissions: Sequence[str]) -> None:
    """Raise InputError where a treebank has no trees, or other sentences than the submissions'."""
    (row,) = read_rows(database, "given_trees", trees=trees, submissions=list(submissions))
    if not row["trees"]:
        raise InputError(
            f"the treebank '{trees}' has no trees",
            hint=f"'tracker ingest parse {trees}' gives it some",
        )
    if row["other_treebank"] is not None:
        raise InputError(
            f"'{trees}' has {plural(row['sentences'], 'sentence')}, {row['other_treebank']} has "
            f"{row['other_sentences']}",
            hint="sentences of both belong together by their numbers",
        )


def _relations(rows: pa.Table) -> pa.Table:
    """Return the rows with p-values: whether a relation goes with errors more than others do."""
    p_values = np.full((2, len(rows)), np.nan)
    # A relation and its subtypes are the same edges: subtypes are a family of their own.
    subtype = pc.cast(pc.match_substring(rows["deprel"], ":"), pa.string())
    groups = pc.binary_join_element_wise(rows["criterion"], rows["tree"], subtype, "\0").to_numpy(
        zero_copy_only=False
    )
    for group in dict.fromkeys(groups):
        at = np.flatnonzero(groups == group)
        units, marked, all_units, all_marked = (
            rows[name].to_numpy()[at] for name in ("units", "marked", "all_units", "all_marked")
        )
        p_values[0, at] = fisher_greater(units, marked, int(all_units[0]), int(all_marked[0]))
        p_values[1, at] = holm(p_values[0, at])
    named = rows.drop_columns(["all_units", "all_marked"])
    for name, values in zip(("p_value", "p_holm"), p_values, strict=True):
        named = named.append_column(name, pa.array(values))
    return named


def rates_apart(clusters: pa.Table, keys: Sequence[str]) -> pa.Table:
    """Return for each group its share of hits, that elsewhere, and the difference's interval.

    ``clusters`` has a row per group and sentence with counts here (units, hits) and elsewhere. The
    variance of the difference of the two ratios is that of its linearisation, summed by cluster.
    """
    from scipy.stats import norm

    clusters = clusters.group_by([*keys, "treebank_id", "sentence_no"]).aggregate(
        [(name, "sum") for name in _COUNTS]
    )
    places = clusters.select(list(keys)).append_column(
        "row", pa.array(range(len(clusters)), pa.int64())
    )
    grouped = places.group_by(list(keys), use_threads=False).aggregate([("row", "list")])
    group = np.zeros(len(clusters), np.int64)
    for number, rows in enumerate(grouped["row_list"]):
        group[rows.values.to_numpy()] = number
    counts = np.array([clusters[f"{name}_sum"].to_numpy() for name in _COUNTS], np.float64)
    size = len(grouped)
    sums = np.array([np.bincount(group, counts_of, size) for counts_of in counts])
    clusters_of = np.bincount(group, counts[0] + counts[2] > 0, size)
    of_side = [np.bincount(group, counts[place] > 0, size) for place in (0, 2)]
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, elsewhere = sums[1] / sums[0], sums[3] / sums[2]
        pull = (counts[1] - rate[group] * counts[0]) / sums[0][group]
        pull -= (counts[3] - elsewhere[group] * counts[2]) / sums[2][group]
        variance = np.bincount(group, pull**2, size) * clusters_of / (clusters_of - 1)
        difference, error = rate - elsewhere, np.sqrt(variance)
        p_values = 2 * norm.sf(np.abs(difference / error))
    estimable = (np.minimum(*of_side) >= FEWEST) & (error > 0)
    error[~estimable] = p_values[~estimable] = np.nan
    reach = norm.ppf(0.975) * error
    columns = {
        "sentences": pa.array(of_side[0].astype(np.int64)),
        "units": pa.array(sums[0].astype(np.int64)),
        "hits": pa.array(sums[1].astype(np.int64)),
        **{
            name: pa.array(values, mask=np.isnan(values))
            for name, values in {
                "rate": rate,
                "rate_elsewhere": elsewhere,
                "difference": difference,
                "low": difference - reach,
                "high": difference + reach,
                "p_value": p_values,
            }.items()
        },
    }
    table = grouped.select(list(keys))
    for name, values in columns.items():
        table = table.append_column(name, values)
    return table.filter(pc.greater(table["units"], 0)).sort_by([(key, "ascending") for key in keys])
