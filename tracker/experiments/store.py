"""The MLflow store: quiet, quick to give up, and found again by our own tags."""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit
from urllib.request import url2pathname

from ...schema.database import Database
from ...schema.errors import InputError, MissingDependencyError, TrackerError
from ...schema.files import part_of
from ...schema.short_cuts import without_what_is_passed_over
from .rest import OURS, PLACE, RUNS_AT_ONCE, serves_explorer
from .submissions import (
    CAMPAIGN,
    EXPLORER,
    FINGERPRINT,
    KIND,
    SUBMISSION_ID,
    missing_tags,
)

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Experiment, Run
    from mlflow.store.entities import PagedList

_LINEAGE_ID = "sr_tracker.lineage_id"
"""A tag of runs over iterations, which layouts up to 10 had."""
_SETTINGS = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
}
_FIRST_REQUEST = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "0", "MLFLOW_HTTP_REQUEST_TIMEOUT": "10"}
_NOISY = ("mlflow", "alembic", "urllib3")
_SQLITE = "sqlite:///"
_IN_MEMORY = re.compile(r"sqlite(\+\w+)?:/{0,3}(:memory:)?(\?.*)?|sqlite.*(:memory:|mode=memory).*")
_REMOTE = re.compile(r"(https?|databricks|uc)\b", re.IGNORECASE)
_CREDENTIALS = re.compile(
    r"(?<=://)(?:[^/@\s]+@|[^/@\s:]*:(?!\d{1,5}/)\S*@)|(?<=password=)[^&\s]+", re.IGNORECASE
)
"""Users and passwords in addresses; after a colon, a number and a slash are a port and a path."""
_HINTS = {
    r"\b40[13]\b": "name yourself by MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD (or "
    "MLFLOW_TRACKING_TOKEN); then 'tracker share log' catches up",
    "out-of-date database schema": "another version of MLflow made the store: install a newer one "
    "here, or, after a backup, bring an older store to this one by 'mlflow db upgrade'",
    "": "the results are kept in the database; 'tracker share log' catches up once the store is "
    "there again",
}
"""What to do, by what MLflow says; the first that is found."""
_ARTIFACTS = "mlartifacts"
_ASIDE = "(raised as a result of"

Value = TypeVar("Value")


class TrackingUnavailableError(TrackerError):
    """The MLflow store or server does not answer, or refuses what it is sent."""

    exit_code = 3


class Store:
    """An MLflow tracking store, used without touching the process's active run."""

    def __init__(self, client: MlflowClient, uri: str, artifacts: Path) -> None:
        self.client = client
        self.uri = uri
        self._artifacts = artifacts

    @property
    def is_remote(self) -> bool:
        """Whether a server keeps it."""
        return _REMOTE.match(self.uri) is not None

    def experiment(self, name: str, primary: str) -> Experiment:
        """Return an experiment, made where there is none, restored where deleted.

        A new one's charts begin with the ``primary`` metric.

        One that a user has made gets what it lacks to hold our runs. Raises
        TrackingUnavailableError where its artifacts would go to where the store lay before.
        """
        experiment = self.client.get_experiment_by_name(name)
        if experiment is None:
            location = None
            if not self.is_remote:
                location = (self._artifacts / name).as_uri()
            experiment = self._made(name, location)
        elif experiment.lifecycle_stage == "deleted":
            self.client.restore_experiment(experiment.experiment_id)
        self._check_place(experiment)
        identity, tags = experiment.experiment_id, experiment.tags
        for tag, value in missing_tags(identity, name, primary, tags).items():
            self._tag(identity, tag, value)
        return experiment

    def _check_place(self, experiment: Experiment) -> None:
        """Raise TrackingUnavailableError where artifacts would go to where the store was before."""
        recorded = urlsplit(experiment.artifact_location)
        before = Path(url2pathname(recorded.path)).parent
        if self.is_remote or recorded.scheme != "file":
            return
        if before.name != _ARTIFACTS or before == self._artifacts or before.is_dir():
            return
        raise TrackingUnavailableError(
            f"the store was moved: MLflow writes artifacts of '{experiment.name}' to {before}, "
            "which is gone",
            where=self.uri,
            hint=f"move it back to {before.parent}; or remove the store and its {_ARTIFACTS}: "
            "'tracker share log' makes another, with all runs",
        )

    def _tag(self, experiment_id: str, tag: str, value: str) -> None:
        insert(partial(self.client.set_experiment_tag, experiment_id, tag, value))

    def _made(self, name: str, location: str | None) -> Experiment:
        """Make an experiment, or return the one that another process has made meanwhile."""
        from mlflow.exceptions import MlflowException

        try:
            return self.client.get_experiment(self.client.create_experiment(name, location))
        except MlflowException:
            experiment = self.client.get_experiment_by_name(name)
            if experiment is None:
                raise
            return experiment

    def explorer(self, experiment: Experiment, named: str | None) -> str:
        """Return where the explorer of an experiment's campaign is, "" where that is not known.

        That is the one ``named``; else the one stored with the experiment; else a place on
        MLflow's own server, where that has the application.
        """
        before: str = experiment.tags.get(EXPLORER, "")
        address = named or before or (PLACE if serves_explorer(self.uri) else "")
        if address != before:
            self._tag(experiment.experiment_id, EXPLORER, address)
        return address

    def experiments(self) -> list[str]:
        """Return the ids of the experiments that hold our runs."""
        held = f"tags.`{CAMPAIGN}` LIKE '%'"
        search = partial(self.client.search_experiments, filter_string=held)
        return [str(experiment.experiment_id) for experiment in _all(search)]

    def runs(self, experiment_id: str, *, heal: bool = True) -> dict[str, Run]:
        """Return the experiment's runs that are ours, by submission.

        Of two runs for the same thing, which two writers at once can leave, the older is returned,
        and the newer deleted if ``heal``; so are runs over iterations, which are no longer made.
        """
        search = partial(
            self.client.search_runs,
            [experiment_id],
            filter_string=OURS,
            order_by=["attributes.created ASC"],
            max_results=RUNS_AT_ONCE,
        )
        runs: dict[str, Run] = {}
        for run in _all(search):
            tags = run.data.tags
            submission = tags.get(SUBMISSION_ID)
            if submission is not None and runs.setdefault(submission, run) is run:
                continue
            if heal and (submission is not None or _LINEAGE_ID in tags):
                self.client.delete_run(run.info.run_id)
        return runs

    def deleted_submissions(self, experiment_id: str) -> set[str]:
        """Return the submissions that an experiment's deleted runs were of."""
        from mlflow.entities import ViewType

        search = partial(
            self.client.search_runs,
            [experiment_id],
            filter_string=f"tags.`{KIND}` = 'submission'",
            run_view_type=ViewType.DELETED_ONLY,
            max_results=RUNS_AT_ONCE,
        )
        return {run.data.tags.get(SUBMISSION_ID, "") for run in _all(search)}


def insert(write: Callable[[], object]) -> None:
    """Write what MLflow inserts where it finds nothing, again where another process was first.

    The second time MLflow finds the other's row. Raises what MLflow raises for any other reason.
    """
    from mlflow.exceptions import MlflowException

    try:
        write()
    except MlflowException as error:
        if error.error_code != "BAD_REQUEST":
            raise
        write()


def _all(search: Callable[..., PagedList[Value]]) -> Iterator[Value]:
    """Yield what a search of MLflow's finds, page after page."""
    token = None
    while True:
        page = search(page_token=token)
        yield from page
        token = page.token
        if not token:
            return


def shows(run: Run | None, fingerprint: str) -> bool:
    """Return whether a run is complete and shows what has this fingerprint."""
    return run is not None and is_shown(run.info.status, run.data.tags, fingerprint)


def is_shown(status: str, tags: Mapping[str, str], fingerprint: str) -> bool:
    """Return whether a run of this status, with these tags, shows what has this fingerprint."""
    return status == "FINISHED" and tags.get(FINGERPRINT) == fingerprint


@contextmanager
def open_store(database: Database, tracking_uri: str | None) -> Iterator[Store]:
    """Open a tracking store; without a URI, ``mlflow.db`` beside the database.

    Artifacts lie in ``mlartifacts`` beside the database unless a server keeps them. Within the
    block, MLflow is quiet and gives up soon. Raises InputError for a store in memory,
    TrackingUnavailableError for what MLflow raises, MissingDependencyError where a database's
    driver is not installed.
    """
    folder, uri = _folder(database), store_address(database, tracking_uri)
    if _IN_MEMORY.fullmatch(uri):
        raise InputError(
            f"the store {uri} is in memory: what is logged there is gone with the command",
            hint="name a file (sqlite:///mlflow.db) or a server (http://…) with --tracking-uri",
        )
    with _mlflow(uri, {**_SETTINGS, **_FIRST_REQUEST}):
        if file := store_file(uri):
            _make_whole(file)
        client = _connected(uri)
    with _mlflow(uri, _SETTINGS):
        yield Store(client, uri, folder / _ARTIFACTS)


def store_address(database: Database, tracking_uri: str | None) -> str:
    """Return the address of a tracking store; without a URI, of the one beside the database."""
    return tracking_uri or f"{_SQLITE}{_folder(database) / 'mlflow.db'}"


def is_served(uri: str) -> bool:
    """Return whether a server keeps the store, whose pages are at the same address."""
    return uri.lower().startswith(("http://", "https://"))


def store_file(uri: str) -> Path | None:
    """Return the file of a SQLite store; None for every other store."""
    path = uri.removeprefix(_SQLITE)
    return None if path == uri or not path or "?" in path else Path(path)


def _folder(database: Database) -> Path:
    return (database.path.parent if database.path else Path()).resolve()


def _connected(uri: str) -> MlflowClient:
    """Return a client whose store has answered; MLflow makes a SQLite store where there is none."""
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=uri)
    client.search_experiments(max_results=1)
    return client


def _make_whole(file: Path) -> None:
    """Make a SQLite store where there is none, under another name until all its tables are there.

    MLflow makes them one by one and cannot go on where it was interrupted. Of two that make it at
    once, the second finds it there. Where a folder is missing, MLflow says so.
    """
    if file.exists() or not file.parent.is_dir():
        return
    part = part_of(file)
    try:
        _connected(f"sqlite:///{part}")
        os.link(part, file)
    except FileExistsError:
        pass
    finally:
        for left in (part, part.with_name(f"{part.name}-journal")):
            left.unlink(missing_ok=True)


def guarded(uri: str) -> AbstractContextManager[None]:
    """Keep MLflow quiet within the block, and turn what it raises into our errors."""
    return _mlflow(uri, _SETTINGS)


@contextmanager
def _mlflow(uri: str, settings: Mapping[str, str]) -> Iterator[None]:
    """Do the block with these settings, unless the user has set them, without MLflow's own words.

    Its errors come as exceptions, which become ours; its warnings are none, whatever ``-W`` says.
    """
    ours = {name: value for name, value in settings.items() if name not in os.environ}
    os.environ.update(ours)
    loggers = [logging.getLogger(name) for name in _NOISY]
    levels = [logger.level for logger in loggers]
    try:
        with without_what_is_passed_over(), warnings.catch_warnings(action="ignore"):
            from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        try:
            with warnings.catch_warnings(action="ignore"):
                yield
        except ImportError as error:
            raise MissingDependencyError(
                f"this MLflow store needs the package '{error.name}'",
                where=without_credentials(uri),
                hint="install it with pip, or name another --tracking-uri",
            ) from error
        except (MlflowException, SQLAlchemyError, OSError) as error:
            hint = next(hint for reason, hint in _HINTS.items() if re.search(reason, str(error)))
            raise TrackingUnavailableError(
                _what_happened(error), where=without_credentials(uri), hint=hint
            ) from error
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        for name in ours:
            os.environ.pop(name, None)


def _what_happened(error: BaseException) -> str:
    from requests.exceptions import ConnectionError as NoConnection
    from requests.exceptions import Timeout

    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, NoConnection | Timeout):
            return "the MLflow server does not answer"
        cause = cause.__cause__ or cause.__context__
    lines = (line.strip() for line in str(error).splitlines())
    first_line = next((line for line in lines if line and not line.startswith(_ASIDE)), "")
    return f"MLflow refuses: {without_credentials(first_line)[:300]}"


def without_credentials(text: str) -> str:
    """Return a text with the user names and passwords of its addresses left out."""
    return _CREDENTIALS.sub("", text)
