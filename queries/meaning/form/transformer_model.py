"""Causal and masked language models of the transformers library, from local folders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from pathlib import Path
from typing import Any

from ....schema.errors import InputError, first_line, optional_packages
from ....schema.files import model_fingerprint, read_text
from .language_model import WITHOUT_TOKENS, TextProbability

CAUSAL, MASKED = "causal", "masked"
LOGITS_AT_ONCE = 2**26
"""What a batch may hold: padded tokens times the size of the vocabulary."""
_ARCHITECTURES = {
    "ForCausalLM": CAUSAL,
    "LMHeadModel": CAUSAL,
    "ForMaskedLM": MASKED,
    "ForPreTraining": MASKED,
}


@dataclass(frozen=True)
class _Row:
    """One input of the model, and the places whose tokens it is to predict."""

    text: int
    inputs: Sequence[int]
    places: Sequence[int]
    tokens: Sequence[int]


class TransformerModel:
    """A causal or masked language model in a folder; nothing is ever downloaded.

    A causal model predicts the first token after its beginning-of-sentence token; where it has
    none, the second token is the first that counts. A masked model predicts each token with that
    one masked (Opitz & Frank 2021, section 3.3).
    """

    trained_on = None

    def __init__(self, folder: Path, kind: str | None = None) -> None:
        """Load a model, in single precision.

        ``kind`` is causal or masked; without it the model's configuration tells.

        Raises MissingDependencyError where transformers and torch are not installed, InputError
        for a folder that holds no such model.
        """
        with optional_packages("use --model ngram"):
            import torch
            import transformers
        self.kind = kind or _kind_of(folder)
        self._torch = torch
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        loader = (
            transformers.AutoModelForCausalLM
            if self.kind == CAUSAL
            else transformers.AutoModelForMaskedLM
        )
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True
            )
            model: Any = loader.from_pretrained(str(folder), local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
            raise InputError(
                f"transformers cannot load a {self.kind} language model: {first_line(error)}",
                where=str(folder),
                hint="name a folder with a configuration, weights and a tokeniser",
            ) from error
        if self.kind == MASKED and self._tokenizer.mask_token_id is None:
            raise InputError(
                "the model's tokeniser has no token that masks others",
                where=str(folder),
                hint="give --kind causal, or another model",
            )
        self._device = _device(torch)
        self._model = model.float().eval().to(self._device)
        self._folder = folder
        self._longest = _longest(model.config, self._tokenizer)

    @cached_property
    def name(self) -> str:
        """The folder's name, and the start of the hash of its files."""
        return model_fingerprint(self._folder.resolve())

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of torch and transformers."""
        import transformers

        return {
            "torch": str(self._torch.__version__).partition("+")[0],
            "transformers": str(transformers.__version__),
        }

    def probabilities(self, texts: Sequence[str]) -> list[TextProbability]:
        """Return the mean probability of the tokens of each text, in their order.

        The batches depend on the texts alone; their sums are those of numbers in double precision.
        """
        return [
            made
            if isinstance(made, TextProbability)
            else TextProbability(len(made), sum(map(exp, made)) / len(made))
            for made in self._logs(texts)
        ]

    def perplexities(self, texts: Sequence[str]) -> list[float | None]:
        """Return the perplexity of each text by its tokens; None where it has no probability.

        Raises InputError for a masked model.
        """
        if self.kind == MASKED:
            raise InputError(
                "a masked model has no perplexity: it sees both sides of a token",
                where=str(self._folder),
                hint="name a causal model, or an n-gram model",
            )
        return [
            None if isinstance(made, TextProbability) else exp(-sum(made) / len(made))
            for made in self._logs(texts)
        ]

    def _logs(self, texts: Sequence[str]) -> list[list[float] | TextProbability]:
        """Return the logarithms of the probabilities of each text's tokens, or why it has none."""
        made: list[list[float] | TextProbability] = []
        rows: list[_Row] = []
        for number, text in enumerate(texts):
            of_text = self._rows(number, text)
            made.append(of_text if isinstance(of_text, TextProbability) else [])
            rows += [] if isinstance(of_text, TextProbability) else of_text
        for batch in self._batches(rows):
            for row, values in zip(batch, self._predicted(batch), strict=True):
                logs = made[row.text]
                if not isinstance(logs, TextProbability):
                    logs += values
        return made

    def _rows(self, number: int, text: str) -> list[_Row] | TextProbability:
        """Return the inputs that a text needs, or why it has no probability."""
        make = self._causal_rows if self.kind == CAUSAL else self._masked_rows
        made = make(number, text)
        if isinstance(made, TextProbability) or not made:
            return made or TextProbability(0, None, WITHOUT_TOKENS)
        length = len(made[0].inputs)
        if self._longest is not None and length > self._longest:
            reason = f"the text has {length} tokens, the model takes {self._longest}"
            return TextProbability(sum(len(row.tokens) for row in made), None, reason)
        return made

    def _causal_rows(self, number: int, text: str) -> list[_Row] | TextProbability:
        tokens = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        if not tokens:
            return []
        beginning = self._tokenizer.bos_token_id
        if beginning is not None:
            tokens = [beginning, *tokens]
        if len(tokens) == 1:
            reason = "the text is one token, and the model has none for the beginning"
            return TextProbability(1, None, reason)
        return [_Row(number, tokens, range(len(tokens) - 1), tokens[1:])]

    def _masked_rows(self, number: int, text: str) -> list[_Row] | TextProbability:
        encoded = self._tokenizer(text, return_special_tokens_mask=True)
        tokens = encoded["input_ids"]
        mask = self._tokenizer.mask_token_id
        return [
            _Row(number, [*tokens[:place], mask, *tokens[place + 1 :]], [place], [tokens[place]])
            for place, special in enumerate(encoded["special_tokens_mask"])
            if not special
        ]

    def _batches(self, rows: Sequence[_Row]) -> Iterator[list[_Row]]:
        """Return rows of like lengths together, the longest first: what fits once fits always."""
        tokens_at_once = LOGITS_AT_ONCE // self._model.config.vocab_size
        batch: list[_Row] = []
        for row in sorted(rows, key=lambda row: -len(row.inputs)):
            if batch and (len(batch) + 1) * len(batch[0].inputs) > tokens_at_once:
                yield batch
                batch = []
            batch.append(row)
        if batch:
            yield batch

    def _predicted(self, batch: Sequence[_Row]) -> list[list[float]]:
        """Return the logarithms of the probabilities of the tokens that each row asks for."""
        torch = self._torch
        width = len(batch[0].inputs)
        filler = self._tokenizer.pad_token_id or 0
        padded = [[*row.inputs, *[filler] * (width - len(row.inputs))] for row in batch]
        attended = [[int(place < len(row.inputs)) for place in range(width)] for row in batch]
        with torch.inference_mode():
            logits = self._model(
                input_ids=torch.tensor(padded, device=self._device),
                attention_mask=torch.tensor(attended, device=self._device),
            ).logits
            predicted = []
            for number, row in enumerate(batch):
                wanted = logits[number, list(row.places)].cpu().double()
                tokens = torch.tensor(list(row.tokens))
                chosen = wanted[torch.arange(len(tokens)), tokens]
                predicted.append((chosen - wanted.logsumexp(dim=-1)).tolist())
        return predicted


def _kind_of(folder: Path) -> str:
    file = folder / "config.json"
    if not file.exists():
        raise InputError(
            "the folder holds no model: it has no config.json",
            where=str(folder),
            hint="name the folder of a transformers model, an ARPA file, or ngram",
        )
    try:
        configuration = dict(json.loads(read_text(file)))
    except (ValueError, TypeError) as error:
        raise InputError(
            f"this is no configuration of a model: {first_line(error)}",
            where=str(file),
            hint="fetch or make the model again",
        ) from error
    names = configuration.get("architectures") or []
    for suffix, kind in _ARCHITECTURES.items():
        if any(str(name).endswith(suffix) for name in names):
            return kind
    raise InputError(
        "the model does not say whether it is causal or masked",
        where=str(file),
        hint="give --kind causal or --kind masked",
    )


def _device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _longest(configuration: Any, tokenizer: Any) -> int | None:
    """Return how many tokens the model takes at most; None where it does not say."""
    positions = getattr(configuration, "max_position_embeddings", None)
    # A tokeniser without a limit has one of 10^30; a model's positions may hold some for padding.
    limits = [limit for limit in (positions, tokenizer.model_max_length) if limit and limit > 0]
    usable = [limit for limit in limits if limit < 10**9]
    return min(usable) if usable else None
