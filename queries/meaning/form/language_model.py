"""Language models: what gives texts the mean probability of their tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

WITHOUT_TOKENS = "the text has no token"
"""Why such a text has no probability; an output without a token counts like a missing one."""


@dataclass(frozen=True)
class TextProbability:
    """How probable a text is: the mean probability of its tokens (Opitz & Frank 2021, eq. 2)."""

    tokens: int
    probability: float | None
    undefined_reason: str | None = None


class LanguageModel(Protocol):
    """A language model; its name, kind and versions are part of the scores' signature."""

    @property
    def name(self) -> str:
        """The name, with the start of the hash of what the probabilities depend on."""

    @property
    def kind(self) -> str:
        """causal, masked or ngram."""

    @property
    def trained_on(self) -> str | None:
        """Hash of the treebank the model was trained on; None where it is not known."""

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of the libraries the probabilities depend on."""

    def probabilities(self, texts: Sequence[str]) -> list[TextProbability]:
        """Return the mean token probability of each text, in their order."""

    def perplexities(self, texts: Sequence[str]) -> list[float | None]:
        """Return the perplexity of each text, None where it has no token that counts.

        It is e to the negative mean logarithm of the tokens' probabilities, at least 1. Raises
        InputError for a model that sees what follows a token.
        """


def label_of(model: LanguageModel) -> str:
    """Return what tells models apart whose probabilities may differ: kind, versions and name."""
    versions = "+".join(f"{library}-{version}" for library, version in model.versions.items())
    return f"{model.kind}/{versions}+{model.name}"
