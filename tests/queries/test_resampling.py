"""What every test and interval refuses: numbers of replicates, seeds and levels that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.examination.examining import ExaminationSettings
from sr_tracker.queries.examination.metric_evaluation import MetricSettings
from sr_tracker.queries.examination.planning.comparing import ItemSettings
from sr_tracker.queries.examination.planning.power import PowerSettings
from sr_tracker.queries.examination.planning.stopping import StopSettings
from sr_tracker.queries.resampling import LARGEST_SEED, MOST_REPLICATES, check_resampling
from sr_tracker.schema.errors import InputError

SETTINGS = {
    check_resampling: "replicates",
    Settings: "replicates",
    MetricSettings: "replicates",
    ExaminationSettings: "replicates",
    ItemSettings: "replicates",
    partial(PowerSettings, difference=1.0): "replicates",
    StopSettings: "replicates",
}


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("count", [0, -1, MOST_REPLICATES + 1, 2**64, 1.5, "ten"])
def test_numbers_of_replicates(settings: Callable[..., Any], count: Any) -> None:
    with pytest.raises(InputError, match=f"cannot be resampled {count} times"):
        settings(**{SETTINGS[settings]: count, "seed": 0})


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1, 0.5, None])
def test_seeds(settings: Callable[..., Any], seed: Any) -> None:
    with pytest.raises(InputError, match=f"{seed} is no seed"):
        settings(**{SETTINGS[settings]: 1, "seed": seed})


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_levels(level: float) -> None:
    check_resampling(MOST_REPLICATES, LARGEST_SEED, 0.95)
    with pytest.raises(InputError, match="no level of confidence"):
        check_resampling(1, 0, level)
