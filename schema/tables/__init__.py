"""The tables of a database, each defined once: a class whose docstring says what one row is."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ..themes import modules
from .columns import Table

_CORE = (
    *("campaign", "treebank", "human", "score", "provenance"),
    *("change", "statistics"),
)


def themes() -> list[tuple[ModuleType, list[type[Table]]]]:
    """Return the modules that define tables, each with its classes: the core's, then themes'."""
    core = [import_module(f"{__name__}.{name}") for name in _CORE]
    return [
        (
            module,
            [
                table
                for table in vars(module).values()
                if isinstance(table, type) and table.__module__ == module.__name__
            ],
        )
        for module in (*core, *modules("schema", "tables"))
    ]
