"""Loading graphs of meaning, by people and by parsers, and token probabilities."""

from __future__ import annotations

from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ...queries.meaning.form import TOLERANCE
from ...schema.errors import InputError
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
from ..api.loading import EvaluatedBy, Split, analyse_loaded
from ..api.methods import Fields, settings_of

if TYPE_CHECKING:
    from ...ingest.meaning import GoldGraphs, ParsedGraphs
    from ...ingest.scores import ScoreFile
    from ...ingest.scores.elsewhere import LoadedProbabilities
    from ..api.tracker import Tracker

AcceptBroken: TypeAlias = Annotated[bool, Option("Load an unsound graph as a missing one.")]


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

    Returns what became of them, see ``ingest.meaning``.

    >>> db.ingest_amr("SAMPLE26/gold.amr", treebank="amr_dev", language="en").graphs
    42
    """
    from ...ingest.meaning import SCHEME, ingest_gold_graphs
    from ...ingest.names import name_treebank

    name = name_treebank(
        Path(path),
        treebank_id=treebank,
        language=language,
        version=version,
        split=split,
        scheme=SCHEME,
    )
    report = ingest_gold_graphs(
        tracker.database,
        Path(path),
        name,
        campaign_id=campaign,
        accept_broken=accept_broken,
        replace=replace,
    )
    analyse_loaded(tracker)
    return report


def ingest_graphs(
    tracker: Tracker,
    path: Annotated[Path | str | None, Option(argument=True, metavar="[FILE]")] = None,
    *,
    parser: Annotated[
        str | None, Option("Parser that made the graphs, as name/version: jamr/2016.")
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
    accept_mismatch: Annotated[bool, Option("Load graphs even where their texts differ.")] = False,
    replace: Replace = False,
    progress: Progress = silent,
) -> ParsedGraphs:
    """Load a FILE of graphs that a parser made of outputs, or of reference sentences.

    Graphs are matched to their sentences by '# ::id' (sent_id, or number from 0 or 1), else by '#
    ::snt', else by position. Graphs of several parsers are stored side by side. Without FILE,
    --model parses.

    Returns what became of them, see ``ingest.meaning``. Raises InputError unless one of
    ``submission``, ``system`` and ``references`` is given, and either ``path`` and ``parser`` or
    ``model``.

    >>> parsed = "SAMPLE26/parses/hasty/fluent.amr"
    >>> db.ingest_graphs(parsed, parser="hasty/2.0", submission="fluent").sentences
    42
    """
    from ...ingest import meaning

    outputs = submission or system
    if (references is None) == (outputs is None):
        hint = "--submission, or --system and --treebank, or --references"
        raise InputError("either a submission or a treebank's references were parsed", hint=hint)
    if (path is None) == (model is None) or (path is None) == (parser is not None):
        hint = "either a FILE and its --parser, or a --model to parse with"
        raise InputError("the source of the graphs is not named", hint=hint)
    if outputs is not None:
        outputs = tracker.resolve(outputs, treebank=treebank, campaign=campaign)
    with tracker.reading() if path is None else tracker.writing() as database:
        target = (
            meaning.reference_target(database, references)
            if references is not None
            else meaning.output_target(database, outputs or "")
        )
        if path is not None:
            options = meaning.GraphOptions(
                parser or "", quality_name, accept_broken, accept_mismatch
            )
            return meaning.ingest_graphs(database, Path(path), target, options, replace=replace)
    from ...ingest.meaning.matching import AmrlibParser

    by = AmrlibParser(Path(model or ""))
    graphs = by.parse(target.parsed.texts, progress)
    with tracker.writing() as database:
        return meaning.store_graphs(
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
    from ...ingest.scores import ScoreFile
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
