"""Metrics whose scores are computed elsewhere: their names, their signatures, and storing them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError, check_choices
from ...schema.files import content_hash, single_line
from ...schema.staging import Load, commit
from ...schema.statements import read_tuples, statement
from ...schema.temporary import hold, table_of, temporary
from .loop import forget, record_scorings, store_signatures
from .metric import EXTERNAL, HIGHER, LOWER, UNITS
from .registry import registered
from .signatures import CHOICES, Signature, choose_first, composed_signature, settle
from .slices import store_slices

SOURCE_BASED = "src"
"""The input of metrics that compare outputs with sources, not with references."""
PREFIX = "external_"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TAKEN_ENDS = ("_z", "_change", "_errors")
"""How columns of other measures end."""
SENTENCES = pa.schema(
    [("submission_id", pa.string()), ("sentence_no", pa.int32()), ("score", pa.float64())]
)
SUBMISSIONS = pa.schema([("submission_id", pa.string()), ("score", pa.float64())])


@dataclass(frozen=True, kw_only=True)
class ExternalScoring:
    """How scores were computed elsewhere: all that tells one way from another."""

    label: str
    """The metric's name as those who made it write it."""
    name: str | None = None
    """Its name in columns; None: made of the label, see ``external_name``."""
    version: str | None = None
    model: str | None = None
    model_hash: str | None = None
    prompt_hash: str | None = None
    """That of a judge's prompt."""
    input: str | None = None
    """With what outputs were compared: a reference's name, or SOURCE_BASED; None: not known."""
    settings: str | None = None
    """What else makes the scores comparable, such as another tool's own signature."""
    better: str = HIGHER
    unit: str = UNITS
    lowest: float | None = None
    highest: float | None = None
    description: str = ""


@dataclass(frozen=True, repr=False)
class StoredScores(Brief):
    """What became of scores that were given."""

    metric: str
    submissions: int
    """Submissions whose scores are new, or others now."""
    unchanged: int
    sentences: int
    """Sentences of them that have a score."""
    signatures: Sequence[str]
    better: str
    """Which scores are better: higher or lower."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """By test set with another version or model chosen, that: the scores stand beside the score."""
    notes: Sequence[str] = ()


def external_name(database: Database, label: str) -> str:
    """Return the name of an external metric in columns: its label in small letters, digits and _.

    Where a built-in metric, another column or SQL has that name, PREFIX stands before it.

    Raises InputError where nothing is left of the label.
    """
    name = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
    if not name:
        raise InputError(
            f"the metric's name '{label}' has no letter", hint="give it one with --metric-name"
        )
    taken = {word for (word,) in read_tuples(database, "taken_names")}
    free = _NAME.fullmatch(name) and name not in {*registered(), *taken, *CHOICES}
    return name if free and not name.endswith(_TAKEN_ENDS) else f"{PREFIX}{name.rstrip('_')}"


def store_external(
    database: Database,
    scoring: ExternalScoring,
    sentences: pa.Table | None = None,
    submissions: pa.Table | None = None,
    *,
    source: str,
    replace: bool = False,
    elect: bool = False,
) -> StoredScores:
    """Store scores of SENTENCES, of whole SUBMISSIONS or both; return what became of them.

    A submission's score is the one that is given or, without any, the mean of its sentences'. A
    sentence without one has NULL. Both may come in turn; the same again changes nothing. ``source``
    is where messages say that scores came from. What rested on replaced scores is forgotten. Wide
    views have a column for the metric once ``queries.catalog.install`` was called.

    The first scores that leave out no sentence choose the metric's version, model and so on that
    are the score of a test set; ``elect`` lets these be it in place of others.

    Raises InputError for a number that is none, for another direction than the metric has, and for
    scores that are there already with other values, unless ``replace`` is given.
    """
    of_sentences = SENTENCES.empty_table() if sentences is None else sentences.cast(SENTENCES)
    whole = SUBMISSIONS.empty_table() if submissions is None else submissions.cast(SUBMISSIONS)
    for table in (of_sentences, whole):
        _check_finite(table, source)
    if any(_UNSTORABLE.search(value) for value in vars(scoring).values() if isinstance(value, str)):
        raise InputError(
            "the description of the metric holds a NUL character or half a surrogate pair",
            where=source,
        )
    name = external_name(database, scoring.name or scoring.label)
    _check_direction(database, name, scoring, source, replace=replace)
    with database.transaction(), temporary(database):
        connection = database.connection
        hold(database, "given_sentence", of_sentences)
        hold(database, "given_submission", whole)
        rows = read_tuples(database, "external_targets")
        signatures = {row[0]: external_signature(name, scoring, row[1], row[2]) for row in rows}
        pending = [(name, row[0], signatures[row[0]].signature_id) for row in rows]
        columns = dict.fromkeys(("metric", "submission_id", "signature_id"), pa.string())
        hold(database, "pending", table_of(pending, **columns))
        connection.execute(statement("external_sides"))
        if not replace:
            _check_same(database, name, source)
        connection.execute(statement("external_scores"))
        changes = connection.execute("SELECT submission_id FROM changed_external ORDER BY 1")
        changed = {submission_id for (submission_id,) in changes.fetchall()}
        if changed:
            _store(database, name, scoring, [row for row in rows if row[0] in changed], signatures)
            _record(database, name, source, [row for row in rows if row[0] in changed])
            chosen = connection.execute(
                "SELECT DISTINCT signature_id FROM changed_external WHERE may_be_chosen"
            )
            choose_first(database, [signature_id for (signature_id,) in chosen.fetchall()])
        ids = list(dict.fromkeys(signature.signature_id for signature in signatures.values()))
        beside = settle(database, ids, elect=elect)
        (count,) = connection.execute(
            "SELECT coalesce(sum(scored), 0)::BIGINT FROM new_submission "
            "SEMI JOIN changed_external USING (submission_id)"
        ).fetchone() or (0,)
    if changed:
        store_slices(database, sorted(changed))
    texts = sorted({signature.signature for signature in signatures.values()})
    return StoredScores(
        name, len(changed), len(rows) - len(changed), int(count), texts, scoring.better, beside
    )


def _store(
    database: Database,
    name: str,
    scoring: ExternalScoring,
    rows: Sequence[tuple[str, str, str, str, str]],
    signatures: dict[str, Signature],
) -> None:
    connection = database.connection
    store_signatures(database, [signatures[row[0]] for row in rows])
    scored = [(row[0], name, signatures[row[0]].signature_id, row[3]) for row in rows]
    forget(database, scored, ["score_interval"])
    connection.execute(statement("store_external"))
    record_scorings(database, scored)
    described = scoring.description or f"{scoring.label}, computed elsewhere"
    connection.execute("DELETE FROM external_metric WHERE metric = ?", [name])
    connection.execute(
        "INSERT INTO external_metric VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            name,
            single_line(scoring.label),
            single_line(described),
            scoring.version,
            scoring.better,
            scoring.unit,
            scoring.lowest,
            scoring.highest,
        ],
    )


def _record(
    database: Database,
    name: str,
    source: str,
    rows: Sequence[tuple[str, str, str, str, str]],
) -> None:
    """Note where the scores came from, for each campaign."""
    for campaign in sorted({row[4] for row in rows}):
        own = [row for row in rows if row[4] == campaign]
        load = Load(
            kind="metric_scores",
            target=f"{campaign}:{name}:{source}",
            source=source,
            sha256=content_hash(name, source, *(row[0] for row in own)),
            records=len(own),
            rows={},
        )
        commit(database, load)


def external_signature(
    name: str, scoring: ExternalScoring, treebank_id: str, data_sha256: str
) -> Signature:
    """Return the signature of an external metric's scores of outputs for a treebank."""
    stated = {
        "input": scoring.input,
        "model": scoring.model,
        "model-hash": scoring.model_hash,
        "prompt-hash": scoring.prompt_hash,
        "settings": scoring.settings,
    }
    parameters = {
        key: single_line(value).replace("|", "/") for key, value in stated.items() if value
    }
    version = single_line(scoring.version).replace("|", "/") if scoring.version else None
    return composed_signature(
        name,
        parameters=parameters,
        text_level=EXTERNAL,
        tokeniser="none",
        versions={"metric": version} if version else {},
        treebank_id=treebank_id,
        data_sha256=data_sha256,
        better=scoring.better,
    )


def _check_finite(table: pa.Table, source: str) -> None:
    if not pc.all(pc.is_finite(table["score"]), min_count=0).as_py():
        raise InputError(
            "a score is no finite number",
            where=source,
            hint="leave it out: a sentence without a score is NULL",
        )


def _check_direction(
    database: Database, name: str, scoring: ExternalScoring, source: str, *, replace: bool
) -> None:
    check_choices(("direction of scores", scoring.better, (HIGHER, LOWER)), where=source)
    stored = database.connection.execute(
        "SELECT better FROM external_metric WHERE metric = ?", [name]
    ).fetchone()
    if stored and stored[0] != scoring.better and not replace:
        raise InputError(
            f"of '{name}' {stored[0]} scores are better, by those that are loaded",
            where=source,
            hint=f"--better {stored[0]}, another --metric-name, or --replace",
        )


def _check_same(database: Database, name: str, source: str) -> None:
    conflict = database.connection.execute(statement("external_conflicts")).fetchone()
    if conflict is None:
        return
    submission_id, sentence_no = conflict
    of = f"sentence {sentence_no} of " if sentence_no else ""
    raise InputError(
        f"{of}'{submission_id}' has another score by {name} already",
        where=source,
        hint="--replace loads these in place of those that are there; scores of another version or "
        "model (--metric-version, --model) stand beside them",
    )
