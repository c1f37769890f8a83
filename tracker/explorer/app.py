"""The explorer as an application for web servers: addresses, answers, and who may ask."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from ...schema.errors import (
    DatabaseBusyError,
    DatabaseUnavailableError,
    InputError,
    TrackerError,
    UnknownNameError,
)
from ..experiments.rest import answer
from ..pages import PageMaker, catalog, made, request_of
from ..pages.lists import SITE
from ..pages.registry import PAGES, SUBMISSION
from ..pages.submission import EDIT, submission
from ..show.html import CHARTS, asset, served
from ..show.model import Document, Page, Section
from .editing import MOST_BYTES, Editor, RefusedError
from .snapshot import Snapshots

Answer: TypeAlias = Callable[[Request], Awaitable[Response]]
Written: TypeAlias = Callable[[PageMaker, datetime, tuple[tuple[str, str], ...]], str]
"""What gives a page as HTML for what was asked of the database as it stood then."""
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_KEEP = {"Cache-Control": "max-age=86400"}
"""Of what stays the same as long as the program does, and is large."""
ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M2 13C4 2 12 2 14 13'"
    " fill='none' stroke='#2f6690' stroke-width='2.4'/></svg>"
)
_FILE_ROWS, _FILE_SECONDS = 1_000_000, 60.0
_MEDIA = {
    "csv": "text/csv",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
"""What files of rows are, by their kind."""
_ADDRESS = re.compile(r'\b((?:href|src|action|data-names|data-news)="|href": ")/')
_KEPT_PAGES = 64
_WRONG = (400, "Wrong", "This cannot be shown")
_SORRY: tuple[tuple[type[Exception], tuple[int, str, str]], ...] = (
    (UnknownNameError, (404, "Not found", "This cannot be shown")),
    (DatabaseBusyError, (503, "Held", "Another process is writing: nothing was changed")),
    (DatabaseUnavailableError, (503, "Unavailable", "The database cannot be read")),
    (RefusedError, (403, "Refused", "Nothing was changed")),
)
_COOKIE = "sr_tracker_token"
SAME_SERVER = "/"
"""Where MLflow's pages are, if it is on the server of the explorer."""
_STATEMENTS_AT_ONCE = 4
"""Further ones wait in a queue of their own: pages are not behind them."""


def application(
    snapshots: Snapshots,
    hosts: Sequence[str],
    token: str | None = None,
    editor: Editor | None = None,
    mlflow: str | None = None,
    program: Program | None = None,
) -> Starlette:
    """Return the application: it answers those who name one of the ``hosts``.

    With a ``token`` it answers those who bring it, in the address once and then in a cookie.
    Nothing that is asked changes anything; with an ``editor`` forms that are sent do. With
    ``mlflow``, the address of its pages or SAME_SERVER, submissions lead to their runs there. Once
    the ``program`` itself has changed, nothing is answered but that.
    """
    written = _keeping(snapshots, editor.token if editor else "")
    queue = CapacityLimiter(_STATEMENTS_AT_ONCE)
    makers = dict(PAGES)
    if mlflow:
        makers[SUBMISSION] = partial(submission, logged=True)
    routes = [
        *(Route(path, partial(_page, written, maker, snapshots)) for path, maker in makers.items()),
        *([Route("/run/{submission:path}", partial(_run, mlflow, snapshots))] if mlflow else []),
        Route("/sql", partial(_sql_page, snapshots, queue)),
        Route("/names.json", partial(_names, snapshots)),
        Route("/taken", partial(_taken, snapshots)),
        *(Route(f"/rows.{kind}", partial(_rows, snapshots, queue, kind)) for kind in _MEDIA),
        *([Route(EDIT, partial(_edit, editor, snapshots), methods=["POST"])] if editor else []),
        *(Route(f"/{name}", partial(_asset, content, kind)) for name, content, kind in assets()),
        Route(f"/{CHARTS}", _charts),
    ]
    middleware = [
        Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
        Middleware(BaseHTTPMiddleware, dispatch=partial(_guarded, token, program or Program())),
    ]
    return Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={
            404: partial(_missing, snapshots),
            DatabaseUnavailableError: partial(_unavailable, snapshots),
            ClientDisconnect: _gone,
        },
    )


def assets() -> list[tuple[str, bytes, str]]:
    """Return the files that pages take, each by name, with its content and media type."""
    return [
        ("style.css", asset("style.css"), "text/css"),
        ("script.js", asset("script.js"), "text/javascript"),
        ("query.js", asset("query.js"), "text/javascript"),
        ("icon.svg", ICON.encode(), "image/svg+xml"),
    ]


async def _guarded(
    token: str | None, program: Program, request: Request, answer: Answer
) -> Response:
    refused = None if token is None else _refusal(request, token)
    if refused is None and program.changed():
        refused = PlainTextResponse(CHANGED, 503)
    response = await answer(request) if refused is None else refused
    response.headers.update(HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def _refusal(request: Request, token: str) -> Response | None:
    """Return what is answered to who brings no token, or brings it in the address."""
    token_sent = request.query_params.get("token")
    if token_sent is not None and secrets.compare_digest(token_sent.encode(), token.encode()):
        response = RedirectResponse(str(request.url.remove_query_params("token")))
        response.set_cookie(_cookie(request), token, httponly=True, samesite="strict")
        return response
    cookie = request.cookies.get(_cookie(request), "")
    if secrets.compare_digest(cookie.encode(), token.encode()):
        return None
    return PlainTextResponse("this needs the token that the server printed: ?token=…\n", 403)


def _cookie(request: Request) -> str:
    """Return the cookie's name, with the port: all ports of a host are sent its cookies."""
    return f"{_COOKIE}_{request.url.port}"


async def _page(
    written: Written, maker: PageMaker, snapshots: Snapshots, request: Request
) -> Response:
    state = request_of(request.query_params.multi_items(), request.path_params)
    try:
        text = await run_in_threadpool(written, maker, snapshots.taken(), (*state.items(),))
    except (TrackerError, duckdb.Error) as error:
        return _html(request, *_sorry(error, snapshots))
    return _html(request, text)


async def _run(mlflow: str, snapshots: Snapshots, request: Request) -> Response:
    """Lead to a submission's run in MLflow."""
    server, pages = mlflow, mlflow
    if mlflow == SAME_SERVER:  # where it listens: what a request says of its host may be made up
        host, port = request.scope["server"]
        server, pages = f"http://{f'[{host}]' if ':' in host else host}:{port}", ""
    submission_id = request.path_params["submission"]
    try:
        page = await run_in_threadpool(page_of_run, server, submission_id, pages)
    except TrackerError as error:
        return _html(request, *_sorry(error, snapshots))
    return RedirectResponse(page)


async def _edit(editor: Editor, snapshots: Snapshots, request: Request) -> Response:
    """Change what a form asks for, and lead back to its page, made anew."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            return PlainTextResponse("this is too long for a note or a tag\n", 413)
    try:
        form = await run_in_threadpool(editor.change, body)
        await run_in_threadpool(snapshots.renew)
    except (TrackerError, duckdb.Error) as error:
        return _html(request, *_sorry(error, snapshots))
    back = form.get("back", "")
    # An address of ours begins with one line: two would lead to another host.
    back = back if re.match(r"/(?![/\\])", back) else "/"
    return RedirectResponse(request.scope.get("root_path", "") + back, 303)


def _keeping(snapshots: Snapshots, token: str) -> Written:
    """Return what writes pages, and keeps the last ones as long as the database stays the same."""

    @lru_cache(maxsize=_KEPT_PAGES)
    def written(maker: PageMaker, taken: datetime, state: tuple[tuple[str, str], ...]) -> str:
        with snapshots.reading() as tracker:
            return served(made(maker, tracker, dict(state)), SITE, taken, token=token)

    return written


async def _sql_page(snapshots: Snapshots, queue: CapacityLimiter, request: Request) -> Response:
    if "query" in request.query_params and (refused := _refusal_elsewhere(request)):
        return refused
    await run_in_threadpool(snapshots.taken)
    page = await run_sync(catalog.sql, snapshots, request.query_params, limiter=queue)
    snapshots.prepare()
    return _html(request, served(page, SITE, snapshots.taken()))


def _html(request: Request, text: str, status: int = 200) -> Response:
    """Return a page whose addresses are below the one that the application is mounted at."""
    below = request.scope.get("root_path", "")
    if below:
        text = _ADDRESS.sub(lambda match: f"{match[1]}{below}/", text)
    return Response(text, status, media_type="text/html")


def _sorry(error: Exception, snapshots: Snapshots) -> tuple[str, int]:
    """Return a page that says what is wrong with what was asked, and its status."""
    status, kind, title = next((entry for sort, entry in _SORRY if isinstance(error, sort)), _WRONG)
    document = Document(kind, title, [Section("error", "Error", "", missing=str(error))])
    return served(Page(document), SITE, snapshots.last_taken), status


async def _missing(
    snapshots: Snapshots,
    request: Request,
    error: Exception,  # noqa: ARG001
) -> Response:
    nowhere = UnknownNameError("there is no such page", hint="the names above lead to all of them")
    return _html(request, *_sorry(nowhere, snapshots))


async def _unavailable(snapshots: Snapshots, request: Request, error: Exception) -> Response:
    return _html(request, *_sorry(error, snapshots))


async def _gone(request: Request, error: Exception) -> Response:  # noqa: ARG001
    """Return what nobody reads: who sent half a form has hung up."""
    return PlainTextResponse("the form did not come whole\n", 400)


async def _rows(
    snapshots: Snapshots, queue: CapacityLimiter, kind: str, request: Request
) -> Response:
    """Return the rows of the query that the address holds, as a file."""
    if refused := _refusal_elsewhere(request):
        return refused
    query = request.query_params.get("query", "")
    await run_in_threadpool(snapshots.taken)
    return await run_sync(_file, snapshots, kind, query, limiter=queue)


def _refusal_elsewhere(request: Request) -> Response | None:
    """Return what is answered where a page of another site asks: browsers say that it does."""
    if request.headers.get("Sec-Fetch-Site") != "cross-site":
        return None
    return PlainTextResponse("a page of another site may not ask this\n", 403)


def _file(snapshots: Snapshots, kind: str, query: str) -> Response:
    try:
        content = snapshots.file(query, kind, rows=_FILE_ROWS, seconds=_FILE_SECONDS)
    except TrackerError as error:
        return PlainTextResponse(f"{error}\n", 400)
    named = {"Content-Disposition": f'attachment; filename="rows.{kind}"'}
    return Response(content, media_type=_MEDIA[kind], headers=named)


async def _names(snapshots: Snapshots, request: Request) -> Response:  # noqa: ARG001
    def names() -> bytes:
        with snapshots.reading():
            return catalog.names()

    return Response(await run_in_threadpool(names), media_type="application/json")


async def _taken(snapshots: Snapshots, request: Request) -> Response:  # noqa: ARG001
    """Return of when the data are: a page that shows older ones can say so."""
    taken = await run_in_threadpool(snapshots.taken)
    return PlainTextResponse(taken.isoformat())


async def _charts(request: Request) -> Response:  # noqa: ARG001
    content = await run_in_threadpool(asset, CHARTS)
    return Response(content, media_type="text/javascript", headers=_KEEP)


async def _asset(content: bytes, media: str, request: Request) -> Response:  # noqa: ARG001
    return Response(content, media_type=media)


_MOST_EXPERIMENTS = 1000


def page_of_run(mlflow: str, submission_id: str, pages: str) -> str:
    """Return the address of the page of a submission's newest run on a server.

    ``pages`` is what it begins with: where the server's pages are for who looks at them.

    Raises UnknownNameError where MLflow has none, InputError where it does not answer.
    """
    experiments = _answer(mlflow, "experiments", {"max_results": _MOST_EXPERIMENTS})
    mark = '"' if "'" in submission_id else "'"
    runs = _answer(
        mlflow,
        "runs",
        {
            "experiment_ids": [item["experiment_id"] for item in experiments],
            "filter": f"tags.`sr_tracker.submission_id` = {mark}{submission_id}{mark}",
            "max_results": 1,
        },
    )
    if not runs:
        raise UnknownNameError(
            f"MLflow has no run of '{submission_id}'",
            where=mlflow,
            hint="'tracker share log' makes it",
        )
    info = runs[0]["info"]
    return f"{pages}/#/experiments/{info['experiment_id']}/runs/{info['run_id']}"


def _answer(mlflow: str, what: str, body: dict[str, object]) -> list[dict[str, Any]]:
    try:
        return list(answer(mlflow, f"{what}/search", body).get(what, []))
    except (OSError, ValueError) as error:
        raise InputError(
            f"MLflow does not answer: {error}",
            where=mlflow,
            hint="does it run there? --mlflow, or TRACKER_MLFLOW, says where its pages are",
        ) from error


CHANGED = (
    "sr-tracker was changed on disk since this server was started, and would mix the old with the "
    "new: end the server and start it again (tracker serve, or mlflow server)\n"
)
_FOLDERS = ("schema", "ingest", "queries", "tracker")
_READ = {".py", ".sql", ".html", ".css", ".js", ".toml", ".json"}


class Program:
    """The files as they were at first, looked at now and then."""

    def __init__(self, root: Path | None = None, *, looked_every: float = 5.0) -> None:
        """Look at the files below ``root``, at most once in so many seconds."""
        root = root or Path(__file__).resolve().parents[2]
        paths = (path for folder in _FOLDERS for path in (root / folder).rglob("*"))
        self._files = [path for path in paths if path.suffix in _READ]
        self._every = looked_every
        self._first = self._state()
        self._looked, self._changed = time.monotonic(), False

    def changed(self) -> bool:
        """Return whether a file is another one, or gone."""
        if not self._changed and time.monotonic() - self._looked >= self._every:
            self._changed, self._looked = self._state() != self._first, time.monotonic()
        return self._changed

    def _state(self) -> list[tuple[int, int] | None]:
        return [*map(_state, self._files)]


def _state(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_mtime_ns, stat.st_size
