"""Following a system over its iterations: what changed, and which changes are more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from ....schema.brief import Brief
from ....schema.parameters import Option
from ..comparison.model import Change, RelationChange, Settings

if TYPE_CHECKING:
    import pyarrow as pa

    from ..comparison.stored import Rows

LATEST = 200
"""Iterations of a line that are followed where no one asks for more: each step takes testing."""
GAP = "·"
RISE, FALL, CHANCE, UNTESTED = "↑", "↓", "≈", "?"
LEGEND = (
    f"{RISE} {FALL}: the value rose or fell significantly",
    f"{CHANCE}: tested, may be chance",
    f"{UNTESTED}: not tested",
)
"""What the marks of changes mean."""


def change_mark(change: Change | None, alpha: float) -> str:
    """Return the mark of a change: whether it is significant, may be chance, or was not tested."""
    if change is None or change.p_holm is None:
        return UNTESTED
    if not change.is_significant(alpha):
        return CHANCE
    return RISE if (change.difference or 0) > 0 else FALL


Tests: TypeAlias = Annotated[
    Literal["all", "relations", "none"],
    Option("Which changes are tested: tests of relations are quick, others take resampling."),
]
Control: TypeAlias = Annotated[
    Literal["step", "line"],
    Option(
        "Where the error is controlled: in each step at .05, or over the line, with stricter "
        "levels for its steps (LORD++).",
    ),
]


@dataclass(frozen=True)
class Measure:
    """A metric, a human criterion, a relation or a pattern."""

    name: str
    """As in the view submission_measures: bleu, dea[advcl], suspicion[(conj cc)], adequacy_z."""
    kind: str
    better: str
    """Which is better: higher or lower."""


@dataclass(frozen=True)
class Run:
    """One iteration, and how it differs from the run before: its parent or last iteration."""

    submission_id: str
    iteration: int
    created_at: datetime
    parent_submission_id: str | None
    previous_submission_id: str | None
    """The run it is compared with, see the view submission_history; None for the first."""
    chosen: Mapping[str, tuple[Any, Any]]
    """Params and tags that changed: before and now, None where absent; a tag's name is 'tag …'."""
    values: Mapping[str, float | None]
    """By measure."""
    changes: Mapping[str, Change]
    """By measure; empty where there is no run to compare with."""
    relations: Sequence[RelationChange]
    """The relations that changed significantly, the largest change first."""
    not_compared: str | None = None
    """Why it is not compared with the run before."""
    alphas: Mapping[str, float] = field(default_factory=dict)
    """By measure of ``changes``: one is significant where its corrected p-value is below."""

    def is_significant(self, measure: str) -> bool:
        """Return whether a measure changed significantly."""
        change = self.changes.get(measure)
        return change is not None and change.is_significant(self.alphas[measure])

    def mark(self, measure: str) -> str:
        """Return the mark of a measure's change, see change_mark."""
        return change_mark(self.changes.get(measure), self.alphas.get(measure, 0.0))


@dataclass(frozen=True)
class Summary:
    """One measure over the runs of a line."""

    measure: Measure
    values: Sequence[float | None]
    """Run by run."""
    first: float | None
    last: float | None
    best: float | None
    best_iteration: int | None
    significant: Sequence[tuple[Run, Change]]
    """The runs in which it changed significantly."""
    marks: str
    """A mark per run, as of ``marks.change_mark``; a gap where there is no run before."""


@dataclass(frozen=True)
class Line:
    """The runs of a system on one treebank and track of a campaign, in the order of iterations."""

    campaign_id: str
    treebank_id: str
    track: str
    runs: Sequence[Run]
    measures: Sequence[Measure]


@dataclass(frozen=True, repr=False)
class History(Brief):
    """A system over its iterations."""

    system_id: str
    lines: Sequence[Line]
    settings: Settings
    tests: Tests
    notes: Sequence[str] = ()
    """What the reader must know, such as lines that rest on versions of one test set."""
    unstored: Sequence[Rows] = field(default=(), repr=False, compare=False)
    """What is to be stored of the comparisons of its steps."""
    control: Control = "step"

    def summaries(self, line: Line) -> list[Summary]:
        """Return each measure of a line over its runs."""
        return [self._summary(line, measure) for measure in line.measures]

    def _summary(self, line: Line, measure: Measure) -> Summary:
        values = [run.values.get(measure.name) for run in line.runs]
        scored = [
            (value, run) for value, run in zip(values, line.runs, strict=True) if value is not None
        ]
        sign = 1 if measure.better == "higher" else -1
        best = max(scored, key=lambda pair: sign * pair[0], default=None)
        return Summary(
            measure=measure,
            values=values,
            first=scored[0][0] if scored else None,
            last=scored[-1][0] if scored else None,
            best=best[0] if best else None,
            best_iteration=best[1].iteration if best else None,
            significant=[
                (run, run.changes[measure.name])
                for run in line.runs
                if run.is_significant(measure.name)
            ],
            marks="".join(
                GAP if run.previous_submission_id is None else run.mark(measure.name)
                for run in line.runs
            ),
        )


@dataclass(frozen=True)
class Chain:
    """Runs each of which is the only child of the one before, and what follows the last."""

    runs: Sequence[Run]
    branches: Sequence[Chain]


def chains(line: Line) -> list[Chain]:
    """Return the chains that begin with runs whose parent is not in the line.

    The parent is the run a run is compared with, so that runs without a known parent follow the
    iteration before.
    """
    here = {run.submission_id for run in line.runs}
    children: dict[str | None, list[Run]] = {}
    for run in line.runs:
        parent = run.previous_submission_id
        children.setdefault(parent if parent in here else None, []).append(run)
    # Begun anew from a list instead of by recursion: a system may have thousands of runs.
    built: dict[str, Chain] = {}
    for start in _starts(children):
        runs = [start]
        while len(following := children.get(runs[-1].submission_id, [])) == 1:
            runs.append(following[0])
        built[start.submission_id] = Chain(runs, [built[run.submission_id] for run in following])
    return [built[run.submission_id] for run in children.get(None, [])]


def _starts(children: dict[str | None, list[Run]]) -> list[Run]:
    """Return the first run of each chain, those of branches before what they branch from."""
    firsts = {
        run.submission_id
        for parent, runs in children.items()
        for run in runs
        if parent is None or len(runs) > 1
    }
    order = []
    stack = [*children.get(None, [])]
    while stack:
        run = stack.pop()
        order.append(run)
        stack += children.get(run.submission_id, [])
    return [run for run in reversed(order) if run.submission_id in firsts]


TESTED = ("low", "high", "p_value", "p_holm", "n", "test")
COLUMNS = (
    *("campaign_id", "system_id", "treebank_id", "track", "iteration", "submission_id"),
    *("previous_submission_id", "previous_iteration", "created_at", "kind", "measure", "score"),
    *("change", "low", "high", "p_value", "p_holm", "alpha", "significant", "n", "better", "test"),
    "undefined_reason",
)


def history_rows(history: History) -> pa.Table:
    """Return one row per iteration and measure, with its change from the run before.

    ``significant`` is whether p_holm is below ``alpha``, both NULL where nothing was tested;
    ``undefined_reason`` tells why.
    """
    import pyarrow as pa

    rows = []
    for line in history.lines:
        iterations = {run.submission_id: run.iteration for run in line.runs}
        for run in line.runs:
            for measure in line.measures:
                change = run.changes.get(measure.name)
                tested = change is not None and change.p_holm is not None
                rows.append(
                    {
                        "campaign_id": line.campaign_id,
                        "system_id": history.system_id,
                        "treebank_id": line.treebank_id,
                        "track": line.track,
                        "iteration": run.iteration,
                        "submission_id": run.submission_id,
                        "previous_submission_id": run.previous_submission_id,
                        "previous_iteration": iterations.get(run.previous_submission_id or ""),
                        "created_at": run.created_at,
                        "kind": measure.kind,
                        "measure": measure.name,
                        "score": run.values[measure.name],
                        "change": getattr(change, "difference", None),
                        **{name: getattr(change, name, None) for name in TESTED},
                        "alpha": run.alphas[measure.name] if tested else None,
                        "significant": run.is_significant(measure.name) if tested else None,
                        "better": measure.better,
                        "undefined_reason": change.undefined_reason
                        if change
                        else run.not_compared or "no run before",
                    }
                )
    kinds = {
        **dict.fromkeys(("iteration", "previous_iteration", "n"), pa.int64()),
        **dict.fromkeys(("score", "change", "low", "high"), pa.float64()),
        **dict.fromkeys(("p_value", "p_holm", "alpha"), pa.float64()),
        "created_at": pa.timestamp("us", "UTC"),
        "significant": pa.bool_(),
    }
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
    return pa.Table.from_pylist(rows, schema=schema)
