"""The metrics: what each is, which there are, what makes scores comparable, and scoring."""

from __future__ import annotations

from .metric import Formula, Metric, Parts
from .registry import metric_named, metrics
from .signatures import Signature, composed_signature, signature_of

__all__ = [
    "Formula",
    "Metric",
    "Parts",
    "Signature",
    "composed_signature",
    "metric_named",
    "metrics",
    "signature_of",
]
