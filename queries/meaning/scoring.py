"""Scoring by meaning: what parsed graphs of outputs, and of references, share with gold graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError, TrackerError
from ...schema.names import resolve_treebank, the_only, unknown_name
from ...schema.progress import Progress, silent
from ...schema.statements import quoted, read_tuples
from ...schema.temporary import temporary
from ..catalog import install
from ..metrics import loop
from ..metrics.signatures import settle
from .functions.graph_aspects import Vectors, read_vectors, words_of
from .functions.graph_triples import read_triples
from .matching import GraphPair, MatchRow, MeaningSettings, match_table, matcher, meaning_signature
from .mf import mf_signatures, score_mf


@dataclass(frozen=True, repr=False)
class MeaningReport(Brief):
    """What scoring by meaning computed."""

    scored: Sequence[str]
    unchanged: int
    without_gold: Sequence[str]
    """Submissions to treebanks without gold graphs: they are passed over."""
    unparsed: Sequence[str]
    """Submissions of whose outputs the parser made no graphs: they are passed over."""
    left_out: Mapping[str, int]
    """By treebank, the sentences with a parse of too low quality."""
    mf: int
    """Submissions whose MF-score was computed besides: those that have a form."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """By test set with other settings chosen, these: the scores stand beside the score."""


@dataclass(frozen=True, kw_only=True)
class _Target(loop.Target):
    treebank_sha256: str
    has_gold: bool
    is_parsed: bool


def score_meaning(
    database: Database,
    settings: MeaningSettings,
    submissions: Sequence[str] | None = None,
    *,
    elect: bool = False,
    workers: int = 1,
    progress: Progress = silent,
) -> MeaningReport:
    """Score submissions by what their graphs share with the gold graphs; return what was computed.

    Stores graph_match, by aspect of meaning, and the metrics smatch, smatch_precision and
    smatch_recall, or with vectors s2match alone (Opitz & Frank 2021, section 3.2), then mf_1 and
    mf_0.5 of submissions that have a form. A missing graph matches nothing and counts against
    recall. With a bound of quality, sentences of which any of the submissions has a worse parse
    are left out for all of them (section 5.1): they are scored over the same sentences. Submissions
    that are complete stay so. ``elect`` lets these settings be the score of the test sets, and what
    MF-scores rest on; settings with a bound of quality are it only so. ``workers`` is the number of
    processes; results do not depend on it.

    Raises UnknownNameError for submissions that do not exist and a parser that none of them has
    graphs of, InputError where no treebank has gold graphs, and for vectors that cannot be read.
    """
    install(database)
    settings = _with_parser(database, settings, "output_graph")
    wanted = loop.chosen_targets(
        database, _Target, "meaning_submissions", submissions, parser=settings.parser
    )
    targets = [target for target in wanted if target.has_gold and target.is_parsed]
    if not targets:
        raise _nothing(database, settings.parser, wanted)
    left_out = _left_out(database, settings, targets)
    targets = [
        replace(
            target,
            signatures={
                metric: meaning_signature(
                    metric,
                    settings,
                    treebank_id=target.treebank_id,
                    treebank_sha256=target.treebank_sha256,
                    left_out=left_out.get(target.treebank_id, ()),
                )
                for metric in settings.metrics
            },
        )
        for target in targets
    ]
    missing = loop.missing_targets(database, targets)
    if missing:
        pairs = {
            target.submission_id: _pairs(
                database, target, settings.parser, left_out.get(target.treebank_id, [])
            )
            for target in missing
        }
        all_pairs = [pair for some in pairs.values() for pair in some]
        vectors = read_concept_vectors(settings, all_pairs)
        with matcher(settings, vectors, pairs=len(all_pairs), workers=workers) as match:
            loop.score_targets(
                database,
                missing,
                lambda batch, rows: _store(database, batch[0], rows),
                prepare=lambda batch, place: match(
                    pairs[batch[0].submission_id], progress, f"{place} {batch[0].submission_id}"
                ),
                matches=["graph_match"],
                progress=progress,
            )
    signatures = loop.signatures_of(targets)
    settle(database, signatures, elect=elect)
    names = [target.submission_id for target in targets]
    mf = score_mf(database, names)
    signatures += mf_signatures(database, names, settings.metrics[0])
    return MeaningReport(
        scored=[target.submission_id for target in missing],
        unchanged=len(targets) - len(missing),
        without_gold=[target.submission_id for target in wanted if not target.has_gold],
        unparsed=[t.submission_id for t in wanted if t.has_gold and not t.is_parsed],
        left_out={treebank_id: len(numbers) for treebank_id, numbers in left_out.items()},
        mf=mf,
        beside=settle(database, signatures, elect=elect),
    )


def read_concept_vectors(settings: MeaningSettings, pairs: Sequence[GraphPair]) -> Vectors | None:
    """Return the vectors of the concepts in some graphs; None where the settings name none."""
    if settings.vectors is None:
        return None
    texts = {text for pair in pairs for text in (pair.parsed, pair.gold) if text is not None}
    concepts = {concept for text in texts for _, concept in read_triples(text).instances}
    words = {word for concept in concepts for word in words_of(concept)}
    return read_vectors(settings.vectors, words)[0]


def _with_parser(
    database: Database, settings: MeaningSettings, table: str, where: str = "true"
) -> MeaningSettings:
    """Return settings with the only parser of some graphs, where they name none.

    Raises InputError, which lists them, where there are several.
    """
    query = f"SELECT DISTINCT parser FROM {table} WHERE {where} ORDER BY ALL"  # noqa: S608
    names = [name for (name,) in database.connection.execute(query).fetchall()]
    if settings.parser or not names:
        return settings
    return replace(settings, parser=the_only(names, "parser", "--parser"))


def _by(parser: str) -> str:
    return f" by '{parser}'" if parser else ""


def _nothing(database: Database, parser: str, wanted: Sequence[_Target]) -> TrackerError:
    if not any(target.has_gold for target in wanted):
        return InputError(
            "no submission is to a treebank with gold graphs",
            hint="'tracker ingest amr' loads them",
        )
    rows = database.connection.execute("SELECT DISTINCT parser FROM output_graph").fetchall()
    return unknown_name(
        "parser",
        parser,
        (name for (name,) in rows),
        message=f"no submission has graphs{_by(parser)}",
        hint="'tracker ingest graphs' loads them",
    )


def _left_out(
    database: Database, settings: MeaningSettings, targets: Sequence[_Target]
) -> dict[str, list[int]]:
    """Return the numbers of the sentences that are left out, by treebank."""
    if settings.quality is None:
        return {}
    names = [target.submission_id for target in targets]
    (exists,) = database.connection.execute(
        "SELECT count(quality) FROM output_graph "
        "WHERE parser = ? AND list_contains(?, submission_id)",
        [settings.parser, names],
    ).fetchone() or (0,)
    if not exists:
        raise InputError(
            f"the graphs by '{settings.parser}' have no estimate of quality",
            hint="load them with one: 'tracker ingest graphs --quality-column'",
        )
    rows = read_tuples(
        database,
        "meaning_left_out",
        submissions=names,
        parser=settings.parser,
        quality=settings.quality,
    )
    return dict(rows)


def _pairs(
    database: Database, target: _Target, parser: str, left_out: Sequence[int]
) -> list[GraphPair]:
    rows = read_tuples(
        database,
        "meaning_pairs",
        submission_id=target.submission_id,
        parser=parser,
        left_out=left_out,
    )
    return [GraphPair(*row) for row in rows]


def _store(database: Database, target: _Target, rows: Sequence[MatchRow]) -> None:
    (matches_id, *_) = loop.signatures_of([target])
    with temporary(database, graph_match_rows=match_table(rows)):
        database.connection.execute(
            "INSERT INTO graph_match SELECT ?, ?, * FROM graph_match_rows",
            [matches_id, target.submission_id],
        )
    loop.score_by(database, "score_meaning", [target], lambda *_: {"matches_id": matches_id})


@dataclass(frozen=True)
class UpperBound:
    """What the parses of a treebank's references share with its gold graphs, 0 to 1."""

    precision: float | None
    recall: float | None
    f1: float | None
    """None where there is nothing to share."""
    sentences: int
    missing: int
    """Sentences without a graph: they count against recall."""


def match_references(
    database: Database,
    treebank_id: str,
    settings: MeaningSettings,
    *,
    workers: int = 1,
    progress: Progress = silent,
) -> UpperBound:
    """Compare the parses of reference sentences with the gold graphs and return what they share.

    No system is expected to do better with this parser (Opitz & Frank 2021, section 4.1). Fills
    reference_graph_match, under the signature of scores that are computed alike; a quality in the
    settings has no effect, as the views restrict the bound to the sentences of a submission.

    Raises UnknownNameError for a treebank that does not exist, and where it has no gold graphs or
    the parser none of its references.
    """
    install(database)
    treebank_id = resolve_treebank(database, treebank_id)
    sha256 = loop.treebank_sha256(database, treebank_id)
    of_treebank = f"treebank_id = {quoted(treebank_id)}"
    settings = _with_parser(database, settings, "reference_graph", of_treebank)
    rows = read_tuples(
        database, "meaning_reference_pairs", treebank_id=treebank_id, parser=settings.parser
    )
    if not rows:
        parsers = database.connection.execute(
            "SELECT DISTINCT parser FROM reference_graph WHERE treebank_id = ?", [treebank_id]
        ).fetchall()
        raise unknown_name(
            "parser",
            settings.parser,
            (parser for (parser,) in parsers),
            message=f"there are no graphs{_by(settings.parser)} of the references of "
            f"'{treebank_id}'",
            hint="'tracker ingest amr' loads gold graphs, 'tracker ingest graphs' these",
        )
    signature = meaning_signature(
        settings.metrics[0],
        settings.for_all_sentences,
        treebank_id=treebank_id,
        treebank_sha256=sha256,
    )
    pairs = [GraphPair(*row) for row in rows]
    key = {"signature_id": signature.signature_id, "treebank_id": treebank_id}
    gold = database.connection.execute(
        "FROM reference_graph_match "
        "WHERE signature_id = $signature_id AND treebank_id = $treebank_id LIMIT 1",
        key,
    ).fetchone()
    if gold is None:
        vectors = read_concept_vectors(settings, pairs)
        with matcher(settings, vectors, pairs=len(pairs), workers=workers) as match:
            matches = match(pairs, progress, treebank_id)
        with database.transaction() as connection:
            loop.store_signatures(database, [signature])
            with temporary(database, graph_match_rows=match_table(matches)):
                connection.execute(
                    "INSERT INTO reference_graph_match "
                    "SELECT $signature_id, $treebank_id, * FROM graph_match_rows",
                    key,
                )
    (bound,) = read_tuples(database, "meaning_upper_bound", **key)
    return UpperBound(*bound)
