"""What a participant of a task would send: everything that is wrong with it, line by line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...schema.brief import Brief, listed
from ...schema.errors import InputError
from ...schema.files import read_text
from ..outputs.alignment import check_belongs, in_alphabetical_order
from ..outputs.reading import OutputFile
from ..treebanks.conllu import parse_conllu
from ..treebanks.conllu_columns import sentence_numbers

_SENT_ID = re.compile(r"#\s*sent_id\s*=(.*)")
_TEXT = re.compile(r"#\s*text\s*=(.*)")
_CONTROL = re.compile("[\x01-\x08\x0b-\x1f\x7f\ufffd]")
_NAMED = 3
"""Sentences and lines that a finding names, at most."""
LEAST_WORDS_TO_COPY = 4
LARGEST_SHARE_COPIED = 0.25


@dataclass(frozen=True)
class Finding:
    """Something wrong with a file: a fault keeps it from being loaded, a doubt does not."""

    kind: str
    message: str
    count: int = 1
    line: int | None = None
    fault: bool = True


@dataclass(repr=False)
class CheckedOutputs(Brief):
    """What is in a file, and what is wrong with it."""

    path: Path
    sentences: int
    texts: int = 0
    """Sentences that have a text."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def faults(self) -> list[Finding]:
        """What keeps the file from being loaded."""
        return [finding for finding in self.findings if finding.fault]


def check_outputs(path: Path, inputs: Sequence[Sequence[str]]) -> CheckedOutputs:
    """Return what is wrong with outputs for a task's inputs, given as each one's lemmas in order.

    Faults are: text that is not UTF-8, lines that are neither id nor text, ids that are no item's,
    repeated or missing, no text at all, and texts that resemble other sentences' lemmas more than
    their own (``alignment.check_belongs``). Doubts are: some texts empty, characters no text has,
    and many texts that repeat the lemmas in the order of the input.

    Raises InputError for a file that cannot be read.
    """
    checked = CheckedOutputs(path, len(inputs))
    try:
        lines = read_text(path).split("\n")
    except InputError as error:
        line = (error.where or "").rpartition(":")[2]
        if not line.isdecimal():
            raise
        checked.findings.append(Finding("encoding", error.message, line=int(line)))
        return checked
    items, texts, places = _read(lines, len(inputs), checked.findings)
    checked.texts = sum(text is not None for text in texts)
    _check_complete(items, texts, len(inputs), checked)
    if not checked.texts:
        return checked
    _check_belonging(OutputFile(str(path), None, texts, places), items, inputs, checked.findings)
    _check_copied(items, texts, inputs, checked.findings)
    return checked


def input_lemmas(text: str, source: str) -> list[list[str]]:
    """Return the lemmas of a task's inputs, sentence by sentence, in the order of the file."""
    file = parse_conllu(text, source)
    lemmas: list[list[str]] = [[] for _ in file.lengths]
    numbers = sentence_numbers(file.lengths).tolist()
    for number, lemma in zip(numbers, file.words["form"].to_pylist(), strict=True):
        lemmas[number - 1].append(lemma)
    return lemmas


def _read(
    lines: Sequence[str], sentences: int, findings: list[Finding]
) -> tuple[list[int], list[str | None], list[int]]:
    """Return items, texts and lines of what can be told apart, and add what cannot be."""
    items: list[int] = []
    texts: list[str | None] = []
    places: list[int] = []
    seen: dict[int, int] = {}
    wrong: dict[str, list[tuple[int, str]]] = {}
    state = "start"
    for number, line in enumerate(lines, start=1):
        sent_id, text = _SENT_ID.fullmatch(line), _TEXT.fullmatch(line)
        if not line.strip():
            continue
        if sent_id:
            name = sent_id[1].strip()
            item = int(name) if re.fullmatch("[0-9]{1,9}", name) else 0
            state = "open"
            if not 1 <= item <= sentences:
                wrong.setdefault("unknown id", []).append((number, name))
                state = "passed over"
            elif item in seen:
                wrong.setdefault("repeated id", []).append((number, name))
                state = "passed over"
            else:
                seen[item] = number
                items.append(item)
                texts.append(None)
                places.append(number)
        elif text and state == "open":
            texts[-1] = text[1].strip() or None
            state = "closed"
            if _CONTROL.search(text[1]):
                wrong.setdefault("odd characters", []).append((number, ""))
        elif text and state == "passed over":
            state = "closed"
        else:
            wrong.setdefault("text without id" if text else "neither id nor text", []).append(
                (number, "")
            )
    for kind, lines_and_ids in wrong.items():
        findings.append(_line_finding(kind, lines_and_ids, sentences))
    return items, texts, places


def _line_finding(kind: str, places: list[tuple[int, str]], sentences: int) -> Finding:
    named = ", ".join(f"'{value}'" for _, value in places[:_NAMED] if value)
    texts = {
        "unknown id": f"ids that no item has: {named}; items are numbered 1 to {sentences}",
        "repeated id": f"ids that were used before: {named}",
        "text without id": "'#text =' without '#sent_id =' above it",
        "neither id nor text": "lines that are neither '#sent_id =' nor '#text ='",
        "odd characters": "texts with control or replacement characters (U+FFFD)",
    }[kind]
    return Finding(kind, texts, len(places), places[0][0], fault=kind != "odd characters")


def _check_complete(
    items: Sequence[int], texts: Sequence[str | None], sentences: int, checked: CheckedOutputs
) -> None:
    missing = sorted({*range(1, sentences + 1)} - {*items})
    if missing:
        message = f"items that are not in the file: {listed(missing, _NAMED)}"
        checked.findings.append(Finding("missing id", message, len(missing)))
    empty = [item for item, text in zip(items, texts, strict=True) if text is None]
    if items and len(empty) == len(items):
        message = "not one item has a text: this is an unfilled template"
        checked.findings.append(Finding("no texts", message, len(empty)))
    elif empty:
        message = f"items without a text, which score 0: {listed(empty, _NAMED)}"
        checked.findings.append(Finding("empty text", message, len(empty), fault=False))


def _check_belonging(
    file: OutputFile,
    items: Sequence[int],
    inputs: Sequence[Sequence[str]],
    findings: list[Finding],
) -> None:
    lemmas = in_alphabetical_order(" ".join(words) for words in inputs)
    try:
        check_belongs(file, items, lemmas, "the task")
    except InputError as error:
        line = int((error.where or ":0").rpartition(":")[2])
        message = (
            "the texts resemble other items more than their own: is it the right treebank, in the "
            "right order?"
        )
        findings.append(Finding("other sentences", message, line=line))


def _check_copied(
    items: Sequence[int],
    texts: Sequence[str | None],
    inputs: Sequence[Sequence[str]],
    findings: list[Finding],
) -> None:
    counts: Counter[bool] = Counter()
    for item, text in zip(items, texts, strict=True):
        lemmas = inputs[item - 1]
        if text is not None and len(lemmas) >= LEAST_WORDS_TO_COPY:
            counts["".join(text.split()) == "".join("".join(lemmas).split())] += 1
    if counts[True] > LARGEST_SHARE_COPIED * counts.total():
        message = "texts that are the input's lemmas in the order of the input"
        findings.append(Finding("copied lemmas", message, counts[True], fault=False))
