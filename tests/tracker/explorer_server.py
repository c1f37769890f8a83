"""The explorer served to tests, and what asks it as browsers do."""

from __future__ import annotations

import html
import http.client
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import duckdb
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

from sr_tracker.tracker.explorer.app import application
from sr_tracker.tracker.explorer.serving import Hurried, listening
from sr_tracker.tracker.explorer.snapshot import Snapshots

LONG = 120.0


def charts_of(page: str) -> list[dict[str, Any]]:
    """The charts of a page, as specifications with their rows."""
    return [json.loads(chart) for chart in re.findall(r"data-chart='([^']+)'", page)]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode()

    @property
    def plain(self) -> str:
        """The text without what escaping does."""
        return html.unescape(self.text)

    def leads(self) -> list[str]:
        matches = re.findall(r'(?:href|src)="([^"]+)"', self.text)
        return [html.unescape(matche) for matche in matches if not matche.startswith("#")]

    def charts(self) -> list[dict[str, Any]]:
        return charts_of(self.text)

    def choices(self) -> Iterator[tuple[str, str, str]]:
        """The values of the choices of its forms: the choice, the value, and where that leads."""
        forms = re.findall(r'action="([^"]+)"(?! method)[^>]*>(.*?)</form>', self.text, re.DOTALL)
        for action, form in forms:
            matches = re.findall(r'<input [^>]*name="([^"]+)" value="([^"]*)"', form)
            offered = {
                name: re.findall(r'<option value="([^"]*)"( selected)?', options)
                for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form)
            }
            matches += [(name, v) for name, some in offered.items() for v, chosen in some if chosen]
            for name, some in offered.items():
                others = [matche for matche in matches if matche[0] != name]
                for value, _ in some:
                    state = [(one, html.unescape(v)) for one, v in [*others, (name, value)]]
                    yield name, value, f"{html.unescape(action)}?{urlencode(state)}"

    def queries(self) -> list[str]:
        """The queries of the page's tables and figures, in their order."""
        computed = [urlsplit(lead).query for lead in self.leads() if "/sql?" in lead]
        return [parse_qs(state)["query"][0] for state in computed]


@dataclass(frozen=True)
class Ask:
    """What asks a server."""

    host: str
    port: int

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}"

    def __call__(self, address: str, **headers: str) -> Answer:
        return self._answer("GET", address, None, headers)

    def post(self, address: str, form: Mapping[str, str], **headers: str) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._answer("POST", address, urlencode(form), {**kind, **headers})

    def _answer(
        self, method: str, address: str, body: str | None, headers: Mapping[str, str]
    ) -> Answer:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=LONG)
        with closing(connection):
            connection.request(method, address, body, dict(headers))
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())


@contextmanager
def explorer(
    path: Path, token: str | None = None, place: str = "", **options: Any
) -> Iterator[Ask]:
    """Serve a database at a place for the block, and give what asks the server."""
    with closing(Snapshots(path, wait=LONG)) as snapshots, listening("127.0.0.1", 0) as listener:
        hosts = ["127.0.0.1"] if token is None else ["*"]
        app = Starlette(routes=[Mount(place, application(snapshots, hosts, token, **options))])
        config = uvicorn.Config(app, log_level="critical", http=Hurried)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Ask(*listener.getsockname())
        finally:
            server.should_exit = True
            thread.join()


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """The rows of a query of a database, as pages tell it."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(query).fetchall()
