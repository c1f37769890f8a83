"""A gate's result for machines: JUnit's XML, and JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from ...queries.change.gate import ALLOWED, FAILED, GateResult, Verdict
from ...queries.formats import json_text
from ...queries.metrics.registry import label_of
from ...queries.numbers import measured

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


def as_json(result: GateResult) -> bytes:
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
