"""What Python users call: everything the command line does, on an open campaign database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pyarrow as pa

from sr_tracker.ingest.campaign_load import Report, ingest_campaign
from sr_tracker.ingest.gold_graphs import GoldGraphs, ingest_gold_graphs, name_graphs
from sr_tracker.ingest.graphs import (
    GraphOptions,
    ParsedGraphs,
    ingest_output_graphs,
    ingest_reference_graphs,
)
from sr_tracker.ingest.human_scores import ScoreFile, ingest_human_scores
from sr_tracker.ingest.judgements import JudgementFile, JudgementReport, ingest_judgements
from sr_tracker.ingest.manifest import read_manifest
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.probabilities import LoadedProbabilities, ingest_probabilities
from sr_tracker.ingest.references import ingest_references, name_references
from sr_tracker.ingest.submissions import Run, Submitted, ingest_submission
from sr_tracker.ingest.treebank_analysers import analyser_factory
from sr_tracker.ingest.treebanks import ingest_treebank, named_before
from sr_tracker.queries.analyses import analyse_treebanks, pending_treebanks
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.change.comparison.model import Settings as ComparisonSettings
from sr_tracker.queries.counting import Counting
from sr_tracker.queries.errors import Settings, analyses
from sr_tracker.queries.errors.jobs import AnalysisReport, run_analyses
from sr_tracker.queries.errors.measures import check_metric
from sr_tracker.queries.form.external import score_external_model
from sr_tracker.queries.form.scoring import TOLERANCE, check_tolerance
from sr_tracker.queries.grammar.scoring import score_pending_grammar
from sr_tracker.queries.meaning.mf import score_mf
from sr_tracker.queries.metrics.scoring import ScoreReport, score
from sr_tracker.queries.reading import SECONDS_LIMIT, bounded, keep_within, read_sql, read_view
from sr_tracker.schema.database import WAIT_SECONDS, Closeable, Database, say_nothing
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.iterations import resolve_submission
from sr_tracker.schema.optional import telling_what_is_missing
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.selection import as_names, select_submissions
from sr_tracker.tracker.api.given import Filters, Judging, Loading, ScoreColumns, Submitting, named
from sr_tracker.tracker.api.grammar import Corrections, Grammar
from sr_tracker.tracker.api.meaning import Form, Meaning
from sr_tracker.tracker.api.parsers import Parsers

if TYPE_CHECKING:
    from sr_tracker.ingest.undo import Change
    from sr_tracker.queries.change.comparison.model import Comparison
    from sr_tracker.queries.change.gate import GateResult
    from sr_tracker.queries.change.history import History
    from sr_tracker.queries.change.history.model import Tests
    from sr_tracker.queries.change.significance import SignificanceReport
    from sr_tracker.queries.change.versions.pruning import PrunePlan
    from sr_tracker.queries.change.versions.rescoring import RescoreReport
    from sr_tracker.queries.change.years import Choice as YearsChoice
    from sr_tracker.queries.change.years import Years
    from sr_tracker.queries.checks import Finding
    from sr_tracker.queries.errors.ensemble import EnsembleReport
    from sr_tracker.queries.errors.examples import Examples, Order
    from sr_tracker.queries.errors.selection import Selection, Wanted
    from sr_tracker.queries.people import HumanReport, HumanSettings
    from sr_tracker.queries.people.sampling import JudgingPlan
    from sr_tracker.tracker.experiments import LogReport
    from sr_tracker.tracker.experiments.promotion import Promotion
    from sr_tracker.tracker.experiments.syncing import SyncReport
    from sr_tracker.tracker.show.charts.selected import Choice as ChartChoice
    from sr_tracker.tracker.show.report import Written
    from sr_tracker.tracker.submit import SubmitReport


@telling_what_is_missing
class Tracker(Closeable):
    """An open campaign database with everything one does with it."""

    def __init__(
        self, database: Database, *, analyser: str = "reference", model: Path | None = None
    ) -> None:
        keep_within(database)
        self.database = database
        self.analyser_of = analyser_factory(database, analyser, model)
        self.grammar = Grammar(self)
        self.gec = Corrections(self)
        self.meaning = Meaning(self)
        self.form = Form(self)
        self.parsers = Parsers(self)

    def ingest_campaign(
        self, manifest: Path | str, *, replace: bool = False, progress: Progress = silent
    ) -> Report:
        """Load everything a campaign.toml names; see ``ingest.campaign_load.ingest_campaign``."""
        report = ingest_campaign(
            self.database,
            read_manifest(Path(manifest)),
            self.analyser_of,
            replace=replace,
            progress=progress,
        )
        self._analyse()
        return report

    def ingest_treebank(
        self,
        path: Path | str,
        *,
        treebank: str | None = None,
        campaign: str | None = None,
        without: Sequence[str] = (),
        language: str | None = None,
        version: str | None = None,
        split: str | None = None,
        scheme: str | None = None,
        replace: bool = False,
    ) -> tuple[str, bool]:
        """Load a treebank and return its id and whether anything changed.

        Language, version, split and scheme are given where the file's name does not tell them.
        """
        name = name_treebank(
            Path(path),
            treebank_id=treebank,
            language=language,
            version=version,
            split=split,
            scheme=scheme,
        )
        if treebank is None:
            name = named_before(self.database, Path(path), name, without)
        changed = ingest_treebank(
            self.database,
            Path(path),
            name,
            campaign_id=campaign,
            without=without,
            replace=replace,
        )
        self._analyse()
        return name.treebank_id, changed

    def ingest_references(
        self,
        path: Path | str,
        *,
        treebank: str | None = None,
        language: str | None = None,
        campaign: str | None = None,
        replace: bool = False,
    ) -> tuple[str, bool]:
        """Load reference sentences without trees; return their id and whether anything changed.

        See ``ingest.references``.
        """
        name = name_references(Path(path), treebank_id=treebank, language=language)
        changed = ingest_references(
            self.database, Path(path), name, campaign_id=campaign, replace=replace
        )
        self._analyse()
        return name.treebank_id, changed

    def ingest_probabilities(
        self,
        path: Path | str,
        given: ScoreFile,
        *,
        model: str | None = None,
        tolerance: float = TOLERANCE,
        replace: bool = False,
    ) -> LoadedProbabilities:
        """Load token probabilities computed elsewhere, and score the metric form by them.

        See ``ingest.probabilities``; what goes wrong leaves nothing behind.
        """
        check_tolerance(tolerance)
        with self.database.transaction():
            loaded = ingest_probabilities(
                self.database, Path(path), given, model=model, replace=replace
            )
            scored = [
                score_external_model(self.database, label, None, tolerance).submissions
                for label in loaded.models
            ]
        return replaced(loaded, submissions=sum(scored))

    def ingest_amr(
        self,
        path: Path | str,
        *,
        treebank: str | None = None,
        language: str | None = None,
        version: str | None = None,
        split: str | None = None,
        campaign: str | None = None,
        accept_broken: bool = False,
        replace: bool = False,
    ) -> GoldGraphs:
        """Load gold meaning graphs as a treebank; see ``ingest.gold_graphs``."""
        name = name_graphs(
            Path(path), treebank_id=treebank, language=language, version=version, split=split
        )
        found = ingest_gold_graphs(
            self.database,
            Path(path),
            name,
            campaign_id=campaign,
            accept_broken=accept_broken,
            replace=replace,
        )
        self._analyse()
        return found

    def ingest_graphs(
        self,
        path: Path | str,
        *,
        parser: str,
        submission: str | None = None,
        references: str | None = None,
        quality_name: str | None = None,
        accept_broken: bool = False,
        accept_mismatch: bool = False,
        replace: bool = False,
    ) -> ParsedGraphs:
        """Load a parser's graphs of a submission's outputs, or of a treebank's references.

        See ``ingest.graphs.GraphOptions``. Raises InputError unless one of ``submission`` and
        ``references`` is given.
        """
        given = GraphOptions(parser, quality_name, accept_broken, accept_mismatch)
        if submission is not None and references is None:
            return ingest_output_graphs(
                self.database, Path(path), submission, given, replace=replace
            )
        return ingest_reference_graphs(
            self.database,
            Path(path),
            _of_references(submission, references),
            given,
            replace=replace,
        )

    def parse_graphs(
        self,
        model: Path | str,
        *,
        submission: str | None = None,
        references: str | None = None,
        replace: bool = False,
        progress: Progress = silent,
    ) -> ParsedGraphs:
        """Parse a submission's outputs, or references, with the amrlib model in a folder."""
        from sr_tracker.ingest.graph_parsers.amrlib_parser import AmrlibParser
        from sr_tracker.ingest.graphs import output_target, reference_target, store_graphs

        if submission is not None and references is None:
            target = output_target(self.database, submission)
        else:
            target = reference_target(self.database, _of_references(submission, references))
        parser = AmrlibParser(Path(model))
        graphs = parser.parse(target.parsed.texts, progress)
        return store_graphs(
            self.database, target, parser.version, graphs, str(model), replace=replace
        )

    def ingest_submission(
        self,
        path: Path | str,
        *,
        system: str,
        treebank: str,
        campaign: str = "local",
        replace: bool = False,
        **run: Unpack[Loading],
    ) -> Submitted:
        """Load a file of outputs and return what became of it.

        ``run`` may give any field of ``ingest.submissions.Run``, such as iteration and params.
        """
        details = Run(campaign_id=campaign, system_id=system, treebank_id=treebank, **run)
        return ingest_submission(
            self.database, Path(path), details, self.analyser_of, replace=replace
        )

    def submit(
        self,
        outputs: Any,
        *,
        system: str,
        treebank: str,
        campaign: str = "local",
        iteration: int | None = None,
        parent: str | None = None,
        against: str | None = None,
        params: Mapping[str, Any] | None = None,
        tags: Mapping[str, Any] | None = None,
        replace: bool = False,
        analyse: bool = True,
        log: bool = True,
        tracking_uri: str | None = None,
        step: int | None = None,
        progress: Progress = silent,
        **run: Unpack[Submitting],
    ) -> SubmitReport:
        """Load, score and analyse outputs, log them, and return what changed against their parent.

        ``outputs`` is a list of texts in the treebank's order, a dictionary by sent_id, a data
        frame, or the path of a file; new content without ``iteration`` is the system's next one.
        Inside an active MLflow run, that run gets the scores, at ``step``. ``run`` may give any
        other field of ``ingest.submissions.Run``; see ``tracker.submit``.
        """
        from sr_tracker.tracker.submit import submit

        details = Run(
            campaign_id=campaign,
            system_id=system,
            treebank_id=treebank,
            iteration=iteration,
            parent_submission_id=parent,
            params=params or {},
            tags=tags or {},
            **run,
        )
        return submit(
            self.database,
            outputs,
            details,
            self.analyser_of,
            against=against,
            replace_content=replace,
            analyse=analyse,
            log=log,
            tracking_uri=tracking_uri,
            step=step,
            progress=progress,
        )

    def ingest_scores(
        self,
        path: Path | str,
        *,
        columns: Mapping[str, str] | None = None,
        replace: bool = False,
        **fixed: Unpack[ScoreColumns],
    ) -> int:
        """Load sentence-level human scores and return how many are new.

        ``columns`` maps fields to the file's columns; ``fixed`` may give campaign_id, system_id,
        treebank_id, submission_id and criterion for the whole file.
        """
        return ingest_human_scores(
            self.database, Path(path), ScoreFile(columns or {}, **fixed), replace=replace
        )

    def ingest_judgements(
        self,
        path: Path | str,
        *,
        columns: Mapping[str, str] | None = None,
        campaign: str = "local",
        replace: bool = False,
        **details: Unpack[Judging],
    ) -> JudgementReport:
        """Load raw judgements and return what became of them.

        ``columns`` maps fields to the file's columns; ``details`` may give any other field of
        ``ingest.judgements.JudgementFile``, such as layout, criterion, kinds and register.
        """
        given = JudgementFile(columns or {}, campaign_id=campaign, **details)
        report = ingest_judgements(self.database, Path(path), given, replace=replace)
        self._analyse()
        return report

    def score(
        self,
        *,
        submissions: Sequence[str] | None = None,
        metrics: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> ScoreReport:
        """Compute the scores that are missing and return how many those were.

        See ``queries.metrics.scoring.score``. Without ``metrics``, submissions to treebanks whose
        others were checked by grammar rules are checked as well (``queries.grammar.scoring``), and
        what has scores of meaning and form gets both in one (``queries.meaning.mf``).
        """
        report = score(
            self.database, submissions=submissions, metric_names=metrics, progress=progress
        )
        if metrics is None:
            score_pending_grammar(self.database, submissions, progress=progress)
            score_mf(self.database, submissions)
        return report

    def select(self, **filters: Unpack[Filters]) -> list[str]:
        """Return the ids of submissions; ``filters`` as in ``schema.selection``.

        >>> db.select(system="random", treebank="en_sample")
        ['SAMPLE23/random/en_sample-ud1.0-test']
        """
        return select_submissions(self.database, named(filters))

    def analyse(
        self,
        settings: Settings | None = None,
        *,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> AnalysisReport:
        """Run the analyses that are missing, of the submissions that pass all ``filters``.

        Those are as in ``schema.selection``. Raises UnknownNameError where none passes.
        """
        settings = settings or Settings()
        check_metric(self.database, settings.metric)
        return run_analyses(
            self.database,
            analyses(settings),
            submissions=self.select(**filters),
            progress=progress,
        )

    def human(
        self,
        campaign: str | None = None,
        settings: HumanSettings | None = None,
        *,
        progress: Progress = silent,
    ) -> HumanReport:
        """Turn raw judgements into human scores and rankings; see ``queries.people.evaluate``."""
        from sr_tracker.queries.people import evaluate

        return evaluate(self.database, campaign, settings, progress)

    def significance(
        self, *, progress: Progress = silent, **filters: Unpack[Filters]
    ) -> SignificanceReport:
        """Compute intervals and paired tests of scores; see ``queries.change.significance``."""
        from sr_tracker.queries.change.significance import run_significance

        return run_significance(self.database, self.select(**filters), progress=progress)

    def compare(
        self,
        new: str,
        base: str,
        *,
        metrics: Sequence[str] | None = None,
        sentence_metric: str = "bleu",
        replicates: int = 1000,
        seed: int = 12345,
        level: float = 0.95,
        alpha: float = 0.05,
        sentences: int = 5,
        force: bool = False,
        treebank: str | None = None,
        campaign: str | None = None,
    ) -> Comparison:
        """Return what changed from ``base`` to ``new``: ids, or names such as ours@latest.

        ``treebank`` and ``campaign`` say which submission a name means; for the rest see
        ``queries.change.comparison.model.Settings``.

        >>> change = db.compare("random", "head-direction", treebank="en_sample", replicates=100)
        >>> [(each.measure, round(each.difference, 2)) for each in change.metrics]
        [('bleu', -0.74), ('dea', -0.76)]
        """
        from sr_tracker.queries.change.comparison.comparing import compare

        new, base = (
            resolve_submission(self.database, name, treebank=treebank, campaign=campaign)
            for name in (new, base)
        )
        settings = ComparisonSettings(
            metrics=metrics,
            sentence_metric=sentence_metric,
            replicates=replicates,
            seed=seed,
            level=level,
            alpha=alpha,
            sentences=sentences,
            force=force,
        )
        return compare(self.database, new, base, settings)

    def history(
        self,
        system: str,
        *,
        treebank: str | None = None,
        campaign: str | None = None,
        measures: Sequence[str] | None = None,
        settings: ComparisonSettings | None = None,
        tests: Tests = "all",
        progress: Progress = silent,
    ) -> History:
        """Return a system over its iterations; see ``queries.change.history.history``.

        >>> len(db.history("random", treebank="en_sample").lines)
        1
        """
        from sr_tracker.queries.change.history import history

        return history(
            self.database,
            system,
            treebank=treebank,
            campaign=campaign,
            measures=measures,
            settings=settings,
            tests=tests,
            progress=progress,
        )

    def examples(
        self,
        submission: str,
        pattern: str | None = None,
        *,
        labels: str | None = None,
        metric: str = "bleu",
        order: Order = "worst",
        limit: int = 5,
        sentence: str | None = None,
        treebank: str | None = None,
        campaign: str | None = None,
    ) -> Examples:
        """Return outputs with their reference trees; see ``queries.errors.examples``.

        >>> db.examples("random", "(nsubj)", treebank="en_sample", limit=2)  # doctest: +ELLIPSIS
        Examples(submission_id='SAMPLE23/random/en_sample-ud1.0-test', ... examples=<2 Example>)
        """
        from sr_tracker.queries.errors.examples import find_examples

        chosen = resolve_submission(self.database, submission, treebank=treebank, campaign=campaign)
        return find_examples(
            self.database,
            chosen,
            pattern,
            labels=labels,
            metric=metric,
            order=order,
            limit=limit,
            sentence=sentence,
        )

    def ensemble(
        self,
        treebank: str,
        *,
        campaign: str | None = None,
        systems: Sequence[str] | None = None,
        all_iterations: bool = False,
        folds: int = 10,
        seed: int = 0,
        name: str = "ensemble",
        replace: bool = False,
        progress: Progress = silent,
    ) -> EnsembleReport:
        """Make a submission of the best outputs of others; see ``tracker.ensemble``."""
        from sr_tracker.tracker.ensemble import make_ensemble

        return make_ensemble(
            self.database,
            treebank,
            campaign=campaign,
            systems=systems,
            all_iterations=all_iterations,
            folds=folds,
            seed=seed,
            name=name,
            replace=replace,
            progress=progress,
        )

    def baseline(
        self,
        treebank: str,
        *,
        names: Sequence[str] | None = None,
        train: str | None = None,
        campaign: str = "local",
        seed: int = 0,
        folder: Path | None = None,
        replace: bool = False,
        progress: Progress = silent,
    ) -> list[Submitted]:
        """Make baseline submissions for a treebank; see ``tracker.baseline_runs``."""
        from sr_tracker.tracker.baseline_runs import run_baselines

        return run_baselines(
            self,
            treebank,
            names=names,
            train=train,
            campaign=campaign,
            seed=seed,
            folder=folder,
            replace=replace,
            progress=progress,
        )

    def suspicion_tree(
        self,
        submission: str,
        *,
        labels: str = "deprel",
        metric: str = "bleu",
        treebank: str | None = None,
        campaign: str | None = None,
    ) -> pa.Table:
        """Return what a submission fails on, as the nodes of a tree of patterns."""
        from sr_tracker.queries.errors.suspicion_trees import read_suspicion_tree

        chosen = resolve_submission(self.database, submission, treebank=treebank, campaign=campaign)
        return read_suspicion_tree(self.database, chosen, labels=labels, metric=metric)

    def select_training(
        self,
        training_treebank: str,
        submission: str,
        wanted: Wanted | None = None,
        *,
        budget: int = 1000,
        seed: int = 0,
        allow_same: bool = False,
        output: Path | str | None = None,
    ) -> Selection:
        """Choose training sentences with what a submission does badly.

        They are written as CoNLL-U to ``output``, where that is given. See
        ``queries.errors.selection``.
        """
        from sr_tracker.queries.errors.selection import select_training
        from sr_tracker.tracker.export import export_treebank

        selection = select_training(
            self.database,
            training_treebank,
            resolve_submission(self.database, submission),
            wanted,
            budget=budget,
            seed=seed,
            allow_same=allow_same,
        )
        if output is not None:
            numbers = selection.sentence_nos
            export_treebank(
                self.database, selection.treebank_id, Path(output), sentence_nos=numbers
            )
        return selection

    def years(self, choice: YearsChoice | None = None) -> Years:
        """Return measures over years, systems and families; see ``queries.change.years``."""
        from sr_tracker.queries.change.years import read_years

        return read_years(self.database, choice)

    def gate(
        self,
        new: str,
        against: str,
        *,
        max_drop: Mapping[str, float] | None = None,
        minimum: Mapping[str, float] | None = None,
        thresholds: Path | str | None = None,
        allow_undefined: Sequence[str] = (),
        significant: bool | None = None,
        minimum_n: int | None = None,
        settings: ComparisonSettings | None = None,
        treebank: str | None = None,
        campaign: str | None = None,
    ) -> GateResult:
        """Check that a submission is not worse than another; see ``queries.change.gate``.

        ``max_drop`` and ``minimum`` give limits by measure, as ``thresholds`` may in a file. The
        result says in ``passed`` whether all hold.
        """
        from sr_tracker.queries.change import gate

        file = gate.read_thresholds(Path(thresholds)) if thresholds else gate.ThresholdFile()
        given = [
            gate.parse_threshold(kind, f"{measure}={limit}")
            for kind, limits in (("max-drop", max_drop), ("min", minimum))
            for measure, limit in (limits or {}).items()
        ]
        settings = settings or ComparisonSettings()
        if file.alpha:
            settings = replaced(settings, alpha=file.alpha)
        new, against = (
            resolve_submission(self.database, name, treebank=treebank, campaign=campaign)
            for name in (new, against)
        )
        return gate.check_gate(
            self.database,
            new,
            against,
            gate.merged(file.thresholds, given, allow_undefined),
            significant=bool(file.significant if significant is None else significant),
            minimum_n=(file.minimum_n or 0) if minimum_n is None else minimum_n,
            settings=settings,
        )

    def sample_judging(
        self,
        campaign: str,
        treebank: str,
        folder: Path | str,
        plan: JudgingPlan | None = None,
        *,
        format_name: str = "csv",
        replace: bool = False,
    ) -> tuple[Path, Path]:
        """Draw outputs for people to judge; return the files of the HITs and of their key.

        ``tracker.judging.join_answers`` joins what people answer with the key.
        """
        from sr_tracker.queries.people.sampling import JudgingPlan, draw_sample
        from sr_tracker.tracker.judging import write_sample

        sample = draw_sample(self.database, campaign, treebank, plan or JudgingPlan())
        return write_sample(sample, Path(folder), format_name=format_name, replace=replace)

    def plot(
        self,
        kind: str,
        output: Path | str,
        choice: ChartChoice | None = None,
        **filters: Unpack[Filters],
    ) -> Path:
        """Draw a picture of the analyses (.png, .svg or .html) and return its file."""
        from sr_tracker.tracker.show.charts.saving import check_ending, save_chart
        from sr_tracker.tracker.show.charts.selected import Choice, draw_selected

        check_ending(Path(output))
        name = ", ".join(each for names in named(filters).values() for each in as_names(names))
        chosen = self.select(**filters)
        chart = draw_selected(self.database, kind, chosen, name, choice or Choice())
        return save_chart(chart, Path(output))

    def report(
        self,
        output: Path | str = "report.html",
        *,
        png: Path | None = None,
        title: str | None = None,
        counting: Counting = "newest",
        **filters: Unpack[Filters],
    ) -> Written:
        """Write everything about a selection as one HTML page; see ``tracker.show.report``."""
        from sr_tracker.tracker.show.report import write_report

        chosen = self.select(**filters)
        return write_report(
            self.database, chosen, Path(output), png=png, title=title, counting=counting
        )

    def export(
        self,
        target: Path | str,
        *,
        treebank: str | None = None,
        views: bool = False,
        progress: Progress = silent,
    ) -> int:
        """Write tables as Parquet into a folder, or one treebank as CoNLL-U to a file.

        Returns how many files, or sentences, those are.
        """
        from sr_tracker.tracker.export import export_tables, export_treebank

        if treebank is not None:
            return export_treebank(self.database, treebank, Path(target))
        return export_tables(self.database, Path(target), with_views=views, progress=progress)

    def log(
        self,
        *,
        tracking_uri: str | None = None,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> LogReport:
        """Log submissions to MLflow; see ``tracker.experiments``."""
        from sr_tracker.tracker.experiments import log_submissions

        chosen = self.select(**filters) if filters else None
        return log_submissions(
            self.database, tracking_uri=tracking_uri, submissions=chosen, progress=progress
        )

    def sync(
        self,
        *,
        pull: bool = True,
        keep_deleted: bool = False,
        restore: bool = False,
        dry_run: bool = False,
        tracking_uri: str | None = None,
    ) -> SyncReport:
        """Reconcile the database and MLflow; see ``tracker.experiments.syncing``."""
        from sr_tracker.tracker.experiments.syncing import sync

        return sync(
            self.database,
            pull=pull,
            keep_deleted=keep_deleted,
            restore_by=self.analyser_of if restore else None,
            dry_run=dry_run,
            tracking_uri=tracking_uri,
        )

    def promote(
        self,
        *,
        metric: str = "dea",
        alias: str = "champion",
        dry_run: bool = False,
        tracking_uri: str | None = None,
        **filters: Unpack[Filters],
    ) -> list[Promotion]:
        """Put the best runs into MLflow's model registry; see ``tracker.experiments.promotion``."""
        from sr_tracker.tracker.experiments.promotion import promote

        return promote(
            self.database,
            metric=metric,
            alias=alias,
            submissions=self.select(**filters),
            dry_run=dry_run,
            tracking_uri=tracking_uri,
        )

    def check(self) -> list[Finding]:
        """Run the audits and return those that found rows which should not exist.

        >>> db.check()
        []
        """
        from sr_tracker.queries.checks import run_audits

        return run_audits(self.database)

    def rescore(
        self,
        *,
        metrics: Sequence[str] | None = None,
        analyses: bool = True,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> RescoreReport:
        """Bring scores of older versions up to date; see ``queries.change.versions.rescoring``."""
        from sr_tracker.queries.change.versions.rescoring import rescore

        return rescore(
            self.database,
            submissions=self.select(**filters),
            metric_names=metrics,
            analyses=analyses,
            progress=progress,
        )

    def prune(self, *, dry_run: bool = False, **filters: Unpack[Filters]) -> PrunePlan:
        """Remove scores that newer ones superseded; see ``queries.change.versions.pruning``."""
        from sr_tracker.queries.change.versions.pruning import plan_pruning, prune

        return (plan_pruning if dry_run else prune)(self.database, self.select(**filters))

    def remove(
        self,
        kind: str,
        name: str,
        *,
        treebank: str | None = None,
        campaign: str | None = None,
        dry_run: bool = False,
    ) -> Change:
        """Remove a submission, system, treebank or campaign with all that depends on it.

        See ``ingest.undo.removing``. ``treebank`` and ``campaign`` say which submission a name such
        as ours@3 means; ``dry_run`` only tells how many rows of which tables would go.

        >>> db.remove("submission", "random", treebank="en_sample", dry_run=True).rows["output"]
        120
        """
        from sr_tracker.ingest import undo

        target = undo.resolve(self.database, kind, name, treebank=treebank, campaign=campaign)
        return undo.remove(self.database, kind, target, dry_run=dry_run)

    def rename(
        self,
        kind: str,
        name: str,
        new: str,
        *,
        treebank: str | None = None,
        campaign: str | None = None,
        dry_run: bool = False,
    ) -> Change:
        """Give a submission, system, treebank or campaign another id; see ``ingest.undo``."""
        from sr_tracker.ingest import undo

        target = undo.resolve(self.database, kind, name, treebank=treebank, campaign=campaign)
        return undo.rename(self.database, kind, target, new, dry_run=dry_run)

    def tag(
        self,
        kind: str,
        name: str,
        tags: Mapping[str, str] | None = None,
        *,
        without: Sequence[str] = (),
        treebank: str | None = None,
        campaign: str | None = None,
    ) -> Change:
        """Tag a submission, system, treebank or campaign; remove the tags ``without``.

        >>> db.tag("system", "random", {"kind": "lower bound"}).rows
        {'tag': 1}
        """
        from sr_tracker.ingest import undo

        target = undo.resolve(self.database, kind, name, treebank=treebank, campaign=campaign)
        return undo.tag(self.database, kind, target, tags or {}, without=without)

    def note(
        self,
        kind: str,
        name: str,
        text: str,
        *,
        treebank: str | None = None,
        campaign: str | None = None,
    ) -> Change:
        """Note a text on a submission, system, treebank or campaign; see ``ingest.undo``."""
        from sr_tracker.ingest import undo

        target = undo.resolve(self.database, kind, name, treebank=treebank, campaign=campaign)
        return undo.note(self.database, kind, target, text)

    def show(
        self,
        view: str,
        *,
        where: str | None = None,
        order: str | None = None,
        limit: int | None = None,
        columns: str | None = None,
        by: Sequence[str] = (),
        counting: Counting = "newest",
        seconds: float | None = SECONDS_LIMIT,
        **filters: Unpack[Filters],
    ) -> pa.Table:
        """Return a view or table as an Arrow table (``.to_pandas()`` makes a DataFrame).

        ``where``, ``order`` and ``columns`` are SQL; ``filters`` as in ``schema.selection``. ``by``
        names columns: one row per group of them, with mean and median of every number. What
        aggregates does so over those that count (``queries.counting``), of what is selected.

        Raises QueryError and UnknownNameError as ``queries.reading.read_view`` does.
        """
        with bounded(self.database):
            return read_view(
                self.database,
                view,
                where=where,
                order=order,
                limit=limit,
                columns=columns,
                by=by,
                filters=named(filters),
                counting=counting,
                seconds=seconds,
            )

    def sql(self, query: str, *, seconds: float | None = SECONDS_LIMIT) -> pa.Table:
        """Return the result of one SELECT statement as an Arrow table, all its rows.

        Raises QueryError where it is wrong, does not read, takes longer than ``seconds`` or more
        memory than ``tracker sql`` has.

        >>> db.sql("SELECT count(*) AS n FROM submission").to_pylist()
        [{'n': 4}]
        """
        with bounded(self.database):
            return read_sql(self.database, query, rows=None, seconds=seconds).rows

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def _analyse(self) -> None:
        analyse_treebanks(self.database, pending_treebanks(self.database))


def _of_references(submission: str | None, references: str | None) -> str:
    if references is None or submission is not None:
        raise InputError(
            "either a submission or a treebank's references were parsed",
            hint="give submission=… or references=…",
        )
    return references


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
