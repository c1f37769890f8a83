"""What is stored: tables, keys, migrations, and how the database is opened."""

from __future__ import annotations

TOOL_VERSION = "1.0.0"
"""The version of the package; its metadata, read from here, take longer to read."""
