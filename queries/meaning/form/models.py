"""Which language model a user means: a folder of transformers, an ARPA file, or one to train."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.files import single_line
from ....schema.names import resolve_treebank
from ...metrics.loop import chosen_targets
from ...metrics.records import treebank_sha256
from . import DEFAULT_ORDER
from .arpa import read_arpa
from .kneser_ney import train_ngram_model
from .language_model import LanguageModel
from .ngram_model import NgramModel
from .scoring import FormTarget

NGRAM = "ngram"


def load_model(
    database: Database,
    model: str,
    *,
    kind: str | None = None,
    train_on: str | None = None,
    order: int = DEFAULT_ORDER,
) -> LanguageModel:
    """Return a language model.

    ``model`` is the path of a transformers folder or of an ARPA file, or ngram: a model that is
    trained now on the sentences of the treebank ``train_on``. ``kind`` is causal, masked or ngram;
    without it the folder's configuration tells.

    Raises InputError for what is no such model, UnknownNameError for a treebank that is not loaded,
    MissingDependencyError where transformers are not installed.
    """
    path = Path(model)
    if model == NGRAM:
        if train_on is None or kind not in (None, NGRAM):
            raise InputError(
                "the n-gram model is trained on a treebank",
                hint="give --train-on TREEBANK, of the language and of other texts",
            )
        return train_on_treebank(database, train_on, order=order)
    if train_on is not None:
        raise InputError("a model that is there is not trained", hint="--train-on needs ngram")
    if path.is_dir() and kind != NGRAM:
        from .transformer_model import TransformerModel

        return TransformerModel(path, kind)
    if path.is_dir() or kind not in (None, NGRAM):
        raise InputError(
            f"this holds no language model of the kind {kind}",
            where=model,
            hint="causal and masked models are folders, n-gram models files",
        )
    return read_arpa(path)


def train_on_treebank(
    database: Database, treebank_id: str, *, order: int = DEFAULT_ORDER
) -> NgramModel:
    """Return an n-gram model of a treebank's sentences.

    Raises UnknownNameError for a treebank that is not loaded, InputError where its text is hidden.
    """
    treebank_id = resolve_treebank(database, treebank_id)
    sha256 = treebank_sha256(database, treebank_id)
    texts = database.connection.execute(
        "SELECT text FROM sentence WHERE treebank_id = ? AND text IS NOT NULL ORDER BY sentence_no",
        [treebank_id],
    ).fetchall()
    title = single_line(treebank_id).replace("/", "_")
    return train_ngram_model(
        [text for (text,) in texts], f"{order}gram-{title}", order=order, trained_on=sha256
    )


def check_language(
    database: Database, treebank_id: str, submissions: Sequence[str] | None = None
) -> None:
    """Raise InputError where a submission is in another language than a treebank to train on."""
    row = database.connection.execute(
        "SELECT language FROM treebank WHERE treebank_id = ?",
        [resolve_treebank(database, treebank_id)],
    ).fetchone()
    language = row[0] if row else None
    for target in chosen_targets(database, FormTarget, "form_submissions", submissions):
        if language and target.language and target.language != language:
            raise InputError(
                f"'{target.submission_id}' is in '{target.language}', the treebank to train on in "
                f"'{language}'",
                hint=f"choose submissions: --language {language}",
            )
