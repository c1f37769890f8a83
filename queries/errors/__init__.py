"""Error analysis of submissions (Shimorina et al. 2021, sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from ...schema.parameters import Measure, Option
from .jobs import COMPLEXITIES, CRITERIA, Analysis

KINDS = ("correlation", "projectivity", "entropy", "mining")
LABELS = ("deprel", "upos", "upos~deprel")
SIGNIFICANT, TREE = "significant", "tree"
"""Which patterns are suspicious."""


@dataclass(frozen=True)
class Settings:
    """What may be chosen about the analyses; the defaults are those of the paper."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tacl2021": {
            "convention": "tacl2021",
            "metric": "bleu_lemma",
            "measures": ("bleu_lemma", "dea", *CRITERIA, *COMPLEXITIES),
            "minimum_support": 1,
        }
    }
    """Settings of papers: Shimorina et al. 2021, sections 3.2 and 4, Figure 2."""

    kinds: Annotated[
        Sequence[str], Option("Only this analysis; may be repeated.", flag="--only", choices=KINDS)
    ] = KINDS
    method: Annotated[
        str,
        Option("Coefficient of the correlations.", choices=("spearman", "pearson", "kendall")),
    ] = "spearman"
    minimum_share: Annotated[
        float,
        Option(
            "Test projectivity where more than this share of sentences is non-projective.",
            low=0,
            high=1,
        ),
    ] = 0.05
    convention: Annotated[
        str,
        Option(
            "Convention for measuring complexity and projectivity; tacl2021 is that "
            "of the paper's figures.",
            choices=("standard", "tacl2021"),
        ),
    ] = "standard"
    measures: Annotated[
        Sequence[Measure] | None,
        Option(
            "Correlations: correct p-values over pairs of these together; may be repeated.",
            flag="--measure",
            default="the ten of the paper",
        ),
    ] = None
    labels: Annotated[
        Sequence[str],
        Option(
            "Labels of mined subtrees: lemma, upos, xpos, deprel, relation, or several joined by ~."
        ),
    ] = LABELS
    """One mining for each."""
    metric: Annotated[Measure, Option("Metric that separates failed from passed sentences.")] = (
        "bleu"
    )
    quantile: Annotated[
        float,
        Option(
            "Share of the sentences that fail; ties at the limit fail too.",
            low=0,
            high=1,
            open=True,
        ),
    ] = 0.25
    threshold: Annotated[
        float | None, Option("Sentences fail up to this score, in place of it.")
    ] = None
    max_nodes: Annotated[int, Option("Nodes of the largest mined subtrees.", low=1, high=6)] = 3
    minimum_support: Annotated[int, Option("Sentences that a mined subtree must be in.", low=1)] = 5


@dataclass(frozen=True)
class Wanted:
    """What training sentences are chosen for.

    The submission's ``relations`` with the lowest accuracy (of those with at least ``min_edges``
    reference edges), its ``patterns`` with the highest suspicion in the error mining with these
    ``labels`` and ``metric``, and sentences that reach a bound of complexity.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tacl2021": {"metric": "bleu_lemma", "suspicious": TREE}
    }
    """Settings of papers: Shimorina et al. 2021, section 6 and Tables 5 to 7."""

    relations: Annotated[int, Option("Relations with the lowest DEA.")] = 5
    patterns: Annotated[int, Option("Patterns of highest suspicion.")] = 10
    labels: Annotated[str, Option("Labels of the patterns.")] = "deprel"
    metric: Annotated[Measure, Option("Metric that the patterns were mined with.")] = "bleu"
    suspicious: Annotated[
        str,
        Option(
            "Patterns that are suspicious: those that fail significantly more often (Holm), or "
            "those of several words that the suspicion tree splits on, as in the paper.",
            choices=(SIGNIFICANT, TREE),
        ),
    ] = SIGNIFICANT
    min_edges: Annotated[int, Option("Edges a relation must have.")] = 10
    min_depth: Annotated[int | None, Option("Also choose trees of at least this depth.")] = None
    min_length: Annotated[
        int | None, Option("Also choose sentences of at least so many words.")
    ] = None
    min_mdd: Annotated[
        float | None, Option("Also choose trees of at least this mean dependency distance.")
    ] = None
    non_projective: Annotated[bool, Option("Also choose non-projective trees.")] = False


def analyses(settings: Settings) -> list[Analysis]:
    """Return the analyses that the settings ask for.

    Raises InputError for settings that cannot be.
    """
    from .correlations import correlation, entropy, projectivity
    from .jobs import CORRELATED
    from .mining import error_mining

    chosen: list[Analysis] = []
    if "correlation" in settings.kinds:
        family = settings.measures or CORRELATED
        chosen.append(correlation(settings.method, settings.convention, family))
    if "projectivity" in settings.kinds:
        chosen.append(projectivity(settings.minimum_share, settings.convention))
    if "entropy" in settings.kinds:
        chosen.append(entropy())
    if "mining" in settings.kinds:
        chosen += [
            error_mining(
                labels=labels,
                metric=settings.metric,
                quantile=settings.quantile,
                threshold=settings.threshold,
                max_nodes=settings.max_nodes,
                minimum_support=settings.minimum_support,
            )
            for labels in settings.labels
        ]
    return chosen
