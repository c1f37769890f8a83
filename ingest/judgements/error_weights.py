"""What a marked error costs: the named schemes of weights, in one place."""

from __future__ import annotations

from dataclasses import dataclass

from sr_tracker.schema.errors import InputError

UNWEIGHTED = "none"


@dataclass(frozen=True)
class WeightScheme:
    """What an error of each severity and category costs."""

    severities: dict[str, float]
    anywhere: dict[str, float]
    """Categories, or the last part of one, that cost the same at any severity that costs at all."""
    within: dict[tuple[str, str], float]
    """Categories, or the last part of one, that cost otherwise at one severity."""

    def weight(self, category: str | None, severity: str) -> float | None:
        """Return what an error costs; None for a severity that the scheme does not know."""
        if self.severities.get(severity) == 0:
            return 0.0
        names = _names(category)
        for name in names:
            if name in self.anywhere:
                return self.anywhere[name]
        for name in names:
            if (name, severity) in self.within:
                return self.within[name, severity]
        return self.severities.get(severity)


WEIGHTS = {
    "wmt": WeightScheme(
        {"minor": 1.0, "major": 5.0, "critical": 5.0, "neutral": 0.0},
        {
            "non-translation": 25.0,
            "source issue": 0.0,
            "source error": 0.0,
            "accuracy/creative reinterpretation": 0.0,
        },
        {("fluency/punctuation", "minor"): 0.1},
    ),
    "esa23": WeightScheme(
        {"minor": 1.0, "major": 5.0, "critical": 25.0, "neutral": 0.0, "undecided": 0.0},
        {"punctuation": 0.1},
        {},
    ),
}
"""``wmt``: Freitag et al. 2021, Table 4, as the scores of WMT's metrics task are made since 2022:
source issues and creative reinterpretations cost nothing. ``esa23``: the MQM campaign that Kocmi et
al. (2024) ran in Appraise beside ESA: punctuation costs 0.1 at any severity, critical errors 25."""


def weight_scheme(name: str) -> WeightScheme | None:
    """Return a named scheme, None for ``none``. Raises InputError for an unknown name."""
    if name == UNWEIGHTED:
        return None
    if name not in WEIGHTS:
        raise InputError(
            f"'{name}' is no scheme of weights",
            hint=f"a scheme is one of {', '.join((*WEIGHTS, UNWEIGHTED))}",
        )
    return WEIGHTS[name]


def _names(category: str | None) -> tuple[str, ...]:
    if category is None:
        return ()
    whole = category.lower().removesuffix("/-").rstrip("!")
    return whole, whole.rpartition("/")[2]
