"""Run tracker commands in forked processes, so that all imports are done before they start.

Prints READY once everything is imported. Then takes one JSON list a line: the file for what the
commands print, and the commands' arguments. Answers with the process that runs them, and when it
has ended with its exit code (negative: the signal that ended it).
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

IMPORTS = (
    *("duckdb", "mlflow", "mlflow.store.tracking.sqlalchemy_store", "numba", "pandas"),
    *("pyarrow.parquet", "rapidfuzz", "sacrebleu", "scipy.stats", "simplemma", "vl_convert"),
    *(
        "sr_tracker.ingest.campaigns.loading",
        "sr_tracker.queries.catalog",
        "sr_tracker.queries.functions.ngrams",
    ),
    *(
        "sr_tracker.queries.functions.tree",
        "sr_tracker.tracker.api.tracker",
        "sr_tracker.tracker.experiments",
        "sr_tracker.queries.reading",
    ),
    *(
        "sr_tracker.tracker.cli.keeping",
        "sr_tracker.tracker.cli.ingest",
        "sr_tracker.tracker.cli.sharing",
        "sr_tracker.tracker.cli.computing",
    ),
)


def run(log: str, commands: list[list[str]]) -> int:
    """Run the commands until one fails; return its exit code."""
    from sr_tracker.tracker.cli import main

    inside = False
    try:
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, 1)
        os.dup2(file, 2)
        for arguments in commands:
            sys.argv = ["tracker", *arguments]
            inside = True
            main()
            inside = False
    except SystemExit as error:
        return int(error.code or 0)
    except KeyboardInterrupt:  # between two commands
        if inside:
            raise
        return 130
    return 0


def main() -> None:
    """Answer requests until there are no more."""
    for module in IMPORTS:
        importlib.import_module(module)
    print("READY", flush=True)  # noqa: T201
    for line in sys.stdin:
        log, commands = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 99
            try:
                code = run(log, commands)
            except BaseException as error:  # noqa: BLE001
                with Path(log).open("a") as file:
                    file.write(f"Traceback of the worker: {error!r}\n")
            os._exit(code)
        print(child, flush=True)  # noqa: T201
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
