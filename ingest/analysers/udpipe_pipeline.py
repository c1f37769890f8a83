"""The `udpipe` analyser: UDPipe 1 models through `ufal.udpipe`."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...schema.errors import InputError
from ...schema.files import model_fingerprint, single_line
from ...schema.optional import optional_packages
from .base import AnalysedWord, AnalysisColumns


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
        columns = AnalysisColumns()
        for sentence_no, text in zip(sentence_nos.to_pylist(), texts.to_pylist(), strict=True):
            words: list[AnalysedWord] = []
            self._tokeniser.setText(single_line(text))
            sentence = self._udpipe.Sentence()
            while self._tokeniser.nextSentence(sentence):
                tagged = self._model.tag(sentence, self._udpipe.Model.DEFAULT)
                parsed = tagged and self._model.parse(sentence, self._udpipe.Model.DEFAULT)
                words.extend(_words(sentence, len(words), bool(parsed)))
            columns.add_output(sentence_no, words)
        return columns.table()


def _words(sentence: Any, offset: int, parsed: bool) -> list[AnalysedWord]:
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
