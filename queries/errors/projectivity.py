"""Projective against non-projective sentences (Shimorina et al. 2021, section 5.2, Table 3)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.statements import read_table
from ..analyses import ANALYSIS_VERSION
from ..functions.statistics import Floats, mann_whitney
from .jobs import Analysis, store_rows
from .measures import STANDARD, check_convention, derived_metrics


def projectivity(minimum_share: float = 0.05, convention: str = STANDARD) -> Analysis:
    """Return the analysis that tests whether projective sentences score otherwise than others.

    Two-sided Mann-Whitney U by submission, for every metric that is not derived from another
    one's counts and every human criterion. Treebanks with at most ``minimum_share`` (0 to 1) of
    non-projective sentences are not tested. Shimorina et al. 2021, section 4 and Table 3, whose
    groups are those of the convention tacl2021.

    Raises InputError for a share that is none, and for an unknown convention.
    """
    check_convention(convention)
    if not 0 <= minimum_share <= 1:
        raise InputError(
            f"{minimum_share} is no share of sentences", hint="give a number from 0 to 1"
        )
    return Analysis(
        name="projectivity",
        settings=f"minimum_share:{float(minimum_share)}|convention:{convention}",
        version=f"2 {ANALYSIS_VERSION}",
        tables=["projectivity_test"],
        compute=partial(_compute, minimum_share=minimum_share, convention=convention),
    )


def _compute(database: Database, minimum_share: float, convention: str) -> None:
    groups = read_table(
        database,
        "projectivity_groups",
        minimum_share=minimum_share,
        convention=convention,
        derived=derived_metrics(),
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
    store_rows(database, "projectivity_test", rows)


def _test(projective: Floats, non_projective: Floats) -> dict[str, Any]:
    """Return what the scores of both groups say; the keys are columns of the table."""
    found: dict[str, Any] = {
        "projective": len(projective),
        "non_projective": len(non_projective),
        "projective_median": _median(projective),
        "non_projective_median": _median(non_projective),
    }
    if not len(projective):
        return {**found, "undefined_reason": "no projective sentence has a score"}
    if not len(non_projective):
        return {**found, "undefined_reason": "no non-projective sentence has a score"}
    test = mann_whitney(projective, non_projective)
    return {**found, "u": test.u, "p_value": test.p_value, "rank_biserial": test.rank_biserial}


def _median(scores: Floats) -> float | None:
    return float(np.median(scores)) if len(scores) else None
