"""The metrics of meaning and form (Opitz & Frank 2021, section 3): MF of graphs, and of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..metrics.metric import GRAPHS, MODEL, SENTENCE_MEAN, STATISTICS, Formula, Metric, Parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...schema.database import Database

VERSION = "1"
_OVERLAP = "graph_overlap('{}', sums[1], sums[2], sums[3])"
_ASPECTS = Parts(
    kind="meaning",
    title="Aspects of meaning",
    statistics=3,
    score=_OVERLAP.format("smatch"),
    statement="compared_aspects",
)
_COLUMNS = (
    *("meaning", "precision", "recall", "f1", "mean_f1"),
    *("upper_precision", "upper_recall", "upper_bound"),
)
FORM = Metric(
    name="form",
    description="share of outputs that a language model finds as acceptable as references",
    version="1",
    text_level=MODEL,
    command="tracker meaning form score",
    formula=SENTENCE_MEAN,
    lowest=0.0,
    highest=1.0,
)
METRICS = (
    FORM,
    *(
        Metric(
            name=name,
            description=description,
            version=VERSION,
            text_level=GRAPHS,
            command="tracker meaning score",
            formula=Formula("resampled_graphs", _OVERLAP.format(name)),
            lowest=0.0,
            highest=1.0,
            parts=_ASPECTS if name == "smatch" else None,
            columns=_COLUMNS if name == "smatch" else (),
        )
        for name, description in (
            ("smatch", "F1 of the triples that an output's graph shares with the gold graph"),
            ("smatch_precision", "share of the triples of an output's graph in the gold graph"),
            ("smatch_recall", "share of the gold graph's triples in the output's graph"),
            ("s2match", "Smatch where concepts that are alike match in part"),
        )
    ),
    *(
        Metric(
            name=f"mf_{beta}",
            description=f"MF-score: meaning and form in one number, beta {beta}",
            version=VERSION,
            text_level=GRAPHS,
            command="tracker meaning mf",
            formula=Formula(STATISTICS, f"mf_of_sums(sums, {beta})"),
            lowest=0.0,
            highest=1.0,
        )
        for beta in ("1", "0.5")
    ),
)


def score_composed(database: Database, submissions: Sequence[str] | None = None) -> None:
    """Score submissions by what is composed of the chosen scores of meaning and form."""
    from .mf import score_mf

    score_mf(database, submissions)
