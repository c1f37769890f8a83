"""What runs show, read for some submissions at once: results, what changed, sentences, files.

MLflow's viewer shows a page in a frame that may run scripts and ask for nothing.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...queries.change.comparison.comparing import sentence_change
from ...queries.change.comparison.model import Change, Comparison
from ...queries.errors.example_reading import Example, Key, read_outputs
from ...queries.errors.jobs import usual_metrics_of
from ...queries.metrics.registry import headline_metrics, in_points, unit_of
from ...queries.numbers import measured
from ..pages.sections import section
from ..pages.submission import Results as Shown
from ..pages.submission import key_figures, result_sections
from ..pages.submission import read_results as read_shown
from ..show.findings.comparison import comparison_document
from ..show.findings.sentences import (
    HIDDEN,
    TREE_LEGEND,
    compared_words,
    sentence_name,
    tree_of_example,
)
from ..show.html import page
from ..show.model import Block, Card, Document, Section, Span, Tone
from .description import (
    COMPARE,
    REPORT,
    Place,
    describe,
    least_accurate,
    over_iterations,
    short_verdict,
)
from .results import (
    FEWEST_WORDS,
    Moves,
    Numbers,
    Results,
    by_submission,
    judged_by,
    moved,
    read_results,
    scored,
    with_sentences,
)
from .submissions import Submission

if TYPE_CHECKING:
    from ...schema.database import Database

OUTPUTS, RECORD = "tables/sentence_scores.parquet", "submission/submission.json"
"""Artifacts by which a submission can be loaded again: its texts are in the column output."""
SENTENCES = "worst_sentences.json"
SENTENCE_ROWS, DIGITS = 50, 4
SHARE = "0 to 1"
"""The scale of what people read in points: files hold it as data do."""
WORST = 10
"""Sentences that score worst are written out."""
TREES = 3
"""Worst sentences whose tree is drawn."""
_TONES: Sequence[tuple[Tone, str]] = (
    ("missing", "not in the output"),
    ("stray", "not in the reference"),
    ("moved", "elsewhere in the other text"),
)
SCORES = "scores.json"
_SCORE_COLUMNS = (
    *("measure", "score", "base", "change", "p (Holm)", "sd of trials", "scale", "signature"),
)


class Point(NamedTuple):
    """A score of an iteration."""

    iteration: int
    value: float
    created_ms: int


@dataclass(frozen=True)
class Sheet:
    """Everything that one submission's run shows."""

    submission: Submission
    results: Results
    shown: Shown
    """What the page of the submission shows of them."""
    worst: Sequence[int]
    """Its worst sentences."""
    told_by: str
    """The metric by which they are the worst."""
    examples: Mapping[Key, Example]
    comparison: Comparison | None
    """What changed; None where there is nothing to compare with."""
    courses: Mapping[str, Sequence[Point]]
    """By each metric that it has: the iterations until this one."""
    stored: Comparison | None
    """The comparison with its base that is stored; None where there is none."""

    @property
    def tags(self) -> dict[str, str]:
        """What runs are found and grouped by."""
        return self.submission.tags(short_verdict(self.comparison, self.stored))

    def describe(self, place: Place) -> str:
        """Return the run's description."""
        scores, worst = self.results.scores, self.worst[:WORST]
        course = (
            over_iterations(self.told_by, [(point.iteration, point.value) for point in course])
            if len(course := self.courses.get(self.told_by, ())) > 1
            else least_accurate(self.results.tables["dea_by_relation"])
        )
        return describe(self.submission, scores, self.comparison, worst, course, place)

    def write(self, folder: Path, explorer: str = "") -> None:
        """Write its record, tables and pages into a folder.

        Names on the page lead to the ``explorer``, where its address is known.
        """
        record = self.submission.record(self.results.signatures)
        files = {
            RECORD: f"{json.dumps(record, ensure_ascii=False, indent=1)}\n",
            SCORES: json.dumps(self._scores(), ensure_ascii=False),
            SENTENCES: json.dumps(self._table(), ensure_ascii=False),
        }
        files[REPORT] = page(self._document(), explorer or None)
        if self.comparison is not None:
            files[COMPARE] = page(comparison_document(self.comparison, trees=False))
        write_files(folder, files)
        (folder / "tables").mkdir(exist_ok=True)
        for name, table in self.results.tables.items():
            pq.write_table(table, folder / "tables" / f"{name}.parquet", compression="zstd")

    def _document(self) -> Document:
        """Return the page of the submission, its worst sentences first."""
        submission = self.submission
        facts = [
            f"iteration {submission['iteration']} of {submission['system_id']}",
            f"made {submission.created_at:%Y-%m-%d %H:%M}",
            f"{submission['sentences']:,} sentences of {submission['treebank_id']}",
        ]
        base = self.comparison.base.submission_id if self.comparison else ""
        return Document(
            "Submission",
            submission.submission_id,
            [self._sentences(), *result_sections(self.shown, base)],
            lead=" · ".join(facts),
            verdict=self.comparison.verdict if self.comparison else (),
            figures=key_figures(self.shown["submission.metrics"].rows.to_pylist()),
            legend=[TREE_LEGEND],
            tones=_TONES,
            provenance=[
                ("references", f"{submission['treebank_id']}, as {submission['reference_form']}"),
                ("analysed by", submission["analysis"]),
            ],
        )

    def _sentences(self) -> Section:
        """Return the worst sentences with what is wrong in them, and the trees of some."""
        name, rows = self.submission.submission_id, self.results.tables["sentence_scores"]
        metric = self.told_by
        scores = dict(zip(rows["sentence_no"].to_pylist(), rows[metric].to_pylist(), strict=True))
        cards = [
            _card(self.examples[name, number], metric, scores[number], tree=place < TREES)
            for place, number in enumerate(self.worst[:WORST])
        ]
        return section("run.sentences", cards, {"metric": metric, "words": FEWEST_WORDS})

    def _scores(self) -> dict[str, list[Any]]:
        """Return every score in the form of MLflow's tables, with what changed and how surely."""
        results, stored = self.results, self.stored
        changes: dict[str, Change] = {}
        if stored is not None:
            changes = {one.measure: one for one in (*stored.metrics, *stored.relations)}
        rows: list[list[object]] = []
        for name, score in (*results.numbers.metrics.items(), *results.numbers.others.items()):
            change = changes.get(name)
            tested = (change.base, change.difference, change.p_holm) if change else [None] * 3
            numbers = [score, *tested, results.trial_sds.get(name)]
            shown = ["" if one is None else round(one, DIGITS) for one in numbers]
            scale = SHARE if in_points(name) else unit_of(name)
            rows.append([name, *shown, scale, results.signatures.get(name.partition("[")[0], "")])
        return {"columns": list(_SCORE_COLUMNS), "data": rows}

    def _table(self) -> dict[str, list[object]]:
        """Return the worst sentences in the form of MLflow's tables.

        Its columns are narrow, and the first are seen.
        """
        metric = self.told_by
        scores = [name for name in headline_metrics() if name != metric]
        shown = ["sentence_no", metric, "reference", "output", *scores, "length", "sent_id"]
        rows = self.results.tables["sentence_scores"].select(shown)
        worst = rows.filter(pc.is_in(rows["sentence_no"], pc.cast(list(self.worst), "int32")))
        by_number = {
            row["sentence_no"]: [
                round(value, DIGITS) if isinstance(value, float) else value
                for value in row.values()
            ]
            for row in worst.to_pylist()
        }
        return {"columns": [*shown], "data": [by_number[number] for number in self.worst]}


def _card(example: Example, metric: str, score: float, *, tree: bool) -> Card:
    blocks: list[Block] = []
    if tree and example.words:
        blocks.append(tree_of_example(example, "", whole=True))
    reference = compared_words(example.reference, example.reference_pieces, "missing")
    sentence = sentence_name(example.sentence_no, example.sent_id)
    return Card(
        [Span(measured(metric, score), "strong"), Span(f" · {sentence}", "muted")],
        [
            ("reference", HIDDEN if example.reference is None else reference),
            *(("or", other) for other in example.other_references),
            ("output", compared_words(example.output, example.output_pieces, "stray")),
        ],
        blocks=blocks,
        anchor=f"s{example.sentence_no}",
    )


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts into a folder by their names, which may lie in folders within it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


def read_sheets(
    database: Database,
    batch: Sequence[Submission],
    by_id: Mapping[str, Submission],
    numbers: Mapping[str, Numbers],
    moves: Moves,
) -> list[Sheet]:
    """Return what the runs of some submissions show, in their order.

    ``by_id`` are all submissions by id, ``numbers`` those of all iterations of the batch's lines,
    ``moves`` those of the batch.
    """
    ids = [submission.submission_id for submission in batch]
    lines: dict[str, list[Submission]] = defaultdict(list)
    for other in by_id.values():
        lines[other.lineage_id].append(other)
    bases = {submission.submission_id: _base(submission, by_id) for submission in batch}
    others = sorted({base.submission_id for base in bases.values() if base} - {*ids})
    results = read_results(database, [*ids, *others], numbers)
    sentences = {name: of_one.tables["sentence_scores"] for name, of_one in results.items()}
    usual = _usual_metrics(database, batch)
    told_by = {name: judged_by(usual[name], sentences[name]) for name in ids}
    worst = {name: scored(sentences[name], told_by[name]).worst(SENTENCE_ROWS) for name in ids}
    judged = {
        name: judged_by(usual[name], sentences[name], sentences[base.submission_id])
        for name, base in bases.items()
        if base
    }
    moving = {
        name: moved(scored(sentences[name], metric), scored(sentences[base.submission_id], metric))
        for name, metric in judged.items()
        if (base := bases[name])
    }
    keys: set[Key] = {(name, number) for name in ids for number in worst[name][:WORST]}
    for name, both in moving.items():
        base = bases[name]
        changed = [change.number for side in both for change in side]
        keys |= {
            (side, n) for n in changed for side in (name, base.submission_id if base else name)
        }
    examples = read_outputs(database, keys)
    based = {name: base.submission_id if base else "" for name, base in bases.items()}
    shown = _by_submission(read_shown(database, based), ids)

    def comparison(new: Submission) -> Comparison | None:
        base = bases[new.submission_id]
        if base is None:
            return None
        name, other = new.submission_id, base.submission_id
        gained, lost = (
            [
                sentence_change(
                    change.new,
                    change.base,
                    examples[name, change.number],
                    examples[other, change.number],
                )
                for change in side
            ]
            for side in moving[name]
        )
        return with_sentences(new, base, moves, gained, lost, judged[name])

    return [
        Sheet(
            submission=submission,
            results=results[submission.submission_id],
            shown=shown[submission.submission_id],
            worst=worst[submission.submission_id],
            told_by=told_by[submission.submission_id],
            examples=examples,
            comparison=comparison(submission),
            courses=_courses(submission, lines[submission.lineage_id], numbers),
            stored=moves.get(submission.submission_id),
        )
        for submission in batch
    ]


def _usual_metrics(database: Database, batch: Sequence[Submission]) -> dict[str, list[str]]:
    """Return the usual metrics of each submission; those to one test set have the same."""
    ids: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for one in batch:
        place = one["campaign_id"], one["treebank_id"], one["reference_form"]
        ids[place].append(one.submission_id)
    usual = {place: usual_metrics_of(database, names) for place, names in ids.items()}
    return {name: usual[place] for place, names in ids.items() for name in names}


def _by_submission(shown: Shown, submissions: Sequence[str]) -> dict[str, Shown]:
    """Return what is shown of each submission by its id."""
    rows = {place: by_submission(listing.rows) for place, listing in shown.items()}
    return {
        name: {
            place: replace(listing, rows=rows[place].get(name, listing.rows.slice(0, 0)), query="")
            for place, listing in shown.items()
        }
        for name in submissions
    }


def _courses(
    submission: Submission, line: Sequence[Submission], numbers: Mapping[str, Numbers]
) -> dict[str, list[Point]]:
    """Return by each metric that a submission has the iterations of its line until it."""
    courses: dict[str, list[Point]] = {
        name: [] for name in numbers.get(submission.submission_id, Numbers({}, {})).metrics
    }
    for member in submission.until(line):
        of_one = numbers.get(member.submission_id, Numbers({}, {})).metrics
        for name in courses.keys() & of_one.keys():
            at = max(0, member["created_ms"])
            courses[name].append(Point(member["iteration"], of_one[name], at))
    return courses


def _base(submission: Submission, by_id: Mapping[str, Submission]) -> Submission | None:
    """Return what a submission is compared with: its parent, where that is on its treebank."""
    base = by_id.get(str(submission["base_submission_id"]))
    alike = base is not None and base["treebank_id"] == submission["treebank_id"]
    return base if alike else None
