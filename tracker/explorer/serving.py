"""Serving the explorer until it is interrupted."""

from __future__ import annotations

import socket
import webbrowser
from asyncio import Transport
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import datetime
from functools import partial

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ...schema.address import Place
from ...schema.errors import InputError
from ...schema.iterations import resolve_submission
from ..api.tokens import Team, Tokens
from ..pages.addresses import address
from .app import application
from .editing import Editor
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
            from .running import Runner
            from .teams import Door

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
    from .hiding import WithoutOutputs

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
