"""Work on many submissions, cut into batches that many processes do: read, compute, commit.

A batch is some submissions to one treebank. Who does it copies what it needs to a database of its
own, runs what one process runs, and commits what is new: so results are the same, and a batch that
is done twice changes nothing.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...schema.address import LakeAddress, Place
from ...schema.batching import batches
from ...schema.brief import plural
from ...schema.database import WAIT_SECONDS, Database
from ...schema.engine import limit_threads
from ...schema.lake.copying import Chosen, Copied
from ...schema.statements import read_tuples
from ..catalog import open_installed
from .exchange import copy_file, fetch_into, publish

OUTPUTS_PER_BATCH = 50_000

Compute = Callable[[Database, Sequence[str]], object]
"""What is done: it stores what is missing for some submissions. Other processes must know it."""


@dataclass(frozen=True)
class Batch:
    """Some submissions to one treebank, and where they are."""

    place: Place
    treebank_id: str
    submissions: Sequence[str]
    outputs: int

    @property
    def chosen(self) -> Chosen:
        """What of the database it is about."""
        return Chosen(self.submissions, [self.treebank_id], [])

    def __str__(self) -> str:
        return f"{self.treebank_id}, {plural(len(self.submissions), 'submission')}"


@dataclass(frozen=True)
class Done:
    """What a batch brought: committed already, or in a file for who has the database to commit."""

    batch: Batch
    copied: Copied = field(default_factory=Copied)
    file: Path | None = None


def cut(
    database: Database,
    place: Place,
    pending: Sequence[str],
    *,
    outputs: int = OUTPUTS_PER_BATCH,
    whole_treebanks: bool = False,
) -> list[list[Batch]]:
    """Cut submissions into batches of so many outputs at most, and return them in two steps.

    The first has a batch for each treebank that nothing was computed for yet: what is computed once
    per treebank is there when the others begin. With ``whole_treebanks``, one batch for each.
    """
    rows = read_tuples(database, "pending_sizes", submissions=list(pending))
    first: list[Batch] = []
    others: list[Batch] = []
    for treebank_id in dict.fromkeys(row[0] for row in rows):
        runs = [(name, size) for treebank, name, size in rows if treebank == treebank_id]
        cut_up = [runs] if whole_treebanks else batches(runs, _outputs, lambda _: outputs)
        of_treebank = [
            Batch(place, treebank_id, [name for name, _ in some], sum(map(_outputs, some)))
            for some in cut_up
        ]
        first.append(of_treebank[0])
        others += of_treebank[1:]
    return [first, others] if others else [first]


def _outputs(run: tuple[str, int]) -> int:
    return run[1]


def work(
    batch: Batch, compute: Compute, folder: str | None = None, wait_seconds: float = WAIT_SECONDS
) -> Done:
    """Do a batch, in whatever process, with one thread, in a database in a folder.

    To a lake the results are committed here; those of a file are left where they are, because one
    process alone writes to it. Raises what reading, computing and committing raise.
    """
    own_folder = Path(tempfile.mkdtemp(prefix="batch-", dir=folder))
    file = own_folder / "results.duckdb"
    with open_installed(file) as own:
        limit_threads(own, 1)
        if isinstance(batch.place, LakeAddress):
            fetch_into(own, batch.place, batch.chosen)
        else:
            copy_file(own, batch.place, batch.chosen, wait_seconds=wait_seconds)
        compute(own, batch.submissions)
    if not isinstance(batch.place, LakeAddress):
        return Done(batch, file=file)
    try:
        copied = publish(file, batch.place, batch.chosen, wait_seconds=wait_seconds)
    finally:
        shutil.rmtree(own_folder, ignore_errors=True)
    return Done(batch, copied)
