"""The tables of a database, each defined once: a class whose docstring says what one row is."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from .columns import Table

_THEMES = (
    *("campaign", "treebank", "human", "score", "provenance"),
    *("change", "statistics", "grammar", "meaning"),
)


def themes() -> list[tuple[ModuleType, list[type[Table]]]]:
    """Return the modules that define tables, each with its classes, in their order."""
    modules = [import_module(f"{__name__}.{name}") for name in _THEMES]
    return [
        (
            module,
            [
                table
                for table in vars(module).values()
                if isinstance(table, type) and table.__module__ == module.__name__
            ],
        )
        for module in modules
    ]
