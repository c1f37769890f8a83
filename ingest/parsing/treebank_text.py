"""The files that parsers are trained on, put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sr_tracker.ingest.parsing.gold import read_gold
from sr_tracker.schema.files import read_text


def concatenate(files: Sequence[Path]) -> str:
    """Return the sentences of several CoNLL-U files, one file after the other.

    Raises InputError with file and line for what is not CoNLL-U or no tree, and for an empty file.
    """
    for file in files:
        read_gold(file)
    return "".join(f"{read_text(file).strip()}\n\n" for file in files)
