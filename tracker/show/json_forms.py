"""Results for machines: comparisons and rankings as plain values, gates as JSON and JUnit."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa

from ...queries.change.comparison.model import Change, Comparison, SentenceChange
from ...queries.change.comparison.ranking import Pair, Rankings
from ...queries.change.gate import ALLOWED, FAILED, GateResult, Verdict
from ...queries.formats import json_text
from ...queries.metrics.registry import label_of
from ...queries.numbers import measured
from .findings.sentences import tree_of_changes
from .model import plain_text
from .text.dependencies import tree_lines


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return everything that a comparison says, as dictionaries, lists, texts and numbers.

    Dates are in ISO 8601. ``headline`` has the sentences that sum it up; every change has
    ``significant`` and ``worse`` beside its numbers.
    """
    content: dict[str, Any] = {"headline": list(comparison.verdict)}
    for field in (field for field in dataclasses.fields(comparison) if field.repr):
        content[field.name] = _plain(getattr(comparison, field.name), comparison.settings.alpha)
    return content


def rankings_as_json(rankings: Rankings) -> dict[str, Any]:
    """Return rankings of several submissions, one per metric, as plain values."""
    alpha = rankings.settings.alpha
    return {name: _plain(getattr(rankings, name), alpha) for name in ("settings", "rankings")}


def result_as_json(result: Any) -> dict[str, Any]:
    """Return a result, an instance of a dataclass, as plain values by the names of its fields."""
    plain: dict[str, Any] = _plain(result, 0.0)
    return plain


def _plain(value: Any, alpha: float) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        content = {
            field.name: _plain(getattr(value, field.name), alpha)
            for field in dataclasses.fields(value)
        }
        if isinstance(value, Change):
            content |= {"significant": value.is_significant(alpha), "worse": value.is_worse}
        if isinstance(value, SentenceChange):
            content = {
                name: content[name] for name in content if name not in ("words", "base_found")
            }
            content["tree"] = _tree(value)
        if isinstance(value, Pair):
            content["significant"] = value.is_significant(alpha)
        return content
    if isinstance(value, pa.Table):
        return value.to_pylist()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _plain(item, alpha) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item, alpha) for item in value]
    return value


def _tree(change: SentenceChange) -> str | None:
    """Return the reference's tree as text, a word a line."""
    lines = tree_lines(tree_of_changes(change.words, change.base_found))
    return "\n".join(plain_text(line).rstrip() for line in lines) or None


SUITE = "tracker gate"
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(result: GateResult) -> bytes:
    """Return a result as JUnit's XML: a test suite with a test case for each threshold.

    What is undefined and may be is a skipped test.
    """
    counts = {
        "tests": str(len(result.verdicts)),
        "failures": str(len(result.failed)),
        "errors": "0",
        "skipped": str(sum(item.verdict == ALLOWED for item in result.verdicts)),
        "time": "0",
    }
    suites = ElementTree.Element("testsuites", name=SUITE)
    suites.attrib |= {name: counts[name] for name in ("tests", "failures", "errors", "time")}
    name = f"{result.new.submission_id} against {result.base.submission_id}"
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _clean(name), **counts})
    _add_properties(suite, _properties(result))
    for verdict in result.verdicts:
        _add_case(suite, verdict)
    ElementTree.indent(suites)
    content: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def gate_json(result: GateResult) -> bytes:
    """Return a result as JSON; values, changes and limits are in each threshold's unit."""
    content = {
        "passed": result.passed,
        "new": result.new.submission_id,
        "base": result.base.submission_id,
        "significant": result.significant,
        "non_inferior": result.non_inferior,
        "alpha": result.alpha,
        "objections": [*result.objections],
        "notes": [*result.notes],
        "thresholds": [_entry(verdict) for verdict in result.verdicts],
    }
    return json_text(content).encode()


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict as a sentence."""
    change = verdict.change
    values = [_value(change.measure, value) for value in (change.base, change.new)]
    text = f"{label_of(change.measure)}: {values[0]} -> {values[1]} {verdict.unit}"
    if change.difference is not None:
        text += f" ({measured(change.measure, change.difference, sign=True)})"
    text += f", n = {change.n:,}"
    if change.p_holm is not None:
        text += f", p = {change.p_holm:.3g}"
    text += f"; limit {verdict.threshold}"
    return f"{text}; {verdict.reason}" if verdict.reason else text


def _entry(verdict: Verdict) -> dict[str, Any]:
    change = verdict.change
    return {
        "threshold": str(verdict.threshold),
        "type": verdict.threshold.kind,
        "measure": change.measure,
        "kind": change.kind,
        "better": change.better,
        "unit": verdict.unit,
        "base": verdict.in_unit(change.base),
        "new": verdict.in_unit(change.new),
        "change": verdict.in_unit(change.difference),
        "limit": verdict.threshold.limit,
        "n": change.n,
        "minimum_n": verdict.threshold.minimum_n,
        "low": verdict.in_unit(change.low),
        "high": verdict.in_unit(change.high),
        "p_value": change.p_value,
        "p_holm": change.p_holm,
        "test": change.test,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
    }


def _properties(result: GateResult) -> Sequence[tuple[str, str]]:
    return [
        ("new", result.new.submission_id),
        ("base", result.base.submission_id),
        ("significant", str(result.significant).lower()),
        ("non_inferior", str(result.non_inferior).lower()),
        ("alpha", f"{result.alpha:g}"),
        *(("objection", text) for text in result.objections),
        *(("note", text) for text in result.notes),
    ]


def _add_properties(suite: ElementTree.Element, pairs: Sequence[tuple[str, str]]) -> None:
    parent = ElementTree.SubElement(suite, "properties")
    for name, value in pairs:
        ElementTree.SubElement(parent, "property", name=name, value=_clean(value))


def _add_case(suite: ElementTree.Element, verdict: Verdict) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=f"{SUITE}.{verdict.change.kind}".replace(" ", "."),
        name=_clean(verdict.name),
        time="0",
    )
    sentence = _clean(verdict_text(verdict))
    if verdict.verdict == FAILED:
        failure = ElementTree.SubElement(
            case, "failure", message=sentence, type=verdict.threshold.kind
        )
        failure.text = sentence
    elif verdict.verdict == ALLOWED:
        ElementTree.SubElement(case, "skipped", message=sentence)
    else:
        ElementTree.SubElement(case, "system-out").text = sentence


def _value(measure: str, value: float | None) -> str:
    return "undefined" if value is None else measured(measure, value)


def _clean(text: str) -> str:
    """Return text without the characters that XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)
