"""The metric of form: outputs about as probable as their references (Opitz & Frank 2021, 3.3)."""

from __future__ import annotations

from ..metrics.metric import MODEL, SENTENCE_MEAN, Metric

FORM = Metric(
    name="form",
    description="share of outputs that a language model finds as acceptable as references",
    version="1",
    text_level=MODEL,
    formula=SENTENCE_MEAN,
    lowest=0.0,
    highest=1.0,
)
METRICS = (FORM,)
