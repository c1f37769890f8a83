"""How often test sets are resampled, and from which seed: what all tests and intervals allow."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

from ..schema.errors import InputError
from ..schema.parameters import LARGEST_SEED, MOST_REPLICATES

DOCUMENT, TEXT, SENTENCE = "document", "text", "sentence"
UNITS = (DOCUMENT, TEXT, SENTENCE)
"""What may be resampled, the largest first."""


def check_unit(unit: str | None) -> None:
    """Raise InputError for what cannot be resampled; None is the unit that suits the treebank."""
    if unit is not None and unit not in UNITS:
        raise InputError(f"'{unit}' is not resampled", hint=f"take one of {', '.join(UNITS)}")


def check_seed(seed: int) -> None:
    """Raise InputError for a seed that cannot be taken."""
    if not isinstance(seed, Integral) or not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"{seed} is no seed", hint=f"give a number from 0 to {LARGEST_SEED}")


def check_resampling(replicates: int, seed: int, level: float | None = None) -> None:
    """Raise InputError for a number of replicates, a seed or a level that cannot be taken.

    ``level`` is the share of the replicates that an interval holds, where there is one.
    """
    check_seed(seed)
    if not isinstance(replicates, Integral) or not 1 <= replicates <= MOST_REPLICATES:
        raise InputError(
            f"test sets cannot be resampled {replicates} times",
            hint=f"give a number from 1 to {MOST_REPLICATES:,}; 1,000 are usual",
        )
    if level is not None and not 0 < level < 1:
        raise InputError(f"{level} is no level of confidence", hint="give a number between 0 and 1")


@dataclass(frozen=True)
class Resampled:
    """Settings of what is resampled: ``replicates`` and ``seed`` are checked when they are set."""

    def __post_init__(self) -> None:
        """Raise InputError for replicates or a seed that cannot be taken."""
        fields = vars(self)
        check_resampling(fields["replicates"], fields["seed"])
