"""Which packages register metrics, told without importing one of them."""

from __future__ import annotations

import sys
from pathlib import Path

ENTRY_POINT_GROUP = "sr_tracker.metrics"


def registrations() -> list[Path]:
    """Return the files by which installed packages, each in its version, register metrics."""
    return [
        file
        for folder in dict.fromkeys(sys.path)
        for file in sorted(Path(folder or ".").glob("*-info/entry_points.txt"))
        if f"[{ENTRY_POINT_GROUP}]" in file.read_text(encoding="utf-8", errors="replace")
    ]
