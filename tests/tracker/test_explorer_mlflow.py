"""Submissions lead to their runs, of which MLflow's own server tells."""

from __future__ import annotations

import http.server
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

import sr_tracker
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.experiments.rest import checked_pages
from sr_tracker.tracker.explorer.app import page_of_run
from tests.tracker.explorer_server import explorer
from tests.tracker.mlflow_server import Server, serving

OURS = "SAMPLE24/ngram/en_sample-ud1.0-test"


class Answering(http.server.BaseHTTPRequestHandler):
    """Answers as MLflow does, or not, and keeps what it was asked."""

    requests: ClassVar[list[tuple[str, dict[str, Any]]]] = []
    runs: ClassVar[list[dict[str, Any]]] = []
    status = 200

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).requests.append((self.path, body))
        message: dict[str, Any] = {"experiments": [{"experiment_id": "7"}]}
        if "/runs/" in self.path:
            message = {"runs": type(self).runs} if type(self).runs else {}
        self.send_response(type(self).status)
        self.end_headers()
        self.wfile.write(json.dumps(message).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def answering(*runs: dict[str, Any], status: int = 200) -> Iterator[str]:
    Answering.requests.clear()
    Answering.runs, Answering.status = list(runs), status
    with serving(Answering) as address:
        yield address


def test_a_submission_leads_to_its_run(sample_file: Path) -> None:
    computed = {"info": {"experiment_id": "7", "run_id": "abc"}}
    with answering(computed) as mlflow, explorer(sample_file, mlflow=mlflow) as ask:
        (lead,) = [lead for lead in ask(f"/submission/{OURS}").leads() if lead.startswith("/run/")]
        answer = ask(lead)
    assert answer.status == 307
    assert answer.headers["location"] == f"{mlflow}/#/experiments/7/runs/abc"
    assert Answering.requests[-1][1] == {
        "experiment_ids": ["7"],
        "filter": f"tags.`sr_tracker.submission_id` = '{OURS}'",
        "max_results": 1,
    }


def test_what_mlflow_does_not_tell_is_told(sample_file: Path) -> None:
    with answering() as mlflow, explorer(sample_file, mlflow=mlflow) as ask:
        answer = ask(f"/run/{OURS}")
        assert answer.status == 404
        assert f"MLflow has no run of '{OURS}'" in answer.plain
    with answering(status=500) as mlflow, pytest.raises(InputError, match="does not answer"):
        page_of_run(mlflow, OURS, mlflow)
    with explorer(sample_file, mlflow="http://127.0.0.1:9") as ask:
        assert "MLflow does not answer" in ask(f"/run/{OURS}").plain


def test_without_an_address_nothing_leads_there(sample_file: Path) -> None:
    with explorer(sample_file) as ask:
        assert not [lead for lead in ask(f"/submission/{OURS}").leads() if "/run/" in lead]
        assert ask(f"/run/{OURS}").status == 404


def test_an_address_of_mlflow_is_one_of_pages() -> None:
    assert checked_pages("http://127.0.0.1:5000/") == "http://127.0.0.1:5000"
    with pytest.raises(InputError, match="no address of MLflow's pages"):
        checked_pages("sqlite:///mlflow.db")


@pytest.mark.long
def test_a_real_server_tells_of_the_run(copy: Path, tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        server.start()
        sr_tracker.connect(copy).log(submission=OURS, tracking_uri=server.uri)
        page = page_of_run(server.uri, OURS, server.uri)
        assert page.startswith(f"{server.uri}/#/experiments/")
    finally:
        server.stop()
