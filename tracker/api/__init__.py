"""What Python users call: everything the command line does, on an open campaign database.

The methods are functions of the modules beside this one, each about one theme.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from sr_tracker.ingest.treebank_analysers import analyser_factory
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.reading import keep_within
from sr_tracker.schema.database import WAIT_SECONDS, Closeable, Database, say_nothing
from sr_tracker.schema.optional import telling_what_is_missing
from sr_tracker.schema.selection import select_submissions
from sr_tracker.tracker.api import (
    asking,
    computing,
    following,
    keeping,
    loading,
    sharing,
    submitting,
)
from sr_tracker.tracker.api.given import Filters, named
from sr_tracker.tracker.api.grammar import Corrections, Grammar
from sr_tracker.tracker.api.meaning import Form, Meaning
from sr_tracker.tracker.api.parsers import Parsers


@telling_what_is_missing
class Tracker(Closeable):
    """An open campaign database with everything one does with it."""

    def __init__(
        self, database: Database, *, analyser: str = "reference", model: Path | None = None
    ) -> None:
        keep_within(database)
        self.database = database
        self.analyser_of = analyser_factory(database, analyser, model)

    # Made when asked for: a tracker that held them would hold itself, and its file, open.
    grammar = property(Grammar, doc="Grammar rules: learned, edited, checked.")
    gec = property(Corrections, doc="Grammar rules held against errors that people corrected.")
    meaning = property(Meaning, doc="Meaning graphs compared.")
    form = property(Form, doc="Form judged by language models.")
    parsers = property(Parsers, doc="Noise, training and measuring of parsers.")

    ingest_campaign = loading.ingest_campaign
    ingest_treebank = loading.ingest_treebank
    ingest_references = loading.ingest_references
    ingest_probabilities = loading.ingest_probabilities
    ingest_amr = loading.ingest_amr
    ingest_graphs = loading.ingest_graphs
    parse_graphs = loading.parse_graphs
    ingest_scores = loading.ingest_scores
    ingest_judgements = loading.ingest_judgements
    ingest_submission = submitting.ingest_submission
    submit = submitting.submit
    ensemble = submitting.ensemble
    baseline = submitting.baseline
    score = computing.score
    analyse = computing.analyse
    human = computing.human
    significance = computing.significance
    rescore = computing.rescore
    show = asking.show
    sql = asking.sql
    suspicion_tree = asking.suspicion_tree
    select_training = asking.select_training
    examples = asking.examples
    compare = following.compare
    history = following.history
    years = following.years
    gate = following.gate
    sample_judging = sharing.sample_judging
    plot = sharing.plot
    report = sharing.report
    export = sharing.export
    log = sharing.log
    sync = sharing.sync
    promote = sharing.promote
    check = keeping.check
    prune = keeping.prune
    remove = keeping.remove
    rename = keeping.rename
    tag = keeping.tag
    note = keeping.note

    def select(self, **filters: Unpack[Filters]) -> list[str]:
        """Return the ids of submissions; ``filters`` as in ``schema.selection``.

        >>> db.select(system="random", treebank="en_sample")
        ['SAMPLE23/random/en_sample-ud1.0-test']
        """
        return select_submissions(self.database, named(filters))

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def connect(
    path: Path | str | None = "campaign.duckdb",
    *,
    create: bool = False,
    read_only: bool = False,
    wait: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    analyser: str = "reference",
    model: Path | str | None = None,
) -> Tracker:
    """Open a campaign database for writing, or for reading only; ``None`` is one in memory.

    ``create`` makes a new one where there is none. ``wait`` tells how many seconds to wait while
    another process holds the file, and ``say`` is told whom for. ``analyser`` turns output text
    into words: reference, udpipe, stanza or spacy, the last three with the path of a ``model``.

    Raises schema.errors.DatabaseUnavailableError where the file cannot be opened or is not there.
    """
    database = open_installed(path, read_only=read_only, create=create, wait_seconds=wait, say=say)
    try:
        return Tracker(database, analyser=analyser, model=Path(model) if model else None)
    except BaseException:
        database.close()
        raise
