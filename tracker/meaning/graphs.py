"""Graphs of meaning and probabilities of tokens: loaded, or files compared without a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import pyarrow as pa

from ...ingest.meaning.amr_files import AmrFile, read_amr_file
from ...ingest.meaning.matching import Parsed, match_graphs
from ...queries.meaning.form import TOLERANCE
from ...queries.meaning.matching import GraphPair, Rows, matcher, pair_rows
from ...queries.meaning.scoring import read_concept_vectors
from ...queries.meaning.signatures import MeaningSettings, meaning_signature
from ...queries.metrics import Signature
from ...schema.brief import Brief
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.parameters import (
    ItsCampaign,
    ItsTreebank,
    Language,
    OneFile,
    Option,
    Replace,
    Submission,
    System,
)
from ...schema.progress import Progress, silent
from ..api.given import Fields, settings_of
from ..api.loading import EvaluatedBy, Split, analyse_loaded

if TYPE_CHECKING:
    from ...ingest.formats import ScoreFile
    from ...ingest.meaning.loading import GoldGraphs, ParsedGraphs
    from ...ingest.scores.elsewhere import LoadedProbabilities
    from ..api.tracker import Tracker

AcceptBroken: TypeAlias = Annotated[bool, Option("Take a graph that is not sound for none.")]


def ingest_amr(
    tracker: Tracker,
    path: OneFile,
    *,
    treebank: Annotated[
        str | None, Option("Id of the treebank; else the file's name.", flag="--id")
    ] = None,
    language: Annotated[Language | None, Option("Language code of the sentences.")] = None,
    version: Annotated[str | None, Option("Version of the graphs, such as 1.6.")] = None,
    split: Split = None,
    campaign: EvaluatedBy = None,
    accept_broken: AcceptBroken = False,
    replace: Replace = False,
) -> GoldGraphs:
    """Load a FILE of gold meaning graphs as a treebank without trees.

    AMR in PENMAN notation ('# ::id', '# ::snt', then the graph), one graph a line, or a table with
    a column of graphs.

    Returns what became of them, see ``ingest.meaning.loading``.

    >>> db.ingest_amr("SAMPLE26/gold.amr", treebank="amr_dev", language="en").graphs
    42
    """
    from ...ingest.meaning.loading import SCHEME, ingest_gold_graphs
    from ...ingest.treebanks.names import name_treebank

    name = name_treebank(
        Path(path),
        treebank_id=treebank,
        language=language,
        version=version,
        split=split,
        scheme=SCHEME,
    )
    found = ingest_gold_graphs(
        tracker.database,
        Path(path),
        name,
        campaign_id=campaign,
        accept_broken=accept_broken,
        replace=replace,
    )
    analyse_loaded(tracker)
    return found


def ingest_graphs(
    tracker: Tracker,
    path: Annotated[Path | str | None, Option(argument=True, metavar="[FILE]")] = None,
    *,
    parser: Annotated[
        str | None, Option("What made the graphs, as name/version: jamr/2016.")
    ] = None,
    model: Annotated[
        Path | str | None, Option("Parse now, with this folder of an amrlib model.")
    ] = None,
    submission: Annotated[
        Submission | None,
        Option("Submission whose outputs were parsed: id or SYSTEM@3.", short="-s"),
    ] = None,
    system: Annotated[
        System | None, Option("Its system, where the submission is the only one it has.")
    ] = None,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    references: Annotated[
        str | None, Option("The treebank whose sentences were parsed, not outputs.")
    ] = None,
    quality_name: Annotated[
        str | None,
        Option(
            "Column, or key in '# ::NAME 0.93', of estimated quality, 0 to 1; else quality.",
            flag="--quality-column",
            metavar="NAME",
        ),
    ] = None,
    accept_broken: AcceptBroken = False,
    accept_mismatch: Annotated[bool, Option("Load graphs that come with other texts.")] = False,
    replace: Replace = False,
    progress: Progress = silent,
) -> ParsedGraphs:
    """Load a FILE of graphs that a parser made of outputs, or of reference sentences.

    Graphs find their sentences by '# ::id' (sent_id, or number from 0 or 1), else by '# ::snt',
    else by position. Several parsers stand side by side. Without FILE, --model parses.

    Returns what became of them, see ``ingest.meaning.loading``. Raises InputError unless one of
    ``submission``, ``system`` and ``references`` is given, and either ``path`` and ``parser`` or
    ``model``.

    >>> parsed = "SAMPLE26/parses/hasty/fluent.amr"
    >>> db.ingest_graphs(parsed, parser="hasty/2.0", submission="fluent").sentences
    42
    """
    from ...ingest.meaning import loading

    outputs = submission or system
    if (references is None) == (outputs is None):
        hint = "--submission, or --system and --treebank, or --references"
        raise InputError("either a submission or a treebank's references were parsed", hint=hint)
    if (path is None) == (model is None) or (path is None) == (parser is not None):
        hint = "either a FILE and its --parser, or a --model to parse with"
        raise InputError("where the graphs come from is not clear", hint=hint)
    if outputs is not None:
        outputs = tracker.resolve(outputs, treebank=treebank, campaign=campaign)
    with tracker.reading() if path is None else tracker.writing() as database:
        target = (
            loading.reference_target(database, references)
            if references is not None
            else loading.output_target(database, outputs or "")
        )
        if path is not None:
            options = loading.GraphOptions(
                parser or "", quality_name, accept_broken, accept_mismatch
            )
            return loading.ingest_graphs(database, Path(path), target, options, replace=replace)
    from ...ingest.meaning.amrlib_parser import AmrlibParser

    by = AmrlibParser(Path(model or ""))
    graphs = by.parse(target.parsed.texts, progress)
    with tracker.writing() as database:
        return loading.store_graphs(
            database, target, by.version, graphs, str(model), replace=replace
        )


def parse_graphs(
    tracker: Tracker,
    model: Path | str,
    *,
    submission: str | None = None,
    references: str | None = None,
    replace: bool = False,
    progress: Progress = silent,
) -> ParsedGraphs:
    """Parse a submission's outputs, or references, with the amrlib model in a folder.

    >>> db.parse_graphs("models/parse_xfm_bart_base", submission="fluent")  # doctest: +SKIP
    """
    return ingest_graphs(
        tracker,
        model=model,
        submission=submission,
        references=references,
        replace=replace,
        progress=progress,
    )


def ingest_probabilities(
    tracker: Tracker,
    path: Path | str,
    given: ScoreFile | Fields,
    *,
    model: str | None = None,
    tolerance: float = TOLERANCE,
    replace: bool = False,
) -> LoadedProbabilities:
    """Load token probabilities computed elsewhere, and score form, and MF, by them.

    ``given`` is what all rows are of, and which columns are called otherwise; ``model`` is the
    language model of all rows. See ``ingest.scores.elsewhere``; what goes wrong leaves nothing
    behind.

    >>> db.ingest_probabilities("gpt2.csv", {"campaign_id": "SAMPLE26"}, model="GPT-2").new
    44
    """
    from ...ingest.formats import ScoreFile
    from ...ingest.scores.elsewhere import ingest_probabilities
    from ...queries.meaning.form.scoring import check_tolerance, score_external_model
    from ...queries.meaning.mf import score_mf

    check_tolerance(tolerance)
    whose = settings_of(ScoreFile, given)
    with tracker.database.transaction():
        loaded = ingest_probabilities(
            tracker.database, Path(path), whose, model=model, replace=replace
        )
        scored = [
            score_external_model(tracker.database, label, None, tolerance).submissions
            for label in loaded.models
        ]
        mf = score_mf(tracker.database)
    return replaced(loaded, submissions=sum(scored), mf=mf)


WHOLE = ("all",)


@dataclass(frozen=True, repr=False)
class GraphComparison(Brief):
    """What the graphs of a file share with those of a gold file."""

    rows: pa.Table
    """Columns: aspect, f1, precision, recall (0 to 1; NULL where there is nothing to share),
    matched, triples, gold_triples, without_graph, unproved, gap; of pairs also pair (from 1) and
    id, of the corpus mean_f1 (of the pairs) and pairs."""
    way: str
    """How the graphs found their pairs."""
    left_out: Sequence[str]
    """Broken gold graphs, each with file:line."""
    signature: Signature


def compare_files(
    output: Path,
    gold: Path,
    settings: MeaningSettings,
    *,
    by: Rows = "corpus",
    aspects: Sequence[str] = WHOLE,
    accept_broken: bool = False,
    accept_mismatch: bool = False,
    workers: int = 1,
    progress: Progress = silent,
) -> GraphComparison:
    """Compare the graphs of two files, in pairs found by id, text or position.

    Every gold graph is one of a pair; without an output its triples count against recall. With
    ``accept_broken`` a broken output counts as none, and a pair with a broken gold graph is left
    out. Aspects other than ``all`` cannot be had with vectors.

    Raises InputError (file:line) for broken files and graphs of other sentences.
    """
    if settings.vectors is not None and set(aspects) != set(WHOLE):
        raise InputError(
            "aspects of meaning are counted without vectors",
            hint="leave out --vectors, or --aspects",
        )
    theirs = read_amr_file(gold, accept_broken=accept_broken)
    ours = read_amr_file(output, accept_broken=accept_broken)
    ids = [graph.graph_id for graph in theirs.graphs]
    if not any(ids):
        ours = _without_ids(ours)
    parsed = Parsed(f"'{gold}'", ids, [graph.text for graph in theirs.graphs])
    numbers, way = match_graphs(ours, parsed, accept_mismatch=accept_mismatch)
    of_pair = dict(zip(numbers, ours.graphs, strict=True))
    pairs = [
        GraphPair(number, of_pair[number].penman if number in of_pair else None, graph.penman)
        for number, graph in enumerate(theirs.graphs, start=1)
        if graph.penman is not None
    ]
    if not pairs:
        raise InputError("no gold graph is sound", where=str(gold))
    vectors = read_concept_vectors(settings, pairs)
    with matcher(settings, vectors, pairs=len(pairs), workers=workers, aspects=aspects) as match:
        found = match(pairs, progress, output.name)
    return GraphComparison(
        rows=pair_rows(found, ids, by),
        way=way,
        left_out=[
            f"{theirs.where(item)}: {graph.flag or 'no graph'}"
            for item, graph in enumerate(theirs.graphs)
            if graph.penman is None
        ],
        signature=meaning_signature(
            settings.metrics[0],
            settings,
            treebank_id=gold.name,
            treebank_sha256=content_hash(*(pair.gold for pair in pairs)),
        ),
    )


def _without_ids(file: AmrFile) -> AmrFile:
    graphs = [
        replace(graph, metadata={k: v for k, v in graph.metadata.items() if k != "id"})
        for graph in file.graphs
    ]
    return replace(file, graphs=graphs)
