"""A language model as a judge: what it is asked, and what is read from its answer."""

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
    content = _PLACE.sub(lambda found: texts[found[1]] or "", settings.prompt)
    asked: dict[str, Any] = {
        "model": settings.model,
        "messages": [{"role": "user", "content": content}],
        "temperature": settings.temperature,
    }
    for name in ("seed", "max_tokens"):
        if getattr(settings, name) is not None:
            asked[name] = getattr(settings, name)
    body = json.dumps(asked, ensure_ascii=False, sort_keys=True).encode(errors="replace")
    limits = f"{settings.lowest} {settings.highest}"
    return Request(content_hash(body, limits, settings.prompt_sha256), body)


def read_score(answer: str, lowest: float, highest: float) -> float:
    """Return the score in an answer: a number, or JSON that is one or has it as ``score``.

    Raises ValueError, with the reason, for an answer with no number, several, or one out of range.
    """
    fenced = _FENCE.findall(answer)
    text = (fenced[-1] if fenced else answer).strip()
    found = _as_json(text)
    if found is None:
        numbers = _NUMBER.findall(text)
        if len(numbers) != 1:
            raise ValueError(f"the answer has {len(numbers) or 'no'} numbers, not one")
        found = float(numbers[0])
    if not math.isfinite(found) or not lowest <= found <= highest:
        raise ValueError(f"the score {found:g} is not from {lowest:g} to {highest:g}")
    return found


def _as_json(text: str) -> float | None:
    """Return the score of a text that is JSON, None for one that is not."""
    start, end = text.find("{"), text.rfind("}")
    for part in (text, text[start : end + 1] if 0 <= start < end else ""):
        try:
            found = json.loads(part)
        except (ValueError, RecursionError):
            continue
        score = found.get("score") if isinstance(found, Mapping) else found
        if isinstance(score, str) and _NUMBER.fullmatch(score.strip()):
            score = float(score)
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise ValueError("the answer is JSON without a number as its score")
        return float(score)
    return None
