"""Training UDPipe models with the trainer of the package `ufal.udpipe`: offline, on one core."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from sr_tracker.ingest.parsing.treebank_text import concatenate
from sr_tracker.ingest.parsing.udpipe_options import TrainingSettings, trainer_options
from sr_tracker.ingest.parsing.udpipe_worker import FAILED
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.optional import require
from sr_tracker.schema.progress import Progress, silent

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
    options = trainer_options(settings)
    require("ufal")
    with TemporaryDirectory(prefix="tracker-train-") as name:
        folder = Path(name)
        (folder / "train.conllu").write_text(concatenate(train), encoding="utf-8")
        if dev is not None:
            (folder / "dev.conllu").write_text(concatenate([dev]), encoding="utf-8")
        components = {"tokeniser", "tagger", "parser"}
        chosen = {component: getattr(options, component) for component in components}
        (folder / "options.json").write_text(json.dumps(chosen), encoding="utf-8")
        _run(folder, options.passes, progress)
        return (folder / "model.udpipe").read_bytes()


def _run(folder: Path, passes: int, progress: Progress) -> None:
    """Train in a process of its own and tell what it tells."""
    command = [sys.executable, "-m", "sr_tracker.ingest.parsing.udpipe_worker", str(folder)]
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
