"""The sample's campaign years: which baseline took part, how trained, and in which file format."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sr_tracker.tracker.baselines import realise
from tests.sample.phrases_de import CONTRACTIONS
from tests.sample.ratings import Panel
from tests.sample.treebanks import Treebank, token_table

SEED = 2019
MISSING_EVERY = 25  # sentences between two that the incomplete run gives nothing for


@dataclass(frozen=True)
class SampleRun:
    """One system's run on all test sets: `training` is a number of training sentences."""

    system: str
    baseline: str
    created_at: str
    iteration: int = 1
    training: int = 0
    form: str = "shared-task"  # shared-task, lines, csv or conllu
    incomplete_language: str = ""
    has_parent: bool = False

    @property
    def pattern(self) -> str:
        """Where the outputs lie, from the campaign's folder."""
        suffix = {"shared-task": "txt", "lines": "txt", "csv": "csv", "conllu": "conllu"}[self.form]
        return f"submissions/{self.system}/{{treebank}}-{{iteration}}.{suffix}"

    def file_name(self, treebank: Treebank) -> str:
        """The file of one treebank's outputs."""
        return self.pattern.format(treebank=treebank.short_name, iteration=self.iteration)

    @property
    def reference_form(self) -> str:
        """What the outputs are written like."""
        return "text" if self.form in ("lines", "conllu") else "tokens"


@dataclass(frozen=True)
class Campaign:
    """One year: its runs, how many sentences of each test set were judged, and by whom."""

    year: int
    runs: tuple[SampleRun, ...]
    judged: int
    panel: Panel

    @property
    def campaign_id(self) -> str:
        """The campaign's id, which is also its folder."""
        return f"SAMPLE{self.year % 100}"


CAMPAIGNS = (
    Campaign(
        2023,
        (
            SampleRun("random", "random", "2023-05-02", form="csv"),
            SampleRun("head-direction", "head-direction", "2023-05-09", training=50),
        ),
        judged=30,
        panel=Panel(raters=3, per_hit=3, guessing=(2,)),
    ),
    Campaign(
        2024,
        (
            SampleRun("head-direction", "head-direction", "2024-05-06", training=300, form="lines"),
            SampleRun("ngram", "ngram", "2024-05-14", training=50, incomplete_language="de"),
        ),
        judged=30,
        panel=Panel(raters=3, per_hit=3, constant=(3,)),
    ),
    Campaign(
        2025,
        (
            SampleRun("ngram", "ngram", "2025-04-07", 1, training=100),
            SampleRun("ngram", "ngram", "2025-04-21", 2, training=200, has_parent=True),
            SampleRun("ngram", "ngram", "2025-05-05", 3, training=300, has_parent=True),
            SampleRun("human", "reference", "2025-05-12", form="conllu"),
        ),
        judged=60,
        panel=Panel(raters=6, per_hit=2, guessing=(3,), constant=(6,)),
    ),
)

# Team, kind and description of each system.
SYSTEMS = {
    "random": ("baseline", "baseline", "the words of each sentence in random order"),
    "head-direction": ("baseline", "baseline", "dependents on the majority side of their head"),
    "ngram": ("baseline", "baseline", "dependents in the order that a trigram model prefers"),
    "human": ("treebank", "human", "the sentences of the treebank themselves"),
}
# What takes its word order from training sentences is followed over the years as one family.
FAMILIES = {"head-direction": "trained", "ngram": "trained"}


def realised(run: SampleRun, splits: dict[str, Treebank]) -> list[str | None]:
    """The outputs of a run for one language, tokenised; None where the run gives nothing."""
    train = token_table(splits["train"], run.training) if run.training else None
    test = token_table(splits["test"])
    table = realise(run.baseline, test, train=train, seed=SEED + run.iteration)
    outputs: list[str | None] = table.column("text").to_pylist()
    if run.incomplete_language == splits["test"].language:
        for index in range(MISSING_EVERY - 1, len(outputs), MISSING_EVERY):
            outputs[index] = None
    return outputs


def output_file(run: SampleRun, treebank: Treebank, outputs: list[str | None]) -> str:
    """The content of a run's file for a treebank."""
    if run.form == "conllu":
        return treebank.conllu
    if run.form == "lines":
        return "".join(f"{detokenised(text or '', treebank.language)}\n" for text in outputs)
    rows = [
        (sent_id, text)
        for sent_id, text in zip(treebank.sent_ids, outputs, strict=True)
        if text is not None
    ]
    if run.form == "csv":
        lines = [f"{sent_id},{_quoted(text)}\n" for sent_id, text in rows]
        return "sent_id,text\n" + "".join(lines)
    return "".join(f"# sent_id = {sent_id}\n# text = {text}\n\n" for sent_id, text in rows)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def detokenised(text: str, language: str) -> str:
    """A tokenised text as one would write it: contractions fused, no blank before full stops."""
    if language == "de":
        for (preposition, article), fused in CONTRACTIONS.items():
            pattern = rf"\b({preposition[0]}){preposition[1:]} {article}\b"
            text = re.sub(pattern, rf"\g<1>{fused[1:]}", text, flags=re.IGNORECASE)
    text = re.sub(r" (?=n't\b|'s\b|[.,?!“])", "", text)
    text = re.sub(r"(?<=„) ", "", text)
    text = re.sub(r"\b([Cc])an not\b", r"\1annot", text)
    return text[:1].upper() + text[1:]
