"""Analysers: output text in, output tokens out (docs/analysers.md)."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ...schema.errors import InputError, MissingDependencyError
from ...schema.files import check_regular
from .base import ANALYSIS_SCHEMA, Analyser

ANALYSER_NAMES = ("reference", "udpipe", "stanza", "spacy")

__all__ = ["ANALYSER_NAMES", "ANALYSIS_SCHEMA", "Analyser", "create_analyser"]


def create_analyser(
    name: str,
    *,
    tokens: pa.Table,
    multiword_tokens: pa.Table,
    texts: pa.Table | None = None,
    language: str | None,
    model: str | Path | None,
) -> Analyser:
    """Return the analyser of that name, ready to analyse outputs for one treebank.

    Args:
        name: One of ANALYSER_NAMES.
        tokens: The treebank's words: sentence_no, token_no, form, lemma, upos, deprel; and, where
            known, space_after (bool), from which `reference` learns what is written together.
        multiword_tokens: Its ranges: sentence_no, first_token_no, last_token_no, form.
        texts: Its sentences as they are printed, where known: sentence_no, text.
        language: ISO 639 code such as `en`; None when not known.
        model: The model's file or folder, for the analysers that have one.

    Raises:
        InputError: The name is unknown, or the model cannot be used.
        MissingDependencyError: The package or the model is missing.
    """
    if name == "reference":
        from .reference import ReferenceAnalyser

        return ReferenceAnalyser(tokens, multiword_tokens, texts, language)
    if name == "udpipe":
        from .udpipe_pipeline import UdpipeAnalyser

        return UdpipeAnalyser(_existing_model(name, model, "a .udpipe file"))
    if name == "stanza":
        from .stanza_pipeline import StanzaAnalyser

        return StanzaAnalyser(_existing_model(name, model, "a resources folder"), language)
    if name == "spacy":
        from .spacy_pipeline import SpacyAnalyser

        return SpacyAnalyser(_existing_model(name, model, "the folder of a saved pipeline"))
    if name == "conllu":
        raise InputError(
            "The analysis conllu is what a CoNLL-U file brings along; it analyses no text.",
            hint="ingest the outputs as a CoNLL-U file instead of a text file",
        )
    raise InputError(
        f"There is no analyser {name!r}.",
        hint=f"choose one of {', '.join(ANALYSER_NAMES)}, or ingest an analysed file (conllu)",
    )


def _existing_model(name: str, model: str | Path | None, kind: str) -> Path:
    if model is None:
        raise MissingDependencyError(
            f"The {name} analyser needs a model.",
            hint=f"name {kind} on your disk; models are never downloaded",
        )
    path = Path(model)
    if not path.exists():
        raise MissingDependencyError(
            f"The model of the {name} analyser is not there.",
            where=str(path),
            hint=f"check the path: it must be {kind}",
        )
    check_regular(path)
    return path
