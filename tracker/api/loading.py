"""Loading files: treebanks, references, whole campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ...schema.errors import InputError
from ...schema.names import meant, resolve_treebank
from ...schema.parameters import (
    Campaign,
    Documents,
    EachFile,
    Language,
    OneFile,
    Option,
    Replace,
    Sources,
    Treebank,
)
from ...schema.progress import Progress, silent

if TYPE_CHECKING:
    from ...ingest.campaigns.loading import Report
    from ...ingest.treebanks.parsed_references import Parsed
    from .tracker import Tracker


EvaluatedBy: TypeAlias = Annotated[Campaign | None, Option("Campaign that evaluates on it.")]
Split: TypeAlias = Annotated[str | None, Option("Split.", choices=("train", "dev", "test"))]


def ingest_campaign(
    tracker: Tracker,
    manifest: Annotated[Path | str, Option(of_machine=True)],
    *,
    replace: Replace = False,
    progress: Progress = silent,
) -> Report:
    """Load a whole campaign from its MANIFEST (campaign.toml).

    Returns what was loaded, see ``ingest.campaigns.loading``.

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
    path: EachFile,
    *,
    treebank: Annotated[
        str | None, Option("Id of the treebank; else composed from the file's name.", flag="--id")
    ] = None,
    campaign: EvaluatedBy = None,
    without: Annotated[
        Sequence[str],
        Option("Leave out sentences with these relations (a,b,c).", commas=True),
    ] = (),
    language: Language | None = None,
    version: Annotated[str | None, Option("Version of the treebank, such as 2.3.")] = None,
    split: Split = None,
    scheme: Annotated[str | None, Option("Annotation scheme.", choices=("ud", "sud"))] = None,
    sources: Sources = None,
    documents: Documents = None,
    replace: Replace = False,
) -> tuple[str, bool]:
    """Load CoNLL-U FILES (plain, .gz, .xz), each as one treebank.

    Language, corpus, scheme, version and split are read from names such as
    en_ewt-ud-test.conllu, the version also from the folder (2.3/).

    Returns the treebank's id and whether anything changed. ``sources`` and ``documents`` are files
    of ``ingest.treebanks.sources``.

    >>> db.ingest_treebank("treebanks/de_sample-ud-train.conllu", version="1.0")
    ('de_sample-ud1.0-train', True)
    """
    from ...ingest.names import name_treebank
    from ...ingest.treebanks.loading import ingest_treebank, named_before

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
    path: OneFile,
    *,
    treebank: Annotated[
        str | None, Option("Id of the test set; else the file's name.", flag="--id")
    ] = None,
    language: Language | None = None,
    campaign: EvaluatedBy = None,
    sources: Sources = None,
    documents: Documents = None,
    alternative: Annotated[
        str | None,
        Option(
            "Load as other references of the sentences, such as refB; --id names what is loaded.",
            metavar="NAME",
        ),
    ] = None,
    replace: Replace = False,
) -> tuple[str, bool]:
    """Load a FILE of reference sentences without trees, one a line, as a test set.

    Metrics of text work on it; those of lemmas and edges, complexity and error mining do not. A
    test set that 'ingest judgements --register' registered gets its texts in this way.

    Returns its id and whether anything changed. See ``ingest.treebanks.references``; ``sources``
    and ``documents`` are files of ``ingest.treebanks.sources``.

    >>> db.ingest_references("news.txt", treebank="news25.de", language="de")
    ('news25.de', True)
    """
    from ...ingest.names import name_treebank
    from ...ingest.treebanks.references import ingest_references
    from ...ingest.treebanks.sources import ingest_alternative
    from ...schema.keys import TEXT_SCHEME

    if alternative is not None:
        if treebank is None or any((language, campaign, sources, documents)):
            raise InputError(
                "other references belong to a treebank that is loaded, and take no further options",
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


def ingest_labels(
    tracker: Tracker,
    path: OneFile,
    *,
    treebank: Annotated[
        Treebank | None, Option(default="the only one that there are outputs for")
    ] = None,
    labels: Annotated[
        Sequence[str] | None,
        Option(
            "Column that is a label; may be repeated.",
            flag="--label",
            default="columns whose values repeat",
        ),
    ] = None,
    replace: Replace = False,
) -> Sequence[str]:
    """Load labels of a test set's sentences, such as domain, genre or author, from a FILE.

    It is a table (CSV, TSV, JSONL, Parquet) with ids of sentences, or a row for each in their
    order; its other columns are labels. 'tracker compare --over LABEL' tells what changed in the
    sentences of each value. The labels 'length' and 'frequency' are computed by themselves.

    Returns the labels that changed. Raises InputError for a test set that is not named.

    >>> db.ingest_labels("genres.csv", treebank="en_sample-ud1.0-test")
    ['genre']
    """
    from ...ingest.treebanks.labels import ingest_labels
    from ...queries.metrics.slices import store_slices

    treebank = meant(tracker.database, "treebank", treebank, "the labels", str(path))
    treebank_id = resolve_treebank(tracker.database, treebank)
    changed = ingest_labels(tracker.database, Path(path), treebank_id, labels, replace=replace)
    if changed:
        store_slices(tracker.database)
    return changed


def parse(
    tracker: Tracker,
    treebank: Treebank,
    *,
    analyser: Annotated[
        str, Option("Parser of the references.", choices=("udpipe", "stanza", "spacy"))
    ] = "udpipe",
    model: Annotated[Path | str | None, Option("Path of its model.")] = None,
    outputs: Annotated[
        bool,
        Option("Leave the words of outputs as they are.", flag="--references-only", negates=True),
    ] = True,
    replace: Replace = False,
    undo: Annotated[bool, Option("Remove the trees that a parser made.")] = False,
    progress: Progress = silent,
) -> Parsed:
    """Give the references of TREEBANK, a test set of plain text, the trees of a parser.

    The outputs for the treebank are analysed in the same way. Scores of lemmas and edges,
    complexity and error mining then work on it, as far as the parser is right: 'tracker score'
    computes them.

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


def analyse_loaded(tracker: Tracker) -> None:
    """Compute what depends on treebanks alone, of those that are new."""
    from ...queries.analyses import analyse_treebanks, pending_treebanks

    analyse_treebanks(tracker.database, pending_treebanks(tracker.database))
