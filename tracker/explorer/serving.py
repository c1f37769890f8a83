"""Serving the explorer until it is interrupted: to all who reach it, or to teams."""

from __future__ import annotations

import binascii
import socket
import time
import webbrowser
from asyncio import Transport
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...queries.hiding import hide_outputs
from ...schema.address import Place
from ...schema.database import open_database
from ...schema.errors import InputError, TrackerError
from ...schema.iterations import resolve_submission
from ..api.tokens import ORGANISE, Team, Tokens
from ..cli.remote import RUN
from ..pages.addresses import address
from .app import CHANGED, HEADERS, Program, application
from .editing import Editor
from .running import Runner
from .snapshot import Original, Snapshots

REQUEST_SECONDS, LEAST_BYTES = 10.0, 1000
"""So long a request that has not come whole may bring less than so much."""


def serve(
    database: Place,
    host: str,
    port: int,
    *,
    token: str | None,
    tokens: Tokens | None,
    hidden_until: datetime | None,
    opened: str | None,
    write: bool,
    mlflow: str | None,
    wait: float,
    say: Callable[[str], None],
) -> None:
    """Serve a database's pages; ``say`` gets their address.

    ``opened`` opens a browser there or, where it names a submission, at the page of that.

    With ``write`` the pages have forms that change notes and tags; with ``mlflow``, the address of
    MLflow's pages, submissions lead to their runs. With ``tokens`` only their teams are let in, and
    may send commands; ``hidden_until`` then they see no outputs but those of their own systems.

    Raises InputError where nothing can listen there, and what opening the database raises.
    """
    with (
        closing(Snapshots(database, wait=wait)) as snapshots,
        ExitStack() as ended,
        listening(host, port) as listener,
    ):
        taken = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        page = "/"
        if opened:
            with snapshots.reading() as tracker:
                page = address("/submission", resolve_submission(tracker.database, opened))
        place = f"http://{shown}:{taken}{page}" + (f"?token={token}" if token else "")
        trusts = token is None and tokens is None
        hosts = ["127.0.0.1", "localhost", "[::1]", shown] if trusts else ["*"]
        editor = Editor(database, wait=wait) if write and tokens is None else None
        pages = partial(application, hosts=hosts, token=token, editor=editor, mlflow=mlflow)
        app: ASGIApp
        if tokens is None:
            app = pages(snapshots)
        else:
            runner = Runner(database, write=write, wait=wait)
            hidden_from = None if hidden_until is None else _hiding(database, hidden_until, wait)
            app = ended.enter_context(closing(Door(tokens, snapshots, pages, runner, hidden_from)))
        config = uvicorn.Config(app, log_level="warning", http=Hurried)
        say(f"serving {database} at {place} (Ctrl-C ends it)")
        if opened is not None:
            webbrowser.open(place)
        uvicorn.Server(config).run(sockets=[listener])


def _hiding(database: Place, until: datetime, wait: float) -> Callable[[Team], Snapshots]:
    """Return what makes a team's copies of a database, without the outputs of others."""

    def hidden_from(team: Team) -> Snapshots:
        def seen(original: Original) -> Original:
            return WithoutOutputs(original, team.systems, until)

        return Snapshots(database, wait=wait, seen=seen)

    return hidden_from


class Hurried(H11Protocol):
    """Hangs up where a request hardly comes: who says nothing would hold a place for ever."""

    _came, _was_slow = 0, True

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self.loop.call_later(REQUEST_SECONDS, self._hang_up)

    def data_received(self, data: bytes) -> None:
        """Take what comes, and count it."""
        self._came += len(data)
        super().data_received(data)

    def _hang_up(self) -> None:
        if self.transport.is_closing():
            return
        state, begun = self.conn.their_state, self.conn.trailing_data[0]
        unheard = state is h11.IDLE and (self.cycle is None or begun)
        slow = bool(unheard or state is h11.SEND_BODY) and not self.flow.read_paused
        if slow and self._was_slow and self._came < LEAST_BYTES:
            self.transport.close()
            return
        self._was_slow, self._came = slow, 0
        self.loop.call_later(REQUEST_SECONDS, self._hang_up)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises InputError where none can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)  # who asks before the server runs waits for it
    except OSError as error:
        listener.close()
        raise InputError(
            f"nothing can listen at {host}, port {port}: {error.strerror}",
            hint="another port, or --port 0 for any that is free",
        ) from error
    return listener


FAILURES, FAILURE_SECONDS = 10, 60.0
"""So many wrong tokens in so many seconds from one address are answered; then it has to wait.

Who has a right one is let in all the same: others behind the same address would lock a team out."""
_MOST_ADDRESSES = 10_000
_ASKS = {"WWW-Authenticate": 'Basic realm="the campaign: team and token", charset="UTF-8"'}


class Door:
    """An application that answers teams, who send tokens: pages, and commands that they send.

    A program sends one in the header ``Authorization: Bearer …``. A browser asks for a name and a
    password (Basic): the name of the team, and the token.
    """

    def __init__(
        self,
        tokens: Tokens,
        snapshots: Snapshots,
        pages: Callable[[Snapshots], Starlette],
        runner: Runner,
        hidden_from: Callable[[Team], Snapshots] | None = None,
    ) -> None:
        """Let in whom the ``tokens`` name.

        ``hidden_from`` returns the copies for a team that may not see all of the ``snapshots``.
        """
        self._tokens, self._runner = tokens, runner
        self._pages = pages
        self._whole = snapshots, pages(snapshots)
        self._hidden_from = hidden_from
        self._of_teams: dict[tuple[str, ...], tuple[Snapshots, Starlette]] = {}
        self._copying = Lock()
        self._failures: dict[str, deque[float]] = {}
        self._program = Program()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._whole[1](scope, receive, send)
            return
        request = Request(scope, receive)
        kind, token = _credentials(request.headers.get("Authorization", ""))
        try:
            team = await run_in_threadpool(self._tokens.team_of, token) if token else None
            seen = await run_in_threadpool(self._seen_by, team) if team else None
        except InputError:
            answer: Response = _plain("the file of tokens cannot be read: tell its owner", 503)
        except TrackerError as error:
            answer = _plain(error.message, 503)
        else:
            if seen and (request.url.path != RUN or kind != "bearer"):
                await seen[1](scope, receive, send)
                return
            if team and seen:
                answer = await self._command(team, seen[0], request)
            else:
                answer = self._refusal(request, token)
        answer.headers.update({**HEADERS, "Cache-Control": "no-store"})
        await answer(scope, receive, send)

    def close(self) -> None:
        """Remove the copies of teams."""
        for snapshots, _ in self._of_teams.values():
            snapshots.close()

    def _seen_by(self, team: Team) -> tuple[Snapshots, Starlette]:
        """Return the copies of the campaign that a team may see, and their pages."""
        if self._hidden_from is None or team.role == ORGANISE:
            return self._whole
        with self._copying:
            if team.systems not in self._of_teams:
                snapshots = self._hidden_from(team)
                self._of_teams[team.systems] = snapshots, self._pages(snapshots)
            return self._of_teams[team.systems]

    async def _command(self, team: Team, snapshots: Snapshots, request: Request) -> Response:
        if request.method != "POST":
            return _plain("commands are sent by POST", 405)
        if self._program.changed():
            return PlainTextResponse(CHANGED, 503)
        return await self._runner.answer(team, snapshots, request)

    def _refusal(self, request: Request, token: str) -> Response:
        """Return what is answered to who sends no token, or a wrong one."""
        if not token:
            text = "this needs a team's token, in the header Authorization (TRACKER_TOKEN)"
            return PlainTextResponse(f"{text}\n", 401, _ASKS)
        now = time.monotonic()
        if len(self._failures) > _MOST_ADDRESSES:
            self._failures.clear()
        host = request.client.host if request.client else ""
        failures = self._failures.setdefault(host, deque(maxlen=FAILURES))
        if len(failures) == FAILURES and now - failures[0] < FAILURE_SECONDS:
            return _plain(f"too many wrong tokens came from {host}: wait a minute", 429)
        failures.append(now)
        return PlainTextResponse("this token is no team's: ask for one\n", 401, _ASKS)


def _plain(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)


def _credentials(header: str) -> tuple[str, str]:
    """Return how a token is sent, and the token; empty where none is."""
    kind, _, sent = header.partition(" ")
    if kind.lower() == "bearer":
        return "bearer", sent.strip()
    if kind.lower() != "basic":
        return "", ""
    try:
        return "basic", b64decode(sent).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return "", ""


class WithoutOutputs:
    """An original without the outputs of others, as long as they are hidden."""

    def __init__(self, original: Original, systems: tuple[str, ...], until: datetime) -> None:
        self.name, self.is_lost_by_error = original.name, original.is_lost_by_error
        self._original = original
        self._systems = systems
        self._until = until

    def may_differ(self, state: Hashable) -> bool:
        """Return whether it is worth asking for the state; at once."""
        hidden, inner = state if isinstance(state, tuple) else (None, state)
        return hidden != self._hidden() or self._original.may_differ(inner)

    def state(self) -> Hashable:
        """Return what is another one after each change, and after the date."""
        return self._hidden(), self._original.state()

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Make a file that holds what the team may see, and return the state that it is of."""
        hidden = self._hidden()
        state = self._original.copy_to(file, wait)
        if hidden:
            text = f"(hidden until {self._until:%Y-%m-%d %H:%M} UTC)"
            with open_database(file) as database:
                hide_outputs(database, self._systems, text)
        return hidden, state

    def _hidden(self) -> bool:
        return datetime.now(UTC) < self._until
