"""Loading files: treebanks, references, graphs, human scores, judgements, whole campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from ...queries.meaning.form import TOLERANCE
from ...schema.errors import InputError
from ...schema.names import resolve_treebank
from ...schema.parameters import Option, Replace, Treebank
from ...schema.progress import Progress, silent
from ...schema.selection import passing
from .given import Fields, Judging, ScoreColumns, settings_of

if TYPE_CHECKING:
    from ...ingest.campaigns.loading import Report
    from ...ingest.formats import ScoreFile
    from ...ingest.graphs.loading import GoldGraphs, ParsedGraphs, Target
    from ...ingest.judgements.loading import JudgementReport
    from ...ingest.outputs.challenges import LoadedChallenge
    from ...ingest.scores.probabilities import LoadedProbabilities
    from ...ingest.treebanks.parsed_references import Parsed
    from ...schema.database import Database
    from . import Tracker


def ingest_campaign(
    tracker: Tracker, manifest: Path | str, *, replace: bool = False, progress: Progress = silent
) -> Report:
    """Load everything a campaign.toml names; see ``ingest.campaigns.loading``.

    >>> db.ingest_campaign("SAMPLE24/campaign.toml").judgements
    1044
    """
    from ...ingest.campaigns.loading import ingest_campaign
    from ...ingest.campaigns.manifest import read_manifest

    report = ingest_campaign(
        tracker.database,
        read_manifest(Path(manifest)),
        tracker.analyser_of,
        replace=replace,
        progress=progress,
    )
    analyse_loaded(tracker)
    return report


def ingest_treebank(
    tracker: Tracker,
    path: Path | str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
    without: Sequence[str] = (),
    language: str | None = None,
    version: str | None = None,
    split: str | None = None,
    scheme: str | None = None,
    sources: Path | str | None = None,
    documents: Path | str | None = None,
    replace: bool = False,
) -> tuple[str, bool]:
    """Load a treebank and return its id and whether anything changed.

    Language, version, split and scheme are given where the file's name does not tell them;
    ``sources`` and ``documents`` are files of ``ingest.treebanks.sources``.

    >>> db.ingest_treebank("treebanks/de_sample-ud-train.conllu", version="1.0")
    ('de_sample-ud1.0-train', True)
    """
    from ...ingest.treebanks.loading import ingest_treebank, named_before
    from ...ingest.treebanks.names import name_treebank

    name = name_treebank(
        Path(path),
        treebank_id=treebank,
        language=language,
        version=version,
        split=split,
        scheme=scheme,
    )
    if treebank is None:
        name = named_before(tracker.database, Path(path), name, without)
    with tracker.database.transaction():
        changed = ingest_treebank(
            tracker.database,
            Path(path),
            name,
            campaign_id=campaign,
            without=without,
            replace=replace,
        )
        changed |= _ingest_sources(tracker, name.treebank_id, sources, documents, replace=replace)
    analyse_loaded(tracker)
    return name.treebank_id, changed


def ingest_references(
    tracker: Tracker,
    path: Path | str,
    *,
    treebank: str | None = None,
    language: str | None = None,
    campaign: str | None = None,
    sources: Path | str | None = None,
    documents: Path | str | None = None,
    alternative: str | None = None,
    replace: bool = False,
) -> tuple[str, bool]:
    """Load reference sentences without trees; return their id and whether anything changed.

    See ``ingest.treebanks.test_sets``; ``sources`` and ``documents`` are files of
    ``ingest.treebanks.sources``. With ``alternative``, a name such as refB, they are other
    references of the treebank, which is loaded already
    (``ingest.treebanks.sources``).

    >>> db.ingest_references("news.txt", treebank="news25.de", language="de")
    ('news25.de', True)
    """
    from ...ingest.treebanks.names import name_treebank
    from ...ingest.treebanks.sources import ingest_alternative
    from ...ingest.treebanks.test_sets import ingest_references
    from ...schema.keys import TEXT_SCHEME

    if alternative is not None:
        if treebank is None or any((language, campaign, sources, documents)):
            raise InputError(
                "other references are of a treebank that is loaded, and nothing else is said of it",
                hint="name it, and load language, campaign, sources and documents with the first",
            )
        treebank = resolve_treebank(tracker.database, treebank)
        with tracker.database.transaction():
            changed = ingest_alternative(
                tracker.database,
                Path(path),
                treebank_id=treebank,
                reference_name=alternative,
                replace=replace,
            )
        return treebank, changed
    name = name_treebank(Path(path), treebank_id=treebank, language=language, scheme=TEXT_SCHEME)
    with tracker.database.transaction():
        changed = ingest_references(
            tracker.database, Path(path), name, campaign_id=campaign, replace=replace
        )
        changed |= _ingest_sources(tracker, name.treebank_id, sources, documents, replace=replace)
    analyse_loaded(tracker)
    return name.treebank_id, changed


def parse(
    tracker: Tracker,
    treebank: Treebank,
    *,
    analyser: Annotated[
        str, Option("What parses.", choices=("udpipe", "stanza", "spacy"))
    ] = "udpipe",
    model: Annotated[Path | str | None, Option("Path of its model.")] = None,
    outputs: Annotated[
        bool,
        Option("Leave the words of outputs as they are.", flag="--references-only", negates=True),
    ] = True,
    replace: Replace = False,
    undo: Annotated[bool, Option("Take the trees that a parser made away again.")] = False,
    progress: Progress = silent,
) -> Parsed:
    """Give the references of TREEBANK, a test set of plain text, the trees of a parser.

    The outputs for it are analysed in the same way. Scores of lemmas and edges, complexity and
    error mining work on it then, as far as the parser is right: 'tracker score' computes them.

    Returns what was parsed, see ``ingest.treebanks.parsed_references``.

    >>> news = db.ingest_references("news.txt", treebank="news25.en", language="en")
    >>> db.parse("news25.en", model="english-ewt.udpipe")  # doctest: +SKIP
    """
    from ...ingest.analysers import analyser_factory
    from ...ingest.treebanks.parsed_references import forget_parsed, parse_references

    treebank_id = resolve_treebank(tracker.database, treebank)
    if undo:
        done = forget_parsed(tracker.database, treebank_id)
    else:
        if analyser == "reference":
            raise InputError(
                "the analyser 'reference' learns from trees, and makes none",
                hint="take udpipe, stanza or spacy, with a model",
            )
        make = analyser_factory(tracker.database, analyser, None if model is None else Path(model))
        done = parse_references(
            tracker.database,
            treebank_id,
            make(treebank_id),
            outputs=outputs,
            replace=replace,
            progress=progress,
        )
    analyse_loaded(tracker)
    return done


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
    language model of all rows. See ``ingest.scores.probabilities``; what goes wrong leaves nothing
    behind.

    >>> db.ingest_probabilities("gpt2.csv", {"campaign_id": "SAMPLE26"}, model="GPT-2").new
    44
    """
    from ...ingest.formats import ScoreFile
    from ...ingest.scores.probabilities import ingest_probabilities
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


def ingest_amr(
    tracker: Tracker,
    path: Path | str,
    *,
    treebank: str | None = None,
    language: str | None = None,
    version: str | None = None,
    split: str | None = None,
    campaign: str | None = None,
    accept_broken: bool = False,
    replace: bool = False,
) -> GoldGraphs:
    """Load gold meaning graphs as a treebank; see ``ingest.graphs.loading``.

    >>> db.ingest_amr("SAMPLE26/gold.amr", treebank="amr_dev", language="en").graphs
    42
    """
    from ...ingest.graphs.loading import SCHEME, ingest_gold_graphs
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
    path: Path | str,
    *,
    parser: str,
    submission: str | None = None,
    references: str | None = None,
    quality_name: str | None = None,
    accept_broken: bool = False,
    accept_mismatch: bool = False,
    replace: bool = False,
) -> ParsedGraphs:
    """Load a parser's graphs of a submission's outputs, or of a treebank's references.

    See ``ingest.graphs.loading.GraphOptions``. Raises InputError unless one of ``submission`` and
    ``references`` is given.

    >>> parsed = "SAMPLE26/parses/hasty/fluent.amr"
    >>> db.ingest_graphs(parsed, parser="hasty/2.0", submission="fluent").sentences
    42
    """
    from ...ingest.graphs import loading

    options = loading.GraphOptions(parser, quality_name, accept_broken, accept_mismatch)
    target = _parsed(tracker.database, submission, references)
    return loading.ingest_graphs(tracker.database, Path(path), target, options, replace=replace)


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
    from ...ingest.graphs.amrlib_parser import AmrlibParser
    from ...ingest.graphs.loading import store_graphs

    with tracker.reading() as database:
        target = _parsed(database, submission, references)
    parser = AmrlibParser(Path(model))
    graphs = parser.parse(target.parsed.texts, progress)
    with tracker.writing() as database:
        return store_graphs(database, target, parser.version, graphs, str(model), replace=replace)


def ingest_scores(
    tracker: Tracker,
    path: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    replace: bool = False,
    **fixed: Unpack[ScoreColumns],
) -> int:
    """Load sentence-level human scores and return how many are new.

    ``columns`` maps fields to the file's columns; ``fixed`` may give campaign_id, system_id,
    treebank_id, submission_id and criterion for the whole file.

    >>> db.ingest_scores("naturalness.csv", campaign_id="SAMPLE25", system_id="ngram")
    2
    """
    from ...ingest.formats import ScoreFile
    from ...ingest.judgements.human_scores import ingest_human_scores

    return ingest_human_scores(
        tracker.database, Path(path), ScoreFile(columns or {}, **fixed), replace=replace
    )


def ingest_judgements(
    tracker: Tracker,
    path: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    campaign: str = "local",
    replace: bool = False,
    **details: Unpack[Judging],
) -> JudgementReport:
    """Load raw judgements and return what became of them.

    ``columns`` maps fields to the file's columns; ``details`` may give any other field of
    ``ingest.judgements.columns.JudgementFile``, such as layout, criterion, kinds and register.

    >>> db.ingest_judgements("SAMPLE25/human/judgements.csv", campaign="SAMPLE25")
    JudgementReport(new=0, unchanged=2784, left_out=0)
    """
    from ...ingest.judgements.loading import JudgementFile, ingest_judgements

    given = JudgementFile(columns or {}, campaign_id=campaign, **details)
    report = ingest_judgements(tracker.database, Path(path), given, replace=replace)
    analyse_loaded(tracker)
    return report


def _ingest_sources(
    tracker: Tracker,
    treebank: str,
    sources: Path | str | None,
    documents: Path | str | None,
    *,
    replace: bool,
) -> bool:
    from ...ingest.treebanks.sources import ingest_sources

    return ingest_sources(
        tracker.database,
        treebank,
        sources=None if sources is None else Path(sources),
        documents=None if documents is None else Path(documents),
        replace=replace,
    )


def _parsed(database: Database, submission: str | None, references: str | None) -> Target:
    from ...ingest.graphs.loading import output_target, reference_target

    if submission is not None and references is None:
        return output_target(database, submission)
    if references is None or submission is not None:
        raise InputError(
            "either a submission or a treebank's references were parsed",
            hint="give submission=… or references=…",
        )
    return reference_target(database, references)


def analyse_loaded(tracker: Tracker) -> None:
    """Compute what depends on treebanks alone, of those that are new."""
    from ...queries.analyses import analyse_treebanks, pending_treebanks

    analyse_treebanks(tracker.database, pending_treebanks(tracker.database))


def ingest_challenge(
    tracker: Tracker,
    path: Path | str,
    *,
    treebank: str | None = None,
    name: str | None = None,
    pair: str | None = None,
    language: str | None = None,
    replace: bool = False,
    progress: Progress = silent,
) -> LoadedChallenge:
    """Load a challenge set, score submissions by it, and return what became of it.

    See ``ingest.outputs.challenges``. The two outputs of a contrastive set are scored by
    all metrics that need no choices. Submissions that come later are checked when they come.

    >>> db.ingest_challenge("items.csv", treebank="en_sample-ud1.0-test").items
    2
    """
    from ...ingest.outputs.challenges import ingest_challenge
    from ...queries.metrics.scoring import score
    from ...queries.tasks.challenges import score_challenges

    loaded = ingest_challenge(
        tracker.database,
        Path(path),
        tracker.analyser_of,
        treebank=treebank,
        name=name,
        pair=pair,
        language=language,
        replace=replace,
    )
    to_it = passing(tracker.database, {"treebank": [loaded.treebank_id]})
    sides = [each for each in to_it if each.startswith("challenge/")]
    if sides:
        score(tracker.database, submissions=sides, progress=progress)
    score_challenges(tracker.database, to_it, progress=progress)
    return replaced(loaded, submissions=len(to_it))
