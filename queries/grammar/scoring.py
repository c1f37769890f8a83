"""Scoring by grammar rules: how often the outputs keep them (Pratapa et al. 2021, section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from sr_tracker.queries.catalog import install
from sr_tracker.queries.grammar.checking import check_links, drop_temporary
from sr_tracker.queries.grammar.metrics import KINDS, VERSION
from sr_tracker.queries.metrics import Signature, composed_signature
from sr_tracker.queries.metrics.records import record_scorings, store_signatures
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.iterations import resolve_submissions
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.rule_sets import resolve_rule_set
from sr_tracker.schema.statements import statement

WORDS_PER_BATCH = 2_000_000
APPLICABLE = ("links", "bearing")


@dataclass(frozen=True)
class GrammarReport:
    """What scoring by grammar computed."""

    rule_set_id: str
    submissions: int
    unchanged: int
    unparsed: Sequence[str]
    """Submissions whose outputs have no trees with parts of speech: their scores are NULL."""


@dataclass(frozen=True)
class _Target:
    submission_id: str
    treebank_id: str
    treebank_sha256: str
    data_sha256: str
    analysis: str
    words: int


def score_grammar(
    database: Database,
    rule_set: str,
    submissions: Sequence[str] | None = None,
    *,
    applicable: str = "links",
    progress: Progress = silent,
) -> GrammarReport:
    """Score submissions by a rule set and return what was computed.

    A rule applies to every link of its type, where ``applicable`` is links (as the authors' tool
    counts: a word without the feature breaks no rule), or to those alone whose words bear the
    feature (bearing). Stores rule_check and the metrics grammar, grammar_agreement,
    grammar_argument and, where the set has such rules, grammar_order. What is complete stays.

    Raises UnknownNameError for rule sets and submissions that do not exist, InputError for another
    way of counting.
    """
    install(database)
    check_applicable(applicable)
    rule_set_id = resolve_rule_set(database, rule_set)
    sha256, kinds = rule_set_content(database, rule_set_id)
    names = [name for name, kind in KINDS.items() if kind is None or kind in kinds]
    targets = _targets(database, submissions)
    parameters = {"rules": rule_set_id, "rules-hash": sha256[:12], "applicable": applicable}
    signatures = {
        target.submission_id: _signatures(target, names, parameters) for target in targets
    }
    complete = set(
        database.connection.execute("SELECT target, signature_id FROM scoring").fetchall()
    )
    missing = [
        target
        for target in targets
        if any(
            (target.submission_id, each.signature_id) not in complete
            for each in signatures[target.submission_id].values()
        )
    ]
    done = 0
    try:
        for batch in _batches(missing):
            progress(batch[0].submission_id, done, len(missing))
            with database.transaction():
                _score_batch(database, rule_set_id, batch, signatures, applicable)
            done += len(batch)
    finally:
        drop_temporary(database)
    if missing:
        progress("scored", done, len(missing))
    unparsed = [target.submission_id for target in targets if not target.words]
    return GrammarReport(rule_set_id, len(missing), len(targets) - len(missing), unparsed)


def check_applicable(applicable: str) -> None:
    """Raise InputError where links cannot be counted that way."""
    if applicable not in APPLICABLE:
        raise InputError(
            f"rules cannot apply to '{applicable}'", hint=f"one of {', '.join(APPLICABLE)}"
        )


def rule_set_content(database: Database, rule_set_id: str) -> tuple[str, set[str]]:
    """Return the hash of a rule set's rules, and their kinds.

    Raises InputError for a set without rules.
    """
    row = database.connection.execute(
        "SELECT sha256, list(DISTINCT kind) FROM rule_set JOIN grammar_rule USING (rule_set_id) "
        "WHERE rule_set_id = ? GROUP BY sha256",
        [rule_set_id],
    ).fetchone()
    if row is None:
        raise InputError(f"the rule set '{rule_set_id}' has no rule", hint="import another version")
    return str(row[0]), set(row[1])


def score_pending_grammar(
    database: Database, submissions: Sequence[str] | None = None, *, progress: Progress = silent
) -> int:
    """Score submissions as others to the same treebank are scored; return how many there were.

    Each treebank's newest scoring by a rule set says by which one, and how links are counted. What
    has no grammar score on its treebank yet needs ``score_grammar``.
    """
    rows = database.connection.execute(statement("grammar_newest_settings")).fetchall()
    scored = 0
    for rule_set_id, applicable, found in rows:
        wanted = [name for name in found if submissions is None or name in submissions]
        if wanted:
            report = score_grammar(
                database, rule_set_id, wanted, applicable=applicable, progress=progress
            )
            scored += report.submissions
    return scored


def _targets(database: Database, submissions: Sequence[str] | None) -> list[_Target]:
    rows = database.connection.execute(statement("grammar_submissions")).fetchall()
    named = resolve_submissions(database, submissions)
    wanted = None if named is None else set(named)
    return [_Target(*row) for row in rows if wanted is None or row[0] in wanted]


def _signatures(
    target: _Target, names: Sequence[str], parameters: dict[str, str]
) -> dict[str, Signature]:
    found: dict[str, Signature] = {}
    for name in names:
        checks = {} if name == "grammar" else {"checks": found["grammar"].signature_id}
        found[name] = composed_signature(
            name,
            parameters={**parameters, **checks},
            text_level="trees",
            tokeniser=target.analysis,
            versions={"metric": VERSION},
            treebank_id=target.treebank_id,
            data_sha256=target.treebank_sha256,
        )
    return found


def _batches(targets: Sequence[_Target]) -> Iterator[list[_Target]]:
    batch: list[_Target] = []
    words = 0
    for target in targets:
        if batch and words + target.words > WORDS_PER_BATCH:
            yield batch
            batch, words = [], 0
        batch.append(target)
        words += target.words
    if batch:
        yield batch


def _score_batch(
    database: Database,
    rule_set_id: str,
    batch: Sequence[_Target],
    signatures: dict[str, dict[str, Signature]],
    applicable: str,
) -> None:
    connection = database.connection
    mine = {target.submission_id: signatures[target.submission_id] for target in batch}
    store_signatures(database, [each for found in mine.values() for each in found.values()])
    _forget(
        database, [(name, each.signature_id) for name, f in mine.items() for each in f.values()]
    )
    checks = {name: found["grammar"].signature_id for name, found in mine.items()}
    check_links(
        database,
        rule_set_id,
        pa.table({"target": list(checks), "signature_id": list(checks.values())}),
    )
    connection.execute(statement("check_rules"))
    rows = [
        (target, name, signatures[target.submission_id][name].signature_id)
        for name in next(iter(mine.values()))
        for target in batch
    ]
    scores = pa.table(
        {
            "target": [target.submission_id for target, _, _ in rows],
            "signature_id": [signature_id for _, _, signature_id in rows],
            "metric": [name for _, name, _ in rows],
            "kind": pa.array([KINDS[name] for _, name, _ in rows], pa.string()),
            "applicable": [applicable] * len(rows),
            "parsed": [target.words > 0 for target, _, _ in rows],
        }
    )
    connection.register("grammar_targets", scores)
    connection.execute("CREATE OR REPLACE TEMP TABLE grammar_target AS FROM grammar_targets")
    connection.unregister("grammar_targets")
    connection.execute(statement("score_grammar"))
    for name in next(iter(mine.values())):
        record_scorings(
            database,
            name,
            list(mine),
            [found[name].signature_id for found in mine.values()],
            [target.data_sha256 for target in batch],
        )


def _forget(database: Database, keys: Sequence[tuple[str, str]]) -> None:
    """Remove what an earlier scoring under the same signatures left."""
    for table, column in _STORED:
        database.connection.execute(
            f"DELETE FROM {table} WHERE ({column}, signature_id) IN "  # noqa: S608
            "(SELECT (unnest(?), unnest(?)))",
            [[target for target, _ in keys], [signature for _, signature in keys]],
        )


_STORED = (
    ("rule_check", "submission_id"),
    ("sentence_score", "submission_id"),
    ("submission_score", "submission_id"),
    ("scoring", "target"),
)
