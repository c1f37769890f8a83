"""A command sent to a served campaign: its values and files go there, what it prints comes back."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from base64 import b64decode
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from ...schema.address import TOKEN_VARIABLE, ServedAddress
from ...schema.errors import DatabaseUnavailableError, InputError, visible_lines
from ...schema.files import make_folder, write_file
from .context import ARGUMENTS, Context

RUN = "/run"
_OK, _UNAUTHORISED, _NOT_THERE, _NOT_SO, _TROUBLE = 200, 401, 404, 405, 500
_MOST_TEXT = 10_000
_SILENT_SECONDS = 60.0
"""A server that says nothing for so long is lost: it says every five seconds that it lives."""
_POLL_SECONDS = 0.5
STREAM = "-"
"""A path that is none: what is read from, or written to, the program's own streams."""
_COLOURS = re.compile(r"(\x1b\[[\d;]*m)")


class LostError(DatabaseUnavailableError):
    """The server cannot be reached, or its answer ended before its end."""


def run_there(ctx: click.Context, context: Context, served: ServedAddress) -> int:
    """Run a command on a served campaign, and return its exit code.

    A server that is not there is waited for, as a file is that others hold; so is one that ended
    before it printed anything: the same command, sent again, goes on where the first one ended.

    Raises InputError where it refuses, LostError where it is not there.
    """
    body, files = _order(ctx, context)
    until = time.monotonic() + context.wait
    waits = False
    while True:
        answer = _Answer(files)
        try:
            return answer.shown(served, body)
        except LostError:
            if answer.begun or time.monotonic() > until:
                raise
        if not waits:
            waits = True
            context.say(f"waiting up to {context.wait:g} s for {served}")
        time.sleep(_POLL_SECONDS)


def _order(ctx: click.Context, context: Context) -> tuple[bytes, list[Path]]:
    """Return a command as it is sent, and the files that its values name."""
    raw, _, _ = ctx.command.make_parser(ctx).parse_args(list(ctx.meta[ARGUMENTS]))
    files: list[Path] = []
    values: dict[str, Any] = {}
    for parameter in ctx.command.params:
        name = str(parameter.name)
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = raw[name]
            is_path = isinstance(parameter.type, click.Path)
            several = isinstance(value, list | tuple)
            sent = [_value(one, files, is_path=is_path) for one in (value if several else [value])]
            values[name] = sent if several else sent[0]
    contents = [file.read_bytes() if file.is_file() else None for file in files]
    head = {
        "command": _names(ctx),
        "values": values,
        "files": [
            {"name": file.name, "size": None if content is None else len(content)}
            for file, content in zip(files, contents, strict=True)
        ],
        "columns": shutil.get_terminal_size().columns if sys.stdout.isatty() else None,
        "quiet": context.quiet,
        "yes": context.yes,
    }
    pieces = [content for content in contents if content is not None]
    return b"".join([json.dumps(head).encode(), b"\n", *pieces]), files


def _names(ctx: click.Context) -> list[str]:
    """Return the names of a command and of the groups that it is in, but for the program's."""
    if ctx.parent is None:
        return []
    return [*_names(ctx.parent), str(ctx.info_name)]


def _value(value: Any, files: list[Path], *, is_path: bool) -> Any:
    if is_path and value != STREAM:
        files.append(Path(value))
        return {"file": len(files) - 1}
    return value


class _Answer:
    """What a server says of a command, shown and written as it comes."""

    def __init__(self, files: list[Path]) -> None:
        self.begun = False
        """Whether some of it was shown: then the command is not sent again by itself."""
        self._files = files
        self._file, self._left = Path(), 0
        self._content: list[bytes] = []
        self._rests = {"out": b"", "err": b""}
        """Of lines that have not ended yet."""

    def shown(self, served: ServedAddress, body: bytes) -> int:
        """Send a command, show its answer, and return its exit code."""
        try:
            with closing(_connection(served)) as connection:
                for line in _sent(connection, served, body):
                    piece = json.loads(line)
                    if "exit" in piece:
                        self._end()
                        return int(piece["exit"])
                    self._take(piece)
        except (ConnectionError, TimeoutError, HTTPException, ValueError, OSError) as error:
            raise _lost(served, error) from error
        raise _lost(served, None)

    def _take(self, piece: Mapping[str, Any]) -> None:
        for name in self._rests.keys() & piece.keys():
            self.begun = True
            self._show(name, b64decode(piece[name]))
        if "file" in piece:
            below = PurePosixPath(piece["below"])
            if below.is_absolute() or ".." in below.parts:
                raise ValueError(below)
            self._file = self._files[piece["file"]] / below
            self._left, self._content = piece["size"], []
        if "content" in piece:
            self._content.append(b64decode(piece["content"]))
            self._left -= len(self._content[-1])
        if {"file", "content"} & piece.keys() and not self._left:
            self.begun = True
            make_folder(self._file.parent)
            write_file(self._file, self._content)

    def _show(self, name: str, content: bytes) -> None:
        """Print what was printed there, line by line: colours steer a terminal, nothing else."""
        stream = sys.stdout if name == "out" else sys.stderr
        if name == "out" and not stream.isatty():
            stream.buffer.write(content)
        else:
            lines, end, rest = (self._rests[name] + content).rpartition(b"\n")
            self._rests[name] = rest
            parts = _COLOURS.split((lines + end).decode(errors="replace"))
            plain = getattr(stream, "rich_proxied_file", stream)
            for number, part in enumerate(parts):
                plain.write(part if number % 2 else visible_lines(part))
        stream.flush()

    def _end(self) -> None:
        """Print what came without the end of its line."""
        for name, rest in self._rests.items():
            if rest:
                self._show(name, b"\n")


def _connection(served: ServedAddress) -> HTTPConnection:
    parts = urlsplit(served.address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=_SILENT_SECONDS)


def _sent(connection: HTTPConnection, served: ServedAddress, body: bytes) -> HTTPResponse:
    """Send a command, and return the beginning of the answer.

    Raises InputError where the server refuses, DatabaseUnavailableError where it cannot.
    """
    headers = {"Content-Type": "application/octet-stream"}
    if token := os.environ.get(TOKEN_VARIABLE, "").strip():
        if not token.isascii() or not token.isprintable():
            raise InputError(f"{TOKEN_VARIABLE} holds no token")
        headers["Authorization"] = f"Bearer {token}"
    connection.request("POST", urlsplit(served.address).path + RUN, body, headers)
    response = connection.getresponse()
    if response.status == _OK:
        return response
    text = visible_lines(response.read(_MOST_TEXT).decode(errors="replace").strip())
    if response.status >= _TROUBLE:
        raise DatabaseUnavailableError(text, where=str(served))
    if response.status == _UNAUTHORISED:
        hint = f"set {TOKEN_VARIABLE} to the token that you were given"
        raise InputError(text, where=str(served), hint=hint)
    if response.status in (_NOT_THERE, _NOT_SO):
        text = "no campaign is served there for teams"
        raise InputError(text, where=str(served), hint="'tracker serve --tokens' does that")
    raise InputError(text or f"it answers HTTP {response.status}")


def _lost(served: ServedAddress, error: Exception | None) -> LostError:
    cause = getattr(error, "strerror", None) or (type(error).__name__ if error else "cut off")
    return LostError(
        f"the server does not answer, or its answer ended early: {cause}",
        where=str(served),
        hint="run the command again when it is there: what was stored is stored whole, and "
        "recognised",
    )
