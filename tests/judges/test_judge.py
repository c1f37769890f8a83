"""A language model as a judge, at a server of this process: what goes right and what may not."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.judges import judging
from sr_tracker.queries.judges.endpoint import Answer, Asking, Endpoint, check_endpoint
from sr_tracker.queries.judges.judge import JudgeSettings, Request, read_score, request_of
from sr_tracker.queries.judges.judging import JudgePlan, JudgeReport
from sr_tracker.queries.judges.scorer import Item
from sr_tracker.schema.errors import ConflictError, DatabaseBusyError, InputError, TrackerError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.examination.findings import examination_document
from tests import commands
from tests.building import add_references, written
from tests.conftest import Filled

KEY = "sk-secret-0123456789"
OUTPUTS = ["A dog.", "A cat.", None, "A dog.", "Four mice {reference}"]


class Server(ThreadingHTTPServer):
    """Answers as ``reply`` says: a status and a body, by the request's number and its text."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reply: Callable[[int, str], tuple[int, Any]] = lambda number, text: (200, "70")
        self.seen: list[dict[str, Any]] = []
        self.keys: set[str | None] = set()
        self.lock = threading.Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append(document)
            self.server.keys.add(self.headers.get("Authorization"))
            number = len(self.server.seen)
        status, content = self.server.reply(number, document["messages"][0]["content"])
        if status == 200 and isinstance(content, str):
            content = {
                "choices": [{"message": {"role": "assistant", "content": content}}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 2},
            }
        if isinstance(content, Iterator):
            self.send_response(status)
            self.end_headers()
            with suppress(OSError):
                for part in content:
                    self.wfile.write(part)
                    self.wfile.flush()
            return
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 429:
            self.send_header("Retry-After", "0")
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as computed:
        thread = threading.Thread(target=computed.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield computed
        computed.shutdown()
        thread.join()


@pytest.fixture
def db(filled: Filled, tmp_path: Path) -> Tracker:
    (tmp_path / "prompt.txt").write_text("Rate 0-100. {source} | {reference} | {output}\n")

    def fill(db: Tracker) -> None:
        references = ["The dog.", "The cat.", "Gone.", "The dog.", "Mice."]
        sources = ["Hund.", "Katze.", "Weg.", "Hund.", "Mäuse."]
        add_references(db, "five", references, language="en", sources=sources)
        db.submit(OUTPUTS, system="ours", treebank="five", log=False, accept_mismatch=True)

    return filled("judge", fill)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait hardly at all between attempts."""
    rest = Endpoint.__init__

    def init(self: Endpoint, **arguments: Any) -> None:
        rest(self, **{"first_wait": 0.001, **arguments})

    monkeypatch.setattr(Endpoint, "__init__", init)
    monkeypatch.setenv("TRACKER_JUDGE_KEY", KEY)


def judged(db: Tracker, server: Server, folder: Path, **how: Any) -> JudgeReport:
    arguments = {"model": "tiny", "prompt": folder / "prompt.txt", "attempts": 3, **how}
    report = db.score_with.judge(endpoint=server.address, **arguments)
    assert isinstance(report, JudgeReport)
    return report


def scores(db: Tracker, metric: str = "judge") -> list[float | None]:
    query = f"SELECT score FROM sentence_score WHERE metric = '{metric}' ORDER BY sentence_no"
    return [row["score"] for row in db.sql(query).to_pylist()]


def by_text(_: int, text: str) -> tuple[int, str]:
    return 200, "90" if "dog" in text else '```json\n{"score": 40, "spans": []}\n```'


def tagged(source: str, reference: str, output: str) -> str:
    """The prompt as it is sent."""
    texts = {"source": source, "reference": reference, "output": output}
    return "Rate 0-100. " + " | ".join(f"<{name}>\n{texts[name]}\n</{name}>" for name in texts)


def test_outputs_are_judged_once(db: Tracker, server: Server, tmp_path: Path) -> None:
    server.reply = by_text
    arguments: dict[str, Any] = {"model": "tiny", "prompt": tmp_path / "prompt.txt"}
    plan = db.score_with.judge(endpoint=server.address, dry_run=True, **arguments)
    assert isinstance(plan, JudgePlan)
    assert (len(plan.items), len(plan.pending), server.seen) == (5, 3, [])
    report = judged(db, server, tmp_path)
    assert (report.asked, report.input_tokens, report.output_tokens) == (3, 30, 6)
    assert scores(db) == [90, 40, 0, 90, 40]
    (row,) = db.show("leaderboard").to_pylist()
    assert row["judge"] == pytest.approx(52)
    assert server.keys == {f"Bearer {KEY}"}
    texts = {item["messages"][0]["content"] for item in server.seen}
    assert tagged("Mäuse.", "Mice.", "Four mice {reference}") in texts
    assert {(item["temperature"], item["seed"], item["model"]) for item in server.seen} == {
        (0.0, 0, "tiny")
    }
    assert judged(db, server, tmp_path).stored == []
    assert len(server.seen) == 3
    (signature,) = db.sql("SELECT signature FROM signature WHERE metric = 'judge'").to_pylist()
    assert "input:src+reference|model:tiny|prompt-hash:" in signature["signature"]
    db.submit(["A dog."] * 5, system="theirs", treebank="five", log=False, accept_mismatch=True)
    assert judged(db, server, tmp_path).asked == 3  # of the references two are those of a dog
    with db.reading() as database:
        assert run_audits(database) == []
    assert KEY.encode() not in (tmp_path / "campaign.duckdb").read_bytes()


def test_what_fails_for_a_while_is_asked_again(db: Tracker, server: Server, tmp_path: Path) -> None:
    failing = {1: (429, {}), 2: (500, {}), 3: (200, b"<html>"), 4: (200, {"choices": []})}
    server.reply = lambda number, text: failing.get(number, (200, "50"))
    report = judged(db, server, tmp_path, workers=1, attempts=5)
    assert (report.failures, len(server.seen)) == ([], 7)
    attempts = db.sql("SELECT max(attempts) AS most FROM judge_answer").to_pylist()
    assert attempts == [{"most": 5}]


def test_a_slow_answer_is_given_up(db: Tracker, server: Server, tmp_path: Path) -> None:
    ended = threading.Event()

    def reply(number: int, text: str) -> tuple[int, str]:
        if "cat" in text:
            ended.wait(20)
        return 200, "50"

    server.reply = reply
    try:
        report = judged(db, server, tmp_path, timeout=0.1, attempts=2)
    finally:
        ended.set()
    assert len(report.failures) == 1
    assert "timed out" in report.failures[0]
    assert report.left == ["local/ours/five"]
    assert scores(db) == []


def test_failures_are_kept_and_asked_again(db: Tracker, server: Server, tmp_path: Path) -> None:
    answers = {"cat": "Good, 3 of 4", "mice": "101"}
    server.reply = lambda number, text: (
        200,
        next((answer for word, answer in answers.items() if word in text), "60"),
    )
    report = judged(db, server, tmp_path)
    assert sorted(report.failures) == [
        "the answer is neither a number alone nor JSON",
        "the score 101 is not from 0 to 100",
    ]
    assert db.show("judge_answer").num_rows == 3
    answers.pop("cat")
    report = judged(db, server, tmp_path, allow_missing=True)
    assert (report.asked, report.kept) == (2, 1)
    assert scores(db) == [60, 60, 0, 60, None]
    rows = db.sql("SELECT failure FROM judge_answer WHERE score IS NULL").to_pylist()
    assert rows == [{"failure": "the score 101 is not from 0 to 100"}]


@pytest.mark.parametrize(
    ("status", "words"), [(401, "HTTP 401"), (404, "HTTP 404"), (302, "HTTP 302")]
)
def test_a_refusal_ends_it_without_a_word_of_the_key(
    db: Tracker, server: Server, tmp_path: Path, status: int, words: str
) -> None:
    server.reply = lambda number, text: (status, {"error": f"bad key {KEY}"})
    with pytest.raises(TrackerError, match=words) as caught:
        judged(db, server, tmp_path, workers=1)
    assert KEY not in str(caught.value)
    assert len(server.seen) == 1


def test_what_is_too_long_fails_alone(db: Tracker, server: Server, tmp_path: Path) -> None:
    server.reply = lambda number, text: (400, {"error": KEY}) if "mice" in text else (200, "5")
    report = judged(db, server, tmp_path)
    assert len(report.failures) == 1
    assert KEY not in report.failures[0]
    assert KEY.encode() not in (tmp_path / "campaign.duckdb").read_bytes()


def test_an_endpoint_that_is_not_there(tmp_path: Path) -> None:
    requests = [Request(str(number), b"{}") for number in range(50)]
    endpoint = Endpoint(address="http://127.0.0.1:9/v1", attempts=1, workers=2)
    answers: list[Answer] = []
    with pytest.raises(TrackerError, match="requests in a row failed"):
        answers.extend(Asking(endpoint, requests))
    assert len(answers) == 8


def test_an_interrupted_run_goes_on(db: Tracker, server: Server, tmp_path: Path) -> None:
    def interrupt(item: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judged(db, server, tmp_path, workers=1, progress=interrupt)
    rest = db.show("judge_answer").num_rows
    assert rest in (2, 3)  # one may have been under way
    assert scores(db) == []
    report = judged(db, server, tmp_path)
    assert (report.asked, report.kept) == (3 - rest, rest)
    assert len(server.seen) <= 4
    assert scores(db) == [70, 70, 0, 70, 70]


def test_a_signal_ends_it_while_an_answer_is_awaited(
    db: Tracker, server: Server, tmp_path: Path
) -> None:
    """The first answer comes, the second never does; what is asked next is not sent any more."""
    ended = threading.Event()

    def reply(number: int, text: str) -> tuple[int, str]:
        if number > 1:
            ended.wait()
        return 200, "70"

    def interrupt(item: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    server.reply = reply
    try:
        with pytest.raises(KeyboardInterrupt):
            judged(db, server, tmp_path, workers=2, progress=interrupt)
        assert db.show("judge_answer").num_rows == 1
    finally:
        ended.set()


def test_an_answer_that_comes_in_drops_is_given_up(
    db: Tracker, server: Server, tmp_path: Path
) -> None:
    ended = threading.Event()

    def drops() -> Iterator[bytes]:
        while not ended.wait(0.02):
            yield b" "

    server.reply = lambda number, text: (200, drops() if "cat" in text else "50")
    try:
        report = judged(db, server, tmp_path, timeout=0.2, attempts=1)
    finally:
        ended.set()
    assert report.failures == ["timed out"]


@pytest.mark.parametrize(
    ("choice", "usage", "outcome"),
    [
        ({"message": {"content": "8"}, "finish_reason": "length"}, {}, "not whole"),
        ({"message": {"content": "3"}, "finish_reason": "content_filter"}, {}, "not whole"),
        ({"message": {"content": None, "refusal": "No: sentence 3"}}, {}, "model refuses"),
        ({"message": {"content": "\ud800"}, "finish_reason": "stop"}, {}, "neither"),
        ({"message": {"content": "a\0b"}}, {}, "neither"),
        ({"message": {"content": "9" * 400}}, {}, "is not from"),
        ({"message": {"content": "85"}}, {"prompt_tokens": 2**40, "completion_tokens": -1}, 85.0),
        ({"message": {"content": "85"}}, {"prompt_tokens": True}, 85.0),
        ({"message": {"content": f"my key is {KEY}"}}, {}, "neither"),
        ({"message": ["85"]}, {}, "no text"),
        ("85", [], "no text"),
    ],
)
def test_an_odd_answer_is_one_failure(
    db: Tracker, server: Server, tmp_path: Path, choice: Any, usage: Any, outcome: float | str
) -> None:
    """The answers to the other outputs stay; what was answered can be stored, without the key."""
    odd = {"choices": [choice], "usage": usage}
    server.reply = lambda number, text: (200, odd if "cat" in text else "50")
    report = judged(db, server, tmp_path, allow_missing=True, attempts=1)
    score = outcome if isinstance(outcome, float) else None
    assert scores(db) == [50, score, 0, 50, 50]
    if isinstance(outcome, str):
        (failure,) = report.failures
        assert outcome in failure
    assert db.show("judge_answer").num_rows == 3
    assert KEY.encode() not in (tmp_path / "campaign.duckdb").read_bytes()


def test_a_key_stays_unseen_in_a_long_error(db: Tracker, server: Server, tmp_path: Path) -> None:
    """It stands where the text is cut: its first half must not be left."""
    server.reply = lambda number, text: (400, ("x" * 285 + KEY).encode())
    report = judged(db, server, tmp_path, attempts=1)
    assert report.failures
    assert not any(KEY[:4] in failure for failure in report.failures)


@pytest.mark.parametrize("key", ["sk 1", "sk\n1", "“sk-1”", "sk-é"])
def test_a_key_that_cannot_be_sent(key: str) -> None:
    with pytest.raises(InputError, match="the key has a blank"):
        check_endpoint(Endpoint(address="https://judge.example/v1", key=key))


def test_outputs_that_are_replaced_meanwhile_get_no_scores_of_others(
    db: Tracker, server: Server, tmp_path: Path
) -> None:
    server.reply = by_text
    cows = written(tmp_path / "cows.txt", "A cow.\n" * 5)

    def replace_outputs(item: str, done: int, total: int) -> None:
        if done == total:
            db.ingest_submission(
                cows, system="ours", treebank="five", replace=True, accept_mismatch=True
            )

    report = judged(db, server, tmp_path, progress=replace_outputs)
    assert (report.left, report.stored) == (["local/ours/five"], [])
    assert "changed while they were scored" in report.failures[0]
    assert scores(db) == []
    assert judged(db, server, tmp_path).left == []
    assert len(scores(db)) == 5


def test_two_judges_at_once_do_not_pay_twice(
    db: Tracker, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals: list[str] = []
    locks = tmp_path / "locks"
    locks.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(locks))

    def ask_too(item: str, done: int, total: int) -> None:
        if not refusals:
            with pytest.raises(ConflictError) as caught:
                judged(connect(tmp_path / "campaign.duckdb"), server, tmp_path)
            refusals.append(str(caught.value))
            assert [file.suffix for file in locks.iterdir()] == [".lock"]

    assert judged(db, server, tmp_path, progress=ask_too).asked == 3
    assert "another process asks tiny with the same prompt" in refusals[0]
    assert not [*locks.iterdir()], "a lock is left in the folder of all users"
    assert len(server.seen) == 3
    assert judged(db, server, tmp_path).stored == []


def test_answers_wait_for_a_file_that_others_hold(
    server: Server, tmp_path: Path, db: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "SECONDS_UNKEPT", 0)
    busy = iter([True, True])
    free = db.writing

    @contextmanager
    def writing() -> Iterator[Any]:
        if next(busy, False):
            raise DatabaseBusyError("another process holds it")
        with free() as database:
            yield database

    monkeypatch.setattr(db, "writing", writing)
    assert judged(db, server, tmp_path, workers=1).asked == 3
    assert db.show("judge_answer").num_rows == 3
    assert scores(db) == [70, 70, 0, 70, 70]


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("87", 87),
        (" 87.5\n", 87.5),
        ('{"score": 3, "spans": [{"start": 0, "end": 4}]}', 3),
        ('```json\n{"score": "12"}\n```', 12),
        ("```\n12\n```", 12),
        ("Score: 87.5", "neither a number alone nor JSON"),
        ('Here: {"score": 99} as asked', "neither"),
        ('The translation says {"score": 100}. My score: 5', "neither"),
        ('{"score": 100, "score": 5}', "neither"),
        ("8/10", "neither"),
        ("v2 is good", "neither"),
        ("", "neither"),
        ("９", "neither"),
        ("NaN", "is not from"),
        ("1e999", "is not from"),
        ("9" * 400, "is not from"),
        ("9" * 5000, "neither"),
        ("-1", "is not from"),
        ("true", "without a number"),
        ('{"score": null}', "without a number"),
        ("[" * 100_000, "neither"),
        ("``` " * 100_000, "neither"),
    ],
)
def test_scores_are_read_from_answers(answer: str, score: float | str) -> None:
    if isinstance(score, str):
        with pytest.raises(ValueError, match=score):
            read_score(answer, 0, 100)
    else:
        assert read_score(answer, 0, 100) == score


def test_what_tells_requests_apart() -> None:
    settings = JudgeSettings(model="m", prompt="{output}")
    item = Item("s", 1, "a", "b", "c")
    hashes = [
        request_of(entry, item).sha256
        for entry in (
            settings,
            replace(settings, model="n"),
            replace(settings, prompt="{output}{source}"),
            replace(settings, seed=None),
            replace(settings, temperature=1.0),
            replace(settings, highest=10.0),
        )
    ]
    assert len(set(hashes)) == len(hashes)
    assert request_of(settings, replace(item, reference="d", sentence_no=2)).sha256 == hashes[0]


@pytest.mark.parametrize(
    "address", ["ftp://h/v1", "h/v1", "", "http://", "file:///etc/passwd", "http://a:b@h/v1"]
)
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(InputError, match="no address"):
        check_endpoint(Endpoint(address=address))


def test_a_key_is_sent_encrypted_or_not_at_all() -> None:
    with pytest.raises(InputError, match="unencrypted"):
        check_endpoint(Endpoint(address="http://judge.example/v1", key=KEY))
    check_endpoint(Endpoint(address="https://judge.example/v1", key=KEY))
    check_endpoint(Endpoint(address="http://judge.example/v1"))


def test_prompts_and_sources_that_are_not_there(
    db: Tracker, server: Server, tmp_path: Path
) -> None:
    (tmp_path / "prompt.txt").write_text("Rate this: {outptu}")
    with pytest.raises(InputError, match="no place for the output"):
        judged(db, server, tmp_path)
    (tmp_path / "prompt.txt").write_text("{source} {output}")
    (tmp_path / "more.txt").write_text("One.\n")
    db.ingest_references(tmp_path / "more.txt", treebank="one")
    db.submit(["Two."], system="ours", treebank="one", log=False, accept_mismatch=True)
    with pytest.raises(InputError, match="1 sentence without a source"):
        judged(db, server, tmp_path)
    assert server.seen == []
    with pytest.raises(InputError, match="the lowest is below"):
        judged(db, server, tmp_path, lowest=1, highest=1)


def test_the_command_asks_before_it_does(db: Tracker, server: Server, tmp_path: Path) -> None:
    words = ["judges", "score-with", "judge", "--endpoint", server.address, "--model", "tiny"]
    words += ["--prompt", str(tmp_path / "prompt.txt"), "--input-price", "3"]
    result = commands.run(db, *words, "--dry-run")
    assert "1 submission, 5 outputs: 3 requests of about" in result.output
    with pytest.raises(InputError):
        commands.run(db, *words)
    assert server.seen == []
    done = commands.run(db, *words, "--yes")
    assert "3 asked, 0 without a score; 30 tokens sent, 6 answered" in done.output
    assert KEY not in result.output + done.output


def test_a_judge_that_favours_its_family_is_found_out(server: Server, tmp_path: Path) -> None:
    """The judge adds 20 for its family, and 4 to every other quality where the seed is another."""

    def reply(number: int, text: str) -> tuple[int, str]:
        quality, seed = text.count("fine"), server.seen[number - 1]["seed"]
        return 200, str(20 + 10 * quality + 20 * ("tiny" in text) + 4 * (seed * quality % 2))

    server.reply = reply
    (tmp_path / "prompt.txt").write_text("Rate {output}")
    (tmp_path / "refs.txt").write_text("".join(f"Line {item}.\n" for item in range(24)))
    db = connect(tmp_path / "planted.duckdb", create=True)
    message = ["system,sent_id,raw_mean"]
    with db.writing():
        db.ingest_references(tmp_path / "refs.txt", treebank="lines", language="en")
        for number, system in enumerate(("family", "one", "three", "two")):
            qualities = [(7 * item + 3 * number + item // 5) % 5 for item in range(24)]
            name = "tiny" if system == "family" else "huge"
            texts = [f"{name} {item}" + " fine" * quality for item, quality in enumerate(qualities)]
            db.submit(texts, system=system, treebank="lines", log=False, accept_mismatch=True)
            message += [
                f"{system},{item},{20 + 10 * quality}" for item, quality in enumerate(qualities, 1)
            ]
        (tmp_path / "people.csv").write_text("\n".join(message))
        about = {"campaign_id": "local", "treebank_id": "lines", "criterion": "quality"}
        db.ingest_scores(tmp_path / "people.csv", **about)
    requests = [
        judged(db, server, tmp_path, name=name, seed=seed).asked
        for name, seed in (("judge", 0), ("judge_2", 1), ("judge_3", 0))
    ]
    assert requests == [96, 96, 0]

    examination = db.examine("judge", own=["family"], repeats=["judge_2"], replicates=50)
    spread = db.sql("SELECT stddev_pop(score) FROM sentence_score WHERE metric = 'judge'")
    (own,), (again,) = examination.own.to_pylist(), examination.stability.to_pylist()
    assert own["difference"] == pytest.approx(20 / spread.column(0)[0].as_py(), rel=0.15)
    assert own["p"] == 1 / 4
    rows = sorted(examination.systems.to_pylist(), key=lambda row: -row["favoured"])
    assert [row["submission_id"] for row in rows if row["favoured"] > 0] == ["local/family/lines"]
    odd = sum((7 * n + 3 * s + n // 5) % 5 % 2 for n in range(24) for s in range(4)) / 96
    assert again["deviation"] == pytest.approx((odd * 4**2 / 2) ** 0.5)

    same = db.examine("judge", repeats=["judge_3"], replicates=50)
    assert same.stability["deviation"].to_pylist() == [0]
    assert "asked again only with another seed" in " ".join(examination_document(same).verdict)
