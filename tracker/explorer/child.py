"""A command that a team sent, run in a process of its own: ``python -P -m … ARGUMENTS``."""

from __future__ import annotations

import io
import os
import sys

from ...queries.query_process import limit_addresses
from ..cli import main

READ_ONLY = "--read-only"
TERMINAL = "TRACKER_SENT_FROM_TERMINAL"
"""The environment variable that says that what is printed goes to a terminal, there."""
_NICE = 10


class _Terminal(io.TextIOWrapper):
    """A pipe to a terminal."""

    def isatty(self) -> bool:
        """Return that it is one."""
        return True


if __name__ == "__main__":
    if READ_ONLY in sys.argv[:2]:
        limit_addresses()
        os.nice(_NICE)
    if os.environ.pop(TERMINAL, ""):
        sys.stdout = _Terminal(sys.stdout.buffer, encoding="utf-8", line_buffering=True)
    main()
