"""The door of a served campaign: who sends a team's token gets in, and everybody else is told so.

A program sends the token in the header ``Authorization: Bearer …``. A browser asks for a name and a
password (Basic): the name of the team, and the token.
"""

from __future__ import annotations

import binascii
import time
from base64 import b64decode
from collections import deque
from collections.abc import Callable
from threading import Lock

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from ...schema.errors import InputError, TrackerError
from ..api.tokens import ORGANISE, Team, Tokens
from ..cli.remote import RUN
from .app import CHANGED, HEADERS, Program
from .running import Runner
from .snapshot import Snapshots

FAILURES, FAILURE_SECONDS = 10, 60.0
"""So many wrong tokens in so many seconds from one address are answered; then it has to wait.

Who has a right one is let in all the same: others behind the same address would lock a team out."""
_MOST_ADDRESSES = 10_000
_ASKS = {"WWW-Authenticate": 'Basic realm="the campaign: team and token", charset="UTF-8"'}


class Door:
    """An application that answers teams: pages, and commands that they send."""

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
