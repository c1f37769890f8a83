"""A language model as a judge: what it is asked, at which address, and what its answer says."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...schema.errors import InputError
from ...schema.files import content_hash, read_text
from ..metrics.external import ExternalScoring
from .scorer import BOTH, REFERENCE, SOURCE, Item

_PLACE = re.compile(r"\{(source|reference|output)\}")
_NUMBER = re.compile(r"[-+]?[0-9]{1,20}(\.[0-9]{1,20})?")
_HASH_DIGITS = 12
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, kw_only=True)
class JudgeSettings:
    """What decides a judge's answers, but for its address."""

    model: str
    prompt: str
    """Text with {output}, and {source}, {reference} or both, where these are to be put in, each
    between tags of its name: what a text asks for is seen to be part of it."""
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
            version="2",
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

    def tagged(place: re.Match[str]) -> str:
        name = place[1]
        text = (texts[name] or "").replace(f"</{name}", f"<\\/{name}")
        return f"<{name}>\n{text}\n</{name}>"

    content = _PLACE.sub(tagged, settings.prompt)
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
    """Return the score that an answer is: a number, or JSON that is one or has it as ``score``.

    The answer is nothing else, but that a fence of Markdown may be around it: of a text with
    numbers nobody knows which one it means.

    Raises ValueError, with the reason, for any other answer and for a score out of range.
    """
    text = answer.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text[3:-3].removeprefix("json").strip()
    score = float(text) if _NUMBER.fullmatch(text) else _in_json(text)
    if not math.isfinite(score) or not lowest <= score <= highest:
        raise ValueError(f"the score {score:g} is not from {lowest:g} to {highest:g}")
    return score


def _in_json(text: str) -> float:
    """Return the score of a text that is JSON."""
    try:
        value = json.loads(text, object_pairs_hook=_unambiguous)
    except (ValueError, RecursionError):
        raise ValueError("the answer is neither a number alone nor JSON") from None
    score = value.get("score") if isinstance(value, Mapping) else value
    if isinstance(score, str) and _NUMBER.fullmatch(score.strip()):
        score = float(score)
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise ValueError("the answer is JSON without a number as its score")
    try:
        return float(score)
    except OverflowError:
        return math.inf


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)
