"""A command that a team sent, run in a process of its own: ``python -P -m … ARGUMENTS``."""

from __future__ import annotations

import io
import os
import sys

from ...queries.query_process import end_with_parent, limit_addresses
from ..cli import main

READ_ONLY = "--read-only"
TERMINAL = "TRACKER_SENT_FROM_TERMINAL"
"""The environment variable that says that what is printed goes to a terminal, there."""
SERVER = "TRACKER_SERVER_PROCESS"
"""The environment variable with the process that it must not outlive."""
_NICE = 10


class _Terminal(io.TextIOWrapper):
    """A pipe to a terminal."""

    def isatty(self) -> bool:
        """Return that it is one."""
        return True


if __name__ == "__main__":
    # What it stores is whole or not at all; going on, it would keep the file from the next server.
    end_with_parent(int(os.environ.pop(SERVER)), 0)
    if READ_ONLY in sys.argv[:2]:
        limit_addresses()
        os.nice(_NICE)
    if os.environ.pop(TERMINAL, ""):
        sys.stdout = _Terminal(sys.stdout.buffer, encoding="utf-8", line_buffering=True)
    main()
