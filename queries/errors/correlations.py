"""Correlations between a submission's measures (Shimorina et al. 2021, sections 3.3 and 4)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError, check_choices
from ...schema.statements import read_table
from ..analyses import ANALYSIS_VERSION
from ..functions import statistics
from . import jobs


def correlation(
    method: str = statistics.SPEARMAN,
    convention: str = jobs.STANDARD,
    family: Sequence[str] = jobs.CORRELATED,
) -> jobs.Analysis:
    """Return the analysis that correlates every two measures over a submission's sentences.

    Measures are the metrics that are not derived from another one's counts, the human criteria
    and the complexity of the references by a ``convention``. ``method`` is spearman, pearson or
    kendall. P-values of the pairs of a ``family`` of measures are corrected together
    (Holm-Bonferroni), so that what else is loaded changes no verdict; all other pairs are
    exploratory, each tested alone. Shimorina et al. 2021, section 4 and Figure 2.

    Raises InputError for any other method, and for an unknown convention.
    """
    check_choices(
        ("convention of complexity", convention, jobs.CONVENTIONS),
        ("correlation method", method, statistics.METHODS),
    )
    return jobs.Analysis(
        name="correlation",
        settings=f"method:{method}|convention:{convention}|family:{','.join(family)}",
        version=f"3 {ANALYSIS_VERSION}",
        tables=["correlation"],
        compute=partial(_metric_correlations, method=method, convention=convention, family=family),
    )


def correlation_rows(
    submission_id: str,
    unit: str,
    measures: Sequence[str],
    columns: statistics.Floats,
    method: str,
    family: Container[str] | None = None,
) -> pa.Table:
    """Return the rows of the table correlation for every two of a submission's measures.

    ``columns`` has one row per measure and one column per ``unit`` (sentence or relation); NaN is
    a missing value. Signatures are not among the columns. P-values are corrected over the pairs of
    the ``family``, of all measures for None.
    """
    correlations = statistics.correlate(columns, method)
    pairs = np.triu_indices(len(measures), 1)
    p_values = correlations.p_value[pairs]
    names = np.array(measures, dtype=object)
    in_family = np.array([family is None or name in family for name in measures], np.bool_)
    of_family = in_family[pairs[0]] & in_family[pairs[1]]
    corrected = p_values.copy()
    corrected[of_family] = statistics.holm(p_values[of_family])
    size = int(np.isfinite(p_values[of_family]).sum())
    return pa.table(
        {
            "submission_id": pa.repeat(submission_id, len(p_values)),
            "method": pa.repeat(method, len(p_values)),
            "unit": pa.repeat(unit, len(p_values)),
            "measure": pa.array(names[pairs[0]], pa.string()),
            "other_measure": pa.array(names[pairs[1]], pa.string()),
            "n": correlations.n[pairs],
            "coefficient": pa.array(correlations.coefficient[pairs], from_pandas=True),
            "p_value": pa.array(p_values, from_pandas=True),
            "p_holm": pa.array(corrected, from_pandas=True),
            "family": pa.array(
                np.where(of_family, jobs.CHOSEN, jobs.EXPLORATORY).tolist(), pa.string()
            ),
            "family_size": pa.array(np.where(of_family, size, 1), pa.int32()),
            "undefined_reason": pa.array(list(_reasons(correlations, measures, unit)), pa.string()),
        }
    )


def _metric_correlations(
    database: Database, method: str, convention: str, family: Sequence[str]
) -> None:
    for name in {*family} - {*jobs.COMPLEXITIES, *jobs.CRITERIA}:
        jobs.check_metric(database, name)
    table = read_table(
        database, "correlated_measures", derived=jobs.derived_metrics(), convention=convention
    )
    rows = [
        correlation_rows(submission_id, "sentence", measures, columns, method, family)
        for submission_id, measures, columns in _by_submission(table)
    ]
    if rows:
        jobs.store_rows(database, "correlation", pa.concat_tables(rows))


def _by_submission(table: pa.Table) -> Iterator[tuple[str, list[str], statistics.Floats]]:
    """Yield each submission, its measures, and their values by sentence, NaN where missing."""
    columns = [table[name] for name in ("submission_id", "measure", "sentence_nos", "values")]
    rows = zip(*columns, strict=True)
    for submission_id, group in groupby(rows, key=lambda row: row[0].as_py()):
        measured = list(group)
        numbers = [sentence_nos.values.to_numpy() for _, _, sentence_nos, _ in measured]
        last = max(int(positions.max(initial=0)) for positions in numbers)
        values = np.full((len(measured), last + 1), np.nan)
        for place, row in enumerate(measured):
            values[place, numbers[place]] = row[3].values.to_numpy()
        yield submission_id, [row[1].as_py() for row in measured], values


def _reasons(
    correlations: statistics.Correlations, measures: Sequence[str], unit: str
) -> Iterator[str | None]:
    """Yield why each pair's coefficient is undefined, None where it is not."""
    for first, measure in enumerate(measures):
        for second in range(first + 1, len(measures)):
            n = correlations.n[first, second]
            if n < statistics.FEWEST_VALUES:
                yield f"fewer than {statistics.FEWEST_VALUES} {unit}s have both"
            elif correlations.constant[first, second]:
                yield f"{measure} is the same in all {n} {unit}s"
            elif correlations.constant[second, first]:
                yield f"{measures[second]} is the same in all {n} {unit}s"
            else:
                yield None


def entropy() -> jobs.Analysis:
    """Return the analysis that correlates the entropy of relations with their accuracy.

    Spearman's rho by submission over the universal relations of its treebank, each weighing the
    same, punctuation left out: below 0 where relations of free word order are realised worse.
    Shimorina et al. 2021, section 5.3.
    """
    return jobs.Analysis(
        name="entropy",
        settings=f"method:{statistics.SPEARMAN}",
        version="2",
        tables=["correlation"],
        compute=_entropy_correlations,
        metrics=["dea"],
        submissions_at_once=1000,
    )


def _entropy_correlations(database: Database) -> None:
    pairs = read_table(database, "entropy_pairs").to_pylist()
    rows = [
        correlation_rows(
            pair["submission_id"],
            "relation",
            ("entropy", "dea"),
            np.array([pair["entropy"], pair["dea"]], np.float64),
            statistics.SPEARMAN,
        )
        for pair in pairs
    ]
    jobs.store_rows(database, "correlation", pa.concat_tables(rows))


def projectivity(minimum_share: float = 0.05, convention: str = jobs.STANDARD) -> jobs.Analysis:
    """Return the analysis that tests whether projective sentences score otherwise than others.

    Two-sided Mann-Whitney U by submission, for every metric that is not derived from another
    one's counts and every human criterion. Treebanks with at most ``minimum_share`` (0 to 1) of
    non-projective sentences are not tested. Shimorina et al. 2021, section 4 and Table 3, whose
    groups are those of the convention tacl2021.

    Raises InputError for a share that is none, and for an unknown convention.
    """
    check_choices(("convention of complexity", convention, jobs.CONVENTIONS))
    if not 0 <= minimum_share <= 1:
        raise InputError(
            f"{minimum_share} is no share of sentences", hint="give a number from 0 to 1"
        )
    return jobs.Analysis(
        name="projectivity",
        settings=f"minimum_share:{float(minimum_share)}|convention:{convention}",
        version=f"2 {ANALYSIS_VERSION}",
        tables=["projectivity_test"],
        compute=partial(_projectivity_tests, minimum_share=minimum_share, convention=convention),
    )


def _projectivity_tests(database: Database, minimum_share: float, convention: str) -> None:
    groups = read_table(
        database,
        "projectivity_groups",
        minimum_share=minimum_share,
        convention=convention,
        derived=jobs.derived_metrics(),
    )
    columns = [groups[name] for name in groups.column_names]
    rows = [
        {
            "submission_id": submission_id.as_py(),
            "metric": metric.as_py(),
            **_test(projective.values.to_numpy(), non_projective.values.to_numpy()),
        }
        for submission_id, metric, projective, non_projective in zip(*columns, strict=True)
    ]
    jobs.store_rows(database, "projectivity_test", rows)


def _test(projective: statistics.Floats, non_projective: statistics.Floats) -> dict[str, Any]:
    """Return what the scores of both groups say; the keys are columns of the table."""
    row: dict[str, Any] = {
        "projective": len(projective),
        "non_projective": len(non_projective),
        "projective_median": _median(projective),
        "non_projective_median": _median(non_projective),
    }
    if not len(projective):
        return {**row, "undefined_reason": "no projective sentence has a score"}
    if not len(non_projective):
        return {**row, "undefined_reason": "no non-projective sentence has a score"}
    test = statistics.mann_whitney(projective, non_projective)
    return {**row, "u": test.u, "p_value": test.p_value, "rank_biserial": test.rank_biserial}


def _median(scores: statistics.Floats) -> float | None:
    return float(np.median(scores)) if len(scores) else None
