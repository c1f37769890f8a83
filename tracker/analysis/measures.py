"""What analyses measure outputs by."""

from __future__ import annotations

from queries.metrics import metrics
from schema.errors import InputError

STANDARD = "standard"
CONVENTIONS = (STANDARD, "tacl2021")
COMPLEXITIES = ("depth", "length", "mdd", "mfs", "mfw", "arity")


def derived_metrics() -> list[str]:
    """Return the metrics derived from another one's counts: they say the same of a sentence."""
    return [metric.name for metric in metrics().values() if metric.statistics_of]


def check_convention(convention: str) -> None:
    """Raise InputError for a convention of complexity that there is not."""
    if convention not in CONVENTIONS:
        raise InputError(
            f"there is no convention '{convention}'", hint=f"use one of {', '.join(CONVENTIONS)}"
        )
