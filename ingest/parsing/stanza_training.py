"""Training Stanza's models with the scripts that Stanza brings: slow, and better than UDPipe's."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...schema.errors import InputError
from ...schema.optional import require
from ...schema.progress import Progress, silent
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import conllu_tables, read_heads, surface_texts
from .gold import concatenate

PACKAGE = "tracker"
_STEPS_PER_EPOCH = 1000


@dataclass(frozen=True)
class StanzaSettings:
    """What to train and how long."""

    language: str
    steps: int = 50_000
    """At most so many batches for each component; Stanza stops where it sees no progress."""
    vectors: Path | None = None
    """Pretrained word vectors as Stanza keeps them (.pt)."""


def train_stanza(
    train: Sequence[Path],
    dev: Path,
    settings: StanzaSettings,
    folder: Path,
    progress: Progress = silent,
) -> None:
    """Train tokeniser, tagger, lemmatiser and parser into a new Stanza resources folder.

    The folder is what the `stanza` analyser loads: `resources.json` and a folder of the language.
    It must be empty: Stanza writes its models there one after the other, `resources.json` is last.

    Raises:
        MissingDependencyError: Stanza is not installed.
        InputError: A file is no treebank, or one of Stanza's scripts fails.
    """
    require("stanza", "take --trainer udpipe")
    work = folder / "work"
    work.mkdir(parents=True)
    files = {"train": concatenate(train), "dev": concatenate([dev])}
    parsed = {part: parse_conllu(_unnamed(text), part) for part, text in files.items()}
    for part, text in files.items():
        (work / f"{part}.conllu").write_text(text, encoding="utf-8")
        (work / f"{part}.txt").write_text(_plain_text(parsed[part]), encoding="utf-8")
    multiword = bool(parsed["train"].ranges)
    scripts = _scripts(settings, folder, multiword=multiword)
    for done, (name, module, arguments) in enumerate(scripts):
        progress(name, done, len(scripts))
        _run(module, arguments, work)
    _write_resources(folder, settings.language, multiword=multiword)


def _unnamed(text: str) -> str:
    """Return the text without sent_ids: clean and noisy sentences share theirs."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("# sent_id"))


def _plain_text(file: ConlluFile) -> str:
    _, texts = surface_texts(conllu_tables(file, read_heads(file)), len(file.lengths))
    return "\n\n".join(texts.to_pylist()) + "\n"


def _scripts(
    settings: StanzaSettings, folder: Path, *, multiword: bool
) -> list[tuple[str, str, list[str]]]:
    """Return the scripts to run one after the other: title, module, arguments."""
    work = folder / "work"
    prepare = "stanza.utils.datasets.prepare_tokenizer_data"
    trees = {"train_file": work / "train.conllu", "eval_file": work / "dev.conllu"}
    gold = {"gold_file": work / "dev.conllu"} if multiword else {}
    steps = {"max_steps": settings.steps, "eval_interval": min(100, settings.steps)}
    vectors = (
        ["--wordvec_pretrain_file", str(settings.vectors)]
        if settings.vectors
        else ["--no_pretrain"]
    )

    def arguments(processor: str, **values: object) -> list[str]:
        values |= {
            "lang": settings.language,
            "shorthand": f"{settings.language}_{PACKAGE}",
            "save_name": f"{PACKAGE}.pt",
            "save_dir": folder / settings.language / processor,
        }
        return ["--cpu", *(str(x) for name, value in values.items() for x in (f"--{name}", value))]

    tokens = arguments(
        "tokenize",
        txt_file=work / "train.txt",
        label_file=work / "train.labels",
        mwt_json_file=work / "dev-mwt.json",
        dev_txt_file=work / "dev.txt",
        dev_label_file=work / "dev.labels",
        dev_conll_gold=work / "dev.conllu",
        conll_file=work / "tokenised.conllu",
        steps=settings.steps,
        eval_steps=min(200, settings.steps),
    )
    epochs = max(1, settings.steps // _STEPS_PER_EPOCH)
    lemmas = arguments("lemma", num_epoch=epochs, **trees)
    # The lemmatiser knows its language by the shorthand alone.
    place = lemmas.index("--lang")
    del lemmas[place : place + 2]
    scripts = [
        (
            f"preparing {part}",
            prepare,
            [
                *(str(work / f"{part}.{suffix}") for suffix in ("txt", "conllu")),
                *("-o", str(work / f"{part}.labels"), "-m", str(work / f"{part}-mwt.json")),
            ],
        )
        for part in ("train", "dev")
    ]
    scripts.append(
        ("tokeniser", "stanza.models.tokenizer", [*tokens, *(["--use_mwt"] * multiword)])
    )
    if multiword:
        expander = arguments("mwt", num_epoch=epochs, **gold, **trees)
        scripts.append(("multiword tokens", "stanza.models.mwt_expander", expander))
    return [
        *scripts,
        ("tagger", "stanza.models.tagger", [*arguments("pos", **trees, **steps), *vectors]),
        ("lemmatiser", "stanza.models.lemmatizer", lemmas),
        ("parser", "stanza.models.parser", [*arguments("depparse", **trees, **steps), *vectors]),
    ]


def _run(module: str, arguments: list[str], work: Path) -> None:
    log = work / "log.txt"
    with log.open("w", encoding="utf-8") as stream:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", module, *arguments],
            stdout=stream,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().split("\n")
        raise InputError(
            f"Stanza could not train: {lines[-1]}",
            where=module,
            hint="check the treebanks: Stanza wants a text, trees and lemmas",
        )


def _write_resources(folder: Path, language: str, *, multiword: bool) -> None:
    processors = ["tokenize", *(["mwt"] * multiword), "pos", "lemma", "depparse"]
    resources: dict[str, object] = {name: {PACKAGE: {}} for name in processors}
    resources["packages"] = {"default": dict.fromkeys(processors, PACKAGE)}
    (folder / "resources.json").write_text(json.dumps({language: resources}), encoding="utf-8")
