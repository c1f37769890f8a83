"""Loading a whole campaign from its manifest: whatever was loaded stays where a file cannot be."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from functools import cache, partial
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.engine import one_thread
from ...schema.errors import InputError
from ...schema.keys import TEXT_SCHEME
from ...schema.progress import Progress, silent
from ...schema.statements import read_tuples
from ...schema.themes import module
from ..analysers import Analyser, analyser_factory
from ..judgements.columns import read_scales
from ..judgements.human_scores import ScoreFile, ingest_human_scores
from ..judgements.loading import JudgementFile, ingest_judgements
from ..names import name_treebank, register_campaign, register_system, treebank_named
from ..outputs.reading import read_outputs
from ..outputs.submissions import (
    Prepared,
    Run,
    Submitted,
    loaded_treebank,
    prepare_outputs,
    references_reader,
    write_submissions,
)
from ..treebanks.loading import ReadTreebank, named_before, prepare_treebank, write_treebanks
from ..treebanks.references import ingest_references
from .manifest import FILE_SECTIONS, Entry, Manifest
from .runs import line_of, ordered_runs

WRITTEN_AFTER = 1.0
"""Seconds for which submissions are read before they are written."""
WORDS_TOGETHER = 500_000
"""Treebanks of so many words are written together, and with them the one that reaches it."""
File = TypeVar("File")


@dataclass(repr=False)
class Report(Brief):
    """What loading a campaign changed."""

    treebanks: int = 0
    submissions: list[Submitted] = field(default_factory=list)
    graphs: int = 0
    """Files of parsed graphs."""
    human_scores: int = 0
    judgements: int = 0
    warnings: list[str] = field(default_factory=list)
    """What to know of the judgements."""
    files: int = 0
    unchanged: int = 0


def ingest_campaign(
    database: Database,
    manifest: Manifest,
    analyser: Callable[[str], Analyser],
    *,
    replace: bool = False,
    progress: Progress = silent,
) -> Report:
    """Load everything a manifest names and return what changed.

    Files that are loaded already are passed over, so an interrupted load continues where it was.
    ``progress`` is told the file at hand, how many files are done and how many there are.

    Raises InputError for the first file that cannot be loaded; those before it stay.
    """
    loading = _Loading(database, manifest, replace, progress)
    runs = ordered_runs(database, manifest)  # what is wrong with the runs, before any write
    teams = _teams(database, manifest, runs, replace=replace)
    analyser_of = _analysers(database, manifest, analyser)
    campaign = manifest.campaign
    with database.transaction():
        values = {key: campaign.get(key) for key in ("name", "year", "description")}
        register_campaign(database, campaign["id"], **values)
        for system in manifest.systems:
            values = {key: system.get(key) for key in ("kind", "description", "family")}
            register_system(database, system["id"], team=teams.get(system["id"]), **values)
    with _Treebanks(database, loading.report) as treebanks:
        for entry in manifest.treebanks:
            loading.begin(entry)
            treebanks.add(entry, campaign["id"], replace=replace)
    loading.load_all(manifest.references, loading.references, "treebanks")
    loading.load_all(manifest.amr, loading.gold_graphs, "treebanks")
    with one_thread(database), _Runs(database, loading.report, teams) as runs_together:
        for entry, run in ordered_runs(database, manifest):
            loading.begin(entry)
            runs_together.add(entry, run, analyser_of(entry), replace=replace)
    loading.load_all(manifest.graphs, loading.graphs, "graphs")
    loading.load_all(manifest.human_scores, loading.human_scores, "human_scores")
    loading.load_all(manifest.judgements, loading.judgements, "judgements")
    progress("", loading.report.files, loading.report.files)
    return loading.report


def _teams(
    database: Database, manifest: Manifest, runs: Sequence[tuple[Entry, Run]], *, replace: bool
) -> dict[str, str]:
    """Return whose each system is, where the manifest says it: of folders alone only if no more is.

    Raises InputError for a system of two teams, in the manifest or, unless it is to be replaced, in
    the database.
    """
    named = [(system["id"], system.get("team"), str(manifest.path)) for system in manifest.systems]
    named += [
        (run.system_id, entry.values.get("team"), entry.where)
        for entry, run in runs
        if "system" in entry.values
    ]
    stored = {} if replace else dict(read_tuples(database, "teams"))
    teams: dict[str, str] = {}
    for system_id, team, where in named:
        owner = teams.get(system_id, stored.get(system_id))
        if team is None:
            continue
        if owner not in (None, team, system_id):
            raise InputError(
                f"the system {system_id} is of {owner}, and here of {team}",
                where=where,
                hint="give one of the two another id; where the team is called otherwise now, say "
                "so everywhere in the manifest, and load it with --replace",
            )
        teams[system_id] = team
    folders = {run.system_id: entry.values["team"] for entry, run in runs if "team" in entry.values}
    return folders | teams


class _Loading:
    """Loading the files of a manifest one by one, each by what its entry says."""

    def __init__(
        self, database: Database, manifest: Manifest, replace: bool, progress: Progress
    ) -> None:
        self._database = database
        self._manifest = manifest
        self._campaign_id: str = manifest.campaign["id"]
        self._replace = replace
        self._progress = progress
        self._done = 0
        self.report = Report(
            files=sum(len(getattr(manifest, section)) for section in FILE_SECTIONS)
        )

    def begin(self, entry: Entry) -> None:
        """Tell that an entry is at hand, and that those before it are done."""
        self._progress(entry.path.name, self._done, self.report.files)
        self._done += 1

    def load_all(
        self, entries: Sequence[Entry], load: Callable[[Entry], int], counted: str
    ) -> None:
        """Load entries; what is new of each is added to a count of the report."""
        for entry in entries:
            self._database.give_way()
            self.begin(entry)
            new = load(entry)
            setattr(self.report, counted, getattr(self.report, counted) + new)
            self.report.unchanged += not new

    def references(self, entry: Entry) -> bool:
        """Load references without trees."""
        values = entry.values
        named = values.get("id", values.get("treebank"))
        name = name_treebank(
            entry.path, treebank_id=named, language=values.get("language"), scheme=TEXT_SCHEME
        )
        return ingest_references(
            self._database,
            entry.path,
            name,
            campaign_id=self._campaign_id,
            replace=self._replace,
        )

    def gold_graphs(self, entry: Entry) -> bool:
        """Load a treebank of graphs. Raises InputError where graphs are not installed."""
        loaded: bool = module("ingest", "campaign").load_gold_graphs(
            self._database, entry, self._campaign_id, replace=self._replace
        )
        return loaded

    def graphs(self, entry: Entry) -> bool:
        """Load what a parser makes of outputs or of references.

        Raises InputError where the entry does not tell the parser, or what was parsed, and where
        graphs are not installed.
        """
        loaded: bool = module("ingest", "campaign").load_graphs(
            self._database, entry, self._campaign_id, self._treebank, replace=self._replace
        )
        return loaded

    def human_scores(self, entry: Entry) -> int:
        """Load people's scores."""
        file = ScoreFile(**self._fields(entry))
        return ingest_human_scores(self._database, entry.path, file, replace=self._replace)

    def judgements(self, entry: Entry) -> int:
        """Load judgements, and note what to know of them."""
        values = entry.values
        options = ("kinds", "layout", "levels", "annotators", "ignore", "register", "raw")
        scales = values.get("scales")
        file = JudgementFile(
            **self._fields(entry),
            **{name: values[name] for name in options if name in values},
            scales=None if scales is None else read_scales(self._manifest.path.parent / scales),
        )
        loaded = ingest_judgements(self._database, entry.path, file, replace=self._replace)
        self.report.warnings += loaded.warnings
        return loaded.new

    def _fields(self, entry: Entry) -> dict[str, Any]:
        """Return what an entry says of all rows of its file."""
        values = entry.values
        treebank = values.get("treebank")
        return {
            "columns": values.get("columns", {}),
            "campaign_id": self._campaign_id,
            "system_id": values.get("system"),
            "treebank_id": treebank and self._treebank(treebank),
            "submission_id": values.get("submission"),
            "criterion": values.get("criterion"),
        }

    def _treebank(self, name: str) -> str:
        return treebank_named(self._database, self._campaign_id, name)


def _analysers(
    database: Database, manifest: Manifest, default: Callable[[str], Analyser]
) -> Callable[[Entry], Callable[[str], Analyser]]:
    """Return what gives an entry's analysers: one factory, and so one model, serves all alike.

    Raises InputError for an entry whose model is not there, or that has one and no analyser.
    """

    @cache
    def factory(name: str, model: Path | None) -> Callable[[str], Analyser]:
        return analyser_factory(database, name, model)

    def settings(entry: Entry) -> tuple[str, Path | None] | None:
        name, model = entry.values.get("analyser"), entry.values.get("model")
        if model is not None and name is None:
            hint = "name its analyser too: udpipe, stanza or spacy"
            raise InputError("the model has no analyser", where=entry.where, hint=hint)
        if name is None:
            return None
        path = manifest.path.parent / model if model is not None else None
        if name != "reference" and (path is None or not path.exists()):
            raise InputError(
                f"the analyser {name} needs a model"
                + (f", and there is no '{model}'" if path is not None else ""),
                where=entry.where,
                hint="model = a path on your disk, relative to the manifest",
            )
        return name, path

    chosen = {id(entry): settings(entry) for entry in manifest.submissions}

    def analyser_of(entry: Entry) -> Callable[[str], Analyser]:
        choice = chosen[id(entry)]
        return default if choice is None else factory(*choice)

    return analyser_of


class _Batch(Generic[File]):
    """Files that are written together; those before one that cannot be loaded are, too."""

    def __init__(self, database: Database, report: Report) -> None:
        self._database = database
        self._report = report
        self._files: list[File] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._write()

    def _write(self) -> None:
        files, self._files = self._files, []
        if files:
            self._store(files)
        self._database.give_way()

    def _store(self, files: Sequence[File]) -> None:
        """Write some files, all or none, and note what became of them."""
        raise NotImplementedError


class _Treebanks(_Batch[ReadTreebank]):
    """Treebanks: what is large enough together is packed at once, without the log of changes."""

    def add(self, entry: Entry, campaign_id: str, *, replace: bool) -> None:
        """Read and check a file; write those before, where it may be one of them.

        What is loaded already is told at once, so that who waits for the database is let in.
        """
        values, path = entry.values, entry.path
        parts = {key: values.get(key) for key in ("language", "version", "split", "scheme")}
        name = name_treebank(path.absolute(), treebank_id=values.get("id"), **parts)
        depends = any(
            file.name.treebank_id == name.treebank_id
            or (name.version is None and file.source == path.name)
            for file in self._files
        )
        words = [file.words for file in self._files]
        if depends or 0 in words or sum(words) >= WORDS_TOGETHER:
            self._write()
        without = values.get("without", ())
        if "id" not in values:
            name = named_before(self._database, path, name, without)
        prepared = prepare_treebank(
            self._database, path, name, campaign_id=campaign_id, without=without, replace=replace
        )
        self._files.append(prepared)

    def _store(self, files: Sequence[ReadTreebank]) -> None:
        for changed in write_treebanks(self._database, files):
            self._report.treebanks += changed
            self._report.unchanged += not changed


class _Runs(_Batch[tuple[Run, Prepared | Submitted]]):
    """Submissions."""

    def __init__(self, database: Database, report: Report, teams: Mapping[str, str]) -> None:
        super().__init__(database, report)
        self._teams = teams
        self._references = references_reader(database)
        self._treebank = cache(partial(loaded_treebank, database))
        self._since = time.monotonic()

    def add(
        self, entry: Entry, run: Run, analyser: Callable[[str], Analyser], *, replace: bool
    ) -> None:
        """Read a file and find its words; write those before, where this may depend on them."""
        same = any(line_of(other) == line_of(run) for other, _ in self._files)
        waited = time.monotonic() - self._since > WRITTEN_AFTER
        if same or run.parent_submission_id is not None or waited:
            self._write()
        treebank_id = self._treebank(run.campaign_id, run.treebank_id)
        run = replaced(run, treebank_id=treebank_id)
        references = self._references(treebank_id)
        file = read_outputs(entry.path, **run.columns)
        prepared = prepare_outputs(self._database, file, run, references, analyser, replace=replace)
        self._files.append((run, prepared))

    def _store(self, files: Sequence[tuple[Run, Prepared | Submitted]]) -> None:
        self._since = time.monotonic()
        with self._database.transaction():
            written = write_submissions(self._database, [prepared for _, prepared in files])
            for run, _ in files:
                if run.system_id in self._teams:
                    register_system(self._database, run.system_id, team=self._teams[run.system_id])
        self._report.submissions += written
        for submitted in written:
            self._report.warnings += submitted.warnings
            self._report.unchanged += not submitted.changed
