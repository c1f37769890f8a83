"""A stranger's SELECT in a process of its own, which is killed when its time is over."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, BinaryIO

from sr_tracker.schema import errors
from sr_tracker.schema.errors import QueryError, TrackerError

if TYPE_CHECKING:
    from sr_tracker.queries.reading import Result

PROCESSES = 4
"""How many queries run at a time, at most."""
PATIENCE_SECONDS = 5.0
"""How long a further one waits for one of them to end, and for who has the file open."""
BYTES_LIMIT = 64 * 10**6
"""Size of an answer, at most."""
_START_SECONDS = 30.0
_ADDRESSES_LIMIT = 4 * 2**30
"""What a process may take in all: the engine heeds its limit, single functions and Arrow do not."""
_BEGUN = b"\n"
_PIECE = 2**20
_NICE = 10
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux
_TOO_MUCH = "ask for fewer rows or columns, or for sums of them"

_free = BoundedSemaphore(PROCESSES)


def run_query(
    path: Path, query: str, *, rows: int, seconds: float, patience: float = PATIENCE_SECONDS
) -> Result:
    """Return the result of one reading statement on the database at ``path``, as ``read_sql`` does.

    The process reaches no file but the database, and is killed ``seconds`` after the statement has
    begun, whatever it does. May be called from any thread, which the process does not outlive.

    Raises QueryError also where the answer is larger than BYTES_LIMIT, or PROCESSES others have run
    for ``patience`` seconds; DatabaseUnavailableError where the file cannot be opened.
    """
    if not _free.acquire(timeout=patience):
        raise QueryError(
            f"{PROCESSES} queries are running, as many as may at a time",
            hint="ask again when one of them has ended",
        )
    try:
        task = {"path": str(path), "query": query, "rows": rows, "patience": patience}
        return _run(json.dumps(task).encode(), seconds, patience + _START_SECONDS)
    finally:
        _free.release()


def _run(task: bytes, seconds: float, start_seconds: float) -> Result:
    lifetime = str(int(seconds + start_seconds) + 1)
    process = subprocess.Popen(  # noqa: S603
        # -P: the folder it is called in holds no modules.
        [sys.executable, "-P", "-m", __name__, str(os.getpid()), lifetime],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0,  # Ctrl-C is for the parent
    )
    with process:
        try:
            with suppress(BrokenPipeError), process.stdin as asked:  # type: ignore[union-attr]
                asked.write(task)
            answer = _received(process.stdout, seconds, start_seconds)  # type: ignore[arg-type]
        finally:
            process.kill()
    return _result(answer.removeprefix(_BEGUN), process.returncode)


def _received(pipe: BinaryIO, seconds: float, start_seconds: float) -> bytes:
    """Return all that comes through a pipe, within ``seconds`` of its first byte."""
    answer = bytearray()
    until = time.monotonic() + start_seconds
    with DefaultSelector() as selector:
        selector.register(pipe, EVENT_READ)
        while (left := until - time.monotonic()) > 0 and selector.select(left):
            piece = os.read(pipe.fileno(), _PIECE)
            if not piece:
                return bytes(answer)
            if not answer:
                until = time.monotonic() + seconds
            answer += piece
            if len(answer) > BYTES_LIMIT:
                raise QueryError(
                    f"the answer is larger than {BYTES_LIMIT // 10**6} MB", hint=_TOO_MUCH
                )
    if not answer:
        raise QueryError(
            f"the query has not begun within {start_seconds:g} seconds",
            hint="ask again when the machine is less busy",
        )
    raise QueryError(f"the query was stopped after {seconds:g} seconds", hint="restrict it")


def _result(answer: bytes, exit_code: int) -> Result:
    """Return what a process has answered. Raises the error that it tells of."""
    import pyarrow as pa

    from sr_tracker.queries.reading import Result

    head, _, rows = answer.partition(b"\n")
    if not head:
        raise QueryError(
            f"the query ended its process (exit code {exit_code}): as a rule that is memory",
            hint=_TOO_MUCH,
        )
    told: dict[str, Any] = json.loads(head)
    if "error" in told:
        raise getattr(errors, told.pop("error"))(**told)
    return Result(pa.ipc.open_stream(rows).read_all(), told["truncated"])


def main() -> None:
    """Answer the task on stdin on stdout: what ends a line that tells, and then rows as Arrow."""
    _end_with_parent(*map(int, sys.argv[1:]))
    task = json.load(sys.stdin)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else is written between answers
    with answers:
        try:
            _answer(answers, **task)
        except TrackerError as error:
            told = {"message": error.message, "where": error.where, "hint": error.hint}
            _tell(answers, {"error": type(error).__name__, **told})


def _answer(answers: BinaryIO, path: str, query: str, rows: int, patience: float) -> None:
    import pyarrow as pa

    from sr_tracker.queries.catalog import open_installed
    from sr_tracker.queries.reading import lock_down, read_sql

    with open_installed(path, read_only=True, create=False, wait_seconds=patience) as database:
        # What does not fit into memory is an error: a killed process would leave its files.
        database.connection.execute("SET temp_directory = ''")
        lock_down(database)
        _limit_addresses()
        os.nice(_NICE)
        answers.write(_BEGUN)
        answers.flush()
        result = read_sql(database, query, rows=rows, seconds=None)
        _tell(answers, {"truncated": result.truncated})
        with pa.ipc.new_stream(answers, result.rows.schema) as stream:
            stream.write_table(result.rows)


def _tell(answers: BinaryIO, told: dict[str, Any]) -> None:
    answers.write(json.dumps(told).encode() + b"\n")


def _end_with_parent(parent: int, lifetime: int) -> None:
    """Have the system end this process with its parent and, where it cannot, after seconds."""
    signal.alarm(lifetime)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended before
            sys.exit(1)


def _limit_addresses() -> None:
    if sys.platform == "linux":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        known = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([*known, _ADDRESSES_LIMIT]), hard))


if __name__ == "__main__":
    main()
