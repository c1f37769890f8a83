"""The MLflow store: quiet, quick to give up, and found again by our own tags."""

from __future__ import annotations

import logging
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import MissingDependencyError, TrackerError
from sr_tracker.schema.optional import optional_packages, without_what_is_passed_over

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

KIND, SUBMISSION_ID, LINEAGE_ID = (
    "sr_tracker.kind",
    "sr_tracker.submission_id",
    "sr_tracker.lineage_id",
)
FINGERPRINT = "sr_tracker.fingerprint"
"""What the run shows; true of it once its status is FINISHED."""

_SETTINGS = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1",
    "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
}
_FIRST_REQUEST = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "0", "MLFLOW_HTTP_REQUEST_TIMEOUT": "10"}
CAMPAIGN = "sr_tracker.campaign"
"""Tag of the experiments that hold our runs."""
_EXPERIMENT_TAGS = {
    "mlflow.experimentKind": "custom_model_development",
    "mlflow.note.content": "Runs called `system@iteration/treebank` are submissions, nested in "
    "runs called `system/treebank`, which show a system over its iterations (step = iteration). "
    "The columns `relations_worse` and `relations_better` name what changed significantly. "
    "`bleu` is of lower-cased words between blanks, `bleu_13a` is sacreBLEU's default; of `ter` "
    "lower is better. "
    "Search for ``tags.`sr_tracker.kind` = 'submission'`` or `'lineage'` to see one sort only.",
}
_NOISY = ("mlflow", "alembic", "urllib3")
_REMOTE = re.compile(r"(https?|databricks|uc)\b", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")
_ASIDE = "(raised as a result of"
_NOT_IN_NAMES = re.compile(r"[^\w\-. :/]")
_LONGEST_NAME = 250
_LITTLE = 1_000_000
_RUNS_AT_ONCE = 1000

Value = TypeVar("Value")


class TrackingUnavailableError(TrackerError):
    """The MLflow store or server does not answer, or refuses what it is sent."""

    exit_code = 3


class ScratchError(TrackerError):
    """The folder for temporary files is full, or may not be written."""

    exit_code = 3


class Store:
    """An MLflow tracking store, used without touching the process's active run."""

    def __init__(self, client: MlflowClient, uri: str, artifacts: Path) -> None:
        self.client = client
        self.uri = uri
        self._artifacts = artifacts

    def experiment(self, name: str) -> str:
        """Return the id of an experiment, made where there is none, restored where deleted."""
        found = self.client.get_experiment_by_name(name)
        if found is None:
            location = None
            if not _REMOTE.match(self.uri):
                location = (self._artifacts / name).as_uri()
            tags = {**_EXPERIMENT_TAGS, CAMPAIGN: name}
            return str(self.client.create_experiment(name, location, tags))
        if found.lifecycle_stage == "deleted":
            self.client.restore_experiment(found.experiment_id)
        if CAMPAIGN not in found.tags:
            self.client.set_experiment_tag(found.experiment_id, CAMPAIGN, name)
        return str(found.experiment_id)

    def experiments(self) -> list[str]:
        """Return the ids of the experiments that hold our runs."""
        found: list[str] = []
        token = None
        while True:
            page = self.client.search_experiments(
                filter_string=f"tags.`{CAMPAIGN}` LIKE '%'", page_token=token
            )
            found += [str(experiment.experiment_id) for experiment in page]
            token = page.token
            if not token:
                return found

    def runs(self, experiment_id: str, *, heal: bool = True) -> dict[tuple[str, str], Run]:
        """Return the experiment's runs that are ours, by kind of id and id.

        Of two runs for the same thing, which two writers at once can leave, the older is returned,
        and the newer deleted if ``heal``.
        """
        found: dict[tuple[str, str], Run] = {}
        token = None
        while True:
            page = self.client.search_runs(
                [experiment_id],
                filter_string=f"tags.`{KIND}` LIKE '%'",
                order_by=["attributes.created ASC"],
                max_results=_RUNS_AT_ONCE,
                page_token=token,
            )
            for run in page:
                tags = run.data.tags
                kind = SUBMISSION_ID if SUBMISSION_ID in tags else LINEAGE_ID
                if found.setdefault((kind, tags.get(kind, "")), run) is not run and heal:
                    self.client.delete_run(run.info.run_id)
            token = page.token
            if not token:
                return found

    def deleted_submissions(self, experiment_id: str) -> set[str]:
        """Return the submissions that an experiment's deleted runs were of."""
        from mlflow.entities import ViewType

        found: set[str] = set()
        token = None
        while True:
            page = self.client.search_runs(
                [experiment_id],
                filter_string=f"tags.`{KIND}` = 'submission'",
                run_view_type=ViewType.DELETED_ONLY,
                max_results=_RUNS_AT_ONCE,
                page_token=token,
            )
            found.update(run.data.tags.get(SUBMISSION_ID, "") for run in page)
            token = page.token
            if not token:
                return found


def shows(run: Run | None, fingerprint: str) -> bool:
    """Return whether a run is complete and shows what has this fingerprint."""
    return (
        run is not None
        and run.info.status == "FINISHED"
        and run.data.tags.get(FINGERPRINT) == fingerprint
    )


@contextmanager
def open_store(database: Database, tracking_uri: str | None) -> Iterator[Store]:
    """Open a tracking store; without a URI, ``mlflow.db`` beside the database.

    Artifacts lie in ``mlartifacts`` beside the database unless a server keeps them. Within the
    block, MLflow is quiet and gives up soon. Raises TrackingUnavailableError for what MLflow
    raises, MissingDependencyError where MLflow or a database's driver is not installed.
    """
    folder = (database.path.parent if database.path else Path()).resolve()
    uri = tracking_uri or f"sqlite:///{folder / 'mlflow.db'}"
    with _mlflow(uri, {**_SETTINGS, **_FIRST_REQUEST}):
        if tracking_uri is None:
            _make_whole(folder / "mlflow.db")
        client = _connected(uri)
    with _mlflow(uri, _SETTINGS):
        yield Store(client, uri, folder / "mlartifacts")


def _connected(uri: str) -> MlflowClient:
    """Return a client whose store has answered; MLflow makes a SQLite store where there is none."""
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=uri)
    client.search_experiments(max_results=1)
    return client


def _make_whole(file: Path) -> None:
    """Make a SQLite store where there is none, under another name until all its tables are there.

    MLflow makes them one by one and cannot go on where it was interrupted.
    """
    if file.exists():
        return
    part = file.with_name(f".{file.name}.part")
    journal = part.with_name(f"{part.name}-journal")
    for left in (part, journal):
        left.unlink(missing_ok=True)
    try:
        _connected(f"sqlite:///{part}")
        if not file.exists():
            part.replace(file)
    finally:
        for left in (part, journal):
            left.unlink(missing_ok=True)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for the files of a run, which goes with the block.

    Raises ScratchError where the block cannot write into it: the store is not to blame for that.
    """
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    except OSError as error:
        if _is_of_scratch(error):
            raise ScratchError(
                f"temporary files cannot be written: {error.strerror or error}",
                where=os.environ.get("TMPDIR") or "the system's folder for temporary files",
                hint="make room there, or let TMPDIR name a folder that has it; the results are "
                "kept in the database, 'tracker log' catches up",
            ) from error
        raise


def _is_of_scratch(error: OSError) -> bool:
    """Return whether temporary files are what cannot be written; not every error names its file."""
    try:
        folder = tempfile.gettempdir()
        if error.filename is not None:
            return str(error.filename).startswith(folder)
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:  # there is not one folder for temporary files
        return True


def guarded(uri: str) -> AbstractContextManager[None]:
    """Keep MLflow quiet within the block, and turn what it raises into our errors."""
    return _mlflow(uri, _SETTINGS)


@contextmanager
def _mlflow(uri: str, settings: Mapping[str, str]) -> Iterator[None]:
    with _environment(settings):
        with optional_packages(), without_what_is_passed_over():
            from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        with _quiet():
            try:
                yield
            except ImportError as error:
                raise MissingDependencyError(
                    f"this MLflow store needs the package '{error.name}'",
                    where=without_credentials(uri),
                    hint="install it with pip, or name another --tracking-uri",
                ) from error
            except (MlflowException, SQLAlchemyError, OSError) as error:
                raise TrackingUnavailableError(
                    _what_happened(error),
                    where=without_credentials(uri),
                    hint="the results are kept in the database; 'tracker log' catches up "
                    "once the store is there again",
                ) from error


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


def clean_names(values: Mapping[str, Value]) -> dict[str, Value]:
    """Return values under names that MLflow accepts; a name that is taken gets a number."""
    cleaned: dict[str, Value] = {}
    for name, value in values.items():
        candidate = wanted = _clean(name)
        number = 2
        while candidate in cleaned:
            candidate = f"{wanted[: _LONGEST_NAME - 8]}_{number}"
            number += 1
        cleaned[candidate] = value
    return cleaned


def _clean(name: str) -> str:
    parts = [part for part in _NOT_IN_NAMES.sub("_", name).split("/") if part.strip(".")]
    return "/".join(parts)[:_LONGEST_NAME].strip("/") or "_"


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    """Set what MLflow reads from the environment, unless the user has set it."""
    ours = {name: value for name, value in settings.items() if name not in os.environ}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name in ours:
            os.environ.pop(name, None)


@contextmanager
def _quiet() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in _NOISY]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)  # errors come as exceptions, which we tell in a line
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
