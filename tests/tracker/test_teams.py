"""A campaign served to teams: who gets in, what each may run, and what is left after a kill."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from inspect import unwrap
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import duckdb
import pytest

import sr_tracker
from sr_tracker.schema.address import served_address
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.methods import READING, WRITING
from sr_tracker.tracker.api.tokens import Tokens, read_teams
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.cli.operation import OperationCommand
from sr_tracker.tracker.explorer.serving import WithoutOutputs
from sr_tracker.tracker.explorer.snapshot import OriginalFile
from tests import commands
from tests.tracker.explorer_server import LONG
from tests.tracker.in_process import RUN, Done, run, run_text

MANY = 3
"""Clients at once in the round of a kill."""


@dataclass
class Served:
    """A server, what its teams send as tokens, and the campaign's file."""

    file: Path
    tokens: Path
    teams: dict[str, str]
    port: int = 0
    process: Any = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *options: str) -> None:
        arguments = ["-d", self.file, "serve", "--tokens", self.tokens, "--port", self.port]
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, *map(str, arguments), *options],
            stderr=subprocess.PIPE,
            text=True,
            env={name: text for name, text in os.environ.items() if "MLFLOW" not in name},
        )
        line = self.process.stderr.readline()
        (port,) = re.findall(r":(\d+)/ ", line)
        self.port = int(port)

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(LONG)
        self.process.stderr.close()

    def request(
        self, body: bytes = b"", path: str = "/run", method: str = "POST", **headers: str
    ) -> tuple[int, bytes]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)) as to:
            to.request(method, path, body, headers)
            answer = to.getresponse()
            return answer.status, answer.read()

    def sent(self, team: str, head: object, content: bytes = b"") -> tuple[int, bytes]:
        token = {"Authorization": f"Bearer {self.teams[team]}"}
        return self.request(json.dumps(head).encode() + b"\n" + content, **token)


def made(folder: Path) -> Served:
    """A campaign of two sentences and one run, and three teams."""
    treebank = folder / "en_tiny-ud-test.conllu"
    words = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
    sentences = [f"# sent_id = s{n}\n# text = Dogs bark\n{words}" for n in (1, 2)]
    treebank.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    file, tokens = folder / "campaign.duckdb", folder / "tokens.toml"
    with sr_tracker.connect(file, create=True) as db:
        db.ingest_treebank(treebank)
        db.submit(["bark dogs", "dogs"], system="theirs", treebank="en_tiny-ud-test", log=False)
        teams = {
            "ours": db.token("ours", file=tokens),
            "boss": db.token("boss", role="organise", file=tokens),
            "eye": db.token("eye", role="read", file=tokens),
        }
    return Served(file, tokens, teams)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = made(tmp_path_factory.mktemp("served"))
    server.start("--write")
    yield server
    server.stop()


@pytest.fixture
def ask(served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """What runs a command as a team does, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def ask(team: str, *arguments: str) -> Any:
        monkeypatch.setenv("TRACKER_TOKEN", served.teams[team])
        return run_text(monkeypatch, "-d", served.address, *arguments)

    return ask


def local(served: Served, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Done:
    return run(monkeypatch, "-d", str(served.file), *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "leaderboard"),
        ("show", "leaderboard", "--format", "csv"),
        ("show", "output", "--columns", "text", "--order", "text"),
        ("sql", "SELECT count(*) AS n FROM sentence", "--format", "json"),
        ("sql", "SELECT 1 WHERE"),
        ("history", "theirs"),
        ("why", "plot", "dea", "-o", "dea.json"),
        ("keep", "check"),
        ("show", "leaderbord"),
    ],
)
def test_a_command_says_there_what_it_says_here(
    ask: Any, served: Served, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    here = local(served, monkeypatch, *arguments)
    files = {file.name: file.read_bytes() for file in Path().iterdir()}
    for file in files:
        Path(file).unlink()
    there = ask("eye", *arguments)
    assert (there.code, there.stdout) == (here.code, here.stdout.decode())
    assert there.stderr == here.stderr.decode()
    assert {file.name: file.read_bytes() for file in Path().iterdir()} == files


def test_what_goes_to_a_terminal_is_as_wide_and_coloured_and_steers_nothing(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACKER_TOKEN", served.teams["eye"])
    monkeypatch.setenv("COLUMNS", "60")
    query = "SELECT chr(27) || '[2J' AS text, repeat('x', 100) AS wide"
    there = run(monkeypatch, "-d", served.address, "sql", query, terminal=True).stdout.decode()
    assert "\x1b[" in there
    assert "\x1b[2J" not in there
    plain = re.sub(r"\x1b\[[\d;]*m", "", there)
    assert max(map(len, plain.splitlines())) <= 60


def test_outputs_are_submitted_once_however_often_they_are_sent(ask: Any, served: Served) -> None:
    Path("outputs.txt").write_text("dogs bark\nbark\n", encoding="utf-8")
    arguments = ("submit", "outputs.txt", "--system", "ours", "--treebank", "en_tiny-ud-test")
    first, second = (ask("ours", *arguments, "--json", "verdict.json") for _ in range(2))
    assert (first.code, second.code) == (0, 0), first.stderr
    assert "local/ours/en_tiny-ud-test" in first.stdout
    verdict = json.loads(Path("verdict.json").read_text(encoding="utf-8"))
    assert (verdict["submission"], verdict["new"]) == ("local/ours/en_tiny-ud-test", False)
    seen = ask(
        "ours", "sql", "SELECT text FROM output WHERE submission_id LIKE '%ours%'", "-f", "csv"
    )
    assert seen.stdout.split() == ["text", "dogs", "bark", "bark"]
    assert served.address in first.stderr, "the page of the submission is there"


@pytest.mark.parametrize(
    ("team", "arguments", "message"),
    [
        ("eye", ("submit", "x.txt", "--system", "eye"), "'tracker share token' gives roles"),
        ("ours", ("submit", "x.txt", "--system", "theirs"), "may submit ours, not 'theirs'"),
        ("ours", ("keep", "note", "system", "theirs", "bad"), "not for the role submit"),
        ("boss", ("keep", "remove", "system", "theirs"), "this asks first"),
        ("boss", ("share", "log"), "not for a served campaign"),
        ("boss", ("share", "token", "me"), "not for a served campaign"),
        ("boss", ("serve",), "not for a served campaign"),
        ("boss", ("lake", "fetch", "ducklake:x"), "not for a served campaign"),
        ("boss", ("ingest", "campaign", "x.toml"), "beside the campaign"),
        ("boss", ("score", "--scheduler", "tcp://x:1"), "beside the campaign"),
        ("ours", ("submit", "x.txt", "--system", "ours", "--webhook", "http://x"), "beside the"),
        ("ours", ("submit", "x", "--system", "ours", "--tracking-uri", "x"), "beside the campaign"),
        ("ours", ("submit", "x", "--system", "ours", "--analyser", "spacy"), "beside the campaign"),
    ],
)
def test_what_a_role_does_not_allow_is_refused(
    ask: Any, team: str, arguments: tuple[str, ...], message: str
) -> None:
    done = ask(team, *arguments)
    assert (done.code, message in done.stderr) == (2, True), done.stderr


def test_an_organiser_changes_the_campaign(ask: Any) -> None:
    assert ask("boss", "keep", "note", "system", "theirs", "--", "-f is no option").code == 0
    seen = ask("eye", "sql", "SELECT value FROM tag WHERE target = 'theirs'", "-f", "csv")
    assert "-f is no option" in seen.stdout, seen.stderr


HEAD = {"command": ["show"], "values": {}, "files": []}


@pytest.mark.parametrize(
    ("head", "content"),
    [
        ([], b""),
        ({}, b""),
        ({**HEAD, "command": "show"}, b""),
        ({**HEAD, "command": []}, b""),
        ({**HEAD, "command": ["keep"]}, b""),
        ({**HEAD, "command": ["--database", "x", "show"]}, b""),
        ({**HEAD, "values": {"no_such": "x"}}, b""),
        ({**HEAD, "values": {"view": "\0"}}, b""),
        ({**HEAD, "values": {"view": "\ud800"}}, b""),
        ({**HEAD, "values": {"view": {"file": 1}}}, b""),
        ({**HEAD, "values": {"view": {"file": True}}}, b""),
        ({**HEAD, "values": {"view": 1}}, b""),
        ({**HEAD, "command": ["submit"], "values": {"outputs": ["/etc/passwd"]}}, b""),
        ({**HEAD, "command": ["submit"], "values": {"outputs": [{"file": 0}, "x"]}}, b""),
        ({**HEAD, "command": ["report"], "values": {"output": "/srv/report.html"}}, b""),
        ({**HEAD, "command": ["share", "site"], "values": {"folder": "site"}}, b""),
        ({**HEAD, "values": []}, b""),
        ({**HEAD, "files": [{"name": "../x", "size": 1}]}, b"x"),
        ({**HEAD, "files": [{"name": "..", "size": 1}]}, b"x"),
        ({**HEAD, "files": [{"name": "/etc/x", "size": 1}]}, b"x"),
        ({**HEAD, "files": [{"name": "x" * 300, "size": 1}]}, b"x"),
        ({**HEAD, "files": [{"name": "x", "size": 2}]}, b"x"),
        ({**HEAD, "files": [{"name": "x", "size": -1}]}, b"x"),
        ({**HEAD, "files": [{"name": "x", "size": 10**12}]}, b"x"),
    ],
)
def test_what_no_client_sends_is_refused_in_a_sentence(
    served: Served, head: object, content: bytes
) -> None:
    status, text = served.sent("boss", head, content)
    assert status == 400, text
    assert text
    assert b"Traceback" not in text


def test_values_are_no_options_of_others(served: Served) -> None:
    """A value that looks like an option is a value: the campaign stays the one that is served."""
    values = {"view": "--help", "where": "--database=/etc/passwd"}
    status, text = served.sent("eye", {**HEAD, "values": values})
    pieces = [json.loads(line) for line in text.splitlines()]
    sentence = b"".join(base64.b64decode(piece.get("err", "")) for piece in pieces)
    assert (status, pieces[-1]) == (200, {"exit": 2})
    assert b"there is no view '--help'" in sentence


def test_who_has_no_token_is_told_so_and_who_guesses_waits(served: Served) -> None:
    assert served.request()[0] == 401
    assert served.request(path="/", method="GET")[0] == 401
    assert served.request(path=f"/?token={served.teams['eye']}", method="GET")[0] == 401
    guesses = [served.request(Authorization=f"Bearer guess{n}")[0] for n in range(12)]
    assert guesses == [401] * 10 + [429] * 2
    assert served.sent("eye", HEAD)[0] == 200, "others behind one address do not lock a team out"


def test_pages_and_rows_are_for_teams(served: Served) -> None:
    basic = base64.b64encode(f"eye:{served.teams['eye']}".encode()).decode()
    assert served.request(path="/", method="GET", Authorization=f"Basic {basic}")[0] == 200
    bearer = f"Bearer {served.teams['eye']}"
    rows = "/rows.csv?query=SELECT%2041%2B1%20AS%20n"
    assert served.request(path=rows, method="GET", Authorization=bearer) == (200, b"n\n42\n")
    command = json.dumps(HEAD).encode() + b"\n"
    status, _ = served.request(command, Authorization=f"Basic {basic}")
    assert status == 404, "a browser sends a name and a password along with other sites' forms"


def test_a_removed_team_is_let_in_no_more(tmp_path: Path) -> None:
    server = made(tmp_path)
    tokens = Tokens(server.tokens)
    assert (team := tokens.team_of(server.teams["eye"])) is not None
    assert team.role == "read"
    text = server.tokens.read_text(encoding="utf-8")
    assert not any(token in text for token in server.teams.values())
    server.tokens.write_text(text.partition('\n[[team]]\nname = "eye"')[0], encoding="utf-8")
    assert tokens.team_of(server.teams["eye"]) is None
    assert tokens.team_of(server.teams["boss"]) is not None


def test_a_token_is_renewed_when_that_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "tokens.toml"
    with sr_tracker.connect(None) as db:
        first = db.token('A "b"'.replace('"', ""), file=file)
        with pytest.raises(InputError, match="has a token"):
            db.token("A b", file=file)
        second = db.token("A b", role="read", systems=['x"\\', "ü"], file=file, renew=True)
        with pytest.raises(InputError, match="has no token"):
            db.token("c", file=file, renew=True)
        with pytest.raises(InputError, match="no name of a team"):
            db.token("a\nb", file=file)
    (team,) = read_teams(file)
    assert (team.role, team.systems) == ("read", ('x"\\', "ü"))
    assert Tokens(file).team_of(first) is None
    assert Tokens(file).team_of(second) == team


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[team", "no TOML"),
        ("teams = 1", "a file of tokens has no entry 'teams'"),
        ("team = 1", "a file of tokens has no entry 'team'"),
        ("[[team]]\nname = 'a'", "a team has"),
        ("[[team]]\nname='a'\nrole='king'\nsystems=[]\nhash='0'", "none of read"),
        ("[[team]]\nname='a'\nrole='read'\nsystems='x'\nhash='0'", "list of names"),
        ("[[team]]\nname='a'\nrole='read'\nsystems=[]\nhash='0'", "no SHA-256"),
    ],
)
def test_a_wrong_file_of_tokens_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "tokens.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        read_teams(file)
    assert "tokens.toml" in str(error.value.where)


@pytest.mark.parametrize(
    "text", ["http://u:p@h", "http://h?token=x", "http://h:x", "https://", "http://h#x"]
)
def test_an_address_holds_no_token(text: str) -> None:
    with pytest.raises(InputError, match="alone"):
        served_address(text)


def test_python_is_told_that_a_served_campaign_takes_commands() -> None:
    with pytest.raises(InputError, match="takes commands alone"):
        sr_tracker.connect("http://127.0.0.1:1", create=True)


def test_what_teams_may_run_is_what_changes_nothing_else() -> None:
    """What further ones lead to is looked at before they come here: files, servers, code."""
    of_roles: dict[str, set[str]] = {"read": set(), "organise": set()}
    for path, command in commands.every():
        called = command.operation.method if isinstance(command, OperationCommand) else path
        method = unwrap(getattr(Tracker, called, click.Command))
        for role, methods in (("read", READING), ("organise", WRITING)):
            if method in methods:
                of_roles[role].add(path)
    assert of_roles["read"] == {
        *("show", "sql", "examples", "compare", "history", "years", "gate", "report"),
        *("why correlate", "why plot", "why select-training", "why suspicion-tree"),
        *("share export", "share site", "keep check", "task challenge", "task drift"),
        *("examination errors", "examination examine", "examination plan items"),
        *("examination plan power", "examination plan stopping"),
    }
    assert of_roles["organise"] == {
        *("submit", "score", "analyse", "why significance", "human", "examination metrics"),
        *(f"ingest {name}" for name in ("amr", "baseline", "campaign", "carry", "challenge")),
        *(f"ingest {name}" for name in ("ensemble", "judgements", "labels", "log", "parse", "wmt")),
        *(f"ingest {name}" for name in ("metric-scores", "references", "scores", "submission")),
        *("ingest treebank", "keep choose", "keep note", "keep primary", "keep prune"),
        *("keep remove", "keep rename", "keep rescore", "keep tag"),
    }


def test_a_served_campaign_is_read_alone_without_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = made(tmp_path)
    server.start()
    try:
        monkeypatch.setenv("TRACKER_TOKEN", server.teams["ours"])
        outputs = tmp_path / "outputs.txt"
        outputs.write_text("dogs bark\nbark\n", encoding="utf-8")
        arguments = ("submit", str(outputs), "--system", "ours", "--treebank", "en_tiny-ud-test")
        done = run_text(monkeypatch, "-d", server.address, *arguments)
        assert (done.code, "served for reading" in done.stderr) == (2, True)
    finally:
        server.stop()


def words_of(file: Path) -> dict[str, str]:
    """All that a database holds as text, by its tables."""
    with duckdb.connect(str(file), read_only=True) as connection:
        tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        return {name: str(connection.execute(f"FROM {name}").fetchall()) for (name,) in tables}


def test_outputs_of_others_are_hidden_in_a_copy_that_has_none(tmp_path: Path) -> None:
    """No table of it has a word that only others wrote; scores and own outputs are all there."""
    file, until = tmp_path / "campaign.duckdb", datetime.now(UTC) + timedelta(hours=1)
    made(tmp_path)
    with sr_tracker.connect(file) as db:
        for system, word in (("ours", "ourword"), ("others", "zebraword")):
            outputs = [f"Dogs bark {word}", word]
            how = {"treebank": "en_tiny-ud-test", "accept_mismatch": True, "log": False}
            db.submit(outputs, system=system, **how)
    assert "zebraword" in words_of(file)["output_words"]
    hiding = WithoutOutputs(OriginalFile(file), ("ours",), until)
    hidden, shown, without = (tmp_path / name / file.name for name in ("h", "shown", "without"))
    for copy in (hidden, shown, without):
        copy.parent.mkdir()
    WithoutOutputs(OriginalFile(file), (), until).copy_to(without, 1.0)
    theirs = ("ourword", "zebraword")
    assert not [name for name, text in words_of(without).items() if any(w in text for w in theirs)]
    state = hiding.copy_to(hidden, 1.0)
    assert not hiding.may_differ(state)
    there, before = words_of(hidden), words_of(file)
    assert [table for table, text in there.items() if "zebraword" in text] == []
    assert "ourword" in there["output"]
    assert "ourword" in there["output_words"]
    assert there["submission_score"] == before["submission_score"]
    assert there["sentence_score"] == before["sentence_score"]
    assert "(hidden until" in there["output"]
    over = WithoutOutputs(OriginalFile(file), ("ours",), datetime.now(UTC) - timedelta(hours=1))
    assert over.may_differ(state), "after the date a copy with all is made"
    over.copy_to(shown, 1.0)
    assert words_of(shown) == before


def test_every_door_of_a_team_leads_to_its_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = made(tmp_path)
    server.start("--hidden-until", "2999-01-01")
    try:
        query = "SELECT text FROM output WHERE text LIKE 'bark%'"
        for team, seen in (("ours", False), ("eye", False), ("boss", True)):
            monkeypatch.setenv("TRACKER_TOKEN", server.teams[team])
            bearer = f"Bearer {server.teams[team]}"
            done = run_text(monkeypatch, "-d", server.address, "sql", query, "-f", "csv")
            assert ("bark dogs" in done.stdout, done.code) == (seen, 0)
            rows = f"/rows.csv?query={quote(query)}"
            for path in (rows, "/sentence/en_tiny-ud-test/1", "/view/output"):
                status, page = server.request(path=path, method="GET", Authorization=bearer)
                words = re.sub(rb"<[^>]+>|\s", b"", page)
                assert (status, b"barkdogs" in words) == (200, seen), (team, path)
    finally:
        server.stop()


def test_a_killed_server_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Clients submit; the server is killed and started again; each run is there once."""
    server = made(tmp_path)
    server.start("--write")
    clients = []
    environment = {**os.environ, "TRACKER_TOKEN": server.teams["boss"], "TRACKER_WAIT": "120"}
    for number in range(MANY):
        outputs = tmp_path / f"outputs{number}.txt"
        outputs.write_text(f"dogs {'bark ' * (number + 1)}\nbark\n", encoding="utf-8")
        arguments = ("submit", str(outputs), "--system", f"s{number}", "--accept-mismatch")
        arguments += ("--treebank", "en_tiny-ud-test", "--no-analyse")
        clients.append(
            subprocess.Popen(
                [sys.executable, "-c", RUN, "-d", server.address, *arguments],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    time.sleep(4)
    server.stop(signal.SIGKILL)
    server.start("--write")
    try:
        for client in clients:
            text, _ = client.communicate(timeout=LONG)
            assert client.returncode == 0 or "run the command again" in text, text
    finally:
        server.stop()
    with sr_tracker.connect(server.file) as db:
        rows = db.sql("SELECT system_id, count(*) AS n FROM submission GROUP BY ALL ORDER BY ALL")
        assert rows.to_pylist() == [
            *({"system_id": f"s{number}", "n": 1} for number in range(MANY)),
            {"system_id": "theirs", "n": 1},
        ]
        assert db.sql("SELECT count(*) AS n FROM output").to_pylist() == [{"n": 2 * (MANY + 1)}]
        assert db.check() == []
