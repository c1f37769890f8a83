"""What language models answered as judges."""

from __future__ import annotations

from datetime import datetime

from ..tables import Entity, column, double, key, timestamp


class JudgeAnswer(Entity, table=True):
    """One row per request to a language model as a judge: what it answered, and what that took."""

    request_sha256: str = key("hash of the model, the settings and the prompt with its texts")
    model: str = column("name of the model")
    prompt_sha256: str = column("hash of the prompt before texts were put in")
    answer: str | None = column("what the model wrote; NULL where there is no answer")
    score: float | None = double("the score that was read from it; NULL where there is none")
    failure: str | None = column("why there is no score; NULL where there is one")
    attempts: int = column("how often it was sent")
    input_tokens: int | None = column("tokens of the request, as the endpoint counts them")
    output_tokens: int | None = column("tokens of the answer, as the endpoint counts them")
    answered_at: datetime = timestamp("when")
