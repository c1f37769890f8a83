"""Packages that bring metrics: what they register, and what they do that must reach no result."""

from __future__ import annotations

import json
import math
import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.metadata import Distribution, EntryPoint
from typing import NoReturn

from ...schema.errors import PluginError
from ..catalog import ENTRY_POINT_GROUP, registrations
from .metric import Metric

_OURS = __package__.partition(".")[0]
_LEAVE = os._exit


def entry_points() -> list[EntryPoint]:
    """Return what packages register; of one that is installed twice, what imports find first.

    Python's own function reads the entry points of all that is installed.
    """
    by_folder: dict[str, Distribution] = {}
    for file in registrations(tuple(sys.path)):
        by_folder.setdefault(file.parent.name.partition("-")[0], Distribution.at(file.parent))
    points = (point for package in by_folder.values() for point in package.entry_points)
    return [point for point in points if point.group == ENTRY_POINT_GROUP]


def packages() -> dict[str, str]:
    """Return the packages, with their versions, that register metrics besides our own, by metric.

    Raises PluginError for one that cannot be loaded.
    """
    others = (point for point in entry_points() if not point.value.startswith(f"{_OURS}."))
    return {loaded(point).name: package_of(point) for point in others}


def package_of(entry_point: EntryPoint) -> str:
    """Return the package of an entry point, with its version, else what the entry point names."""
    package = getattr(entry_point, "dist", None)
    return f"{package.name} {package.version}" if package else entry_point.value


def loaded(entry_point: EntryPoint) -> Metric:
    """Return what a package registers; whatever goes wrong in its code ends in a PluginError.

    A package that leaves the program at its import would end a gate as if it passed.
    """
    hint = "uninstall the package to do without it, or report this to its authors"
    try:
        with contained():
            metric = entry_point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PluginError(
            f"the metric '{entry_point.name}' cannot be loaded: {type(error).__name__}: {error}",
            where=f"{package_of(entry_point)}: {entry_point.value}",
            hint=hint,
        ) from error
    if not isinstance(metric, Metric):
        raise PluginError(
            f"the entry point '{entry_point.name}' is not a metric",
            where=f"{package_of(entry_point)}: {entry_point.value}",
            hint="it must name a Metric of sr_tracker.queries.metrics; " + hint,
        )
    return metric


@contextmanager
def contained() -> Iterator[None]:
    """Keep what a package does in the block from our results.

    What it prints goes to standard error, warnings are heeded afterwards as before, functions that
    it replaced in modules which results are made with are put back, and where it leaves the program
    at once, without its last words, it leaves the block. Its own child processes may.
    """
    before = [(module, dict(vars(module))) for module in (json, math, random)]
    process = os.getpid()

    def leave(status: int) -> NoReturn:
        if os.getpid() != process:
            _LEAVE(status)
        sys.exit(status)

    os._exit = leave
    try:
        with redirect_stdout(sys.stderr), warnings.catch_warnings():
            yield
    finally:
        os._exit = _LEAVE
        for module, names in before:
            vars(module).update(names)
