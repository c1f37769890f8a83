"""What Python users call: everything the command line does, on an open campaign database.

The methods are functions of the modules beside this one, and of ``operations`` of themes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ...queries.catalog import load_external_metrics, open_installed
from ...queries.limits import keep_within, lock_down
from ...schema.address import LakeAddress, Place, place_of
from ...schema.brief import Brief, show_results
from ...schema.database import WAIT_SECONDS, Closeable, Database, say_nothing
from ...schema.engine import limit_threads
from ...schema.errors import ReadOnlyError, telling_what_is_missing
from ...schema.iterations import resolve_submission, select_submissions
from ...schema.sharing import SharedDatabase
from ...schema.themes import members
from .. import making, submit
from . import (
    computing,
    external,
    following,
    keeping,
    loading,
    querying,
    sharing,
    submitting,
    tokens,
)
from .methods import Filters, changes, holding, named, reads, tells, writes

if TYPE_CHECKING:
    from ...ingest.analysers import Analyser
    from .of_themes import MethodsOfThemes
else:
    _ADDED = map(telling_what_is_missing, members("tracker", "operations", "Methods"))
    MethodsOfThemes = type("MethodsOfThemes", tuple(_ADDED), {})


@telling_what_is_missing
class Tracker(MethodsOfThemes, Closeable):
    """A campaign database with everything one does with it.

    A file is open while a method runs, for reading or for writing, and free between two of them.
    """

    def __init__(
        self,
        database: Database,
        *,
        analyser: str = "reference",
        model: Path | None = None,
        say: Callable[[str], None] = say_nothing,
        wait: float = WAIT_SECONDS,
    ) -> None:
        if not isinstance(database, SharedDatabase):
            keep_within(database)
            load_external_metrics(database)
        self.database = database
        self.say = say
        self.wait = wait
        self._analysed_by = (analyser, model)
        self.looks_back = False
        """Whether a block looks at the database as it stood at some moment."""

    @cached_property
    def analyser_of(self) -> Callable[[str], Analyser]:
        """What gives the analyser of a treebank."""
        from ...ingest.analysers import analyser_factory

        return analyser_factory(self.database, *self._analysed_by)

    ingest_campaign = writes(loading.ingest_campaign)
    ingest_treebank = writes(loading.ingest_treebank)
    ingest_references = writes(loading.ingest_references)
    ingest_labels = writes(loading.ingest_labels)
    ingest_scores = writes(external.ingest_scores)
    ingest_judgements = writes(external.ingest_judgements)
    ingest_metric_scores = writes(external.ingest_metric_scores)
    ingest_submission = writes(submitting.ingest_submission)
    ingest_log = writes(submitting.ingest_log)
    parse = writes(loading.parse)
    submit = changes(submit.submit)
    ensemble = writes(making.ensemble)
    baseline = writes(making.baseline)
    score = changes(computing.score)
    analyse = changes(computing.analyse)
    human = writes(computing.human)
    significance = changes(computing.significance)
    choose = changes(computing.choose)
    rescore = changes(computing.rescore)
    show = tells(querying.show)
    sql = reads(querying.sql)
    correlate = reads(querying.correlate)
    suspicion_tree = reads(querying.suspicion_tree)
    select_training = reads(querying.select_training)
    examples = reads(querying.examples)
    compare = tells(following.compare)
    history = tells(following.history)
    years = reads(following.years)
    gate = tells(following.gate)
    primary = changes(following.primary)
    plot = reads(sharing.plot)
    report = reads(sharing.report)
    reproduce = computing.reproduce
    site = reads(sharing.site)
    export = reads(sharing.export)
    log = sharing.log
    sync = sharing.sync
    promote = sharing.promote
    check = reads(keeping.check)
    prune = writes(keeping.prune)
    remove = writes(keeping.remove)
    rename = writes(keeping.rename)
    tag = writes(keeping.tag)
    note = writes(keeping.note)
    token = tokens.token

    @contextmanager
    def reading(self, *, as_of: datetime | None = None) -> Iterator[Database]:
        """Hold the file, for reading, for a block: its methods see one state of the database.

        With ``as_of``, a moment with a time zone, they see it as it stood then: a file by what was
        made since, a lake by its snapshots.
        """
        if as_of is not None and isinstance(self.database, SharedDatabase):
            place = self.database.place
            if isinstance(place, LakeAddress):
                with self.database.at(replace(place, moment=as_of)), self.reading():
                    yield self.database
                return
        with holding(self.database, read_only=True):
            if as_of is None:
                yield self.database
                return
            from ...queries.change.versions import as_of as snapshot_at

            with snapshot_at(self.database, as_of) as snapshot:
                self.say(str(snapshot))
                self.looks_back = True
                try:
                    yield self.database
                finally:
                    self.looks_back = False

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """Hold the file, for writing, for a block."""
        with holding(self.database, read_only=False):
            yield self.database

    @reads
    def select(self, **filters: Unpack[Filters]) -> list[str]:
        """Return the ids of submissions; ``filters`` as in ``schema.iterations``.

        >>> db.select(year=2023, system="random", treebank="en_sample")
        ['SAMPLE23/random/en_sample-ud1.0-test']
        """
        return select_submissions(self.database, named(filters))

    @reads
    def resolve(
        self, name: str, *, treebank: str | None = None, campaign: str | None = None
    ) -> str:
        """Return the id of the submission that a name such as ours@latest means.

        >>> db.resolve("random@latest", treebank="en_sample")
        'SAMPLE23/random/en_sample-ud1.0-test'
        """
        return resolve_submission(self.database, name, treebank=treebank, campaign=campaign)

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def _result_html(result: Brief) -> str:
    from ..show.notebooks import result_html

    return result_html(result)


def _result_text(result: Brief) -> str:
    from ..show.notebooks import result_text

    return result_text(result)


show_results(_result_html, _result_text)


def _show_in_notebooks() -> None:
    """Let a notebook show rows as well, where one runs."""
    if "IPython" in sys.modules:
        from ..show.notebooks import show_tables

        show_tables()


def connect(
    path: Place | str | None = "campaign.duckdb",
    *,
    create: bool = False,
    read_only: bool = False,
    wait: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    analyser: str = "reference",
    model: Path | str | None = None,
    data_path: str | None = None,
) -> Tracker:
    """Return a campaign database to write to, or to read only; ``None`` is one in memory.

    ``path`` may be a lake's address as well, ducklake:postgres:dbname=…; ``data_path`` is the
    folder or bucket (s3://…) of the data of one that is to be made.

    The file is looked at, and free again: each method opens it for itself.

    ``create`` makes a new one where there is none. ``wait`` tells how many seconds to wait while
    another process holds the file, and ``say`` is told whom for. ``analyser`` turns output text
    into words: reference, udpipe, stanza or spacy, the last three with the path of a ``model``.

    Raises schema.errors.DatabaseUnavailableError where the file cannot be opened or is not there.
    """
    tracker = tracker_of(
        path if path is None else place_of(path, data_path),
        create=create,
        read_only=read_only,
        wait=wait,
        say=say,
        analyser=analyser,
        model=model,
    )
    with tracker.database.opened(read_only=not create):
        _show_in_notebooks()
        return tracker


def tracker_of(
    path: Place | str | None,
    *,
    create: bool = False,
    read_only: bool = False,
    wait: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    threads: int | None = None,
    analyser: str = "reference",
    model: Path | str | None = None,
) -> Tracker:
    """Return what ``connect`` does, the file not looked at yet.

    ``threads`` are those that statements may take; None for as many as there are processors.
    """

    def open_file(place: Place, for_reading: bool) -> Database:
        if read_only and not for_reading:
            raise ReadOnlyError(
                "the database is open for reading only",
                where=str(path),
                hint="open it without read_only=True",
            )
        most = wait if shared is None or shared.most_seconds is None else shared.most_seconds
        database = open_installed(
            place, read_only=for_reading, create=create, wait_seconds=min(wait, most), say=say
        )
        if threads is not None:
            limit_threads(database, threads)
        (lock_down if for_reading else keep_within)(database)
        return database

    shared = None if path is None else SharedDatabase(place_of(path), open_file)
    return Tracker(
        shared or open_installed(None),
        analyser=analyser,
        model=Path(model) if model else None,
        say=say,
        wait=wait,
    )
