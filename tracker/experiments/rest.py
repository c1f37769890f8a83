"""What MLflow's server answers by its REST interface: to import MLflow takes longer."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urljoin

from ...queries.tracked_runs import TrackedRun, TrackedRuns
from ...schema.errors import InputError
from .submissions import EXPLORER

PAGES_VARIABLE = "TRACKER_MLFLOW"
"""The environment variable that says where MLflow's pages are."""
PLACE = "/sr-tracker"
"""Where the explorer is on MLflow's server, if that has it."""
OURS = "tags.`sr_tracker.kind` LIKE '%'"
"""MLflow's filter of the runs that are ours."""
RUNS_AT_ONCE = 1000
_PATIENCE = 3.0
"""Seconds to wait for an answer."""
_SETTINGS = ("MLFLOW_TRACKING_", "MLFLOW_WORKSPACE")
"""Variables that MLflow alone reads: how it reaches a server, for whom and with what proof."""
_ADDRESS = "MLFLOW_TRACKING_URI"


def answer(server: str, what: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Return the answer to a question, ``experiments/search`` for one; a body is sent with it.

    Raises OSError where there is none, ValueError where it is no object in JSON.
    """
    data = None if body is None else json.dumps(body).encode()
    text, _ = _content(f"{server.rstrip('/')}/api/2.0/mlflow/{what}", data)
    content = json.loads(text)
    if not isinstance(content, dict):
        raise ValueError("the answer is no object")
    return content


def _content(address: str, data: bytes | None = None) -> tuple[bytes, str]:
    """Return what is at an address, and of which type that is; raises OSError, ValueError."""
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    request = Request(address, data, {"Content-Type": "application/json"})  # noqa: S310
    try:
        with urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310
            return answer.read(), str(answer.headers.get("content-type", ""))
    except HTTPException as error:
        raise OSError(str(error) or type(error).__name__) from error


def served_runs(server: str, experiment: str) -> TrackedRuns | None:
    """Return the active runs of an active experiment on a server; None where they cannot be read.

    That is where the experiment is not there, the server does not answer as MLflow's does, or
    the environment has settings of MLflow for reaching it.
    """
    if any(name.startswith(_SETTINGS) and name != "MLFLOW_TRACKING_URI" for name in os.environ):
        return None
    try:
        name = quote(experiment, safe="")
        match = answer(server, f"experiments/get-by-name?experiment_name={name}")["experiment"]
        if match["lifecycle_stage"] != "active":
            return None
        experiment_id = str(match["experiment_id"])
        runs: list[TrackedRun] = []
        token = ""
        while True:
            page = answer(
                server,
                "runs/search",
                {
                    "experiment_ids": [experiment_id],
                    "filter": OURS,
                    "max_results": RUNS_AT_ONCE,
                    **({"page_token": token} if token else {}),
                },
            )
            runs += [
                TrackedRun(run["info"]["run_id"], run["info"]["status"], _tags(run["data"]))
                for run in page.get("runs", [])
            ]
            token = page.get("next_page_token", "")
            if not token:
                break
        at = _tags(match).get(EXPLORER, "")
        return TrackedRuns(experiment_id, runs, at or (PLACE if serves_explorer(server) else ""))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def checked_pages(address: str) -> str:
    """Return where MLflow's pages are, without a slash at its end. Raises InputError for others."""
    if not address.startswith(("http://", "https://")):
        raise InputError(
            f"'{address}' is no address of MLflow's pages", hint="such as http://127.0.0.1:5000"
        )
    return address.rstrip("/")


def _tags(of: Mapping[str, Any]) -> dict[str, str]:
    return {tag["key"]: tag["value"] for tag in of.get("tags", [])}


def serves_explorer(server: str) -> bool:
    """Return whether MLflow's server has the explorer beside its own pages."""
    if not server.lower().startswith("http"):
        return False
    try:
        return _content(urljoin(server, f"{PLACE}/icon.svg"))[1].startswith("image/svg")
    except (OSError, ValueError):
        return False
