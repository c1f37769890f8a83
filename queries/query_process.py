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
from threading import BoundedSemaphore, Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from ..schema import errors
from ..schema.database import open_database
from ..schema.errors import QueryError, TrackerError
from .formats import csv_pieces, json_pieces
from .reading import Result

if TYPE_CHECKING:
    import pyarrow as pa

Process: TypeAlias = "subprocess.Popen[bytes]"
PROCESSES = 4
"""How many queries run at a time, at most."""
PATIENCE_SECONDS = 5.0
"""How long a further one waits for one of them to end, and for who has the file open."""
BYTES_LIMIT = 64 * 10**6
"""Size of an answer, at most."""
ROWS, PARQUET = "rows", "parquet"
_TEXTS = {"csv": csv_pieces, "json": json_pieces}
KINDS = (*_TEXTS, PARQUET)
"""The kinds of files that an answer may be."""
ROWS_AT_ONCE = 100
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
    path: Path,
    query: str,
    *,
    rows: int,
    seconds: float,
    patience: float = PATIENCE_SECONDS,
    most: int = BYTES_LIMIT,
    process: Process | None = None,
) -> Result:
    """Return the result of one reading statement on the database at ``path``, as ``read_sql`` does.

    Each text stands in it as often as rows have it: that ``most`` bytes are its size, whoever reads
    it, is seen before it has grown. For the rest see ``run_file``.
    """
    import pyarrow as pa

    from .reading import Result

    head, answer = _run(path, query, ROWS, rows, seconds, patience, most, process)
    return Result(pa.ipc.open_stream(answer).read_all(), head["truncated"])


def run_file(
    path: Path,
    query: str,
    kind: str,
    *,
    rows: int,
    seconds: float,
    process: Process | None = None,
) -> bytes:
    """Return the result of one reading statement as the bytes of a file of one of ``KINDS``.

    The views are those that the database has: the process installs none, as others have the file
    open. It reaches no file but the database, and is killed ``seconds`` after the statement has
    begun, whatever it does. May be called from any thread, which the process does not outlive.
    ``process`` is one that ``start`` made for this database, and answers no other query.

    Raises QueryError also where the answer is larger than BYTES_LIMIT, or PROCESSES others run for
    as long as it waits for them; DatabaseUnavailableError where the file cannot be opened.
    """
    patience, most = PATIENCE_SECONDS, BYTES_LIMIT
    return _run(path, query, kind, rows, seconds, patience, most, process)[1]


def _run(
    path: Path,
    query: str,
    kind: str,
    rows: int,
    seconds: float,
    patience: float,
    most: int,
    process: Process | None,
) -> tuple[dict[str, Any], bytes]:
    """Return what a process says of its answer, and the answer."""
    if not _free.acquire(timeout=patience):
        raise QueryError(
            f"{PROCESSES} queries are running, as many as may at a time",
            hint="ask again when one of them has ended",
        )
    try:
        task = {"query": query, "kind": kind, "rows": rows, "lifetime": int(seconds) + 2}
        with process or start(path, patience) as running:
            try:
                answer = _answer_of(running, json.dumps(task).encode(), seconds, patience, most)
            finally:
                running.kill()
        return _head_and_rows(answer, running.returncode)
    finally:
        _free.release()


def start(path: Path, patience: float = PATIENCE_SECONDS) -> Process:
    """Return a process that opens the database and then waits for one query.

    It ends with the thread that started it, if not before.
    """
    arguments = (str(os.getpid()), str(path), str(patience))
    return subprocess.Popen(  # noqa: S603
        # -P: the folder it is called in holds no modules.
        [sys.executable, "-P", "-m", __name__, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0,  # Ctrl-C is for the parent
    )


class Waiting:
    """A process that opens a database before it is asked: the next query does not wait for it."""

    def __init__(self) -> None:
        """Begin without one."""
        self._spare: tuple[Path, Process] | None = None
        self._changing = Lock()
        self._closed = False

    def run(
        self, path: Path, query: str, *, rows: int, seconds: float, most: int = BYTES_LIMIT
    ) -> Result:
        """Return what ``run_query`` does, and have a new process wait for the next query."""
        process = self._taken(path)
        try:
            return run_query(path, query, rows=rows, seconds=seconds, most=most, process=process)
        finally:
            self.prepare(path)

    def run_file(self, path: Path, query: str, kind: str, *, rows: int, seconds: float) -> bytes:
        """Return what ``run_file`` does, and have a new process wait for the next query."""
        process = self._taken(path)
        try:
            return run_file(path, query, kind, rows=rows, seconds=seconds, process=process)
        finally:
            self.prepare(path)

    def prepare(self, path: Path) -> None:
        """Have a process wait for a query on this database, where none does."""
        Thread(target=self._keep, args=(path,), daemon=True).start()

    def close(self) -> None:
        """End the process that waits, and have no other wait."""
        with self._changing:
            process, self._spare, self._closed = self._spare, None, True
        _end(process)

    def _taken(self, path: Path) -> Process | None:
        with self._changing:
            waiting, self._spare = self._spare, None
        if waiting and waiting[0] == path and waiting[1].poll() is None:
            return waiting[1]
        _end(waiting)
        return None

    def _keep(self, path: Path) -> None:
        with self._changing:
            former = self._spare
            waits = former and former[0] == path and former[1].poll() is None
            if waits or self._closed:
                return
            process = start(path)
            self._spare = path, process
        _end(former)
        process.wait()  # which does not outlive this thread
        with self._changing:
            if self._spare == (path, process):
                self._spare = None


def _end(waiting: tuple[Path, Process] | None) -> None:
    if waiting:
        with waiting[1] as process:
            process.kill()


def _answer_of(process: Process, task: bytes, seconds: float, patience: float, most: int) -> bytes:
    """Return what a process answers to a task, or tells where it cannot begin."""
    start_seconds = patience + _START_SECONDS
    pipe: BinaryIO = process.stdout  # type: ignore[assignment]
    with DefaultSelector() as selector:
        selector.register(pipe, EVENT_READ)
        if not selector.select(start_seconds):
            raise QueryError(
                f"the query has not begun within {start_seconds:g} seconds",
                hint="ask again when the machine is less busy",
            )
    begun = os.read(pipe.fileno(), len(_BEGUN))
    with suppress(BrokenPipeError), process.stdin as stdin:  # type: ignore[union-attr]
        stdin.write(task)
    answer = _received(pipe, seconds, most)
    return answer if begun == _BEGUN else begun + answer


def _received(pipe: BinaryIO, seconds: float, most: int) -> bytes:
    """Return all that comes through a pipe within ``seconds``, ``most`` bytes."""
    answer = bytearray()
    until = time.monotonic() + seconds
    with DefaultSelector() as selector:
        selector.register(pipe, EVENT_READ)
        while (left := until - time.monotonic()) > 0 and selector.select(left):
            piece = os.read(pipe.fileno(), _PIECE)
            if not piece:
                return bytes(answer)
            answer += piece
            if len(answer) > most:
                raise QueryError(f"the answer is larger than {most // 10**6} MB", hint=_TOO_MUCH)
    raise QueryError(f"the query was stopped after {seconds:g} seconds", hint="restrict it")


def _head_and_rows(answer: bytes, exit_code: int) -> tuple[dict[str, Any], bytes]:
    """Return what a process has said, and its answer. Raises the error that it tells of."""
    head, _, rows = answer.partition(b"\n")
    if not head:
        raise QueryError(
            f"the query ended its process (exit code {exit_code}): as a rule that is memory",
            hint=_TOO_MUCH,
        )
    head_values: dict[str, Any] = json.loads(head)
    if "error" in head_values:
        raise getattr(errors, head_values.pop("error"))(**head_values)
    return head_values, rows


def main() -> None:
    """Open a database, and then answer the task on stdin on stdout.

    A line end says that it is open; the answer is a line that tells, and then rows as Arrow.
    """
    parent, path, patience = sys.argv[1:]
    end_with_parent(int(parent), int(float(patience) + _START_SECONDS) + 1)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else is written between answers
    with answers:
        try:
            _answer(answers, path, float(patience))
        except TrackerError as error:
            fields = {"message": error.message, "where": error.where, "hint": error.hint}
            _tell(answers, {"error": type(error).__name__, **fields})


def _answer(answers: BinaryIO, path: str, patience: float) -> None:
    from .limits import lock_down
    from .reading import read_sql

    with open_database(path, read_only=True, create=False, wait_seconds=patience) as database:
        # What does not fit into memory is an error: a killed process would leave its files.
        database.connection.execute("SET temp_directory = ''")
        lock_down(database)
        limit_addresses()
        os.nice(_NICE)
        answers.write(_BEGUN)
        answers.flush()
        signal.alarm(0)  # it may wait for long, but not after its parent: that ends what it reads
        line = sys.stdin.read()
        if not line:
            return
        task = json.loads(line)
        signal.alarm(task["lifetime"])
        result = read_sql(database, task["query"], rows=task["rows"], seconds=None)
        _tell(answers, {"truncated": result.truncated})
        _write(answers, result.rows, task["kind"])


def _write(answers: BinaryIO, rows: pa.Table, kind: str) -> None:
    """Write rows as they are asked for, piece by piece: who reads counts, and ends what is long."""
    if kind == PARQUET:
        import pyarrow.parquet as pq

        pq.write_table(rows, answers)
        return
    if kind in _TEXTS:
        for text in _TEXTS[kind](rows):
            answers.write(text.encode())
        return
    import pyarrow as pa

    # An ENUM's texts would stand in an answer once, and grow where they are shown.
    plain = pa.schema([field.with_type(_without_dictionaries(field.type)) for field in rows.schema])
    with pa.ipc.new_stream(answers, plain) as stream:
        for batch in rows.to_batches(max_chunksize=ROWS_AT_ONCE):
            stream.write_table(pa.Table.from_batches([batch]).cast(plain))


def _without_dictionaries(kind: pa.DataType) -> pa.DataType:
    """Return a type in which each text stands as often as it is used."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_map(kind):
        return pa.map_(_without_dictionaries(kind.key_type), _without_dictionaries(kind.item_type))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_without_dictionaries(kind.value_type), kind.list_size)
    if pa.types.is_list(kind):
        return pa.list_(_without_dictionaries(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_without_dictionaries(field.type)) for field in kind])
    return kind


def _tell(answers: BinaryIO, content: dict[str, Any]) -> None:
    answers.write(json.dumps(content).encode() + b"\n")


def end_with_parent(parent: int, lifetime: int) -> None:
    """Have the system end this process with its parent and, where it cannot, after seconds."""
    signal.alarm(lifetime)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended before
            sys.exit(1)


def limit_addresses() -> None:
    """Bound the memory of this process, where the system can."""
    if sys.platform == "linux":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([*limits, _ADDRESSES_LIMIT]), hard))


if __name__ == "__main__":
    main()
