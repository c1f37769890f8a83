"""The metrics of grammar rules (Pratapa et al. 2021, section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..metrics.metric import TREES, Formula, Metric, Parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...schema.database import Database
    from ...schema.progress import Progress

VERSION = "1"
KINDS = {
    "grammar": None,
    "grammar_agreement": "agreement",
    "grammar_argument": "argument_structure",
    "grammar_order": "word_order",
}
"""The kind of rules a metric is about; None: all."""
METRICS = tuple(
    Metric(
        name=name,
        description=f"share of links that keep {rules}, mean over rules",
        version=VERSION,
        text_level=TREES,
        command="tracker grammar score",
        formula=Formula("resampled_rules", "mean_share(sums)"),
        lowest=0.0,
        highest=1.0,
        parts=Parts(
            kind="grammar rule",
            title="Grammar rules",
            statistics=2,
            score="sums[1] / nullif(sums[2], 0)",
            statement="compared_rules",
        )
        if name == "grammar"
        else None,
        columns=("satisfied", "reference_satisfied") if name == "grammar" else (),
    )
    for name, rules in (
        ("grammar", "the grammar rules that apply to them"),
        ("grammar_agreement", "rules of agreement"),
        ("grammar_argument", "rules of argument structure"),
        ("grammar_order", "rules of word order"),
    )
)


def score_pending(
    database: Database, submissions: Sequence[str] | None, *, progress: Progress
) -> None:
    """Score submissions by rules where others to the same treebank are scored so."""
    from .scoring import score_pending_grammar

    score_pending_grammar(database, submissions, progress=progress)
