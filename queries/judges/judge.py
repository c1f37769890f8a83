"""A language model as a judge: what it is asked, at which address, and what its answer says."""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request as HttpRequest

from ...schema.brief import plural
from ...schema.errors import InputError, TrackerError
from ...schema.files import content_hash, read_text
from ...schema.web import is_here, opener_for
from ..metrics.external import ExternalScoring
from .scorer import BOTH, REFERENCE, SOURCE, Item

_PLACE = re.compile(r"\{(source|reference|output)\}")
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\d)")
_HASH_DIGITS = 12
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, kw_only=True)
class JudgeSettings:
    """What decides a judge's answers, but for its address."""

    model: str
    prompt: str
    """Text with {output}, and {source}, {reference} or both, where these are to be put in."""
    name: str = "judge"
    temperature: float = 0.0
    seed: int | None = 0
    """None: the endpoint is told none."""
    max_tokens: int | None = None
    lowest: float = 0.0
    highest: float = 100.0
    """What scores may be; an answer with another is a failure. A missing output has the lowest."""

    @property
    def prompt_sha256(self) -> str:
        """Hash of the prompt before texts are put in."""
        return content_hash(self.prompt)

    @property
    def scoring(self) -> ExternalScoring:
        """What its scores are, and all that makes them comparable."""
        places = set(_PLACE.findall(self.prompt))
        both = {"source", "reference"} <= places
        return ExternalScoring(
            label=self.name,
            name=self.name,
            version="1",
            model=self.model,
            prompt_hash=self.prompt_sha256[:_HASH_DIGITS],
            input=BOTH
            if both
            else SOURCE
            if "source" in places
            else REFERENCE
            if "reference" in places
            else None,
            settings=f"temperature {self.temperature:g}, seed {self.seed}, "
            f"max-tokens {self.max_tokens}, from {self.lowest:g} to {self.highest:g}",
            lowest=self.lowest,
            highest=self.highest,
            description=f"judged by {self.model}",
        )


@dataclass(frozen=True)
class Request:
    """What is sent to a judge, and the hash that its answer is kept under."""

    sha256: str
    body: bytes

    @property
    def tokens(self) -> int:
        """About how many tokens it has: characters by CHARACTERS_PER_TOKEN."""
        return len(self.body) // CHARACTERS_PER_TOKEN


def read_prompt(path: Path) -> str:
    """Return a prompt. Raises InputError for one that has no place for the output."""
    prompt = read_text(path).strip()
    if "{output}" not in prompt:
        raise InputError(
            "the prompt has no place for the output",
            where=str(path),
            hint="write {output} where it is to stand, and {source} or {reference}",
        )
    return prompt


def checked(settings: JudgeSettings) -> JudgeSettings:
    """Return settings. Raises InputError for limits between which nothing is."""
    limits = (settings.lowest, settings.highest)
    if not all(map(math.isfinite, limits)) or settings.lowest >= settings.highest:
        raise InputError(
            f"scores cannot be from {settings.lowest:g} to {settings.highest:g}",
            hint="the lowest is below the highest",
        )
    if not settings.model.strip() or not math.isfinite(settings.temperature):
        raise InputError("a judge needs the name of a model, and a temperature that is a number")
    return replace(settings, prompt=settings.prompt.strip())


def request_of(settings: JudgeSettings, item: Item) -> Request:
    """Return what is sent for an item. Texts are put in at once: what they say is no place."""
    texts = {"source": item.source, "reference": item.reference, "output": item.output}
    content = _PLACE.sub(lambda match: texts[match[1]] or "", settings.prompt)
    fields: dict[str, Any] = {
        "model": settings.model,
        "messages": [{"role": "user", "content": content}],
        "temperature": settings.temperature,
    }
    for name in ("seed", "max_tokens"):
        if getattr(settings, name) is not None:
            fields[name] = getattr(settings, name)
    body = json.dumps(fields, ensure_ascii=False, sort_keys=True).encode(errors="replace")
    limits = f"{settings.lowest} {settings.highest}"
    return Request(content_hash(body, limits, settings.prompt_sha256), body)


def read_score(answer: str, lowest: float, highest: float) -> float:
    """Return the score in an answer: a number, or JSON that is one or has it as ``score``.

    Raises ValueError, with the reason, for an answer with no number, several, or one out of range.
    """
    fenced = _FENCE.findall(answer)
    text = (fenced[-1] if fenced else answer).strip()
    score = _as_json(text)
    if score is None:
        numbers = _NUMBER.findall(text)
        if len(numbers) != 1:
            raise ValueError(f"the answer has {len(numbers) or 'no'} numbers, not one")
        score = float(numbers[0])
    if not math.isfinite(score) or not lowest <= score <= highest:
        raise ValueError(f"the score {score:g} is not from {lowest:g} to {highest:g}")
    return score


def _as_json(text: str) -> float | None:
    """Return the score of a text that is JSON, None for one that is not."""
    start, end = text.find("{"), text.rfind("}")
    for part in (text, text[start : end + 1] if 0 <= start < end else ""):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        score = value.get("score") if isinstance(value, Mapping) else value
        if isinstance(score, str) and _NUMBER.fullmatch(score.strip()):
            score = float(score)
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise ValueError("the answer is JSON without a number as its score")
        return float(score)
    return None


_PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)
_ITS_OWN = (400, 413, 422)
"""Refusals of one request: its text may be too long. Others mean that none will be answered."""
LONGEST_WAIT = 60.0
FAILURES_IN_A_ROW = 8
LARGEST_ANSWER = 10_000_000


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where a model answers, and how patiently it is asked."""

    address: str
    """Up to /v1: /chat/completions is added."""
    key: str | None = None
    """What it is authorised by; it is sent, and nowhere written."""
    workers: int = 4
    timeout: float = 120.0
    attempts: int = 5
    first_wait: float = 1.0
    """Seconds before the second attempt; each further wait is twice as long."""


@dataclass(frozen=True)
class Answer:
    """What became of a request."""

    sha256: str
    text: str | None
    failure: str | None
    attempts: int
    input_tokens: int | None = None
    output_tokens: int | None = None


class _Refused(Exception):  # noqa: N818
    """A request that will not be answered, however often it is sent."""


class _Passing(Exception):  # noqa: N818
    """A failure that may pass; how long to wait, where that was said."""

    def __init__(self, reason: str, seconds: float | None = None) -> None:
        super().__init__(reason)
        self.seconds = seconds


def check_endpoint(endpoint: Endpoint) -> None:
    """Raise InputError for an address that is none, or that would send a key unencrypted."""
    try:
        parts = urlsplit(endpoint.address)
        host = parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host or parts.username:
        raise InputError(
            "this is no address of an endpoint",
            where=parts.hostname or "--endpoint",
            hint="such as https://HOST/v1 or http://127.0.0.1:8000/v1, without a name or password",
        )
    if endpoint.key and parts.scheme == "http" and not is_here(host):
        raise InputError(
            "the key would be sent unencrypted", where=host, hint="name an address of https"
        )


def ask(endpoint: Endpoint, requests: Sequence[Request], stop: threading.Event) -> Iterator[Answer]:
    """Give the answers to requests as they come, some asked at a time; ``stop`` asks no more.

    Raises TrackerError where the endpoint refuses all, or FAILURES_IN_A_ROW of them failed.
    """
    check_endpoint(endpoint)
    send = _sender(endpoint)
    left = iter(requests)
    running: set[Future[Answer]] = set()
    failed = 0
    pool = ThreadPoolExecutor(endpoint.workers, thread_name_prefix="judge")
    try:
        while True:
            while len(running) < endpoint.workers and not stop.is_set():
                request = next(left, None)
                if request is None:
                    break
                running.add(pool.submit(_patiently, endpoint, request, send, stop))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                try:
                    answer = future.result()
                except _Refused as error:
                    raise TrackerError(
                        f"the endpoint refuses: {error}",
                        where=urlsplit(endpoint.address).netloc,
                        hint="check the address, the model's name and the key's variable",
                    ) from None
                yield answer
                failed = failed + 1 if answer.text is None else 0
            if failed >= FAILURES_IN_A_ROW:
                raise TrackerError(
                    f"{plural(failed, 'request')} in a row failed, the last: {answer.failure}",
                    where=urlsplit(endpoint.address).netloc,
                    hint="the answers are stored: the same command goes on from there",
                )
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _sender(endpoint: Endpoint) -> Callable[[bytes], dict[str, Any]]:
    """Return what sends a request and gives the JSON that is answered."""
    parts = urlsplit(endpoint.address)
    opener = opener_for(parts.hostname or "")
    headers = {"Content-Type": "application/json", "User-Agent": "sr-tracker"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    address = endpoint.address.rstrip("/") + "/chat/completions"

    def message(error: object) -> str:
        """Return what an error says in a line, without the key."""
        text = " ".join(str(error).split())[:300]
        return text.replace(endpoint.key, "***") if endpoint.key else text

    def send(body: bytes) -> dict[str, Any]:
        request = HttpRequest(address, data=body, headers=headers)  # noqa: S310 checked before
        try:
            with opener.open(request, timeout=endpoint.timeout) as answer:
                content = json.loads(answer.read(LARGEST_ANSWER))
        except HTTPError as error:
            with error:
                detail = error.read(2000).decode(errors="replace")
            reason = message(
                f"HTTP {error.code}: {detail}" if detail.strip() else f"HTTP {error.code}"
            )
            if error.code in _PASSING:
                raise _Passing(reason, _seconds(error.headers.get("Retry-After"))) from None
            if error.code in _ITS_OWN:
                raise ValueError(reason) from None
            raise _Refused(reason) from None
        except (OSError, HTTPException) as error:
            raise _Passing(message(error) or type(error).__name__) from None
        except (ValueError, RecursionError):
            raise _Passing("the answer is no JSON") from None
        if not isinstance(content, dict):
            raise _Passing("the answer is no JSON object")
        return content

    return send


def _seconds(text: str | None) -> float | None:
    return float(text) if text and text.strip().isdigit() else None


def _patiently(
    endpoint: Endpoint,
    request: Request,
    send: Callable[[bytes], dict[str, Any]],
    stop: threading.Event,
) -> Answer:
    """Send a request until it is answered, refused, or was sent often enough."""
    reason = "it was not asked"
    for attempt in range(1, endpoint.attempts + 1):
        try:
            reply = send(request.body)
            text = reply["choices"][0]["message"]["content"]
            if not isinstance(text, str):
                raise _Passing("the answer has no text")
            usage = reply.get("usage")
            counts = usage if isinstance(usage, dict) else {}
            return Answer(
                request.sha256,
                text,
                None,
                attempt,
                _count(counts.get("prompt_tokens")),
                _count(counts.get("completion_tokens")),
            )
        except _Passing as error:
            reason, wanted = str(error), error.seconds
        except (KeyError, IndexError, TypeError):
            reason, wanted = "the answer has no text", None
        except ValueError as error:
            return Answer(request.sha256, None, str(error), attempt)
        seconds = endpoint.first_wait * 2 ** (attempt - 1) if wanted is None else wanted
        if attempt < endpoint.attempts and stop.wait(min(seconds, LONGEST_WAIT)):
            break
    return Answer(request.sha256, None, reason, attempt)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None
