"""Parsed graphs → the sentences they are of, by id, number, text or position; amrlib as parser."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from ...schema.brief import plural
from ...schema.errors import InputError, MissingDependencyError, first_line
from ...schema.files import model_fingerprint, single_line
from ...schema.progress import Progress, silent
from ..records import check_once
from .amr_files import AmrFile, AmrGraph, read_amr_text

# Texts that are this much alike (0 to 100) are the same sentence, written otherwise.
LEAST_LIKENESS = 70
LEAST_AGREEMENT = 0.75
_WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Parsed:
    """What was parsed: the sentences of a treebank, or the outputs of a submission, in order."""

    name: str
    """Such as treebank 'little-prince'."""
    sent_ids: Sequence[str | None]
    texts: Sequence[str | None]
    """None where there is no text to parse, or where it is hidden."""


Matching = tuple[list[int], str]
"""The sentence_no of each graph, and how it was found."""


def match_graphs(file: AmrFile, parsed: Parsed, *, accept_mismatch: bool = False) -> Matching:
    """Return which sentence each graph of a file is of.

    Where every graph has an ``::id``: by sent_id, else by number, counted from 1 or from 0. Else by
    the text ``::snt``, whatever its blanks and case: equal texts in order. Else by position: as
    many graphs as there are sentences, or texts.

    Raises InputError (file:line) for unknown and repeated ids, counts that differ, numbers that may
    count from 0 or 1, and, unless ``accept_mismatch``, where more than a quarter of the texts given
    with the graphs are other texts than those of their sentences.
    """
    ids = [graph.graph_id for graph in file.graphs]
    if all(ids):
        matching = _by_id(file, [name or "" for name in ids], parsed)
    else:
        matching = _by_text(file, parsed) or _by_position(file, parsed)
    if not accept_mismatch:
        _check_texts(file, matching[0], parsed)
    return matching


def _by_id(file: AmrFile, ids: Sequence[str], parsed: Parsed) -> Matching:
    numbers = {
        sent_id: number for number, sent_id in enumerate(parsed.sent_ids, start=1) if sent_id
    }
    way = "by id"
    if not any(name in numbers for name in ids):
        first = _first_number(file, ids, parsed)
        if first is not None:
            count = len(parsed.sent_ids)
            numbers = {str(number - 1 + first): number for number in range(1, count + 1)}
            ids = [str(int(name)) for name in ids]
            way = f"by number, counted from {first}"
    for item, name in enumerate(ids):
        if name not in numbers:
            raise InputError(
                f"{parsed.name} has no sentence '{name}'",
                where=file.where(item),
                hint="ids are the treebank's sent_ids, or numbers; is it the right treebank?",
            )
    hint = "keep one of them; load another parser's graphs under its own name"
    check_once(file, ids, lambda name: f"sentence '{name}' has two graphs", hint)
    return [numbers[name] for name in ids], way


def _first_number(file: AmrFile, ids: Sequence[str], parsed: Parsed) -> int | None:
    """Return whether numbers count from 0 or from 1, None where they are no sentences' numbers."""
    if not all(_WHOLE_NUMBER.fullmatch(name) for name in ids):
        return None
    numbers = [int(name) for name in ids]
    count = len(parsed.sent_ids)
    fitting = [first for first in (1, 0) if min(numbers) >= first and max(numbers) < count + first]
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    from_one, from_zero = (
        sum(
            graph.text is not None and _key(graph.text) == _key(parsed.texts[number - first])
            for graph, number in zip(file.graphs, numbers, strict=True)
        )
        for first in fitting
    )
    if from_one == from_zero:
        raise InputError(
            "the ids are numbers that may count from 0 or from 1",
            where=file.where(0),
            hint="write the sent_ids, or '# ::snt' with the texts",
        )
    return 1 if from_one > from_zero else 0


def _by_text(file: AmrFile, parsed: Parsed) -> Matching | None:
    """Return the matching by text; None where texts do not tell, but positions may.

    Raises InputError where they do not and there are not as many graphs as sentences either.
    """
    if not all(graph.text for graph in file.graphs) or not any(parsed.texts):
        return None
    waiting: dict[str, list[int]] = defaultdict(list)
    for number, text in reversed(list(enumerate(parsed.texts, start=1))):
        if text is not None:
            waiting[_key(text)].append(number)
    numbers = []
    for item, graph in enumerate(file.graphs):
        places = waiting.get(_key(graph.text))
        if places:
            numbers.append(places.pop())
        elif len(file.graphs) in (
            len(parsed.texts),
            sum(text is not None for text in parsed.texts),
        ):
            return None
        else:
            raise InputError(
                f"{parsed.name} has no sentence '{_shortened(graph)}', or not so often",
                where=file.where(item),
                hint="graphs without ::id are matched by ::snt, the text that was parsed",
            )
    return numbers, "by text"


def _by_position(file: AmrFile, parsed: Parsed) -> Matching:
    with_text = [number for number, text in enumerate(parsed.texts, start=1) if text is not None]
    if len(file.graphs) == len(parsed.texts):
        return list(range(1, len(parsed.texts) + 1)), "by position"
    if len(file.graphs) == len(with_text):
        return with_text, "by position among the sentences that have a text"
    raise InputError(
        f"the file has {plural(len(file.graphs), 'graph')}, {parsed.name} has "
        f"{plural(len(parsed.texts), 'sentence')}",
        where=file.source,
        hint="graphs without ::id and ::snt are matched by position: one for every sentence",
    )


def _check_texts(file: AmrFile, numbers: Sequence[int], parsed: Parsed) -> None:
    compared, unlike = 0, []
    for item, (graph, number) in enumerate(zip(file.graphs, numbers, strict=True)):
        text = parsed.texts[number - 1]
        if graph.text is not None and text is not None:
            compared += 1
            if fuzz.ratio(_key(graph.text), _key(text)) < LEAST_LIKENESS:
                unlike.append(item)
    if len(unlike) > (1 - LEAST_AGREEMENT) * compared:
        raise InputError(
            f"the graphs are not of {parsed.name}: the texts of {len(unlike)} of {compared} are "
            f"other texts, such as '{_shortened(file.graphs[unlike[0]])}'",
            where=file.where(unlike[0]),
            hint="check the treebank, the submission and the order of the file; "
            "--accept-mismatch loads it anyway",
        )


def _key(text: str | None) -> str:
    return "".join((text or "").lower().split())


def _shortened(graph: AmrGraph) -> str:
    text = graph.text or ""
    return text if len(text) <= 60 else f"{text[:60]}…"


TEXTS_AT_ONCE = 200
_META_FILE = "amrlib_meta.json"


class AmrlibParser:
    """Parses sentences into meaning graphs with amrlib."""

    name = "amrlib"

    def __init__(self, model: Path) -> None:
        """Load a model.

        `model` is the folder of one of amrlib's sentence-to-graph models.

        Raises:
            MissingDependencyError: amrlib, or what its model needs, is not installed.
            InputError: The folder holds no such model.
        """
        # A model may name its tokeniser alone; it must not be fetched behind the user's back.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            amrlib = import_module("amrlib")
        except ImportError as error:
            raise MissingDependencyError(
                "parsing into meaning graphs needs the package amrlib",
                hint="pip install amrlib torch transformers; or parse elsewhere and load the file",
            ) from error
        if not (model / _META_FILE).is_file():
            raise InputError(
                f"the folder holds no amrlib model: {_META_FILE} is missing",
                where=str(model),
                hint="unpack one of amrlib's sentence-to-graph (stog) models",
            )
        try:
            self._model: Any = amrlib.load_stog_model(model_dir=str(model))
        except ImportError as error:
            raise MissingDependencyError(
                f"amrlib cannot load its model: {first_line(error)}",
                where=str(model),
                hint="install what the model needs: torch, transformers",
            ) from error
        except (OSError, ValueError, KeyError, RuntimeError, EOFError) as error:
            raise InputError(
                f"amrlib cannot load its model: {first_line(error)}",
                where=str(model),
                hint="is it a whole sentence-to-graph (stog) model, its tokeniser included?",
            ) from error
        self.version = f"{self.name}/{amrlib.__version__}+{model_fingerprint(model)}"

    def parse(
        self, texts: Sequence[str | None], progress: Progress = silent
    ) -> list[AmrGraph | None]:
        """Return a graph for each text, None where there is no text or the parser gives none.

        A graph that is not sound counts as none, flagged with what is wrong.
        """
        graphs: list[AmrGraph | None] = [None] * len(texts)
        filled = [item for item, text in enumerate(texts) if text and text.strip()]
        for start in range(0, len(filled), TEXTS_AT_ONCE):
            progress(f"parsing with {self.name}", start, len(filled))
            items = filled[start : start + TEXTS_AT_ONCE]
            lines = [single_line(texts[item] or "") for item in items]
            parses = self._model.parse_sents(lines, add_metadata=False)
            for item, parse in zip(items, parses, strict=True):
                if parse and parse.strip():
                    where = f"{self.name}:{item + 1}"
                    graphs[item] = read_amr_text(parse, where)
        return graphs
