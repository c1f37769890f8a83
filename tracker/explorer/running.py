"""Commands that teams send to a served campaign: what each may run, and running it.

A command is sent as its name and the values of its parameters, the files that these name with it.
It runs in a process of its own, in an empty folder: what it prints and the files that it leaves
there are the answer. Who reads gets a copy of the campaign; who writes waits for a turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import unwrap
from pathlib import Path
from typing import Any, TypeAlias

import click
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from ...schema.address import Place
from ...schema.errors import HALF_A_PAIR, InputError, TrackerError, UnknownNameError
from ...schema.folders import HeldFolder
from ...schema.names import check_names
from ...schema.parameters import parameter_of
from ..api.methods import READING, WRITING
from ..api.tokens import ORGANISE, Team
from ..api.tracker import Tracker
from ..cli import cli
from ..cli.operation import ANALYSED, OperationCommand
from ..cli.remote import STREAM
from .child import READ_ONLY, SERVER, TERMINAL
from .editing import RefusedError
from .snapshot import Snapshots

Piece: TypeAlias = dict[str, Any]
MOST_BYTES = 512 * 2**20
"""Of the files of a command."""
_HEAD_BYTES = 2**20
_NAME_BYTES = 200
_PIECE = 2**18
READING_SECONDS = 120.0
"""A command that reads is ended after so long: it may be a statement without end."""
READERS = 4
"""Commands that read at a time, at most."""
_SIGN_SECONDS = 5.0
"""A waiting client is told that the server lives, at most this long after it was last told so."""
_WAITING_PIECES = 64
_ENDED = 128 + 9
_MOST_COLUMNS = 10_000
_SUBMIT = "submit"
_MLFLOW = "MLFLOW_TRACKING_URI"


@dataclass
class Order:
    """What a team wants to be run."""

    arguments: list[str]
    shared: list[str]
    """Options of the program."""
    writes: bool
    files: list[Path] = field(default_factory=list)
    """What its paths are in the folder, by their numbers."""
    state: dict[Path, tuple[int, int]] = field(default_factory=dict)
    """Of those that were sent."""


class Runner:
    """Runs what teams send, of those who write one at a time, in the order in which they came."""

    def __init__(self, place: Place, *, write: bool, wait: float) -> None:
        self._place, self._writable, self._wait = place, write, wait
        self._writing, self._reading = asyncio.Lock(), asyncio.Semaphore(READERS)
        self._running: set[asyncio.Task[None]] = set()

    async def answer(self, team: Team, snapshots: Snapshots, request: Request) -> Response:
        """Return the answer to a command, which goes on while the command runs.

        It is a line of JSON for each piece: ``out`` and ``err`` that it prints, then its ``file``s,
        and at last its ``exit`` code. An answer without that was cut off.
        """
        folder = HeldFolder("run")
        try:
            head, sent = await _received(request, Path(folder.name))
            order = ordered(team, head, sent, Path(folder.name), writable=self._writable)
        except (TrackerError, ClientDisconnect) as error:
            folder.cleanup()
            refused = isinstance(error, RefusedError)
            return PlainTextResponse(f"{error}\n", 403 if refused else 400)
        variables = {
            **_terminal(head.get("columns")),
            "TRACKER_EXPLORER": f"{request.url.scheme}://{request.url.netloc}",
        }
        pieces = self._pieces(order, folder, snapshots, variables)
        return StreamingResponse(pieces, media_type="application/x-ndjson")

    async def _pieces(
        self,
        order: Order,
        folder: HeldFolder,
        snapshots: Snapshots,
        variables: Mapping[str, str],
    ) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[Piece] = asyncio.Queue(0 if order.writes else _WAITING_PIECES)
        task = asyncio.create_task(self._run(order, folder, snapshots, variables, queue))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            while True:
                try:
                    piece = await asyncio.wait_for(queue.get(), _SIGN_SECONDS)
                except TimeoutError:
                    piece = {}
                yield json.dumps(piece).encode() + b"\n"
                if "exit" in piece:
                    return
        finally:
            if not order.writes:  # what is stored is stored whole, whoever has gone meanwhile
                task.cancel()

    async def _run(
        self,
        order: Order,
        folder: HeldFolder,
        snapshots: Snapshots,
        variables: Mapping[str, str],
        queue: asyncio.Queue[Piece],
    ) -> None:
        with folder:
            if order.writes:
                async with self._writing:
                    code = await self._child(order, folder.name, self._place, variables, queue)
                    # The next may hold the file: what was written is seen by who wrote it.
                    await asyncio.to_thread(snapshots.renew)
            else:
                async with self._reading:
                    await asyncio.to_thread(snapshots.renew)
                    with snapshots.held_file() as copy:
                        code = await self._child(order, folder.name, copy, variables, queue)
            for piece in _left(order):
                await queue.put(piece)
            await queue.put({"exit": code})

    async def _child(
        self,
        order: Order,
        folder: str,
        place: Place,
        variables: Mapping[str, str],
        queue: asyncio.Queue[Piece],
    ) -> int:
        """Run it, and return its exit code."""
        shared = [*([] if order.writes else [READ_ONLY]), *order.shared]
        shared += ["--database", str(place.resolve() if isinstance(place, Path) else place)]
        child = await asyncio.create_subprocess_exec(
            # -P: the folder it is called in holds no modules.
            *(sys.executable, "-P", "-m", f"{__package__}.child"),
            *(*shared, "--wait", str(self._wait), *order.arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "TMPDIR": folder, SERVER: str(os.getpid()), **variables},
            process_group=0,  # Ctrl-C is for the server
        )
        streams = ((child.stdout, "out"), (child.stderr, "err"))
        seconds = None if order.writes else READING_SECONDS
        try:
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(_forward(stream, name, queue) for stream, name in streams))
                return await child.wait()
        except TimeoutError:
            text = f"error: the command was stopped after {seconds:g} seconds\n"
            queue.put_nowait(_piece("err", text.encode()))
            return _ENDED
        finally:
            with suppress(ProcessLookupError):
                child.kill()


async def _forward(
    stream: asyncio.StreamReader | None, name: str, queue: asyncio.Queue[Piece]
) -> None:
    while stream and (content := await stream.read(_PIECE)):
        await queue.put(_piece(name, content))


def _terminal(columns: Any) -> dict[str, str]:
    """Return what tells a command that it prints to a terminal of so many columns."""
    if not isinstance(columns, int) or not 0 < columns < _MOST_COLUMNS:
        return {}
    return {"COLUMNS": str(columns), "TERM": "xterm-256color", TERMINAL: "yes"}


def _piece(name: str, content: bytes) -> Piece:
    return {name: b64encode(content).decode()}


def _left(order: Order) -> Iterator[Piece]:
    """Yield the files that a command has written, piece by piece."""
    for number, path in enumerate(order.files):
        inner = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in inner:
            if not file.is_file() or file.is_symlink() or order.state.get(file) == _state(file):
                continue
            below = file.relative_to(path).as_posix() if path.is_dir() else ""
            yield {"file": number, "below": below, "size": file.stat().st_size}
            with file.open("rb") as stream:
                for content in iter(lambda: stream.read(_PIECE), b""):
                    yield _piece("content", content)


def _state(file: Path) -> tuple[int, int]:
    stat = file.stat()
    return stat.st_mtime_ns, stat.st_size


async def _received(request: Request, folder: Path) -> tuple[Any, list[Path]]:
    """Return a command as it was sent, and where its files are now, by their numbers.

    The body is a line of JSON, and then the files. Raises InputError for one that is not.
    """
    body = bytearray()
    stream = request.stream()
    async for piece in stream:
        body += piece
        if b"\n" in body or len(body) > _HEAD_BYTES:
            break
    line, _, rest = bytes(body).partition(b"\n")
    try:
        head = json.loads(line)
        sizes = [None if one["size"] is None else int(one["size"]) for one in head["files"]]
        names = [_safe_name(one["name"]) for one in head["files"]]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError("this is no command as 'tracker -d http://…' sends it") from error
    if sum(size or 0 for size in sizes) > MOST_BYTES or min((s or 0 for s in sizes), default=0) < 0:
        raise InputError(f"the files are larger than {MOST_BYTES // 2**20} MB in all")
    places = [*_places(folder, names)]
    sent = [place for place, size in zip(places, sizes, strict=True) if size is not None]
    left = [size for size in sizes if size is not None]
    for file in places:
        file.parent.mkdir(exist_ok=True)
    for file, size in zip(sent, left, strict=True):
        with file.open("wb") as target:
            written = 0
            while written < size:
                if not rest:
                    rest = await anext(stream, b"")
                    if not rest:
                        raise InputError("the command came without the end of its files")
                target.write(rest[: size - written])
                taken = min(len(rest), size - written)
                written, rest = written + taken, rest[taken:]
    return head, places


def _safe_name(text: str) -> str:
    """Return the name of a file. Raises ValueError for what leads elsewhere or is none."""
    bad = {"", ".", "..", "-"}
    leads_away = text in bad or not text.isprintable() or {"/", "\\"} & {*text}
    if leads_away or len(text.encode()) > _NAME_BYTES:
        raise ValueError(text)
    return text


def _places(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Yield where files of these names are: in the folder or, of one name, in folders of it."""
    used: set[str] = set()
    for number, name in enumerate(names):
        yield folder / (f"{number}/{name}" if name.casefold() in used else name)
        used |= {name.casefold(), str(number)}


def ordered(team: Team, head: Any, files: Sequence[Path], folder: Path, *, writable: bool) -> Order:
    """Return what is to be run for a team.

    Raises RefusedError for what its role does not allow, UnknownNameError for a command or a
    parameter that there is not, InputError for what is no command.
    """
    try:
        path = [*map(str, head["command"])]
        values = {str(name): value for name, value in head["values"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError("this is no command as 'tracker -d http://…' sends it") from error
    command = _command(path)
    name = " ".join(path)
    writes = _check_role(team, command, name, values)
    if writes and not writable:
        raise RefusedError(
            f"'tracker {name}' changes the campaign, which is served for reading",
            hint="whoever serves it adds --write",
        )
    parameters = {str(parameter.name): parameter for parameter in command.params}
    check_names(f"parameter of 'tracker {name}'", [*values], [*parameters])
    for chosen in values:
        if _leads_away(command, parameters[chosen]):
            raise RefusedError(
                f"{parameters[chosen].opts[0]} leads to something beside the campaign",
                hint="leave it out: whoever serves the campaign chooses it",
            )
    if "log" in parameters and not os.environ.get(_MLFLOW, "").startswith("http"):
        values["log"] = False
    names = [file.relative_to(folder).as_posix() for file in files]
    arguments = [*path, *_arguments(command.params, values, names)]
    state = {file: _state(file) for file in files if file.is_file()}
    shared = [f"--{name}" for name in ("quiet", "yes") if head.get(name) is True]
    return Order(arguments, shared, writes, [*files], state)


def _command(path: Sequence[str]) -> click.Command:
    """Return a command by its name. Raises UnknownNameError where there is none."""
    command: click.Command = cli
    context = click.Context(cli)
    for name in path:
        below = command.get_command(context, name) if isinstance(command, click.Group) else None
        if below is None:
            raise UnknownNameError(f"there is no command '{' '.join(path)}'")
        command, context = below, click.Context(below, parent=context)
    if isinstance(command, click.Group):
        raise UnknownNameError(f"'{' '.join(path)}' is a group of commands")
    return command


def _check_role(team: Team, command: click.Command, name: str, values: Mapping[str, Any]) -> bool:
    """Return whether a command writes. Raises RefusedError where a team's role does not allow it.

    What it may do is what its method does, as that itself says.
    """
    called = command.operation.method if isinstance(command, OperationCommand) else name
    method = unwrap(getattr(Tracker, called)) if hasattr(Tracker, called) else None
    if method in READING:
        return False
    if method not in WRITING:
        raise RefusedError(
            f"'tracker {name}' is not for a served campaign",
            hint="whoever serves the campaign runs it there",
        )
    if team.role == ORGANISE:
        return True
    refused = ""
    if team.role != "submit" or called != _SUBMIT:
        refused = f"'tracker {name}' is not for the role {team.role} of {team.name}"
    elif values.get("system") not in team.systems:
        refused = f"{team.name} may submit {', '.join(team.systems)}, not '{values.get('system')}'"
    if refused:
        hint = "ask who serves the campaign: 'tracker share token' gives roles and systems"
        raise RefusedError(refused, hint=hint)
    return True


def _leads_away(command: click.Command, parameter: click.Parameter) -> bool:
    """Return whether a parameter leads to something beside the campaign, such as code to run."""
    if parameter.envvar or parameter.name in ANALYSED:
        return True
    if not isinstance(command, OperationCommand):
        return False
    operation, name = command.operation, str(parameter.name)
    annotation = operation.annotations.get(name) or operation.fields.get(name, (None,))[0]
    return annotation is not None and parameter_of(annotation).option.of_machine


def _arguments(
    parameters: Sequence[click.Parameter], values: Mapping[str, Any], names: Sequence[str]
) -> Iterator[str]:
    """Yield the command line with these values, in which numbers of files are their names."""
    last = []
    for parameter in parameters:
        if parameter.name not in values:
            continue
        value = values[parameter.name]
        several = value if isinstance(value, list) else [value]
        if isinstance(parameter, click.Argument):
            last += [_text(one, parameter, names) for one in several]
        elif isinstance(parameter, click.Option) and parameter.is_flag:
            off = value is False and parameter.secondary_opts
            yield parameter.secondary_opts[0] if off else parameter.opts[0]
        else:
            yield from (f"{parameter.opts[0]}={_text(one, parameter, names)}" for one in several)
    yield from ("--", *last)


def _text(value: Any, parameter: click.Parameter, names: Sequence[str]) -> str:
    """Return a value as a command line has it. Raises InputError for one that is none.

    A file is one that was sent, by its number: a path would be one of the server's own.
    """
    if isinstance(value, dict):
        number = value.get("file")
        if isinstance(number, int) and 0 <= number < len(names):
            return names[number]
    is_own_path = isinstance(parameter.type, click.Path) and value != STREAM
    if isinstance(value, str) and not (is_own_path or "\0" in value or HALF_A_PAIR.search(value)):
        return value
    raise InputError(f"{value!r} is no value of a command")
