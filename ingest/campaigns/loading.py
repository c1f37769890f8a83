"""Loading a whole campaign from its manifest: whatever was loaded stays where a file cannot be."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from functools import cache, partial
from pathlib import Path

from sr_tracker.ingest.analysers.base import Analyser
from sr_tracker.ingest.analysers.by_treebank import analyser_factory
from sr_tracker.ingest.campaigns.graphs import load_gold_graphs, load_graphs
from sr_tracker.ingest.campaigns.manifest import Entry, Manifest
from sr_tracker.ingest.campaigns.registering import (
    register_campaign,
    register_system,
    treebank_named,
)
from sr_tracker.ingest.campaigns.runs import check_given
from sr_tracker.ingest.judgements.human_scores import ScoreFile, ingest_human_scores
from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.ingest.judgements.scales import read_scales
from sr_tracker.ingest.outputs.submissions import (
    Prepared,
    Run,
    Submitted,
    loaded_treebank,
    prepare_submission,
    references_reader,
    write_submissions,
)
from sr_tracker.ingest.treebanks.loading import ingest_treebank, named_before
from sr_tracker.ingest.treebanks.names import name_treebank
from sr_tracker.ingest.treebanks.references import ingest_references, name_references
from sr_tracker.schema.brief import Brief
from sr_tracker.schema.database import Database, one_thread
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.progress import Progress, silent

WRITTEN_AFTER = 1.0
"""Seconds for which submissions are read before they are written."""


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
    campaign_id = manifest.campaign["id"]
    people = len(manifest.human_scores) + len(manifest.judgements)
    texts = len(manifest.treebanks) + len(manifest.references) + len(manifest.submissions)
    total = texts + len(manifest.amr) + len(manifest.graphs) + people
    report = Report(files=total)
    _ordered_runs(database, manifest, campaign_id)  # what is wrong with the runs, before any write
    analyser_of = _analysers(database, manifest, analyser)
    with database.transaction():
        register_campaign(
            database,
            campaign_id,
            name=manifest.campaign.get("name"),
            year=manifest.campaign.get("year"),
            description=manifest.campaign.get("description"),
        )
        for system in manifest.systems:
            values = {key: system.get(key) for key in ("team", "kind", "description", "family")}
            register_system(database, system["id"], **values)
    done = 0

    def begin(entry: Entry) -> None:
        database.give_way()
        progress(entry.path.name, done, total)

    loads = [(_load_treebank, entry) for entry in manifest.treebanks]
    loads += [(_load_references, entry) for entry in manifest.references]
    loads += [(load_gold_graphs, entry) for entry in manifest.amr]
    for load, entry in loads:
        begin(entry)
        changed = load(database, entry, campaign_id, replace=replace)
        report.treebanks += changed
        report.unchanged += not changed
        done += 1
    with one_thread(database), _Batch(database, report) as batch:
        for entry, run in _ordered_runs(database, manifest, campaign_id):
            progress(entry.path.name, done, total)
            batch.add(entry, run, analyser_of(entry), replace=replace)
            done += 1
    for entry in manifest.graphs:
        begin(entry)
        changed = load_graphs(database, entry, campaign_id, replace=replace)
        report.graphs += changed
        report.unchanged += not changed
        done += 1
    for entry in manifest.human_scores:
        begin(entry)
        given = _score_file(database, entry, campaign_id)
        found = ingest_human_scores(database, entry.path, given, replace=replace)
        report.human_scores += found
        report.unchanged += not found
        done += 1
    for entry in manifest.judgements:
        begin(entry)
        judged = _judgement_file(database, entry, campaign_id, manifest.path.parent)
        loaded = ingest_judgements(database, entry.path, judged, replace=replace)
        report.judgements += loaded.new
        report.warnings += loaded.warnings
        report.unchanged += not loaded.new
        done += 1
    progress("", done, total)
    return report


def _load_treebank(database: Database, entry: Entry, campaign_id: str, *, replace: bool) -> bool:
    values = entry.values
    name = name_treebank(
        entry.path.absolute(),
        treebank_id=values.get("id"),
        language=values.get("language"),
        version=values.get("version"),
        split=values.get("split"),
        scheme=values.get("scheme"),
    )
    without = values.get("without", ())
    return ingest_treebank(
        database,
        entry.path,
        name if "id" in values else named_before(database, entry.path, name, without),
        campaign_id=campaign_id,
        without=without,
        replace=replace,
    )


def _load_references(database: Database, entry: Entry, campaign_id: str, *, replace: bool) -> bool:
    values = entry.values
    name = name_references(
        entry.path,
        treebank_id=values.get("id", values.get("treebank")),
        language=values.get("language"),
    )
    return ingest_references(database, entry.path, name, campaign_id=campaign_id, replace=replace)


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
        found = chosen[id(entry)]
        return default if found is None else factory(*found)

    return analyser_of


class _Batch:
    """Submissions that are written together; those before one that cannot be loaded are, too."""

    def __init__(self, database: Database, report: Report) -> None:
        self._database = database
        self._report = report
        self._references = references_reader(database)
        self._treebank = cache(partial(loaded_treebank, database))
        self._runs: list[tuple[Entry, Run, Prepared | Submitted]] = []
        self._since = 0.0

    def __enter__(self) -> _Batch:
        return self

    def __exit__(self, *error: object) -> None:
        self._write()

    def add(
        self, entry: Entry, run: Run, analyser: Callable[[str], Analyser], *, replace: bool
    ) -> None:
        """Read a file and find its words; write those before, where this may depend on them."""
        same = any(_place(other)[:2] == _place(run)[:2] for _, other, _ in self._runs)
        waited = time.monotonic() - self._since > WRITTEN_AFTER
        if same or run.parent_submission_id is not None or waited:
            self._write()
        treebank_id = self._treebank(run.campaign_id, run.treebank_id)
        run = replaced(run, treebank_id=treebank_id)
        references = self._references(treebank_id)
        prepared = prepare_submission(
            self._database, entry.path, run, references, analyser, replace=replace
        )
        self._runs.append((entry, run, prepared))

    def _write(self) -> None:
        runs, self._runs, self._since = self._runs, [], time.monotonic()
        with self._database.transaction():
            written = write_submissions(self._database, [prepared for _, _, prepared in runs])
            for entry, run, _ in runs:
                if "team" in entry.values:
                    register_system(self._database, run.system_id, team=entry.values["team"])
        self._report.submissions += written
        for submitted in written:
            self._report.warnings += submitted.warnings
            self._report.unchanged += not submitted.changed
        self._database.give_way()


def _ordered_runs(
    database: Database, manifest: Manifest, campaign_id: str
) -> list[tuple[Entry, Run]]:
    """Return the runs so that each comes after its parent and after its earlier iterations.

    Raises InputError where two files are the same run, or runs are each other's parents.
    """
    runs: dict[str, tuple[Entry, Run]] = {}
    treebank_of = cache(partial(treebank_named, database, campaign_id))
    for entry in manifest.submissions:
        run = _run(entry, campaign_id, treebank_of)
        twin = runs.get(run.submission_id())
        if twin is not None:
            raise InputError(
                f"{twin[0].path.name} and {entry.path.name} are both '{run.submission_id()}'",
                where=entry.where,
                hint="give them different systems or iterations",
            )
        runs[run.submission_id()] = (entry, run)
    waiting = _needed_runs(runs)
    ordered: list[tuple[Entry, Run]] = []
    while waiting:
        ready = [name for name, needed in waiting.items() if waiting.keys().isdisjoint(needed)]
        if not ready:
            name = next(iter(waiting))
            raise InputError(
                f"'{name}' has itself among its parents",
                where=runs[name][0].where,
                hint="the parent is the run that this one was developed from",
            )
        for name in ready:
            del waiting[name]
        ordered.extend(runs[name] for name in ready)
    return ordered


def _needed_runs(runs: Mapping[str, tuple[Entry, Run]]) -> dict[str, list[str]]:
    """Return, for each run, its parent and its previous iteration, sorted by system."""
    needed: dict[str, list[str]] = {}
    previous: tuple[str, Run] | None = None
    for name, (_, run) in sorted(runs.items(), key=lambda item: _place(item[1][1])):
        same = previous is not None and _place(previous[1])[:2] == _place(run)[:2]
        needed[name] = [previous[0]] if previous is not None and same else []
        if run.parent_submission_id is not None:
            needed[name].append(run.parent_submission_id)
        previous = (name, run)
    return needed


def _place(run: Run) -> tuple[str, str, int]:
    return (run.system_id, run.treebank_id, run.iteration or 1)


def _run(entry: Entry, campaign_id: str, treebank_of: Callable[[str], str]) -> Run:
    values = entry.values
    system = values.get("system", values.get("team"))
    if system is None or values.get("treebank") is None:
        raise InputError(
            f"the system or the treebank of {entry.path.name} is not known",
            where=entry.where,
            hint="give system and treebank, or {system} and {treebank} in the path",
        )
    given = {
        name: values[name]
        for name in (
            *("track", "created_at", "reference_form", "params", "tags"),
            *("id_column", "text_column", "accept_mismatch"),
        )
        if name in values
    }
    run = Run(
        campaign_id=campaign_id,
        system_id=system,
        treebank_id=treebank_of(values["treebank"]),
        iteration=values.get("iteration", 1),
        parent_submission_id=values.get("parent"),
        **given,
    )
    check_given(run, entry.where)
    return run


def _score_file(database: Database, entry: Entry, campaign_id: str) -> ScoreFile:
    values = entry.values
    treebank = values.get("treebank")
    return ScoreFile(
        columns=values.get("columns", {}),
        campaign_id=campaign_id,
        system_id=values.get("system"),
        treebank_id=treebank and treebank_named(database, campaign_id, treebank),
        submission_id=values.get("submission"),
        criterion=values.get("criterion"),
    )


def _judgement_file(
    database: Database, entry: Entry, campaign_id: str, folder: Path
) -> JudgementFile:
    values = entry.values
    options = ("kinds", "layout", "levels", "annotators", "ignore", "register", "raw")
    scales = values.get("scales")
    return JudgementFile(
        **vars(_score_file(database, entry, campaign_id)),
        **{name: values[name] for name in options if name in values},
        scales=None if scales is None else read_scales(folder / scales),
    )
