"""The process in which UDPipe trains: this module, run by `python -m` with a folder.

UDPipe holds Python's lock while it trains and tells its progress on stderr only; in a process of
its own it can be watched and stopped. The folder holds `options.json` and `train.conllu`, and
`dev.conllu` if sentences are held out; `model.udpipe` is written, or a line on stdout says why not.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FAILED = 3


def main() -> int:
    """Train and return the exit code."""
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
