"""What changed between versions of a test set: sentences, words, and scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pyarrow as pa

from ....schema.brief import plural
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.names import check_names
from ....schema.parameters import LEVEL, REPLICATES, SEED
from ....schema.progress import Progress, silent
from ....schema.statements import read_rows, read_table, statement
from ....schema.temporary import hold, table_of, temporary
from ...metrics import metrics as all_metrics
from ...resampling import check_resampling
from . import Counts, Drift, Step
from .effects import read_effects


def read_drift(
    database: Database,
    versions: Sequence[str],
    *,
    metrics: Sequence[str] | None = None,
    base: str | None = None,
    new: str | None = None,
    replicates: int = REPLICATES,
    seed: int = SEED,
    level: float = LEVEL,
    progress: Progress = silent,
) -> Drift:
    """Return what changed from each version of a test set to the next, and in scores by that.

    ``versions`` are ids of treebanks, oldest first. Scores are followed from the first to the
    last: of each run whose outputs are loaded for both (``tracker ingest carry``) or, where
    ``base`` and ``new`` name two of them, from ``base`` by the first version to ``new`` by the
    last. ``metrics`` are those of interest, None for the usual ones; ``dea[nsubj]`` is edge
    accuracy of a relation, ``dea[*]`` of all.

    Raises InputError for fewer than two versions, for versions that share no sentence, and for a
    run that is not there for both; UnknownNameError for a metric or relation that does not exist.
    """
    check_resampling(replicates, seed, level)
    if len(versions) < 2:
        raise InputError("one version shows no change", hint="name two or more, the oldest first")
    if (base is None) != (new is None):
        raise InputError(
            "a change is from one run to another", hint="name both the older and the newer run"
        )
    relations = re.compile(r"dea\[.+\]")
    check_names(
        "metric", [name for name in metrics or () if not relations.fullmatch(name)], all_metrics()
    )
    steps = []
    for done, (one, other) in enumerate(pairwise(versions)):
        progress(f"{one} → {other}", done, len(versions))
        with temporary(database):
            steps.append(_step(database, one, other))
    progress("scores", len(versions) - 1, len(versions))
    with temporary(database):
        pair_versions(database, versions[0], versions[-1])
        effects, notes = read_effects(
            database,
            versions[0],
            versions[-1],
            metrics=metrics,
            runs=(base, new) if base and new else None,
            replicates=replicates,
            seed=seed,
            level=level,
        )
    progress("compared", len(versions), len(versions))
    of_steps = [note for step in steps for note in step.notes]
    return Drift(versions, steps, effects, replicates, seed, level, [*of_steps, *notes])


def _step(database: Database, old: str, new: str) -> Step:
    notes = pair_versions(database, old, new)
    both = {"old": old, "new": new}
    other = read_table(database, "drift_other_words", **both).to_pydict()
    aligned = aligned_words(other["new_no"], other["old_forms"], other["new_forms"])
    hold(database, "drift_alignment", aligned)
    database.connection.execute(statement("drift_words"), both)
    database.connection.execute(statement("drift_word_changes"))
    (counts,) = read_rows(database, "drift_counts")
    return Step(old, new, Counts(**counts), read_table(database, "drift_changes"), notes)


def pair_versions(database: Database, old: str, new: str) -> list[str]:
    """Make the temporary table ``drift_pair`` and return what is to be said of it.

    Sentences belong together that have the same sent_id, else the same text. Where most of the
    same ids stand before quite other words, ids are mere numbers, and texts alone count.

    Raises InputError where the two are one treebank, or share no sentence.
    """
    if old == new:
        raise InputError(
            f"'{old}' is one version, not two", hint="name two or more versions of a test set"
        )
    (ids,) = read_rows(database, "drift_ids_hold", old=old, new=new)
    by_id = 2 * ids["alike"] >= ids["sentences"]
    parameters = {"old": old, "new": new, "by_id": by_id}
    database.connection.execute(statement("drift_pairs"), parameters)
    if not read_rows(database, "drift_shared"):
        raise InputError(
            f"'{old}' and '{new}' share no sentence",
            hint="versions of a test set have sentences with the same sent_id or text",
        )
    if by_id:
        return []
    note = (
        f"{old} and {new}: of {plural(ids['sentences'], 'sentence')} with the same sent_id only "
        f"{ids['alike']:,} are alike: matched by text alone"
    )
    return [note]


SAME, FORM, CUT, ADDED, REMOVED = "same", "form", "cut", "added", "removed"


def aligned_words(
    sentences: Sequence[int], old: Sequence[Sequence[str]], new: Sequence[Sequence[str]]
) -> pa.Table:
    """Return a row per word of each pair of sentences: new_no, old_token, new_token, unit, fate.

    Words belong together that are in a longest common subsequence of both versions' forms. Between
    them, as many words as there were are each spelled otherwise (fate ``form``); where the same
    letters are cut at other places, or the number of words changed, they are one unit (``cut``);
    words may be ``added`` and ``removed``.
    """
    rows = [
        (sentence, *row)
        for sentence, before, after in zip(sentences, old, new, strict=True)
        for row in _aligned(before, after)
    ]
    numbers = dict.fromkeys(("new_no", "old_token", "new_token", "unit"), pa.int32())
    return table_of(rows, **numbers, fate=pa.string())


def _aligned(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[int | None, int | None, int, str]]:
    unit = 0
    for before, after in _stretches(old, new):
        same = [old[n] for n in before] == [new[n] for n in after]
        fate = SAME if same else _fate([old[n] for n in before], [new[n] for n in after])
        if fate in (SAME, FORM):
            for here, there in zip(before, after, strict=True):
                unit += 1
                yield here + 1, there + 1, unit, fate
            continue
        unit += 1
        for here in before:
            yield here + 1, None, unit, fate
        for there in after:
            yield None, there + 1, unit, fate


def _stretches(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[range, range]]:
    """Return the stretches of both in order: alternately the same words, and different ones."""
    from rapidfuzz.distance import LCSseq

    here = there = 0
    for block in LCSseq.editops(old, new).as_matching_blocks():
        if here < block.a or there < block.b:
            yield range(here, block.a), range(there, block.b)
        here, there = block.a + block.size, block.b + block.size
        yield range(block.a, here), range(block.b, there)


def _fate(before: Sequence[str], after: Sequence[str]) -> str:
    if not before:
        return ADDED
    if not after:
        return REMOVED
    if len(before) == len(after) and (len(before) == 1 or "".join(before) != "".join(after)):
        return FORM
    return CUT
