"""``tracker grammar`` and ``gec``: rules learned, edited, checked on outputs and on corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import pyarrow as pa

from ...queries.grammar.extraction import ExtractionSettings
from ...queries.metrics.choice import notes_on
from ...schema.brief import plural
from ..api.corrections import Corrections
from ..api.grammar import Grammar
from .operation import Shown, ThemeGroup, operation

if TYPE_CHECKING:
    from ...queries.grammar.correlation import HumanCorrelation
    from ...queries.grammar.scoring import GrammarReport
    from ...queries.grammar.violations import Violations
    from ...schema.grammar.rule_sets import Stored


def _stored(stored: Stored) -> str:
    state = "stored" if stored.changed else "nothing new"
    return f"{stored.rule_set_id}: {state}, {plural(stored.rules, 'rule')}"


def _checked(report: GrammarReport, references: bool = False) -> Iterator[str]:
    for treebank, score in report.references.items():
        result = "no rule applies" if score is None else f"{score:.4f}"
        yield f"references of {treebank}: {result}"
    if references:
        return
    yield (
        f"{plural(report.submissions, 'submission')} checked by {report.rule_set_id}, "
        f"{report.unchanged} were before"
    )
    for reason in dict.fromkeys(report.passed_over.values()):
        names = [name for name, why in report.passed_over.items() if why == reason]
        yield f"note: {plural(len(names), 'submission')} passed over: {reason}"
    yield from (f"note: {note}" for note in notes_on(report.beside))
    for submission_id in report.unparsed:
        yield f"note: {submission_id} has no trees with parts of speech: no score"


def _broken(violations: Violations) -> pa.Table:
    from ...queries.grammar.violations import KeptRule

    names = [name for name in KeptRule.__dataclass_fields__ if name != "examples"]
    return pa.table(
        {name: pa.array([getattr(rule, name) for rule in violations.worst]) for name in names}
    )


def _correlations(correlations: Sequence[HumanCorrelation]) -> pa.Table:
    text, number = pa.string(), pa.float64()
    columns = {
        "campaign": ([one.campaign_id for one in correlations], text),
        "year": ([one.year for one in correlations], pa.int32()),
        "pair": ([one.pair for one in correlations], text),
        "treebank": ([one.treebank_id for one in correlations], text),
        "outliers": ([one.outliers for one in correlations], text),
        "metric": ([one.measure for one in correlations], text),
        "systems": ([one.correlation.n for one in correlations], pa.int32()),
        "r": ([one.correlation.coefficient for one in correlations], number),
        "p_value": ([one.correlation.p_value for one in correlations], number),
        "removed": ([list(one.removed) for one in correlations], pa.list_(text)),
        "undefined_reason": ([one.correlation.undefined_reason for one in correlations], text),
    }
    return pa.table({name: pa.array(values, kind) for name, (values, kind) in columns.items()})


def _by_pair(correlations: Sequence[HumanCorrelation]) -> pa.Table:
    """Return one row per language pair, with and without outliers; systems are the fewest."""
    rows: dict[tuple[str, str], dict[str, object]] = {}
    for one in correlations:
        row = rows.setdefault(
            (one.treebank_id, one.outliers),
            {
                "year": one.year,
                "pair": one.pair,
                "outliers": one.outliers,
                "systems": one.correlation.n,
            },
        )
        row["systems"] = min(int(str(row["systems"])), one.correlation.n)
        row[one.measure] = one.correlation.coefficient
        row[f"p {one.measure}"] = one.correlation.p_value
    return pa.Table.from_pylist(list(rows.values()))


def _correlation_notes(correlations: Sequence[HumanCorrelation]) -> Iterable[str]:
    notes = []
    for one in correlations:
        if one.removed:
            notes.append(f"{one.pair}: outliers are {', '.join(one.removed)}")
        if one.unmatched:
            notes.append(
                f"{one.pair}: {', '.join(one.unmatched)} left out, as only people or only the "
                "metric scored them"
            )
        reason = one.correlation.undefined_reason
        if reason:
            notes.append(f"{one.pair}: no correlation of {one.measure}: {reason}")
    return dict.fromkeys(notes)


grammar = ThemeGroup("grammar", Grammar)
operation(
    Grammar.extract,
    Shown(done=_stored),
    settings=ExtractionSettings,
    chosen=(
        *("kinds", "minimum_share", "minimum_pairs", "coverage", "features"),
        *("minimum_divergence", "minimum_words", "minimum_value_share"),
    ),
    group=grammar,
)
operation(Grammar.rules, Shown(rows=lambda rows: rows), group=grammar)
operation(Grammar.export, Shown(raw=str.encode), group=grammar)
operation(Grammar.import_, Shown(done=_stored), group=grammar, name="import")
operation(Grammar.score, Shown(notes=_checked), group=grammar, progress="checking")
operation(
    Grammar.worst,
    Shown(
        "broken_rules:broken_rules_document",
        rows=_broken,
        content=asdict,
        suffixes={".csv": "csv"},
        formats=("csv", "spreadsheet"),
        in_file="Write to this file, .txt, .json, .html or .csv.",
    ),
    group=grammar,
)
operation(
    Grammar.correlate,
    Shown(rows=_correlations, on_terminal=_by_pair, notes=_correlation_notes),
    group=grammar,
)

gec = ThemeGroup("gec", Corrections)
_ROWS = Shown(rows=lambda rows: rows)
operation(Corrections.types, _ROWS, group=gec)
operation(Corrections.variants, _ROWS, group=gec)
operation(Corrections.identify, _ROWS, group=gec, progress="parsing")
operation(Corrections.accept, _ROWS, group=gec, progress="parsing")
