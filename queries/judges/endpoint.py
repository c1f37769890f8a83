"""An endpoint where a language model answers: how it is asked, and what may come back.

Every answer is taken as hostile: it is bounded, masked and converted where it arrives, and whatever
is wrong with it is the failure of that one request.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request as HttpRequest

from ...schema.brief import plural
from ...schema.errors import InputError, TrackerError
from ...schema.web import FIRST_FAILURE, answer_to, is_here
from .judge import Request

_KEY = re.compile(r"[!-~]+")
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)
_ENDED = (None, "stop", "eos", "end_turn", "stop_sequence")
"""What ``finish_reason`` is where the model came to an end by itself."""
_ITS_OWN = (400, 413, 422)
"""Refusals of one request: its text may be too long. Others mean that none will be answered."""
LONGEST_WAIT = 60.0
FAILURES_IN_A_ROW = 8
LARGEST_ANSWER = 10_000_000
LONGEST_TEXT = 100_000
"""Characters of an answer that are kept."""
MOST_TOKENS = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where a model answers, and how patiently it is asked."""

    address: str
    """Up to /v1: /chat/completions is added."""
    key: str | None = None
    """What it is authorised by; it is sent, and nowhere written."""
    workers: int = 4
    timeout: float = 120.0
    """Seconds that an attempt may take, from connecting to the last byte."""
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
    if endpoint.key and not _KEY.fullmatch(endpoint.key):
        raise InputError(
            "the key has a blank, a line break or a character that no key has, such as a curly "
            "quotation mark",
            where=host,
            hint="set the variable again, to the key alone",
        )


class Asking:
    """Requests that are sent, some at a time; iterating gives the answers as they come."""

    def __init__(self, endpoint: Endpoint, requests: Sequence[Request]) -> None:
        """Begin to ask. Raises InputError for an address or a key that cannot be."""
        check_endpoint(endpoint)
        self._endpoint = endpoint
        self._count = len(requests)
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._answers: SimpleQueue[Answer | _Refused] = SimpleQueue()
        self._stop = threading.Event()
        for request in requests:
            self._requests.put(request)
        for number in range(min(endpoint.workers, self._count)):  # nobody waits for them to end
            threading.Thread(target=self._work, name=f"judge {number}", daemon=True).start()

    def __iter__(self) -> Iterator[Answer]:
        """Give each answer.

        Raises TrackerError where the endpoint refuses all, or FAILURES_IN_A_ROW of them failed.
        """
        failed = 0
        for _ in range(self._count):
            answer = self._answers.get()
            if isinstance(answer, _Refused):
                raise TrackerError(
                    f"the endpoint refuses: {answer}",
                    where=urlsplit(self._endpoint.address).netloc,
                    hint="check the address, the model's name and the key's variable",
                )
            yield answer
            failed = failed + 1 if answer.text is None else 0
            if failed >= FAILURES_IN_A_ROW:
                raise TrackerError(
                    f"{plural(failed, 'request')} in a row failed, the last: {answer.failure}",
                    where=urlsplit(self._endpoint.address).netloc,
                    hint="the answers are stored: the same command goes on from there",
                )

    def stop(self) -> list[Answer]:
        """Ask no more; return the answers that came and were not given yet."""
        self._stop.set()
        answers = []
        with suppress(Empty):
            while True:
                answers.append(self._answers.get_nowait())
        return [answer for answer in answers if isinstance(answer, Answer)]

    def _work(self) -> None:
        while not self._stop.is_set():
            try:
                request = self._requests.get_nowait()
            except Empty:
                return
            try:
                self._answers.put(self._patiently(request))
            except _Refused as refusal:
                self._stop.set()
                self._answers.put(refusal)
            except Exception as error:  # noqa: BLE001 whatever an answer did is its failure
                reason = self._masked(f"the answer cannot be read: {type(error).__name__}")
                self._answers.put(Answer(request.sha256, None, reason, 1))

    def _patiently(self, request: Request) -> Answer:
        """Send a request until it is answered, refused, or was sent often enough."""
        reason = "it was not asked"
        for attempt in range(1, self._endpoint.attempts + 1):
            try:
                return self._answer(request, self._send(request.body), attempt)
            except _Passing as error:
                reason, wanted = str(error), error.seconds
            except ValueError as error:
                return Answer(request.sha256, None, str(error), attempt)
            seconds = self._endpoint.first_wait * 2 ** (attempt - 1) if wanted is None else wanted
            if attempt < self._endpoint.attempts and self._stop.wait(min(seconds, LONGEST_WAIT)):
                break
        return Answer(request.sha256, None, reason, attempt)

    def _answer(self, request: Request, reply: Mapping[str, Any], attempt: int) -> Answer:
        """Return what a reply says.

        Raises _Passing where it says nothing, ValueError where the model did not end by itself.
        """
        try:
            choice = reply["choices"][0]
            message = choice["message"]
            text, refusal = message.get("content"), message.get("refusal")
            end = choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise _Passing("the answer has no text") from None
        if refusal:
            raise ValueError(self._masked(f"the model refuses: {refusal}"))
        if end not in _ENDED:
            raise ValueError(self._masked(f"the answer is not whole: finish_reason {end}"))
        if not isinstance(text, str):
            raise _Passing("the answer has no text")
        usage = reply.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return Answer(
            request.sha256,
            self._masked(text, LONGEST_TEXT),
            None,
            attempt,
            _count(counts.get("prompt_tokens")),
            _count(counts.get("completion_tokens")),
        )

    def _send(self, body: bytes) -> dict[str, Any]:
        """Return the JSON that is answered to a request."""
        endpoint = self._endpoint
        headers = {"Content-Type": "application/json", "User-Agent": "sr-tracker"}
        if endpoint.key:
            headers["Authorization"] = f"Bearer {endpoint.key}"
        request = HttpRequest(  # noqa: S310 checked before
            endpoint.address.rstrip("/") + "/chat/completions", data=body, headers=headers
        )
        host = urlsplit(endpoint.address).hostname or ""
        try:
            with answer_to(request, host, endpoint.timeout) as answer:
                content = answer.read(LARGEST_ANSWER)
        except (OSError, HTTPException) as error:
            raise _Passing(self._masked(str(error)) or type(error).__name__) from None
        if answer.status >= FIRST_FAILURE:
            detail = content[:LONGEST_TEXT].decode(errors="replace")
            reason = self._masked(f"HTTP {answer.status}: {detail}".rstrip(": \n"))
            if answer.status in _PASSING:
                raise _Passing(reason, _seconds(answer.headers.get("Retry-After")))
            if answer.status in _ITS_OWN:
                raise ValueError(reason)
            raise _Refused(reason)
        try:
            reply = json.loads(content)
        except (ValueError, RecursionError):
            raise _Passing("the answer is no JSON") from None
        if not isinstance(reply, dict):
            raise _Passing("the answer is no JSON object")
        return reply

    def _masked(self, text: str, longest: int | None = None) -> str:
        """Return a text that can be stored, without the key: an answer, or in a line a reason."""
        storable = text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
        if self._endpoint.key:
            storable = storable.replace(self._endpoint.key, "***")
        return storable[:longest] if longest else " ".join(storable.split())[:300]


def _seconds(text: str | None) -> float | None:
    """Return a number of seconds; None for another text, such as a date."""
    return float(text) if text and re.fullmatch(r"\s*[0-9]{1,9}\s*", text) else None


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= MOST_TOKENS else None
