"""What people touch: the interface in Python, the command line, pictures, pages and MLflow."""

from __future__ import annotations

import signal


def main() -> None:
    """Run the command line; until it can say what it keeps, Ctrl-C ends it without a word."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main

    main()
