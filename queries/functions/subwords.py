"""Subwords of SentencePiece models: what spBLEU compares, as sacreBLEU cuts texts by them."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import MissingDependencyError, first_line, optional_packages
from ...schema.files import model_fingerprint
from .text import Column, Rows, in_one

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

MODELS = {
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "flores101": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
}
"""Where the model of each tokeniser comes from. Its file has the last part of the address."""


def model_path(tokeniser: str) -> Path:
    """Return where sacreBLEU keeps a tokeniser's model: in SACREBLEU, else in ~/.sacrebleu."""
    folder = os.environ.get("SACREBLEU") or "~/.sacrebleu"
    return Path(folder).expanduser() / "models" / MODELS[tokeniser].rpartition("/")[2]


def model_versions(tokeniser: str) -> dict[str, str]:
    """Return what a signature states of a tokeniser: the fingerprint of its model.

    Raises MissingDependencyError where the model, or the package that reads it, is not there.
    """
    return {"model": _model(tokeniser)[1]}


def flores200(text: Column) -> Rows:
    """Return the subwords of each text by the model of FLORES-200, joined by blanks."""
    return _subwords("flores200", text)


def flores101(text: Column) -> Rows:
    """Return the subwords of each text by the model of FLORES-101, joined by blanks."""
    return _subwords("flores101", text)


def flores200_of_all(texts: Column) -> Rows:
    """Return the subwords of each text of lists, in lists; NULL for NULL."""
    return _of_all("flores200", texts)


def flores101_of_all(texts: Column) -> Rows:
    """Return the subwords of each text of lists, in lists; NULL for NULL."""
    return _of_all("flores101", texts)


def _subwords(tokeniser: str, text: Column) -> Rows:
    texts = in_one(text)
    lines = [value.rstrip() for value in texts.fill_null("").to_pylist()]
    pieces = _model(tokeniser)[0].encode(lines, out_type=str)
    joined = pa.array([" ".join(" ".join(words).split()) for words in pieces], pa.string())
    return pc.if_else(texts.is_valid(), joined, None)


def _of_all(tokeniser: str, texts: Column) -> Rows:
    lists = in_one(texts)
    subwords = pa.ListArray.from_arrays(lists.offsets, _subwords(tokeniser, lists.values))
    return pc.if_else(lists.is_valid(), subwords, None)


def _model(tokeniser: str) -> tuple[SentencePieceProcessor, str]:
    """Return a tokeniser's model and its fingerprint."""
    path = model_path(tokeniser)
    hint = (
        f"fetch {MODELS[tokeniser]} as {path}; the environment variable SACREBLEU names another "
        "folder than ~/.sacrebleu, and what sacreBLEU itself fetched is there"
    )
    with optional_packages():
        import_module("sentencepiece")
    if not path.is_file():
        raise MissingDependencyError(
            f"the model of the tokeniser {tokeniser} is not there", where=str(path), hint=hint
        )
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, RuntimeError) as error:
        raise MissingDependencyError(
            f"the model of the tokeniser {tokeniser} cannot be read: {first_line(error)}",
            where=str(path),
            hint=f"remove it, then {hint}",
        ) from error


@lru_cache(maxsize=len(MODELS))
def _read(path: Path, _: int) -> tuple[SentencePieceProcessor, str]:
    """Return a model and its fingerprint, of the file as it was written last."""
    from sentencepiece import SentencePieceProcessor

    return SentencePieceProcessor(model_file=str(path)), model_fingerprint(path)
