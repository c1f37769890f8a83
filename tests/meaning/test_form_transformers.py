"""Causal and masked language models of transformers: tiny ones, built on the spot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from sr_tracker.queries.meaning.form.language_model import TextProbability, label_of
from sr_tracker.queries.meaning.form.transformer_model import TransformerModel
from sr_tracker.schema.errors import InputError

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[form]'")
transformers = pytest.importorskip("transformers", reason="transformers are not installed")
tokenizers = pytest.importorskip("tokenizers", reason="tokenizers are not installed")

TEXTS = [
    "The dog sees a cat.",
    "A cat!",
    "I do not know the dog that sees the cat, and the cat does not know me.",
    "Dogs",
    "",
    "The dog sees a cat.",
]
LONGEST = 40


def fast_tokenizer(special: dict[str, str], template: str | None = None) -> Any:
    """A byte-level BPE tokeniser trained on the texts."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=list(special.values()),
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    if template:
        tokens = [(token, tokenizer.token_to_id(token)) for token in special.values()]
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
            single=template, special_tokens=tokens
        )
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)


def save(folder: Path, model: Any, tokenizer: Any) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def gpt2(folder: Path, special: dict[str, str]) -> Path:
    torch.manual_seed(1)
    tokenizer = fast_tokenizer(special)
    configuration = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_positions=LONGEST, n_embd=32, n_layer=2, n_head=2
    )
    configuration.initializer_range = 0.5
    return save(folder, transformers.GPT2LMHeadModel(configuration), tokenizer)


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> TransformerModel:
    folder = gpt2(tmp_path_factory.mktemp("gpt2"), {"bos_token": "<|begin|>"})
    return TransformerModel(folder)


@pytest.fixture(scope="module")
def without_beginning(tmp_path_factory: pytest.TempPathFactory) -> TransformerModel:
    return TransformerModel(gpt2(tmp_path_factory.mktemp("plain"), {"pad_token": "<pad>"}))


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> TransformerModel:
    torch.manual_seed(2)
    special = {
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
        "pad_token": "[PAD]",
    }
    tokenizer = fast_tokenizer(special, "[CLS] $A [SEP]")
    configuration = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
        initializer_range=0.5,
        pad_token_id=tokenizer.pad_token_id,
    )
    folder = tmp_path_factory.mktemp("bert")
    return TransformerModel(save(folder, transformers.BertForMaskedLM(configuration), tokenizer))


def test_a_masked_model_has_no_perplexity(masked: TransformerModel) -> None:
    with pytest.raises(InputError, match="sees both sides"):
        masked.perplexities(["The cat"])


def softmax(logits: list[float], token: int) -> float:
    largest = max(logits)
    return math.exp(logits[token] - largest) / math.fsum(math.exp(x - largest) for x in logits)


def logits_of(model: TransformerModel, tokens: list[int]) -> list[list[float]]:
    """Return the logits of one text alone, without batches, padding or masks."""
    with torch.no_grad():
        values: list[list[float]] = model._model(torch.tensor([tokens])).logits[0].tolist()
    return values


def causal_by_hand(model: TransformerModel, text: str) -> float:
    tokens = model._tokenizer(text)["input_ids"]
    begin = model._tokenizer.bos_token_id
    tokens = tokens if begin is None else [begin, *tokens]
    logits = logits_of(model, tokens)
    computed = [softmax(logits[place], tokens[place + 1]) for place in range(len(tokens) - 1)]
    return sum(computed) / len(computed)


def masked_by_hand(model: TransformerModel, text: str) -> float:
    tokens = model._tokenizer(text)["input_ids"]
    results = []
    for place in range(1, len(tokens) - 1):
        covered = [*tokens]
        covered[place] = model._tokenizer.mask_token_id
        results.append(softmax(logits_of(model, covered)[place], tokens[place]))
    return sum(results) / len(results)


def test_causal_probabilities_are_those_of_the_logits(causal: TransformerModel) -> None:
    """P(tok_1 | BOS), P(tok_2 | BOS tok_1) and so on."""
    probabilities = causal.probabilities(TEXTS)
    assert probabilities[4] == TextProbability(0, None, "the text has no token")
    for text, probability in zip(TEXTS, probabilities, strict=True):
        if text:
            assert probability.tokens == len(causal._tokenizer(text)["input_ids"])
            assert probability.probability == pytest.approx(causal_by_hand(causal, text), rel=1e-4)
    assert probabilities[0] == probabilities[5]
    perplexities = causal.perplexities(TEXTS)
    assert perplexities[4] is None
    for text, perplexity in zip(TEXTS, perplexities, strict=True):
        if text:
            tokens = [causal._tokenizer.bos_token_id, *causal._tokenizer(text)["input_ids"]]
            logits = logits_of(causal, tokens)
            logs = [
                math.log(softmax(logits[place], token)) for place, token in enumerate(tokens[1:])
            ]
            assert perplexity == pytest.approx(math.exp(-sum(logs) / len(logs)), rel=1e-4)
    assert causal.kind == "causal"


def test_without_a_beginning_the_second_token_comes_first(
    without_beginning: TransformerModel,
) -> None:
    first, single = without_beginning.probabilities([TEXTS[0], "A"])
    assert first.tokens == len(without_beginning._tokenizer(TEXTS[0])["input_ids"]) - 1
    assert first.probability == pytest.approx(causal_by_hand(without_beginning, TEXTS[0]), rel=1e-4)
    assert (single.tokens, single.probability) == (1, None)
    assert "one token" in str(single.undefined_reason)


def test_masked_probabilities_are_those_of_the_logits(masked: TransformerModel) -> None:
    """Each token with it alone masked; the tokens that frame a text do not count."""
    probabilities = masked.probabilities(TEXTS)
    assert masked.kind == "masked"
    assert probabilities[4].tokens == 0
    for text, probability in zip(TEXTS, probabilities, strict=True):
        if text:
            assert probability.tokens == len(masked._tokenizer(text)["input_ids"]) - 2
            assert probability.probability == pytest.approx(masked_by_hand(masked, text), rel=1e-4)


@pytest.mark.parametrize("name", ["causal", "masked"])
def test_batches_of_any_size_agree(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: TransformerModel = request.getfixturevalue(name)
    texts = [text for text in TEXTS if text]
    together = model.probabilities(texts)
    monkeypatch.setattr("sr_tracker.queries.meaning.form.transformer_model.LOGITS_AT_ONCE", 1)
    for one, other in zip(together, model.probabilities(texts), strict=True):
        assert one.tokens == other.tokens
        assert one.probability == pytest.approx(other.probability, rel=1e-4)


@pytest.mark.parametrize("name", ["causal", "masked"])
def test_a_text_the_model_cannot_hold_has_no_probability(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: TransformerModel = request.getfixturevalue(name)
    (probabilities,) = model.probabilities(["dog! " * LONGEST])
    assert probabilities.probability is None
    assert f"the model takes {LONGEST}" in str(probabilities.undefined_reason)


def test_the_name_is_that_of_the_files(causal: TransformerModel) -> None:
    folder = causal._folder
    before = causal.name
    assert before.startswith(f"{folder.name}@")
    assert label_of(causal).startswith("causal/torch-")
    (folder / "generation_config.json").write_text("{}", encoding="utf-8")
    assert TransformerModel(folder).name != before


def test_a_folder_without_a_model_is_refused(tmp_path: Path, masked: TransformerModel) -> None:
    with pytest.raises(InputError, match="no model"):
        TransformerModel(tmp_path)
    (tmp_path / "config.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(InputError, match="no configuration"):
        TransformerModel(tmp_path)
    (tmp_path / "config.json").write_text('{"architectures": ["BertModel"]}', encoding="utf-8")
    with pytest.raises(InputError, match="causal or masked"):
        TransformerModel(tmp_path)
    with pytest.raises(InputError, match="cannot load"):
        TransformerModel(tmp_path, "masked")
