"""The engines that do work: each gives what has ``submit`` and returns futures."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from sr_tracker.schema.errors import DatabaseUnavailableError, InputError
from sr_tracker.schema.optional import optional_packages

_LOCAL = re.compile(r"local(?::(?P<processes>\d+))?")
_CONNECT_SECONDS = 15


@contextmanager
def executor_of(scheduler: str) -> Iterator[Executor]:
    """Give the block what does work: ``local:4``, ``tcp://…`` (Dask) or ``ray://…``.

    Raises InputError for another address, SchedulerError where nobody answers,
    MissingDependencyError where the engine is not installed.
    """
    local = _LOCAL.fullmatch(scheduler)
    if local:
        processes = int(local["processes"] or os.cpu_count() or 1)
        if not processes:
            raise InputError("local:0 has no process", hint="local:4 has four")
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            yield pool
    elif scheduler.startswith(("tcp://", "tls://")):
        with optional_packages():
            from distributed import Client
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
            yield client.get_executor(pure=False)
    elif scheduler == "ray" or scheduler.startswith("ray://"):
        with _Ray(scheduler) as cluster:
            yield cluster
    else:
        raise InputError(
            f"'{scheduler}' is no scheduler",
            hint="it is local:N (processes of this machine), tcp://HOST:PORT (Dask), ray (this "
            "machine's cluster) or ray://HOST:PORT",
        )


class SchedulerError(DatabaseUnavailableError):
    """Who does the work cannot be reached, or was lost."""


class _Ray(Executor):
    """A Ray cluster as an executor."""

    def __init__(self, address: str) -> None:
        with optional_packages():
            import ray
        self._ray = ray
        try:
            ray.init(address if "://" in address else None, log_to_driver=False)
        except (ConnectionError, OSError, RuntimeError) as error:
            raise SchedulerError("no Ray cluster answers", where=address) from error

    def submit(self, fn: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Let the cluster call a function."""
        return self._ray.remote(fn).remote(*given, **named).future()  # type: ignore[no-any-return]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Leave the cluster."""
        self._ray.shutdown()
