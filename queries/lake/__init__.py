"""A lake that several machines share: publishing, fetching, computing by many.

Work on many submissions is cut into batches that many processes do: read, compute, commit. A batch
is some submissions to one treebank. Who does it copies what it needs to a database of its own, runs
what one process runs, and commits what is new: so results are the same, and a batch that is done
twice changes nothing.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ...schema import TOOL_VERSION
from ...schema.address import LakeAddress, Place
from ...schema.brief import plural
from ...schema.database import WAIT_SECONDS, Database, attach_file, open_database, say_nothing
from ...schema.engine import limit_threads
from ...schema.errors import DatabaseUnavailableError
from ...schema.iterations import Names, passing, resolve_filters
from ...schema.lake import NAME, copying
from ...schema.lake.opening import attach
from ...schema.progress import Progress, silent
from ...schema.sharing import unreachable_when_lost
from ...schema.statements import read_tuples
from ...schema.temporary import temporary
from ..catalog import install, open_installed, sha256
from ..metrics.loop import batches

FILE = "attached_file"
"""What the file is called on the lake's connection."""
OUTPUTS_PER_COMMIT = 500_000


def publish(
    file: Path,
    lake: LakeAddress,
    chosen: copying.Chosen = copying.EVERYTHING,
    *,
    dry_run: bool = False,
    bring_back: bool = False,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    progress: Progress = silent,
) -> copying.Copied:
    """Bring to a lake what it has not, make the lake where there is none, and return the new rows.

    Treebanks and systems come first, then submissions with their results, some hundred thousand
    outputs at a time, each a commit of its own: where one fails, what came before is whole, and
    the next call goes on. ``dry_run`` looks for conflicts alone. What was removed from the lake is
    left out, but for ``bring_back``.

    Raises ConflictError, before anything is written, where both have something of one name with
    other content; DatabaseUnavailableError where either cannot be opened or is lost meanwhile.
    """
    with open_database(file, read_only=True, create=False, wait_seconds=wait_seconds, say=say):
        pass
    with (
        unreachable_when_lost(lake),
        open_installed(lake, create=not dry_run, wait_seconds=wait_seconds, say=say) as database,
    ):
        attach_file(database.connection, file, FILE, wait_seconds=wait_seconds, say=say)
        titles = {copying.SOURCE: str(file), copying.TARGET: str(lake)}
        bringing = copying.Copying(database, FILE, NAME, titles, bring_back)
        return _bring(bringing, chosen, progress, dry_run=dry_run)


def fetch(
    lake: LakeAddress,
    file: Path,
    chosen: copying.Chosen = copying.EVERYTHING,
    *,
    bring_back: bool = False,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    progress: Progress = silent,
) -> copying.Copied:
    """Bring to a file, made where there is none, what it has not of what is chosen in a lake.

    What was removed from the file is left out, but for ``bring_back``. Raises what ``publish``
    does.
    """
    with open_installed(file, wait_seconds=wait_seconds, say=say) as database:
        return fetch_into(database, lake, chosen, bring_back=bring_back, progress=progress)


def fetch_into(
    database: Database,
    lake: LakeAddress,
    chosen: copying.Chosen,
    *,
    bring_back: bool = False,
    progress: Progress = silent,
) -> copying.Copied:
    """Bring to an open database what it has not of what is chosen in a lake.

    Raises what ``publish`` does.
    """
    titles = {copying.SOURCE: str(lake), copying.TARGET: database.where}
    with attached(database, lake):
        bringing = copying.Copying(database, NAME, database.catalog, titles, bring_back)
        return _bring(bringing, chosen, progress)


def _bring(
    bringing: copying.Copying,
    chosen: copying.Chosen,
    progress: Progress,
    *,
    dry_run: bool = False,
) -> copying.Copied:
    """Copy what is chosen batch by batch, after a look for conflicts in all of it."""
    database = bringing.database
    total = copying.Copied()
    with temporary(database):
        copying.choose(database.connection, bringing.source, chosen)
        cut = _batches(database, bringing.source, chosen)
        if dry_run or len(cut) > 1:  # one batch is looked at when it is copied
            total = copying.Copied({}, bringing.look(chosen))
    for number, batch in enumerate(() if dry_run else cut):
        progress("copied", number, len(cut))
        written = bringing.write(batch) if bringing.target == NAME else None
        with database.transaction():
            total += bringing.copy(batch, written)
    if not dry_run:
        install(database)  # with columns of the external metrics that came
    progress("copied", len(cut), len(cut))
    return total


def copy_file(
    database: Database,
    file: Path,
    chosen: copying.Chosen,
    *,
    wait_seconds: float = WAIT_SECONDS,
) -> copying.Copied:
    """Bring what is chosen in another file to a database that is open for writing."""
    attach_file(database.connection, file, FILE, wait_seconds=wait_seconds)
    try:
        with database.transaction():
            titles = {copying.SOURCE: str(file), copying.TARGET: database.where}
            return copying.Copying(database, FILE, database.catalog, titles).copy(chosen)
    finally:
        database.connection.execute(f"DETACH {FILE}")


def chosen_by(database: Database, filters: Mapping[str, Names]) -> copying.Chosen:
    """Return what passes all filters, as in ``schema.iterations``; everything without any.

    A treebank or campaign that is named comes though no submission is to it.
    """
    filtered = resolve_filters(database, filters)
    if not filtered:
        return copying.EVERYTHING
    return copying.Chosen(
        passing(database, filtered), filtered.get("treebank", []), filtered.get("campaign", [])
    )


@contextmanager
def attached(database: Database, lake: LakeAddress) -> Iterator[None]:
    """Let the block read a lake by NAME on a database's connection, which is not locked down."""
    with unreachable_when_lost(lake):
        attach(database.connection, lake, read_only=True)
        try:
            yield
        finally:
            database.connection.execute(f"DETACH {NAME}")


def _batches(database: Database, source: str, chosen: copying.Chosen) -> list[copying.Chosen]:
    """Cut what is chosen by submissions, of one treebank after the other, and then all of it.

    The last brings what is not about one submission; of the others it finds nothing new.
    """
    rows = database.connection.execute(
        "SELECT submission_id, coalesce(sentences, 0) "  # noqa: S608
        f"FROM {source}.main.submission LEFT JOIN {source}.main.treebank USING (treebank_id) "
        "WHERE ('submission', submission_id) IN (FROM chosen) "
        "ORDER BY treebank_id, created_at, submission_id"
    ).fetchall()
    cut = list(batches(rows, lambda row: row[1], lambda _: OUTPUTS_PER_COMMIT))
    if len(cut) < 2:
        return [chosen]
    return [*(copying.Chosen([name for name, _ in batch], (), ()) for batch in cut), chosen]


OUTPUTS_PER_BATCH = 50_000

Compute = Callable[[Database, Sequence[str]], object]
"""What is done: it stores what is missing for some submissions. Other processes must know it."""


@dataclass(frozen=True)
class Maker:
    """What decides which scores and views are computed: who works for another has to have it."""

    tool: str = TOOL_VERSION
    catalog: str = field(default_factory=sha256)
    """Hash of what metrics and views are made of, those of installed packages among it."""

    def __str__(self) -> str:
        return f"sr-tracker {self.tool} (metrics and views {self.catalog[:12]})"


@dataclass(frozen=True)
class Batch:
    """Some submissions to one treebank, and where they are."""

    place: Place
    treebank_id: str
    submissions: Sequence[str]
    outputs: int
    maker: Maker
    """Who cut it."""

    @property
    def chosen(self) -> copying.Chosen:
        """What of the database it is about."""
        return copying.Chosen(self.submissions, [self.treebank_id], [])

    def __str__(self) -> str:
        return f"{self.treebank_id}, {plural(len(self.submissions), 'submission')}"


@dataclass(frozen=True)
class Done:
    """What a batch brought: committed already, or in a file for who has the database to commit."""

    batch: Batch
    copied: copying.Copied = field(default_factory=copying.Copied)
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
    maker = Maker()
    first: list[Batch] = []
    others: list[Batch] = []
    for treebank_id in dict.fromkeys(row[0] for row in rows):
        runs = [(name, size) for treebank, name, size in rows if treebank == treebank_id]
        cut_up = [runs] if whole_treebanks else batches(runs, _outputs, lambda _: outputs)
        of_treebank = [
            Batch(place, treebank_id, [name for name, _ in some], sum(map(_outputs, some)), maker)
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
    process alone writes to it. Raises what reading, computing and committing raise, and
    DatabaseUnavailableError, before it reads, where this is another tracker than cut the batch.
    """
    own_maker = Maker()
    if batch.maker != own_maker:
        raise DatabaseUnavailableError(
            f"a worker has {own_maker}, and who gives it work {batch.maker}",
            hint="install the same sr-tracker, and the same packages of metrics, for both",
        )
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
