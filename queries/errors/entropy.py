"""Word-order freedom against accuracy by relation (Shimorina et al. 2021, section 5.3)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.statements import read_table
from ..functions.statistics import SPEARMAN
from .correlations import correlation_rows
from .jobs import Analysis, store_rows


def entropy() -> Analysis:
    """Return the analysis that correlates the entropy of relations with their accuracy.

    Spearman's rho by submission over the universal relations of its treebank, each weighing the
    same, punctuation left out: below 0 where relations of free word order are realised worse.
    Shimorina et al. 2021, section 5.3.
    """
    return Analysis(
        name="entropy",
        settings=f"method:{SPEARMAN}",
        version="2",
        tables=["correlation"],
        compute=_compute,
        metrics=["dea"],
        submissions_at_once=1000,
    )


def _compute(database: Database) -> None:
    pairs = read_table(database, "entropy_pairs").to_pylist()
    rows = [
        correlation_rows(
            pair["submission_id"],
            "relation",
            ("entropy", "dea"),
            np.array([pair["entropy"], pair["dea"]], np.float64),
            SPEARMAN,
        )
        for pair in pairs
    ]
    store_rows(database, "correlation", pa.concat_tables(rows))
