"""Gates: whether a submission may pass, judged by how far its measures may drop."""

from __future__ import annotations

from sr_tracker.queries.change.gate.checking import check_gate
from sr_tracker.queries.change.gate.model import GateResult, Threshold, Verdict
from sr_tracker.queries.change.gate.thresholds import (
    ThresholdFile,
    merged,
    parse_threshold,
    read_thresholds,
)

__all__ = [
    "GateResult",
    "Threshold",
    "ThresholdFile",
    "Verdict",
    "check_gate",
    "merged",
    "parse_threshold",
    "read_thresholds",
]
