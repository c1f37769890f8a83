"""Who may use a served campaign: teams, what they may do, and hashes of their tokens."""

from __future__ import annotations

import json
import re
import secrets
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from ...schema.errors import InputError
from ...schema.files import read_text, write_file
from ...schema.parameters import Option, System

if TYPE_CHECKING:
    from .tracker import Tracker

Role = Literal["read", "submit", "organise"]
ORGANISE: Role = "organise"
TOKENS = Path("tokens.toml")
_NAME = re.compile(r"\w[\w. -]{0,63}")
_HASH = re.compile("[0-9a-f]{64}")
_HEAD = """\
# Who may use the campaign, for 'tracker serve --tokens'. It has no token, only hashes of them:
# 'tracker share token TEAM' makes one, and whoever's entry is removed here is let in no more.
"""


@dataclass(frozen=True)
class Team:
    """Who sends a token."""

    name: str
    role: Role
    systems: tuple[str, ...]
    """Whose submissions a team with the role submit may send."""
    hash: str
    """SHA-256 of the token: its 256 bits of chance need no salt."""


class Tokens:
    """The teams of a file, which is read again when it has changed."""

    def __init__(self, file: Path) -> None:
        """Read it. Raises InputError for a file that is none of teams."""
        self._file = file
        self._reading = Lock()
        self._state = self._stat()
        self._teams = read_teams(file)

    def team_of(self, token: str) -> Team | None:
        """Return whose token it is, in a time that tells nothing of it; None for nobody's.

        Raises InputError where the file has become none of teams: then nobody is let in.
        """
        own = _hash(token)
        teams = self._newest()
        return next((team for team in teams if secrets.compare_digest(team.hash, own)), None)

    def _newest(self) -> Sequence[Team]:
        with self._reading:
            state = self._stat()
            if state != self._state:
                self._teams, self._state = read_teams(self._file), state
            return self._teams

    def _stat(self) -> tuple[int, int]:
        try:
            stat = self._file.stat()
        except OSError:
            return 0, 0
        return stat.st_mtime_ns, stat.st_size


def read_teams(file: Path) -> list[Team]:
    """Return the teams of a file. Raises InputError, with its place, for what is wrong in it."""
    try:
        content = tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is no TOML: {error}", where=str(file)) from error
    entries = content.pop("team", [])
    if content or not isinstance(entries, list):
        raise InputError(
            f"a file of tokens has no entry '{next(iter(content), 'team')}'",
            where=str(file),
            hint="its entries begin with [[team]]; 'tracker share token TEAM' writes them",
        )
    teams = [_team(entry, f"{file}, [[team]] {number}") for number, entry in enumerate(entries, 1)]
    names = [team.name for team in teams]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the team '{name}' is there more than once", where=str(file))
    return teams


def _team(entry: Any, where: str) -> Team:
    fields = {"name", "role", "systems", "hash"}
    if not isinstance(entry, dict) or entry.keys() != fields:
        raise InputError(f"a team has {', '.join(sorted(fields))}", where=where)
    name, role, systems, hashed = (entry[field] for field in ("name", "role", "systems", "hash"))
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(f"'{name}' is no name of a team", where=where)
    if role not in get_args(Role):
        raise InputError(f"the role '{role}' is none of {', '.join(get_args(Role))}", where=where)
    if not isinstance(systems, list) or not all(isinstance(system, str) for system in systems):
        raise InputError("systems are a list of names", where=where)
    if not isinstance(hashed, str) or not _HASH.fullmatch(hashed):
        raise InputError("the hash is no SHA-256 in hexadecimal digits", where=where)
    return Team(name, role, tuple(systems), hashed)


def token(
    tracker: Tracker,  # noqa: ARG001
    team: Annotated[str, Option(metavar="TEAM")],
    *,
    role: Annotated[
        Role,
        Option(
            "read: ask; submit: send outputs of its systems, too; organise: whatever changes the "
            "campaign."
        ),
    ] = "submit",
    systems: Annotated[
        Sequence[System],
        Option(
            "System that the team may submit; several by repeating.",
            flag="--system",
            default="one with the team's name",
        ),
    ] = (),
    file: Annotated[
        Path | str, Option("File of the teams.", flag="--tokens", path="file")
    ] = TOKENS,
    renew: Annotated[bool, Option("Make a new token in place of the one that TEAM has.")] = False,
) -> str:
    """Make a token with which TEAM uses a campaign that 'tracker serve --tokens' serves.

    It is printed once. The file has a hash of it, from which nobody gets it back. A running server
    follows the file at once: a team whose entry is removed has no more access.

    Returns the token. Raises InputError for a team that has one, unless it is to ``renew`` it; then
    role and systems are those named now.

    >>> token = db.token("Oslo", systems=["oslo-small", "oslo-large"])
    >>> len(token)
    43
    """
    path = Path(file)
    teams = read_teams(path) if path.exists() else []
    if not _NAME.fullmatch(team):
        raise InputError(
            f"'{team}' is no name of a team", hint="letters, digits, blanks and . _ - do, up to 64"
        )
    if any(other.name == team for other in teams) != renew:
        there, hint = "has no token", "leave out --renew"
        if not renew:
            there, hint = "has a token", "--renew makes another in its place"
        raise InputError(f"the team '{team}' {there}", where=str(path), hint=hint)
    new = secrets.token_urlsafe()
    made = Team(team, role, tuple(systems or (team,)), _hash(new))
    teams = [made if other.name == team else other for other in teams]
    write_file(path, _text(teams if renew else [*teams, made]).encode())
    return new


def _text(teams: Sequence[Team]) -> str:
    entries = (
        f"\n[[team]]\nname = {_quoted(team.name)}\nrole = {_quoted(team.role)}\n"
        f"systems = [{', '.join(map(_quoted, team.systems))}]\nhash = {_quoted(team.hash)}\n"
        for team in teams
    )
    return _HEAD + "".join(entries)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")


def _hash(token: str) -> str:
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
