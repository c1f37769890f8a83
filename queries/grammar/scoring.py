"""Scoring by grammar rules: how often the outputs keep them (Pratapa et al. 2021, section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError, check_choices
from ...schema.grammar.rule_sets import Trees, check_fit, misfits, refusal, resolve_rule_set
from ...schema.names import resolve_treebank
from ...schema.progress import Progress, silent
from ...schema.statements import fetch_table, read_rows, read_tuples, row_by_id, statement
from ...schema.temporary import hold, temporary
from ..catalog import install
from ..metrics import Signature, composed_signature, loop
from ..metrics.signatures import settle
from .metrics import KINDS, VERSION
from .surface_syntax import CONVERSION, surface_trees

WORDS_PER_BATCH = 2_000_000
APPLICABLE = ("links", "bearing")


@dataclass(frozen=True, repr=False)
class GrammarReport(Brief):
    """What scoring by grammar computed."""

    rule_set_id: str
    submissions: int
    unchanged: int
    unparsed: Sequence[str]
    """Submissions whose outputs have no trees with parts of speech: their scores are NULL."""
    passed_over: Mapping[str, str] = field(default_factory=dict)
    """Submissions that the rules are not made for, with the reason."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """By test set with other settings chosen, these: the scores stand beside the score."""
    converted: Sequence[str] = ()
    """Those whose trees were checked as SUD, into which they were converted from UD."""
    references: Mapping[str, float | None] = field(default_factory=dict)
    """By treebank the score of its own sentences, where those were checked instead."""


@dataclass(frozen=True, kw_only=True)
class _Target(loop.Target):
    treebank_sha256: str
    analysis: str
    language: str | None
    scheme: str | None
    words: int


def score_grammar(
    database: Database,
    rule_set: str,
    submissions: Sequence[str] | None = None,
    *,
    applicable: str = "links",
    accept_mismatch: bool = False,
    elect: bool = False,
    progress: Progress = silent,
) -> GrammarReport:
    """Score submissions by a rule set and return what was computed.

    A rule applies to every link of its type, where ``applicable`` is links (as the authors' tool
    counts: a word without the feature breaks no rule), or to those alone whose words bear the
    feature (bearing). Stores rule_check and the metrics grammar, grammar_agreement,
    grammar_argument and, where the set has such rules, grammar_order. What is complete stays.
    Outputs in another language than the rules', or with trees of SUD where these are of UD, are
    passed over unless ``accept_mismatch``; trees of UD are converted where the rules are of SUD.
    ``elect`` lets these settings be the score of the test sets.

    Raises UnknownNameError for rule sets and submissions that do not exist, InputError for another
    way of counting, and where the rules are made for none of the submissions.
    """
    install(database)
    check_choices(("way of counting", applicable, APPLICABLE))
    rule_set_id = resolve_rule_set(database, rule_set)
    sha256, kinds = rule_set_content(database, rule_set_id)
    scheme = rule_set_scheme(database, rule_set_id)
    names = [name for name, kind in KINDS.items() if kind is None or kind in kinds]
    parameters = {"rules": rule_set_id, "rules-hash": sha256[:12], "applicable": applicable}
    targets = [
        replace(
            target,
            signatures=_signatures(target, names, parameters | _conversion(scheme, target.scheme)),
        )
        for target in loop.chosen_targets(database, _Target, "grammar_submissions", submissions)
    ]
    trees = [Trees(t.submission_id, t.language, t.scheme) for t in targets]
    reasons = {} if accept_mismatch else misfits(database, rule_set_id, trees)
    if reasons and len(reasons) == len(targets):
        raise refusal(rule_set_id, reasons)
    targets = [target for target in targets if target.submission_id not in reasons]
    missing = loop.missing_targets(database, targets)
    loop.score_targets(
        database,
        missing,
        lambda batch, _: _store(database, rule_set_id, batch, applicable),
        matches=["rule_check"],
        size=lambda target: target.words,
        limit=lambda _: WORDS_PER_BATCH,
        progress=progress,
    )
    unparsed = [target.submission_id for target in targets if not target.words]
    unchanged = len(targets) - len(missing)
    beside = settle(database, loop.signatures_of(targets), elect=elect)
    converted = [t.submission_id for t in targets if _conversion(scheme, t.scheme)]
    return GrammarReport(rule_set_id, len(missing), unchanged, unparsed, reasons, beside, converted)


def _conversion(rules: str, trees: str | None) -> dict[str, str]:
    """Return what signatures say of trees that are converted to be checked."""
    return {"converted": CONVERSION} if (rules, trees) == ("sud", "ud") else {}


def rule_set_scheme(database: Database, rule_set_id: str) -> str:
    """Return the annotation scheme of a rule set's relations."""
    (scheme,) = row_by_id(database, "rule_set", rule_set_id, "scheme") or ("sud",)
    return str(scheme)


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

    The chosen settings of each treebank say by which rule set, and how links are counted. What has
    no grammar score on its treebank yet needs ``score_grammar``.
    """
    rows = read_tuples(database, "grammar_standing_settings")
    scored = 0
    for rule_set_id, applicable, candidates in rows:
        wanted = [name for name in candidates if submissions is None or name in submissions]
        if wanted:
            report = score_grammar(
                database,
                rule_set_id,
                wanted,
                applicable=applicable,
                accept_mismatch=True,  # who scored the others has accepted it
                progress=progress,
            )
            scored += report.submissions
    return scored


def _signatures(
    target: _Target, names: Sequence[str], parameters: dict[str, str]
) -> dict[str, Signature]:
    by_name: dict[str, Signature] = {}
    for name in names:
        checks = {} if name == "grammar" else {"checks": by_name["grammar"].signature_id}
        by_name[name] = composed_signature(
            name,
            parameters={**parameters, **checks},
            text_level="trees",
            tokeniser=target.analysis,
            versions={"metric": VERSION},
            treebank_id=target.treebank_id,
            data_sha256=target.treebank_sha256,
        )
    return by_name


def _store(database: Database, rule_set_id: str, batch: Sequence[_Target], applicable: str) -> None:
    with temporary(database):
        checks = {t.submission_id: t.signatures["grammar"].signature_id for t in batch}
        check_links(
            database,
            rule_set_id,
            pa.table({"target": list(checks), "signature_id": list(checks.values())}),
        )
        database.connection.execute(statement("check_rules").format(checks="rule_check"))

        def facts(target: _Target, metric: str) -> dict[str, object]:
            kind = KINDS[metric]
            return {"kind": kind, "applicable": applicable, "parsed": target.words > 0}

        loop.score_by(database, "score_grammar", batch, facts)


def score_references(
    database: Database,
    rule_set: str,
    treebank_id: str,
    *,
    applicable: str = "links",
    accept_mismatch: bool = False,
) -> float | None:
    """Check the reference sentences of a treebank, and return their corpus score, 0 to 1.

    It is None where no rule applies. Fills reference_rule_check, read by the view
    grammar_of_references; the same again changes nothing.

    Raises UnknownNameError for a rule set or treebank that does not exist, InputError for rules of
    another language or scheme unless ``accept_mismatch``. Trees of UD are converted where the
    rules are of SUD.
    """
    install(database)
    check_choices(("way of counting", applicable, APPLICABLE))
    rule_set_id = resolve_rule_set(database, rule_set)
    treebank_id = resolve_treebank(database, treebank_id)
    (of_references,) = read_rows(database, "grammar_reference_trees", treebank=treebank_id)
    trees = Trees(**of_references)
    check_fit(database, rule_set_id, trees, accept_mismatch=accept_mismatch)
    sha256 = loop.treebank_sha256(database, treebank_id)
    signature = composed_signature(
        "grammar",
        parameters={
            "rules": rule_set_id,
            "rules-hash": rule_set_content(database, rule_set_id)[0][:12],
            "applicable": applicable,
            **_conversion(rule_set_scheme(database, rule_set_id), trees.scheme),
        },
        text_level="trees",
        tokeniser="treebank",
        versions={"metric": VERSION},
        treebank_id=treebank_id,
        data_sha256=sha256,
    )
    key = [signature.signature_id, treebank_id]
    with database.transaction() as connection, temporary(database):
        loop.store_signatures(database, [signature])
        connection.execute(
            "DELETE FROM reference_rule_check WHERE signature_id = ? AND treebank_id = ?", key
        )
        targets = pa.table({"target": [treebank_id], "signature_id": [signature.signature_id]})
        check_links(database, rule_set_id, targets, references=True)
        connection.execute(statement("check_rules").format(checks="reference_rule_check"))
    row = database.connection.execute(
        "SELECT grammar FROM grammar_of_references WHERE treebank_id = ? AND signature = ?",
        [treebank_id, signature.signature],
    ).fetchone()
    return row[0] if row else None


def check_links(
    database: Database, rule_set_id: str, targets: pa.Table, *, references: bool = False
) -> None:
    """Make the temporary view ``checked_dependency``: a row per rule and dependency it applies to.

    ``targets`` has a column ``target``: submissions, or treebanks where ``references`` is true;
    its other columns are in the temporary table ``grammar_target``.
    """
    hold(database, "grammar_target", targets)
    _check(
        database, rule_set_id, "grammar_reference_words" if references else "grammar_output_words"
    )


def check_words(database: Database, rule_set_id: str, words: pa.Table) -> None:
    """Make the temporary view ``checked_dependency`` for words that the database does not hold.

    ``words`` has the columns target, sentence_no, token_no, upos, feats, head, deprel and
    lemma.
    """
    hold(database, "grammar_word_at_hand", words)
    _check(database, rule_set_id, "grammar_words_at_hand")


def _check(database: Database, rule_set_id: str, words: str) -> None:
    connection = database.connection
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE rule_at_hand AS FROM grammar_rule WHERE rule_set_id = ?",
        [rule_set_id],
    )
    connection.execute(statement(words))
    if rule_set_scheme(database, rule_set_id) == "sud":
        convert_words(database)
    connection.execute(statement("grammar_rule_dependents"))
    judge_dependencies(database)


def convert_words(database: Database) -> None:
    """Give the words of UD trees at hand the heads and relations of SUD."""
    connection = database.connection
    targets = connection.execute(
        "SELECT target FROM grammar_word GROUP BY target "
        "HAVING mode(relation_scheme(deprel)) = 'ud' ORDER BY target"
    ).fetchall()
    if not targets:
        return
    connection.execute("CREATE OR REPLACE TEMP TABLE grammar_surface_word AS FROM grammar_word")
    for (target,) in targets:
        words = fetch_table(connection, "FROM grammar_surface_word WHERE target = ?", [target])
        connection.execute("DELETE FROM grammar_surface_word WHERE target = ?", [target])
        with temporary(database, grammar_converted_word=surface_trees(words)):
            connection.execute(
                "INSERT INTO grammar_surface_word BY NAME FROM grammar_converted_word"
            )
    connection.execute("CREATE OR REPLACE TEMP VIEW grammar_word AS FROM grammar_surface_word")


def judge_dependencies(database: Database) -> None:
    """Judge the dependencies of ``grammar_dependent`` by ``rule_at_hand``."""
    connection = database.connection
    ((plain,),) = connection.execute(
        "SELECT coalesce(bool_and(conditions IS NULL AND head_upos <> '*'), true) FROM rule_at_hand"
    ).fetchall()
    facts = () if plain else ("grammar_features", "grammar_facts")
    judging = ("grammar_verdicts", "grammar_checked_dependencies")
    for name in ("grammar_dependencies", *facts, *judging):
        connection.execute(statement(name))


def scheme_at_hand(database: Database) -> str | None:
    """Return the scheme of the relations of the temporary view ``grammar_word``."""
    ((scheme,),) = database.connection.execute(
        "SELECT mode(relation_scheme(deprel)) FROM grammar_word"
    ).fetchall()
    return None if scheme is None else str(scheme)


def check_scored_fit(database: Database, submissions: Sequence[str]) -> None:
    """Raise InputError where scores are by rules that are not made for the submissions' trees."""
    for rule_set_id, *trees in read_tuples(database, "grammar_correlated", submissions=submissions):
        check_fit(database, rule_set_id, Trees(*trees))
