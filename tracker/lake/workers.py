"""Doing work by many processes: of this machine, of a Dask scheduler, of a Ray cluster."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from ...queries.catalog import open_installed
from ...queries.lake import Batch, Compute, Done, copy_file, cut, work
from ...schema.brief import Brief
from ...schema.database import WAIT_SECONDS, Database
from ...schema.engine import own_cores
from ...schema.errors import (
    DatabaseBusyError,
    DatabaseUnavailableError,
    InputError,
    TrackerError,
    first_line,
    optional_packages,
    require,
)
from ...schema.folders import HeldFolder
from ...schema.lake.copying import Copied
from ...schema.progress import Progress
from .operations import place_of_tracker

if TYPE_CHECKING:
    from ..api.tracker import Tracker

_LOCAL = re.compile(r"local(?::(?P<processes>\d+))?")
_CONNECT_SECONDS = 15
_RECONNECT_SECONDS = 30
"""So long Ray's client tries to reach a cluster again, at most."""


Died = tuple[type[BaseException], ...]
"""What an engine raises for work whose process died."""


@contextmanager
def executor_of(
    scheduler: str, wait_seconds: float = WAIT_SECONDS
) -> Iterator[tuple[Executor, Died]]:
    """Give the block what does work: ``local:4``, ``tcp://…`` (Dask), ``ray://…``; and its errors.

    Raises InputError for another address, SchedulerError where nobody answers,
    MissingDependencyError where the engine is not installed.
    """
    local = _LOCAL.fullmatch(scheduler)
    if local:
        processes = int(local["processes"] or own_cores())
        if not processes:
            raise InputError("local:0 has no process", hint="local:4 has four")
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            yield pool, (BrokenProcessPool,)
    elif scheduler.startswith(("tcp://", "tls://")):
        with optional_packages():
            from distributed import Client, KilledWorker
        try:
            client: Any = Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise SchedulerError(
                "no scheduler answers",
                where=scheduler,
                hint="'dask scheduler' starts one and 'dask worker ADDRESS' its workers, which "
                "need sr-tracker as well",
            ) from error
        with client:
            try:
                client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
            except TimeoutError as error:
                raise SchedulerError(
                    "the scheduler has no worker",
                    where=scheduler,
                    hint=f"'dask worker {scheduler}' starts one",
                ) from error
            yield client.get_executor(pure=False), (KilledWorker,)
    elif scheduler == "ray" or scheduler.startswith("ray://"):
        with _Ray(scheduler, wait_seconds) as cluster:
            yield cluster, cluster.died
    else:
        raise InputError(
            f"'{scheduler}' is no scheduler",
            hint="it is local:N (processes of this machine), tcp://HOST:PORT (Dask), ray (this "
            "machine's cluster) or ray://HOST:PORT",
        )


class SchedulerError(DatabaseUnavailableError):
    """Who does the work cannot be reached, or was lost."""


class _Ray(Executor):
    """A Ray cluster as an executor, which is lost when it was out of reach for so long."""

    def __init__(self, address: str, wait_seconds: float) -> None:
        with optional_packages():
            import ray
        require("grpc")
        from ray.exceptions import NodeDiedError, OutOfMemoryError, WorkerCrashedError

        self._ray = ray
        self.died: Died = (WorkerCrashedError, NodeDiedError, OutOfMemoryError)
        for name in ("client_builder", "util.client.dataclient", "util.client.logsclient"):
            logging.getLogger(f"ray.{name}").disabled = True  # its loss is said in a sentence
        seconds = max(1, min(_RECONNECT_SECONDS, int(wait_seconds)))
        os.environ.setdefault("RAY_CLIENT_RECONNECT_GRACE_PERIOD", str(seconds))
        try:
            ray.init(address if "://" in address else None, log_to_driver=False)
        except (ConnectionError, OSError, RuntimeError) as error:
            raise SchedulerError("no Ray cluster answers", where=address) from error

    def submit(self, fn: Callable[..., Any], /, *values: Any, **named: Any) -> Future[Any]:
        """Let the cluster call a function."""
        return self._ray.remote(fn).remote(*values, **named).future()  # type: ignore[no-any-return]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Leave the cluster."""
        self._ray.shutdown()


_ROUNDS = 5
"""So often a batch is begun whose worker dies, or finds that others write all the time."""
_DIED = "a worker died"


@dataclass(frozen=True, repr=False)
class Work(Brief):
    """What many processes did."""

    treebanks: int
    submissions: int
    batches: int
    rows: Mapping[str, int]
    """How many rows are new, by table."""
    restarted: int = 0
    """Batches that were begun again, because their worker died or others wrote all the time."""


def run(
    steps: Sequence[Sequence[Batch]],
    compute: Compute,
    scheduler: str,
    *,
    progress: Progress,
    say: Callable[[str], None],
    wait_seconds: float = WAIT_SECONDS,
) -> Work:
    """Do batches, one list after the other, by an engine (``executor_of``); return what was new.

    Batches are committed one by one: what was committed stays, whatever comes, and the next call
    goes on. Raises the error of a batch that fails, SchedulerError where the engine is lost, or
    where workers die, or others write, again and again.
    """
    folder = HeldFolder("work")
    total = sum(len(batches) for batches in steps)
    copied, done, restarted, reason = Copied(), 0, 0, ""
    try:
        for batches in steps:
            left = list(batches)
            for _ in range(_ROUNDS):
                failed: list[Batch] = []
                with executor_of(scheduler, wait_seconds) as (executor, died):
                    futures = {
                        executor.submit(work, batch, compute, folder.name, wait_seconds): batch
                        for batch in left
                    }
                    for future in as_completed(futures):
                        batch = futures[future]
                        result = _result(future, batch, scheduler, died)
                        if isinstance(result, str):
                            failed.append(batch)
                            reason = result
                            say(f"{reason}: {batch} is begun again")
                            continue
                        copied += _committed(result, wait_seconds, say)
                        done += 1
                        progress(str(batch), done, total)
                restarted += len(failed)
                left = failed
                if not left:
                    break
            if left:
                raise SchedulerError(
                    f"{left[0]} was begun {_ROUNDS} times: {reason}",
                    where=scheduler,
                    hint="what was done stays. Have workers that die enough memory?",
                )
    finally:
        folder.cleanup()
    every = [batch for part in steps for batch in part]
    return Work(
        len({batch.treebank_id for batch in every}),
        sum(len(batch.submissions) for batch in every),
        total,
        copied.rows,
        restarted,
    )


def _committed(done: Done, wait_seconds: float, say: Callable[[str], None]) -> Copied:
    if done.file is None:
        return done.copied
    with open_installed(done.batch.place, wait_seconds=wait_seconds, say=say) as database:
        copied = copy_file(database, done.file, done.batch.chosen)
    shutil.rmtree(done.file.parent, ignore_errors=True)
    return copied


def _result(future: Future[Any], batch: Batch, scheduler: str, died: Died) -> Done | str:
    """Return what a batch brought, or why it is to be begun again. Raises its own errors."""
    try:
        result = future.result()
    except DatabaseBusyError as error:
        return error.message
    except TrackerError:
        raise
    except died:
        return _DIED
    except (CancelledError, OSError) as error:
        raise SchedulerError(
            f"the scheduler was lost at {batch}: {first_line(error) or type(error).__name__}",
            where=scheduler,
            hint="what was committed stays; do it again when it is back, that goes on",
        ) from error
    assert isinstance(result, Done)  # noqa: S101
    return result


def by_many(
    tracker: Tracker,
    scheduler: str,
    step: str,
    pending: Callable[[Database], Sequence[str]],
    *,
    progress: Progress,
    **settings: Any,
) -> Work:
    """Let many processes do a step (score, analyse, significance) for the pending submissions."""
    with tracker.reading() as database:
        batches = cut(
            database,
            place_of_tracker(tracker),
            pending(database),
            whole_treebanks=step == "significance",
        )
    return run(
        batches,
        compute_of(step, **settings),
        scheduler,
        progress=progress,
        say=tracker.say,
        wait_seconds=tracker.wait,
    )


def compute_of(step: str, **settings: Any) -> Compute:
    """Return what a worker does for a step with its settings: other processes can be given it."""
    return partial(_do, step=step, settings=settings)


def _do(
    database: Database, submissions: Sequence[str], *, step: str, settings: dict[str, Any]
) -> None:
    from ..api.tracker import Tracker

    selection = "submissions" if step == "score" else "submission"
    getattr(Tracker(database), step)(**{selection: submissions}, **settings)
