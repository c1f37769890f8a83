"""Analysers that run a pipeline: UDPipe, Stanza and spaCy."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import pyarrow as pa

from ...schema.errors import InputError, first_line, optional_packages
from ...schema.files import model_fingerprint, single_line
from . import AnalysedWord, analysis_table


class UdpipeAnalyser:
    """Tokenises, tags, lemmatises and parses with a UDPipe model, as far as the model can."""

    name = "udpipe"

    def __init__(self, model: Path) -> None:
        """Load the model.

        Raises:
            MissingDependencyError: `ufal.udpipe` is not installed.
            InputError: The file is not a UDPipe model, or a model without a tokeniser.
        """
        with optional_packages():
            from ufal import udpipe
        self._udpipe: Any = udpipe
        self._model = self._udpipe.Model.load(str(model))
        if self._model is None:
            raise InputError(
                "The file is not a model that UDPipe 1 can load.",
                where=str(model),
                hint="give a .udpipe file made by UDPipe 1; UDPipe 2 models do not load",
            )
        self._tokeniser = self._model.newTokenizer(self._udpipe.Model.TOKENIZER_PRESEGMENTED)
        if self._tokeniser is None:
            raise InputError(
                "The UDPipe model has no tokeniser.",
                where=str(model),
                hint="train the model with a tokeniser, or use another one",
            )
        self.version = f"{self.name}/{version('ufal.udpipe')}+{model_fingerprint(model)}"

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return a table of ANALYSIS_SCHEMA; a text is one sentence, multiword tokens are split.

        Columns that the model has nothing for (no tagger, no parser) are NULL.
        """
        words = map(self._words, texts.to_pylist())
        return analysis_table(zip(sentence_nos.to_pylist(), words, strict=True))

    def _words(self, text: str) -> list[AnalysedWord]:
        words: list[AnalysedWord] = []
        self._tokeniser.setText(single_line(text))
        sentence = self._udpipe.Sentence()
        while self._tokeniser.nextSentence(sentence):
            tagged = self._model.tag(sentence, self._udpipe.Model.DEFAULT)
            parsed = tagged and self._model.parse(sentence, self._udpipe.Model.DEFAULT)
            words.extend(_udpipe_words(sentence, len(words), bool(parsed)))
        return words


def _udpipe_words(sentence: Any, offset: int, parsed: bool) -> list[AnalysedWord]:
    return [
        AnalysedWord(
            form=word.form,
            lemma=word.lemma if word.form == "_" else _value(word.lemma),
            upos=_value(word.upostag),
            xpos=_value(word.xpostag),
            feats=_value(word.feats),
            head=(word.head + offset if word.head else 0) if parsed else None,
            deprel=_value(word.deprel) if parsed else None,
        )
        for word in list(sentence.words)[1:]
    ]


def _value(text: str) -> str | None:
    return None if text in ("", "_") else text


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
        outputs = [
            (sentence_no, line)
            for sentence_no, text in zip(sentence_nos.to_pylist(), texts.to_pylist(), strict=True)
            if (line := single_line(text))
        ]
        analysed: list[tuple[int, list[AnalysedWord]]] = []
        for first in range(0, len(outputs), TEXTS_AT_ONCE):
            batch = outputs[first : first + TEXTS_AT_ONCE]
            documents = self._pipeline.bulk_process([line for _, line in batch])
            for (sentence_no, _), document in zip(batch, documents, strict=True):
                analysed.append((sentence_no, _stanza_words(document)))
        return analysis_table(analysed)


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


def _stanza_words(document: Any) -> list[AnalysedWord]:
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


class SpacyAnalyser:
    """Runs a spaCy pipeline; what its components do not set stays NULL.

    spaCy splits no multiword tokens, and its relations are those of the model's training data
    (for English not those of UD); its `ROOT` is written `root`.
    """

    name = "spacy"

    def __init__(self, model: Path) -> None:
        """Load the pipeline.

        Raises:
            MissingDependencyError: spaCy is not installed.
            InputError: The folder is not a pipeline that the installed spaCy can load.
        """
        with optional_packages():
            import spacy
        try:
            self._pipeline = spacy.load(model)
        except (OSError, ValueError, KeyError, ImportError) as error:
            raise InputError(
                f"spaCy cannot load the pipeline: {first_line(error)}",
                where=str(model),
                hint="give the folder of a saved pipeline (the one with config.cfg and meta.json)",
            ) from error
        self.version = f"{self.name}/{spacy.__version__}+{model_fingerprint(model)}"

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        """Return a table of ANALYSIS_SCHEMA, one output per text."""
        documents = self._pipeline.pipe(single_line(text) for text in texts.to_pylist())
        words = map(_spacy_words, documents)
        return analysis_table(zip(sentence_nos.to_pylist(), words, strict=True))


def _spacy_words(document: Any) -> list[AnalysedWord]:
    tokens = [token for token in document if not token.is_space]
    number = {token.i: position for position, token in enumerate(tokens, start=1)}
    parsed = document.has_annotation("DEP")
    return [
        AnalysedWord(
            form=token.text,
            lemma=token.lemma_ or None,
            upos=token.pos_ or None,
            xpos=token.tag_ or None,
            feats=str(token.morph) or None,
            head=_head(token, number) if parsed else None,
            deprel=_relation(token.dep_) if parsed else None,
        )
        for token in tokens
    ]


def _head(token: Any, number: dict[int, int]) -> int:
    return 0 if token.head.i == token.i else number.get(token.head.i, 0)


def _relation(relation: str) -> str | None:
    return "root" if relation == "ROOT" else relation or None
