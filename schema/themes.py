"""The themes: parts of the program that the core does not need, each in folders of its name.

What a theme adds stands in its folder of a layer as the core's own does in the layer itself, such
as ``schema/THEME/tables.py``, ``queries/THEME/views`` and ``queries/THEME/metrics.py``. The core
looks for it there and names no theme: without a theme's folders all else works.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import InputError

THEMES = ("grammar", "meaning", "examination", "judges", "tasks", "lake")
_ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = __package__.rpartition(".")[0]


def folders(layer: str, name: str) -> list[Path]:
    """Return the folders of that name in a layer: the core's own, then those of the themes."""
    places = (_ROOT / layer, *(_ROOT / layer / theme for theme in THEMES))
    return [place / name for place in places if (place / name).is_dir()]


@cache
def packages(layer: str) -> tuple[ModuleType, ...]:
    """Return the packages of themes in a layer, whose modules are not imported yet."""
    return tuple(
        import_module(f"{_PACKAGE}.{layer}.{theme}")
        for theme in THEMES
        if (_ROOT / layer / theme / "__init__.py").is_file()
    )


@cache
def modules(layer: str, name: str) -> tuple[ModuleType, ...]:
    """Return the modules of that name, such as ``metrics``, that themes add to a layer."""
    return tuple(
        import_module(f"{_PACKAGE}.{layer}.{theme}.{name}")
        for theme in THEMES
        if (_ROOT / layer / theme / f"{name}.py").is_file()
    )


def members(layer: str, name: str, member: str) -> list[Any]:
    """Return what themes' modules of that name, such as ``findings``, have as this member."""
    return [getattr(added, member) for added in modules(layer, name) if hasattr(added, member)]


def module(layer: str, name: str) -> ModuleType:
    """Return the module of that name that one of the themes adds to a layer.

    Raises InputError where that theme is not installed.
    """
    for added in modules(layer, name):
        return added
    raise InputError(
        f"{name} belongs to a part of the tracker that is not installed",
        hint="install the package anew: a folder of it is missing",
    )
