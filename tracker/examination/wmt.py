"""A test set of WMT with all that people and metrics said of it, from a folder to the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...ingest.campaigns.runs import Run, has_texts
from ...ingest.judgements.error_spans import is_mqm
from ...ingest.judgements.loading import JudgementFile, ingest_judgements
from ...ingest.names import (
    kind_notes,
    kind_of,
    name_treebank,
    register_campaign,
    register_system,
    sentence_ids,
)
from ...ingest.outputs.reading import composed, read_outputs
from ...ingest.outputs.submissions import ingest_submission
from ...ingest.scores import MetricScores, ScoreFile, read_metric_scores
from ...ingest.scores.wmt import (
    HumanFile,
    WmtFolder,
    differing_means,
    ingest_wmt_human_scores,
    rating_named,
    read_human_scores,
    read_wmt_folder,
    without_canaries,
)
from ...ingest.scores.wmt_segments import campaign_of, unpacked
from ...ingest.treebanks.references import ingest_references
from ...ingest.treebanks.sources import ingest_sources
from ...ingest.treebanks.test_sets import TestSet, register_submissions, register_test_set
from ...queries.metrics.external import SOURCE_BASED
from ...schema.brief import Brief, plural
from ...schema.errors import InputError
from ...schema.iterations import read_runs
from ...schema.keys import TEXT_SCHEME
from ...schema.progress import Progress
from ..api.external import store_scores

if TYPE_CHECKING:
    from ...queries.metrics.external import StoredScores
    from ..api.tracker import Tracker


_MERGED = "merged"
"""Who is named as the annotator of files with the ratings of several."""


@dataclass(frozen=True, repr=False)
class WmtReport(Brief):
    """What loading a folder did."""

    treebank_id: str
    campaign_id: str
    reference: str | None
    """The name of the reference that was loaded; None where the folder has none."""
    sentences: int
    submissions: int
    """New ones."""
    human_scores: int
    """New ones."""
    judgements: int
    """New ones, with marked errors."""
    metrics: Sequence[StoredScores]
    notes: Sequence[str]


@dataclass
class _Steps:
    """How far loading is, told file by file."""

    progress: Progress
    total: int
    done: int = 0

    def next(self, name: str) -> None:
        """Tell what comes next."""
        self.progress(name, min(self.done, self.total), self.total)
        self.done += 1


@dataclass
class _Load:
    """One folder on its way."""

    tracker: Tracker
    folder: WmtFolder
    treebank_id: str
    campaign_id: str
    reference: str | None
    replace: bool
    notes: list[str] = field(default_factory=list)

    @property
    def whose(self) -> ScoreFile:
        """Whose scores files hold."""
        return ScoreFile(campaign_id=self.campaign_id, treebank_id=self.treebank_id)

    def run(self, system: str) -> Run:
        """Return the run of a system."""
        return Run(
            self.campaign_id,
            system,
            self.treebank_id,
            iteration=1,
            reference_form="text",
            accept_mismatch=True,
        )


def ingest_wmt(
    tracker: Tracker,
    path: Path,
    pair: str,
    *,
    campaign: str | None,
    year: int | None,
    reference: str | None,
    replace: bool,
    progress: Progress,
) -> WmtReport:
    """Load a language pair of a folder, whole or not at all; see ``tracker.api.loading``."""
    campaign = campaign or campaign_of(path)
    in_file = path.is_file()
    with unpacked(path, pair) if in_file else nullcontext(read_wmt_folder(path, pair)) as folder:
        load = _Load(
            tracker,
            folder,
            f"{campaign.lower()}.{pair}",
            campaign,
            _chosen(folder, reference),
            replace,
        )
        steps = _Steps(
            progress,
            len(folder.outputs) + len(folder.human) + len(folder.metrics) + len(folder.ratings) + 1,
        )
        human = [(file, _read(file, steps)) for file in folder.human]
        metrics = _read_metrics(load, steps)
        database = tracker.database
        with database.transaction():
            register_campaign(database, campaign, year=year)
            steps.next("references")
            sentences = _ingest_references(load)
            before = {run.submission_id for run in read_runs(database)}
            outputs = {**folder.outputs, **_other_references(load)}
            for system, file in outputs.items():
                steps.next(file.name)
                _ingest_outputs(load, system, file)
                register_system(database, system, kind=kind_of(system, folder.references))
            _register_others(load, {*outputs}, [*(read for _, read in human), *metrics])
            new = sum(run.submission_id not in before for run in read_runs(database))
            for scored, read in human:
                if scored.level == "seg" and (gone := without_canaries(database, read, load.whose)):
                    load.notes.append(
                        f"{scored.path.name}: {plural(gone, 'score')} of canaries left out"
                    )
            judged = _ingest_human(load, human)
            marked = _ingest_ratings(load, human, steps) + _ingest_judgements(load)
            stored = store_scores(tracker, metrics, load.whose, replace=replace)
        if folder.others:
            names = ", ".join(other.name for other in folder.others)
            load.notes.append(f"{names}: scores of neither sentences nor systems are not loaded")
        steps.next("loaded")
        return WmtReport(
            treebank_id=load.treebank_id,
            campaign_id=campaign,
            reference=load.reference,
            sentences=sentences,
            submissions=new,
            human_scores=judged,
            judgements=marked,
            metrics=stored,
            notes=load.notes,
        )


def _chosen(folder: WmtFolder, wanted: str | None) -> str | None:
    """Return which reference outputs are compared with: the one wanted, else WMT's."""
    if wanted is not None and wanted not in folder.references:
        raise InputError(
            f"there is no reference '{wanted}' of {folder.pair}",
            where=str(folder.path / "references"),
            hint=f"there are {', '.join(folder.references) or 'none'}",
        )
    return wanted or folder.standard_reference


def _read(file: HumanFile, steps: _Steps) -> MetricScores:
    steps.next(file.path.name)
    return read_human_scores(file)


def _read_metrics(load: _Load, steps: _Steps) -> list[MetricScores]:
    """Return the metrics' scores, those that rest on the chosen reference first: these count.

    Scores that rest on other references are left out, with a note.
    """
    read: list[MetricScores] = []
    for path in load.folder.metrics:
        steps.next(path.name)
        read += read_metric_scores(path, references=load.folder.references)
    others = {item.input for item in read} - {None, SOURCE_BASED, load.reference}
    for name in sorted(str(item) for item in others):
        files = sum(item.input == name for item in read)
        hint = f": --reference {name}" if name in load.folder.references else ""
        load.notes.append(f"{plural(files, 'file')} of scores against {name} left out{hint}")
    usable = [item for item in read if item.input not in others]
    return sorted(usable, key=lambda item: item.input in (None, SOURCE_BASED))


def _ingest_references(load: _Load) -> int:
    """Load references, sources and documents; return the number of sentences.

    Without a reference the sentences are known by number alone.
    """
    folder, database = load.folder, load.tracker.database
    language = folder.language
    if load.reference is not None:
        path = folder.references[load.reference]
        name = name_treebank(
            path, treebank_id=load.treebank_id, language=language, scheme=TEXT_SCHEME
        )
        ingest_references(database, path, name, campaign_id=load.campaign_id, replace=load.replace)
    else:
        lines = folder.sources or next(iter(folder.outputs.values()))
        read = read_outputs(lines)
        ids = read.ids or [str(number) for number in range(1, len(read.texts) + 1)]
        register_test_set(
            database, load.campaign_id, TestSet(load.treebank_id, language, ids), lines
        )
        load.notes.append("there is no reference: metrics that need one are NULL")
    ingest_sources(
        database,
        load.treebank_id,
        sources=folder.sources,
        documents=folder.documents,
        replace=load.replace,
    )
    return len(sentence_ids(database, load.treebank_id))


def _ingest_outputs(load: _Load, system: str, file: Path) -> None:
    """Load a system's outputs, unless the same are there, which a parser may have analysed."""
    database, run = load.tracker.database, load.run(system)
    if not has_texts(database, run.submission_id(), composed(read_outputs(file)).texts):
        ingest_submission(database, file, run, load.tracker.analyser_of, replace=load.replace)


def _other_references(load: _Load) -> dict[str, Path]:
    """Return the references that no output is compared with and that are not among the outputs."""
    return {
        name: path
        for name, path in load.folder.references.items()
        if name != load.reference and name not in load.folder.outputs
    }


def _register_others(load: _Load, loaded: set[str], read: Sequence[MetricScores]) -> None:
    """Make systems known that have scores but no outputs."""
    database = load.tracker.database
    place = {
        system: item.where(row)
        for item in reversed(read)
        for row, system in reversed(list(enumerate(item.systems)))
    }
    there = {run.submission_id for run in read_runs(database)}
    missing = {
        system: where
        for system, where in sorted(place.items())
        if system not in loaded and load.run(system).submission_id() not in there
    }
    register_submissions(
        database,
        [(load.run(item), where) for item, where in missing.items()],
        load.folder.path,
        load.folder.references,
    )
    load.notes += kind_notes({*loaded, *place}, load.folder.references)
    without = sorted(set(place) - loaded)
    if without:
        load.notes.append(f"no outputs are there of {', '.join(without)}")


def _ingest_human(load: _Load, human: Sequence[tuple[HumanFile, MetricScores]]) -> int:
    """Store people's scores of sentences, hold those of systems against them; return how many."""
    new = 0
    segments = {file.name: read for file, read in human if file.level == "seg"}
    criteria = dict.fromkeys(file.criterion for file, _ in human if file.level == "seg")
    for criterion in criteria:
        files = [
            pair for pair in human if pair[0].level == "seg" and pair[0].criterion == criterion
        ]
        loaded = ingest_wmt_human_scores(
            load.tracker.database, files, load.whose, replace=load.replace
        )
        new += loaded.new
        load.notes += loaded.notes
    for file, read in human:
        if file.level == "seg":
            continue
        if file.name not in segments:
            load.notes.append(f"{file.path.name} is left out: it has scores of systems alone")
        elif differing := differing_means(segments[file.name], read):
            largest = max(differing.values(), key=abs)
            load.notes.append(
                f"{file.path.name}: {len(differing)} systems differ from the means of their "
                f"sentences, by up to {abs(largest):.4g}"
            )
    return new


def _ingest_ratings(
    load: _Load, human: Sequence[tuple[HumanFile, MetricScores]], steps: _Steps
) -> int:
    """Load judgements with marked errors (``.seg.rating``); return how many are new.

    Where there are files of single annotators, what merges them says the same again. Scores that
    errors do not make (ESA's) are those that were published of the same outputs.
    """
    new = 0
    named = {path: rating_named(path) for path in load.folder.ratings}
    single = {criterion for criterion, annotator in named.values() if annotator != _MERGED}
    for path, (criterion, annotator) in named.items():
        steps.next(path.name)
        if annotator == _MERGED and criterion in single:
            load.notes.append(f"{path.name} is left out: its annotators have files of their own")
            continue
        scores = None if is_mqm(criterion) else _published(human, criterion)
        if scores is not None and sum(criterion == other for other, _ in named.values()) > 1:
            load.notes.append(f"{path.name} is left out: it does not name its annotator")
            continue
        settings = JudgementFile(
            {},
            campaign_id=load.campaign_id,
            treebank_id=load.treebank_id,
            layout="ratings",
            register=True,
            scores=scores,
        )
        report = ingest_judgements(load.tracker.database, path, settings, replace=load.replace)
        new += report.new
        load.notes += report.warnings
    return new


def _ingest_judgements(load: _Load) -> int:
    """Store the judgements that stand in the file of the test set; return how many are new."""
    if load.folder.judgements is None:
        return 0
    settings = JudgementFile(
        {}, campaign_id=load.campaign_id, treebank_id=load.treebank_id, register=True
    )
    report = ingest_judgements(
        load.tracker.database, load.folder.judgements, settings, replace=load.replace
    )
    load.notes += report.warnings
    return report.new


def _published(
    human: Sequence[tuple[HumanFile, MetricScores]], criterion: str
) -> dict[str, list[float | None]]:
    """Return the published scores of each system's outputs on a criterion, line by line."""
    by_system: defaultdict[str, list[float | None]] = defaultdict(list)
    for file, read in human:
        if file.level == "seg" and file.criterion == criterion and not file.standardised:
            for system, score in zip(read.systems, read.scores, strict=True):
                by_system[system].append(score)
    return dict(by_system)
