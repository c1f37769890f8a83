"""Training parsers: UDPipe in a process of its own, Stanza by its own programs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from ...schema.errors import InputError, require
from ...schema.progress import Progress, silent
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import conllu_tables, read_heads, surface_texts
from .gold import concatenate

_PASS = re.compile(r"(?:Epoch|Iteration) \d+[,:]")
_COMPONENT = re.compile(r"Training (tokenizer|tagger)|(Parser) transition")


def train_udpipe(
    train: Sequence[Path],
    dev: Path | None,
    settings: TrainingSettings,
    progress: Progress = silent,
) -> bytes:
    """Return a UDPipe model trained on the sentences of all files, in their order.

    With ``dev`` the parser of the best pass over those sentences is kept. The same files and
    settings give the same model.

    Raises:
        MissingDependencyError: `ufal.udpipe` is not installed.
        InputError: A file is no treebank, an option is wrong, or UDPipe refuses to train.
    """
    options, passes = trainer_options(settings)
    require("ufal")
    with TemporaryDirectory(prefix="tracker-train-") as name:
        folder = Path(name)
        (folder / "train.conllu").write_text(concatenate(train), encoding="utf-8")
        if dev is not None:
            (folder / "dev.conllu").write_text(concatenate([dev]), encoding="utf-8")
        (folder / "options.json").write_text(json.dumps(options), encoding="utf-8")
        _run_worker(folder, passes, progress)
        return (folder / "model.udpipe").read_bytes()


def _run_worker(folder: Path, passes: int, progress: Progress) -> None:
    """Train in a process of its own and tell what it tells."""
    command = [sys.executable, "-m", "sr_tracker.ingest.grammar.training", str(folder)]
    with (folder / "stdout").open("w+", encoding="utf-8") as refusal:
        worker = subprocess.Popen(  # noqa: S603
            command, stdout=refusal, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        try:
            last = _follow(worker.stderr, passes, progress) if worker.stderr else ""
            code = worker.wait()
        finally:
            worker.kill()
            worker.wait()
        refusal.seek(0)
        reason = refusal.read().strip() if code == FAILED else last
    if code < 0:
        raise InputError(
            f"UDPipe's trainer was ended by signal {-code}",
            hint="it may have run out of memory: give it less, or smaller dimensions",
        )
    if code:
        raise InputError(
            f"UDPipe could not train: {reason or f'the trainer ended with code {code}'}",
            hint="check the options; UDPipe's manual names those of tokeniser, tagger and parser",
        )


def _follow(lines: IO[str], passes: int, progress: Progress) -> str:
    """Report each pass while it runs and return the last line that the trainer wrote."""
    done, last, component = 0, "", ""
    for line in filter(None, map(str.strip, lines)):
        last = line
        begun = _COMPONENT.match(last)
        if begun:
            component = (begun[1] or begun[2]).lower()
            progress(component, done, passes)
        elif _PASS.match(last):
            done += 1
            progress(f"{component}, {last}", done, passes)
    return last


NONE = "none"
_DEFAULTS = {
    "tokeniser": {"dimension": "24", "epochs": "20", "batch_size": "50", "learning_rate": "0.005"},
    "tagger": {"models": "1"},
    "parser": {
        "embedding_upostag": "20",
        "embedding_feats": "20",
        "embedding_xpostag": "0",
        "embedding_form": "50",
        "embedding_lemma": "0",
        "embedding_deprel": "20",
        "learning_rate": "0.01",
        "learning_rate_final": "0.001",
        "l2": "0.3",
        "hidden_layer": "100",
        "batch_size": "10",
        "transition_system": "swap",
        "transition_oracle": "static_lazy",
        "structured_interval": "0",
    },
}


@dataclass(frozen=True)
class TrainingSettings:
    """How long to train, and UDPipe's options of a component (`name=value;…`), or `none`."""

    iterations: int = 6
    """Passes of the tagger and of the parser over the sentences."""
    tokeniser: str = ""
    tagger: str = ""
    parser: str = ""


def trainer_options(settings: TrainingSettings) -> tuple[dict[str, str], int]:
    """Return the options of each component as the trainer takes them, and their passes in all.

    They are the defaults with the user's options over them.
    Raises InputError for options that are not `name=value;…`, and where nothing is to be trained.
    """
    options, passes = {}, 0
    for component, defaults in _DEFAULTS.items():
        chosen = _merged(component, defaults, getattr(settings, component), settings.iterations)
        options[component] = ";".join(f"{name}={value}" for name, value in chosen.items()) or NONE
        name = "epochs" if "epochs" in defaults else "iterations"
        value = chosen.get(name, "0")
        if not value.isdecimal():
            raise InputError(f"{name}={value} is no number of passes", hint=f"give {name}=20")
        passes += int(value)
    if set(options.values()) == {NONE}:
        hint = "leave one of the three components without 'none'"
        raise InputError("there is nothing to train", hint=hint)
    return options, passes


def _merged(
    component: str, defaults: dict[str, str], options: str, iterations: int
) -> dict[str, str]:
    """Return the options of a component, none where it is not to be trained."""
    if options.strip() == NONE:
        return {}
    chosen = {}
    for option in filter(None, map(str.strip, options.split(";"))):
        name, equals, value = option.partition("=")
        if not equals or not name or not value:
            raise InputError(
                f"'{option}' is no option of the {component}",
                hint="write name=value;name=value, or none to leave the component out",
            )
        chosen[name] = value
    if "from_model" in chosen:
        return chosen
    passes = {} if "epochs" in defaults else {"iterations": str(iterations)}
    return defaults | passes | chosen


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


FAILED = 3


def main() -> int:
    """Train UDPipe and return the exit code: what ``python -m`` does with this module and a folder.

    UDPipe holds Python's lock while it trains and tells its progress on stderr only; in a process
    of its own it can be watched and stopped. The folder holds `options.json` and `train.conllu`,
    and `dev.conllu` if sentences are held out; `model.udpipe` is written, or a line on stdout says
    why not.
    """
    from ufal import udpipe

    folder = Path(sys.argv[1])
    options = json.loads((folder / "options.json").read_text(encoding="utf-8"))
    error = udpipe.ProcessingError()
    model = udpipe.Trainer.train(
        "morphodita_parsito",
        _sentences(udpipe, folder / "train.conllu", error),
        _sentences(udpipe, folder / "dev.conllu", error),
        *(options[component] for component in ("tokeniser", "tagger", "parser")),
        error,
    )
    if error.occurred():
        sys.stdout.write(error.message)
        return FAILED
    (folder / "model.udpipe").write_bytes(model)
    return 0


def _sentences(udpipe: Any, file: Path, error: Any) -> Any:
    """Return the sentences of a file, none where there is no file."""
    sentences = udpipe.Sentences()
    if file.exists():
        reader = udpipe.InputFormat.newConlluInputFormat()
        reader.setText(file.read_text(encoding="utf-8"))
        sentence = udpipe.Sentence()
        while reader.nextSentence(sentence, error):
            sentences.append(sentence)
            sentence = udpipe.Sentence()
    return sentences


if __name__ == "__main__":
    sys.exit(main())
