"""The `stanza` analyser: Stanza models from a folder of the user, never downloaded."""

from __future__ import annotations

import json
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import pyarrow as pa

from ...schema.errors import InputError, first_line
from ...schema.files import model_fingerprint, single_line
from ...schema.optional import optional_packages
from .base import AnalysedWord, AnalysisColumns

PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
TEXTS_AT_ONCE = 500


class StanzaAnalyser:
    """Tokenises, splits multiword tokens, tags, lemmatises and parses with Stanza."""

    name = "stanza"

    def __init__(self, model: Path, language: str | None) -> None:
        """Load those of the language's default processors that an analysis needs.

        `model` is a Stanza resources folder: `resources.json` and one folder per language.

        Raises:
            MissingDependencyError: Stanza is not installed.
            InputError: The folder holds no models of the language that Stanza can load.
        """
        with optional_packages():
            import stanza
            from stanza.pipeline.core import PipelineRequirementsException
        language, processors = _default_processors(model, language)
        try:
            self._pipeline = stanza.Pipeline(
                language,
                dir=str(model),
                processors=",".join(processors),
                tokenize_no_ssplit=True,
                download_method=None,
                use_gpu=False,
                logging_level="CRITICAL",
            )
        except (
            OSError,
            ValueError,
            KeyError,
            RuntimeError,
            EOFError,
            UnpicklingError,
            PipelineRequirementsException,
        ) as error:
            damaged = isinstance(error, (EOFError, UnpicklingError))
            reason = "a model file is damaged" if damaged else first_line(error)
            raise InputError(
                f"Stanza cannot load its models for the language {language}: {reason}",
                where=str(model),
                hint=f"stanza.download('{language}', model_dir=…) fetches complete models",
            ) from error
        self._stanza = stanza
        fingerprint = model_fingerprint(model / language)
        self.version = f"{self.name}/{stanza.__version__}+{fingerprint}"

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return a table of ANALYSIS_SCHEMA; a text is one sentence, multiword tokens are split.

        Columns for which the folder has no processor are NULL.
        """
        columns = AnalysisColumns()
        outputs = [
            (sentence_no, line)
            for sentence_no, text in zip(sentence_nos.to_pylist(), texts.to_pylist(), strict=True)
            if (line := single_line(text))
        ]
        for first in range(0, len(outputs), TEXTS_AT_ONCE):
            batch = outputs[first : first + TEXTS_AT_ONCE]
            documents = self._pipeline.bulk_process([line for _, line in batch])
            for (sentence_no, _), document in zip(batch, documents, strict=True):
                columns.add_output(sentence_no, _words(document))
        return columns.table()


def _default_processors(model: Path, language: str | None) -> tuple[str, list[str]]:
    """Return the language and its default processors among those that an analysis needs."""
    file = model / "resources.json"
    hint = "give a Stanza resources folder, as stanza.download(…, model_dir=…) makes it"
    try:
        resources = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("No resources.json in the folder.", where=str(model), hint=hint) from error
    except (OSError, ValueError) as error:
        raise InputError("resources.json cannot be read.", where=str(file), hint=hint) from error
    languages = sorted(name for name in resources if (model / name).is_dir())
    if language is None and len(languages) == 1:
        language = languages[0]
    if language is None or language not in languages:
        raise InputError(
            f"No Stanza models for the language {language or '(none given)'}.",
            where=str(model),
            hint=f"languages with models in this folder: {', '.join(languages) or 'none'}",
        )
    packages = resources[language].get("packages", {}).get("default", {})
    processors = [name for name in PROCESSORS if name in packages]
    if not processors:
        raise InputError(
            f"No default processors for the language {language}.", where=str(file), hint=hint
        )
    return language, processors


def _words(document: Any) -> list[AnalysedWord]:
    words: list[AnalysedWord] = []
    for sentence in document.sentences:
        offset = len(words)
        words.extend(
            AnalysedWord(
                form=word.text,
                lemma=word.lemma,
                upos=word.upos,
                xpos=word.xpos,
                feats=word.feats,
                head=word.head + offset if word.head else word.head,
                deprel=word.deprel,
            )
            for word in sentence.words
        )
    return words
