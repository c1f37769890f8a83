"""Comparing pairs of graphs, here or in other processes, and what makes scores comparable."""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import duckdb
import penman
import pyarrow as pa

from ...schema.errors import InputError, check_choices
from ...schema.files import model_fingerprint
from ...schema.parameters import Option
from ...schema.progress import Progress
from ...schema.statements import fetch_table, statement
from ...schema.temporary import table_of
from ..catalog import macros
from ..metrics import Signature, composed_signature
from .functions.graph_alignment import TIME_LIMIT, align_graphs
from .functions.graph_aspects import ASPECTS, Vectors, aspect_counts, similarity_of
from .functions.graph_candidates import RESTARTS, SEED, climb_graphs
from .functions.graph_triples import (
    TOP_CONVENTIONS,
    GraphError,
    GraphTriples,
    TopConvention,
    read_triples,
)

VERSION = "1"
SMATCH = ("smatch", "smatch_precision", "smatch_recall")
S2MATCH = ("s2match",)
Mode: TypeAlias = Literal["exact", "climbing"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class MeaningSettings:
    """How graphs are compared. Raises InputError for values that make no sense."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "mf2021": {"top": "graded", "threshold": 0.5, "sense_weight": 0.5}
    }
    """Settings of papers: Opitz & Frank 2021, section 3.2, S2match as its program has it."""

    parser: Annotated[
        str,
        Option("Parser that made the graphs, as name/version.", default="the only one there is"),
    ] = ""
    mode: Annotated[
        Mode, Option("How graphs are aligned: proved to be the best, or by hill climbing.")
    ] = "exact"
    time_limit: Annotated[
        float, Option("Seconds for a pair of graphs; results not proved by then are marked.")
    ] = TIME_LIMIT
    top: Annotated[
        TopConvention,
        Option("How the top of a graph counts; graded: similar concepts in part, with --vectors."),
    ] = "concept"
    vectors: Annotated[
        Path | None,
        Option(
            "S2match: word vectors, a file in GloVe's format or a sentence-transformers folder."
        ),
    ] = None
    threshold: Annotated[
        float,
        Option("S2match: cosine that different concepts must exceed to count as similar."),
    ] = 0.5
    sense_weight: Annotated[
        float,
        Option(
            "S2match: weight of concepts that differ in sense, or where only one is a predicate."
        ),
    ] = 0.5
    quality: Annotated[
        float | None,
        Option("Leave out sentences where a parse has a lower estimate of quality, such as 0.95."),
    ] = None

    def __post_init__(self) -> None:
        check_choices(
            ("way to align graphs", self.mode, MODES),
            ("way to count the top", self.top, TOP_CONVENTIONS),
        )
        if not self.time_limit > 0:
            raise InputError(f"{self.time_limit:g} seconds are no time limit", hint="more than 0")
        for name in ("threshold", "sense_weight", "quality"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"{value:g} is no {name.replace('_', ' ')}", hint="from 0 to 1")
        if self.vectors is not None and not self.vectors.exists():
            raise InputError("there are no vectors", where=str(self.vectors))

    @cached_property
    def parameters(self) -> dict[str, str]:
        """What the signature says of them, sentences that are left out apart."""
        top = "concept" if self.vectors is None and self.top == "graded" else self.top
        values = {"parser": self.parser, "top": top, "mode": self.mode}
        if self.mode == "exact":
            values["time-limit"] = f"{self.time_limit:g}"
        else:
            values["restarts"], values["seed"] = str(RESTARTS), str(SEED)
        if self.vectors is not None:
            values["vectors"] = model_fingerprint(self.vectors.resolve())
            values["threshold"] = f"{self.threshold:g}"
            values["sense-weight"] = f"{self.sense_weight:g}"
            values["several-words"] = "summed"
        return values

    @property
    def for_all_sentences(self) -> MeaningSettings:
        """The same, without a bound of quality."""
        return replace(self, quality=None)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that graphs compared like this give; the first one stores the matches."""
        return SMATCH if self.vectors is None else S2MATCH


def meaning_signature(
    metric: str,
    settings: MeaningSettings,
    *,
    treebank_id: str,
    treebank_sha256: str,
    left_out: Collection[int] = (),
) -> Signature:
    """Return what makes scores of outputs for a treebank comparable.

    ``left_out`` has the sentences with a parse of too low quality: scores over others differ.
    """
    parameters = dict(settings.parameters)
    if settings.quality is not None:
        numbers = ",".join(str(number) for number in sorted(left_out))
        digest = hashlib.sha256(numbers.encode()).hexdigest()
        parameters["quality"] = f"{settings.quality:g}"
        parameters["left-out"] = f"{len(left_out)}@{digest[:12]}"
    return composed_signature(
        metric,
        parameters=parameters,
        text_level="graphs",
        tokeniser="none",
        versions={"metric": VERSION, "penman": penman.__version__},
        treebank_id=treebank_id,
        data_sha256=treebank_sha256,
    )


NO_GRAPH = "no graph"
PAIRS_PER_TASK = 20
MANY_PAIRS = 5000
_EMPTY = GraphTriples((), (), (), ())


class GraphPair(NamedTuple):
    """The graphs of a sentence."""

    sentence_no: int
    parsed: str | None
    """What a parser made of the output, or of the reference; None where it made none."""
    gold: str


class MatchRow(NamedTuple):
    """What two graphs share in one aspect."""

    sentence_no: int
    aspect: str
    matched: float
    parsed_triples: int
    gold_triples: int
    status: str
    gap: float | None


Match: TypeAlias = Callable[[Sequence[GraphPair], Progress, str], list[MatchRow]]
"""Returns the rows of some pairs in their order; the text is what the progress is about."""


@contextmanager
def matcher(
    settings: MeaningSettings,
    vectors: Vectors | None,
    *,
    pairs: int,
    workers: int,
    aspects: Sequence[str] = ASPECTS,
) -> Iterator[Match]:
    """Give a function that compares pairs of graphs in some aspects; with vectors in ``all`` alone.

    It uses as many processes as ``workers`` says, where there are MANY_PAIRS or more to compare in
    all; what it returns does not depend on that. It raises InputError for a text that is no graph.
    """
    compare = _Comparison(settings, vectors, aspects if vectors is None else ("all",))
    if workers == 1 or pairs < MANY_PAIRS:
        yield lambda some, progress, item: _collect(
            map(compare, _tasks(some)), len(some), progress, item
        )
        return
    others = active_children()
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_start, initargs=(compare,)
    )
    try:
        yield lambda some, progress, item: _collect(
            pool.map(_compare, _tasks(some)), len(some), progress, item
        )
    except BaseException:
        for worker in set(active_children()).difference(others):
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def match_table(rows: Sequence[MatchRow]) -> pa.Table:
    """Return rows as a table."""
    texts, counts, shares = pa.string(), pa.int32(), pa.float64()
    kinds = (counts, texts, shares, counts, counts, texts, shares)
    return table_of(rows, **dict(zip(MatchRow._fields, kinds, strict=True)))


def _tasks(pairs: Sequence[GraphPair]) -> list[Sequence[GraphPair]]:
    return [pairs[start : start + PAIRS_PER_TASK] for start in range(0, len(pairs), PAIRS_PER_TASK)]


def _collect(
    results: Iterator[list[MatchRow]], pairs: int, progress: Progress, item: str
) -> list[MatchRow]:
    rows: list[MatchRow] = []
    progress(item, 0, pairs)
    for number, result in enumerate(results, start=1):
        rows += result
        progress(item, min(number * PAIRS_PER_TASK, pairs), pairs)
    return rows


@dataclass(frozen=True)
class _Comparison:
    """Compares pairs of graphs; it can be sent to another process."""

    settings: MeaningSettings
    vectors: Vectors | None
    aspects: Sequence[str]

    def __call__(self, pairs: Sequence[GraphPair]) -> list[MatchRow]:
        """Return a row for each pair and aspect."""
        settings = self.settings
        similarity = (
            None
            if self.vectors is None
            else similarity_of(self.vectors, settings.threshold, settings.sense_weight)
        )
        align = (
            partial(align_graphs, time_limit=settings.time_limit)
            if settings.mode == "exact"
            else climb_graphs
        )
        rows: list[MatchRow] = []
        for sentence_no, parsed, gold in pairs:
            counts_of = aspect_counts(
                _EMPTY if parsed is None else _read(parsed, settings, sentence_no),
                _read(gold, settings, sentence_no),
                self.aspects,
                align,
                similarity=similarity,
            )
            for aspect, counts in counts_of.items():
                status, gap = (NO_GRAPH, None) if parsed is None else (counts.status, counts.gap)
                rows.append(MatchRow(sentence_no, aspect, *counts[:3], status, gap))
        return rows


_comparison: _Comparison | None = None
"""What this process does, where it was started to compare graphs."""


def _start(comparison: _Comparison) -> None:
    """Prepare a process that was started to compare graphs; Ctrl-C ends it without a word."""
    global _comparison
    _comparison = comparison
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _compare(pairs: Sequence[GraphPair]) -> list[MatchRow]:
    if _comparison is None:
        raise RuntimeError("the process was not started to compare graphs")
    return _comparison(pairs)


def _read(text: str, settings: MeaningSettings, sentence_no: int) -> GraphTriples:
    try:
        return read_triples(text, top=settings.top)
    except GraphError as error:
        raise InputError(
            f"this is no graph: {error}",
            where=f"sentence {sentence_no}, {text[:60]}",
            hint="load the graphs again, with --replace",
        ) from error


Rows: TypeAlias = Literal["corpus", "pair"]
ROWS: tuple[Rows, ...] = get_args(Rows)
_OF_ROWS: dict[Rows, tuple[str, ...]] = {"corpus": ("pair", "id"), "pair": ("pairs", "mean_f1")}
"""Columns that say nothing of such rows."""


def pair_rows(matches: Sequence[MatchRow], ids: Sequence[str | None], by: Rows) -> pa.Table:
    """Return one row per aspect of the corpus, or per pair and aspect; ``ids`` are the pairs'."""
    overlap = next(macro.text for macro in macros() if macro.name == "graph_overlap")
    pairs = table_of(enumerate(ids, start=1), sentence_no=pa.int32(), id=pa.string())
    with duckdb.connect() as connection:
        connection.execute(overlap)
        connection.register("graph_match_rows", match_table(matches))
        connection.register("graph_pair", pairs)
        rows = fetch_table(
            connection, statement("compare_graph_files"), {"by": by, "aspects": list(ASPECTS)}
        )
    return rows.drop_columns(list(_OF_ROWS[by]))
