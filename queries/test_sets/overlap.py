"""Which sentences of a test set training files hold, and how submissions score on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.names import check_names
from ...schema.staging import Load, commit
from ...schema.statements import read_rows
from ..metrics.registry import metrics as known_metrics
from ..metrics.registry import usual_metrics
from . import OverlapSettings
from .shingles import TestTexts


class Batch(Protocol):
    """Some sentences of a training file, one a line of the text, and the lines they stand on."""

    @property
    def source(self) -> str:
        """The file."""

    @property
    def lines(self) -> Sequence[int]:
        """The line of each sentence."""

    @property
    def text(self) -> str:
        """The sentences."""


@dataclass(frozen=True, repr=False)
class Overlap(Brief):
    """What training files hold of a test set, and what submissions score on that part."""

    treebank_id: str
    training: str
    sizes: pa.Table
    """A row per side, as of the view training_overlaps."""
    sentences: pa.Table
    """The overlapping sentences, as of the table training_overlap, the most similar first."""
    scores: pa.Table
    """A row per submission and metric: score of the overlapping part, of the rest, difference."""
    replicates: int
    seed: int


def find_overlap(
    database: Database,
    treebank: str,
    training: str,
    batches: Iterable[Batch],
    settings: OverlapSettings | None = None,
) -> None:
    """Look for a test set's references and sources in training text, and store what is found.

    Texts are compared as words, stretches of letters and digits in lower case: whole lines, n-grams
    of ``order`` words (as Brown et al. 2020 do with 13), and the most similar line by the Jaccard
    coefficient over word trigrams (Broder 1997), counted exactly. What was stored under the name
    ``training`` is replaced. The database's file is not held while training text is looked through.

    Raises InputError for settings that cannot be, and where the test set has no text.
    """
    settings = settings or OverlapSettings()
    _check(settings)
    with database.opened(read_only=True):
        rows = read_rows(database, "overlap_texts", treebank=treebank)
    if not rows:
        raise InputError(f"the text of '{treebank}' is hidden", hint="there is nothing to look for")
    texts = TestTexts([row["text"] for row in rows], settings.order)
    for batch in batches:
        texts.look_through(batch.text, batch.source, batch.lines)
    found = _rows(rows, texts, treebank, training, settings)
    load = Load(
        kind="overlap",
        target=f"{treebank} {training}",
        source=training,
        sha256=content_hash(repr(found.to_pydict())),
        records=found.num_rows,
        rows={"training_overlap": found},
    )
    with database.opened(read_only=False), database.transaction() as connection:
        if read_rows(database, "overlap_texts", treebank=treebank) != rows:
            raise InputError(
                f"the sentences of '{treebank}' changed meanwhile", hint="look through them again"
            )
        connection.execute(
            "DELETE FROM training_overlap WHERE treebank_id = ? AND training = ?",
            [treebank, training],
        )
        commit(database, load)


def _check(settings: OverlapSettings) -> None:
    if settings.order < 2:
        raise InputError(f"{settings.order} words are no n-gram", hint="take 2 or more, such as 8")
    for value in (settings.share, settings.similarity):
        if not 0 < value <= 1:
            raise InputError(f"{value:g} is no share", hint="give a number above 0, at most 1")


def _rows(
    rows: Sequence[dict[str, object]],
    texts: TestTexts,
    treebank: str,
    training: str,
    settings: OverlapSettings,
) -> pa.Table:
    found, ngrams = texts.ngrams_found, texts.ngrams
    by_ngrams = (ngrams > 0) & (found >= settings.share * ngrams)
    overlaps = (texts.exact > 0) | by_ngrams | (texts.similarity >= settings.similarity)
    return pa.table(
        {
            "treebank_id": pa.repeat(treebank, len(rows)),
            "training": pa.repeat(training, len(rows)),
            "side": pa.array([row["side"] for row in rows], pa.string()),
            "sentence_no": pa.array([row["sentence_no"] for row in rows], pa.int32()),
            "words": pa.array(texts.lengths, pa.int32()),
            "exact": pa.array(texts.exact, pa.int32()),
            "ngram_order": pa.repeat(pa.scalar(settings.order, pa.int32()), len(rows)),
            "ngrams": pa.array(ngrams, pa.int32()),
            "ngrams_found": pa.array(found, pa.int32()),
            "similarity": pa.array(texts.similarity, pa.float64()),
            "similar_source": pa.array([s and s[0] for s in texts.similar], pa.string()),
            "similar_line": pa.array([s and s[1] for s in texts.similar], pa.int32()),
            "overlapping": pa.array(overlaps, pa.bool_()),
        }
    )


def stored_training(database: Database, treebank: str) -> str:
    """Return the name of the training files that were looked through last for a test set.

    Raises InputError where there are none.
    """
    rows = read_rows(database, "overlap_newest", treebank=treebank)
    if not rows:
        raise InputError(
            f"no training file was looked through for '{treebank}'",
            hint="name the files: tracker overlap TREEBANK FILE …",
        )
    return str(rows[0]["training"])


def overlap_metrics(names: Sequence[str] | None) -> list[str]:
    """Return the metrics asked for, or the usual ones. Raises UnknownNameError."""
    check_names("metric", names or (), known_metrics())
    return [*(names or usual_metrics())]
