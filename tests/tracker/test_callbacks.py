"""The callbacks of the docs do what the page says: with the trainers that are installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sr_tracker
from tests.blocks import blocks
from tests.building import written

PAGE = Path(__file__).parents[2] / "docs" / "submit.md"
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "hill", "today", "here"]
EPOCHS = 6


def callback(name: str) -> Any:
    """The class of this name in the page."""
    (block,) = (block for block in blocks(PAGE.read_text(encoding="utf-8")) if name in block.text)
    names: dict[str, Any] = {}
    exec(compile(block.text, str(PAGE), "exec"), names)  # noqa: S102
    return names[name]


def sentences() -> list[list[int]]:
    """Sentences as numbers of words, no two alike: after each word the next one of the list."""
    return [[(n + k) % len(WORDS) for k in range(8)] for n in range(len(WORDS))]


def texts(numbers: list[list[int]]) -> list[str]:
    """The same as texts."""
    return [" ".join(WORDS[number] for number in sentence) for sentence in numbers]


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the page gives to a callback besides the database; it logs nowhere."""
    monkeypatch.delenv("TRACKER_WEBHOOK", raising=False)
    written(tmp_path / "references.txt", "\n".join(texts(sentences())) + "\n")
    return {"system": "ours", "references": str(tmp_path / "references.txt")}


def runs(database: Path) -> list[dict[str, Any]]:
    """The iterations that a database has."""
    with sr_tracker.connect(database) as db:
        return db.sql(
            "SELECT iteration, params, score AS bleu FROM submission_metrics "
            "WHERE metric = 'bleu' ORDER BY iteration"
        ).to_pylist()


def generating(torch: Any) -> Callable[[Any], list[str]]:
    """What makes texts of a model: after each word the likeliest next one."""

    def generate(model: Any) -> list[str]:
        begun = torch.tensor([sentence[:1] for sentence in sentences()])
        with torch.no_grad():
            for _ in range(7):
                logits = model(begun)
                logits = getattr(logits, "logits", logits)
                begun = torch.cat([begun, logits[:, -1:].argmax(-1)], dim=1)
        return texts(begun.tolist())

    return generate


def test_the_callback_of_transformers_submits_each_evaluation(
    tmp_path: Path, names: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch = pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("accelerate", reason="the trainer needs accelerate")
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(WORDS), n_positions=8, n_embd=32, n_layer=2, n_head=2
    )
    data = [{"input_ids": sentence, "labels": sentence} for sentence in sentences()]
    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path / "model"),
        num_train_epochs=EPOCHS,
        eval_strategy="epoch",
        save_strategy="no",
        learning_rate=0.01,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        seed=0,
    )
    database = tmp_path / "campaign.duckdb"
    transformers.Trainer(
        transformers.GPT2LMHeadModel(config),
        arguments,
        train_dataset=data,
        eval_dataset=data,
        callbacks=[callback("SubmitOutputs")(database, generating(torch), log=False, **names)],
    ).train()
    shown = capsys.readouterr().out
    assert shown.count("of 12 sentences\n") == EPOCHS
    stored = runs(database)
    assert len(stored) > 1
    assert stored[0]["bleu"] < stored[-1]["bleu"]
    assert json.loads(stored[0]["params"])["epoch"] == 1
    assert f"against ours@{len(stored) - 1}: " in " ".join(shown.split())


def test_the_callback_of_lightning_submits_and_ends_where_it_got_worse(
    tmp_path: Path, names: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    lightning = pytest.importorskip("lightning.pytorch", reason="lightning is not installed")
    outputs = [texts(sentences()), texts([sentence[::-1] for sentence in sentences()])]

    class Tiny(lightning.LightningModule):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)

        def training_step(self, batch: Any, _: int) -> Any:
            return self.layer(batch[0]).square().mean()

        def validation_step(self, batch: Any, number: int) -> None:
            self.training_step(batch, number)

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.01)

    database = tmp_path / "campaign.duckdb"
    generate = iter(outputs)
    stopping = callback("StopWhereWorse")(database, lambda _: next(generate), log=False, **names)
    trainer = lightning.Trainer(
        max_epochs=10,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        default_root_dir=tmp_path,
        callbacks=[stopping],
    )
    batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(8, 1)), 4)
    trainer.fit(Tiny(), batches, batches)
    assert trainer.current_epoch < 3
    assert [run["iteration"] for run in runs(database)] == [1, 2]
    assert "ours@2 is worse than ours@1" in capsys.readouterr().out
