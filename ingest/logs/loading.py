"""Loading evaluation logs: the test set of a task, a model's outputs, the harness's own scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...schema.brief import Brief, plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import bare_name, content_hash
from ...schema.staging import commit
from ..campaigns.runs import Run, Submitted
from ..names import identifier_of, is_identifier
from ..outputs.reading import OutputFile, of_lists
from ..outputs.rows import trial_submission_id
from ..outputs.submissions import load_references, store_outputs
from ..records import check_once
from ..scores import MetricScores
from ..treebanks.labels import Values, repeating
from ..treebanks.references import References, store_references
from ..treebanks.sources import Alternative, source_load
from .samples import EvaluationLog, Sample, flat

if TYPE_CHECKING:
    from ..analysers import Analyser


@dataclass(frozen=True, repr=False)
class LoadedLog(Brief):
    """What became of a log."""

    submitted: Submitted
    scores: Mapping[str, Sequence[MetricScores]]
    """The harness's own, by sentence, of the submission and of each further trial."""
    notes: Sequence[str] = ()


def load_log(
    database: Database,
    log: EvaluationLog,
    analyser: Callable[[str], Analyser],
    *,
    campaign: str | None = None,
    system: str | None = None,
    language: str | None = None,
    replace: bool = False,
) -> LoadedLog:
    """Load a log as a submission to the test set of its task; new content is the next iteration.

    The campaign is the task, the system the model, where they are not named. Items with the same
    ids, references and content are the same test set in every log.

    Raises InputError for a log that says neither model nor system, has no references, or an item
    twice.
    """
    samples, source = log.samples, str(log.source)
    check_once(
        OutputFile(source, None, [], [sample.line for sample in samples]),
        [sample.id for sample in samples],
        lambda sample_id: f"sample '{sample_id}' stands twice",
        "keep one of them",
    )
    if not any(sample.references for sample in samples):
        raise InputError(
            "the log has no references",
            where=source,
            hint="outputs are compared with what is right; --reference-column names it in a table",
        )
    system = _identifier(system or log.model, "system", source)
    task = log.task or bare_name(log.source)
    campaign = _identifier(campaign or task, "campaign", source)
    run = Run(
        campaign,
        system,
        _test_set(database, log, task, campaign, language),
        next_iteration=True,
        created_at=log.created_at,
        reference_form="text",
        params=log.params,
        tags={"harness": log.harness},
        accept_mismatch=True,
    )
    outputs = OutputFile(
        source, [sample.id for sample in samples], [], [sample.line for sample in samples]
    )
    outputs = of_lists(outputs, [sample.outputs for sample in samples])
    references = load_references(database, run.treebank_id)
    submitted = store_outputs(database, outputs, run, references, analyser, replace=replace)
    return LoadedLog(
        submitted,
        {
            name: _scores(log, name, number)
            for number in range(len(outputs.trials))
            for name in [trial_submission_id(submitted.submission_id, number + 1)]
        },
        [*submitted.warnings, *_notes(samples)],
    )


def _identifier(name: str | None, what: str, source: str) -> str:
    """Return a name as an id: letters that none has become hyphens."""
    if not name:
        raise InputError(
            f"the log does not say which {what} it is of", where=source, hint=f"name the --{what}"
        )
    return name if is_identifier(name) else identifier_of(name, what)


def _test_set(
    database: Database, log: EvaluationLog, task: str, campaign: str, language: str | None
) -> str:
    samples = log.samples
    most = max(len(sample.references) for sample in samples)
    texts = [_reference(sample, 0) or "" for sample in samples]
    alternatives = []
    for place in range(1, most):
        others = [_reference(sample, place) for sample in samples]
        other = Alternative(log.source, others, content_hash(repr(others)))
        alternatives.append((f"reference-{place + 1}", other))
    ids = [sample.id for sample in samples]
    references = References(
        name=task,
        source=log.source,
        sent_ids=ids,
        texts=texts,
        lines=[sample.line for sample in samples],
        sha256=content_hash("log", *ids, *texts, *(sample.content for sample in samples)),
        language=language,
        alternatives=alternatives,
        labels=_labels(samples),
    )
    treebank_id = store_references(database, references, campaign)
    query = "SELECT 1 FROM sentence_source WHERE treebank_id = ? LIMIT 1"
    prompts = [sample.prompt for sample in samples]
    numbers = [number for number, prompt in enumerate(prompts, start=1) if prompt]
    if numbers and not database.connection.execute(query, [treebank_id]).fetchone():
        content = repr([prompts, [None] * len(ids), [None] * len(ids)])
        commit(
            database,
            source_load(treebank_id, log.source.name, content, numbers, source_text=prompts),
        )
    return treebank_id


def _labels(samples: Sequence[Sample]) -> Mapping[str, Values]:
    """Return what is said of samples and has values that repeat."""
    facts = [flat(sample.facts) for sample in samples]
    names = dict.fromkeys(name for of_sample in facts for name in of_sample)
    columns = {
        name: [str(of_sample[name]) if name in of_sample else None for of_sample in facts]
        for name in names
    }
    return repeating(columns)


def _reference(sample: Sample, place: int) -> str | None:
    return sample.references[place] if place < len(sample.references) else None


def _scores(log: EvaluationLog, submission_id: str, trial: int) -> list[MetricScores]:
    """Return the scores of each metric that has any, of one of the trials, from 0."""
    metrics = dict.fromkeys(metric for sample in log.samples for metric in sample.scores)
    scores = []
    for metric in metrics:
        rows = MetricScores(
            metric,
            str(log.source),
            "sentence",
            version=log.version,
            settings="|".join(part for part in (log.harness, log.settings) if part),
            better=log.better.get(metric, "higher"),
        )
        for sample in log.samples:
            of_trials = [sample.scores, *sample.further_scores]
            score = of_trials[trial].get(metric) if trial < len(of_trials) else None
            rows.add(submission_id, sample.id, score, sample.line)
        if any(score is not None for score in rows.scores):
            scores.append(rows)
    return scores


def _notes(samples: Sequence[Sample]) -> list[str]:
    notes = []
    most = max(len(sample.outputs) for sample in samples)
    if most > 1:
        notes.append(f"samples have up to {plural(most, 'output')}: each is a trial")
    if most > 1 and not any(sample.further_scores for sample in samples):
        notes.append("the log scores samples, not each of their outputs: its scores have no trials")
    without = sum(not sample.references for sample in samples)
    if without:
        notes.append(f"{plural(without, 'sample')} without a reference: metrics of text are NULL")
    return notes
