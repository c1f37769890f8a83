"""Stanza's analysis of sentences whose words are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sr_tracker.ingest.treebanks.conllu import ConlluFile, parse_conllu
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.optional import optional_packages


def predict_stanza(gold: ConlluFile, model: Path) -> ConlluFile:
    """Return the analysis of the gold words by the models of a Stanza resources folder.

    The folder holds the models of one language. The words of a multiword token stand for
    themselves.

    Raises:
        MissingDependencyError: Stanza is not installed.
        InputError: The folder holds no models that Stanza can load.
    """
    pipeline = _pipeline(model)
    forms = gold.words["form"].to_pylist()
    ends = gold.lengths.cumsum().tolist()
    bounds = zip(ends, gold.lengths.tolist(), strict=True)
    document = pipeline([forms[end - length : end] for end, length in bounds])
    lines = [
        "".join(_line(number, word) for number, word in enumerate(sentence.words, start=1))
        for sentence in document.sentences
    ]
    return parse_conllu("\n".join(lines), str(model))


def _pipeline(model: Path) -> Any:
    with optional_packages():
        import stanza
    try:
        resources = json.loads((model / "resources.json").read_text(encoding="utf-8"))
        (language,) = (name for name in resources if (model / name).is_dir())
        return stanza.Pipeline(
            language,
            dir=str(model),
            processors=[
                name
                for name in ("tokenize", "pos", "lemma", "depparse")
                if name in resources[language]["packages"]["default"]
            ],
            tokenize_pretokenized=True,
            download_method=None,
            use_gpu=False,
            logging_level="CRITICAL",
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise InputError(
            f"Stanza cannot load its models: {str(error).splitlines()[0]}",
            where=str(model),
            hint="give a resources folder (resources.json beside one folder of one language)",
        ) from error


def _line(number: int, word: Any) -> str:
    head = "_" if word.head is None else str(word.head)
    values = (word.text, word.lemma, word.upos, word.xpos, word.feats, head, word.deprel)
    return "\t".join([str(number), *(value or "_" for value in values), "_", "_"]) + "\n"
