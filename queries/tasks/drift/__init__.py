"""Versions of one test set: what changed in the references, and what that does to scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....schema.brief import Brief

if TYPE_CHECKING:
    import pyarrow as pa


OF_WORDS = ("form", "lemma", "upos", "xpos", "features", "relation", "head")
"""Kinds of changes of one word; before and after of a changed head are its relations."""
OF_SEGMENTATION = ("cut", "added", "removed")
"""Kinds of changes of places where words are cut otherwise, are new, or are gone."""


@dataclass(frozen=True)
class Counts:
    """How many sentences and words two versions have, share, and have changed."""

    old_sentences: int
    new_sentences: int
    shared_sentences: int
    matched_by_text: int
    """Shared sentences that have other ids, or none."""
    removed_sentences: int
    added_sentences: int
    text_changed: int
    """Shared sentences whose raw text changed."""
    words_changed: int
    """Shared sentences whose words changed: spelled or cut otherwise, new or gone."""
    lemmas_changed: int
    trees_changed: int
    """Shared sentences in which a relation or a head changed."""
    unchanged: int
    """Shared sentences in which nothing at all changed."""
    old_words: int
    """Words of the shared sentences."""
    new_words: int
    words: int
    """Words of both that belong together."""
    universal_relations: int
    """Words whose relation changed by more than its subtype."""


@dataclass(frozen=True)
class Step:
    """What changed from one version of a test set to another."""

    old: str
    """The treebank."""
    new: str
    counts: Counts
    changes: pa.Table
    """A row per kind, before and after: words, sentences; the most frequent of a kind first."""
    notes: Sequence[str] = ()

    def total(self, kind: str) -> int:
        """Return how many words (places, for words cut otherwise) changed in this way."""
        import pyarrow.compute as pc

        of_kind = self.changes.filter(pc.equal(self.changes["kind"], kind))
        return int(pc.sum(of_kind["words"]).as_py() or 0)


@dataclass(frozen=True)
class Effect:
    """One measure of an older run by the older version and of a newer run by the newer one.

    ``change`` is ``composition`` + ``references`` + ``system``. All but ``old``, ``new``,
    ``change`` and ``composition`` are of the sentences that both versions have.
    """

    measure: str
    better: str
    old: float | None
    """The older run by the older version, as it is stored."""
    new: float | None
    """The newer run by the newer version."""
    change: float | None
    composition: float | None = None
    """What sentences bring that only one version has."""
    references: float | None = None
    """What changed references bring: mean over both runs."""
    references_low: float | None = None
    references_high: float | None = None
    references_of_old: float | None = None
    """The same by the older run alone, as where references change first."""
    references_of_new: float | None = None
    """The same by the newer run alone, as where references change last."""
    system: float | None = None
    """What the run brings: mean over both versions; 0 where it is one run."""
    system_low: float | None = None
    system_high: float | None = None
    sentences: int = 0
    undefined_reason: str | None = None


@dataclass(frozen=True)
class Effects:
    """What a change of scores is made of, from one run to another or of one by both versions."""

    old_submission_id: str
    """The older run by the older version."""
    new_submission_id: str
    """The newer run by the newer version."""
    one_run: bool
    """Whether both are the same run, so that references alone changed."""
    effects: Sequence[Effect]


@dataclass(frozen=True, repr=False)
class Drift(Brief):
    """Versions of a test set in the order given, and what changed from each to the next."""

    versions: Sequence[str]
    steps: Sequence[Step]
    effects: Sequence[Effects]
    """From the first version to the last."""
    replicates: int
    seed: int
    level: float
    notes: Sequence[str] = ()
