"""What is stored: tables, keys, migrations, and how the database is opened."""

from __future__ import annotations

from importlib.metadata import version

TOOL_VERSION = version("sr-tracker")
