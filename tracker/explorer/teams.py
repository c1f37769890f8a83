"""The door of a served campaign: who sends a team's token gets in, and everybody else is told so.

A program sends the token in the header ``Authorization: Bearer …``. A browser asks for a name and a
password (Basic): the name of the team, and the token.
"""

from __future__ import annotations

import binascii
import time
from base64 import b64decode
from collections import deque

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from ...schema.errors import TrackerError
from ..api.tokens import Team, Tokens
from ..cli.remote import RUN
from .app import HEADERS
from .program import CHANGED, Program
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
        self, tokens: Tokens, snapshots: Snapshots, pages: Starlette, runner: Runner
    ) -> None:
        self._tokens, self._snapshots = tokens, snapshots
        self._pages, self._runner = pages, runner
        self._failures: dict[str, deque[float]] = {}
        self._program = Program()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._pages(scope, receive, send)
            return
        request = Request(scope, receive)
        kind, token = _credentials(request.headers.get("Authorization", ""))
        try:
            team = await run_in_threadpool(self._tokens.team_of, token) if token else None
        except TrackerError:
            answer: Response = _plain(
                "the server's file of tokens cannot be read: tell its owner", 503
            )
        else:
            if team and (request.url.path != RUN or kind != "bearer"):
                await self._pages(scope, receive, send)
                return
            answer = await self._command(team, request) if team else self._refusal(request, token)
        answer.headers.update({**HEADERS, "Cache-Control": "no-store"})
        await answer(scope, receive, send)

    async def _command(self, team: Team, request: Request) -> Response:
        if request.method != "POST":
            return _plain("commands are sent by POST", 405)
        if self._program.changed():
            return PlainTextResponse(CHANGED, 503)
        return await self._runner.answer(team, self._snapshots, request)

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
