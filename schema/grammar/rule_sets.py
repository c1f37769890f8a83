"""Rule sets and their versions: stored whole, never changed, found by name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .. import TOOL_VERSION
from ..database import Database
from ..errors import InputError
from ..files import content_hash
from ..names import the_only, unknown_name
from ..staging import Load, commit
from ..statements import row_by_id

_NAME = re.compile(r"[^\s@/\x00-\x1f]+")
KINDS = ("agreement", "argument_structure", "word_order")
BEARERS = ("dependent", "head")
ORDERS = ("before", "after")
CONDITION_SEPARATOR = "; "
PLACES = ("head", "head.head", "other", "child", "near")
"""Words besides the dependent that conditions are about: its head, that one's head, the other
dependents of its head, its own dependents, and the words from three before it to two after it."""
_TEST = rf"((?:{'|'.join(map(re.escape, PLACES))})\.)?[^\s.=;&]+=[^\s;&](?:[^;&]*[^\s;&])?"
_CONDITION = re.compile(rf"(?:not )?{_TEST}(?: & {_TEST})*")
ANNOTATIONS = ("always", "sometimes", "need_not")
_DEMANDED = pa.schema(
    [
        *((name, pa.string()) for name in ("kind", "deprel", "dependent_upos", "head_upos")),
        *((name, pa.string()) for name in ("feature", "bearer")),
        ("allowed_values", pa.list_(pa.string())),
    ]
)
_CONDITIONS = pa.field("conditions", pa.list_(pa.string()))
PRESCRIBED = pa.schema([*_DEMANDED, _CONDITIONS])
"""What a rule says, as in the table grammar_rule; for its conditions see ``conditions_of``."""
RULE = pa.schema(
    [
        *_DEMANDED,
        ("annotation", pa.string()),
        ("support", pa.int32()),
        ("strength", pa.float64()),
        _CONDITIONS,
        ("note", pa.string()),
    ]
)
"""The same with where it is from and what linguists say of it: all but its key."""


@dataclass(frozen=True)
class NewRuleSet:
    """What is said of a rule set besides its rules."""

    name: str
    scheme: str
    source: str
    language: str | None = None
    treebank_id: str | None = None
    parent_rule_set_id: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Stored:
    """What became of a rule set."""

    rule_set_id: str
    rules: int
    changed: bool
    """False where a version with the same rules was there already."""


def rule_keys(rules: pa.Table) -> pa.Table:
    """Return rules with the column ``rule``, their key.

    It is deprel-dependent-head:feature, with ``@`` and the bearer where there is one, and with
    ``if`` and the conditions, where there are some.
    """
    kind = pc.binary_join_element_wise(
        rules["deprel"], rules["dependent_upos"], rules["head_upos"], "-"
    )
    key = pc.binary_join_element_wise(kind, rules["feature"], ":")
    borne = pc.binary_join_element_wise(key, rules["bearer"], "@")
    plain = pc.coalesce(borne, key)
    conditions = pc.binary_join(rules["conditions"], CONDITION_SEPARATOR)
    limited = pc.binary_join_element_wise(plain, conditions, " if ")
    return rules.append_column("rule", pc.coalesce(limited, plain))


def conditions_of(text: str) -> list[str]:
    """Return the conditions that a text names, in order, each as it is stored.

    Conditions stand between semicolons. A condition is tests joined by ``&``, all of which hold, or
    with ``not`` before them do not all hold. A test is a place, a property and a value, such as
    ``head.lemma=auf``: the place is one of PLACES, and the dependent itself without one; the
    property is upos, deprel, lemma, a morphological feature, or agrees, whose value is the
    feature that the word and its head share. ``;``, ``&`` and ``%`` in values are percent-encoded.

    Raises ValueError, which holds the first condition that is none.
    """
    conditions = [" ".join(part.split()) for part in text.split(CONDITION_SEPARATOR.strip())]
    for condition in conditions:
        if not _CONDITION.fullmatch(condition):
            raise ValueError(condition)
    return sorted(set(conditions))


def encoded(value: str) -> str:
    """Return a value as conditions hold it."""
    return re.sub("[%;&]", lambda match: f"%{ord(match[0]):02X}", value)


def store_rule_set(
    database: Database, new: NewRuleSet, rules: pa.Table, examples: pa.Table | None = None
) -> Stored:
    """Store a rule set as the next version of its name, all or nothing.

    ``rules`` has the columns of grammar_rule without rule_set_id (support, strength, annotation and
    note may be left out), ``examples`` those of grammar_rule_example without it. Where the newest
    version of the name has the same rules, support and annotations, it stays as it is.

    Raises InputError for a name that cannot be and for a rule that is given twice.
    """
    if not _NAME.fullmatch(new.name):
        raise InputError(
            f"'{new.name}' cannot be the name of a rule set",
            hint="use a word without blanks, '/' and '@'",
        )
    sha256 = content_hash(_content(rules))
    newest = _newest(database, new.name)
    if newest is not None and newest[2] == sha256:
        return Stored(newest[0], rules.num_rows, False)
    version = newest[1] + 1 if newest else 1
    rule_set_id = new.name if version == 1 else f"{new.name}@{version}"
    row = (
        rule_set_id,
        new.name,
        version,
        new.parent_rule_set_id or (newest[0] if newest else None),
        new.language,
        new.scheme,
        new.treebank_id,
        json.dumps(dict(new.parameters)),
        new.source,
        sha256,
        rules.num_rows,
        TOOL_VERSION,
    )
    tables = {"grammar_rule": rules}
    if examples is not None:
        tables["grammar_rule_example"] = examples
    load = Load(
        kind="rule_set",
        target=rule_set_id,
        source=new.source,
        sha256=sha256,
        records=rules.num_rows,
        rows={
            table: rows.add_column(0, "rule_set_id", pa.repeat(rule_set_id, rows.num_rows))
            for table, rows in tables.items()
        },
    )
    with database.transaction() as connection:
        connection.execute(
            f"INSERT INTO rule_set VALUES ({', '.join('?' for _ in row)}, now())",  # noqa: S608
            list(row),
        )
        commit(database, load)
    return Stored(rule_set_id, rules.num_rows, True)


def resolve_rule_set(database: Database, text: str) -> str:
    """Return the id of a rule set named as ``name@2``, ``name@latest`` or ``name``, its newest.

    Without a name it is the only one. Raises UnknownNameError, which tells the nearest, InputError
    where none is named of several.
    """
    if not text:
        query = "SELECT DISTINCT name FROM rule_set ORDER BY name"
        names = [name for (name,) in database.connection.execute(query).fetchall()]
        text = the_only(names, "rule set", "--rules") if names else text
    name, _, version = str(text).partition("@")
    row = _newest(database, name) if version in ("", "latest") else None
    if row is None and version.isdecimal() and len(version) < 10:
        row = database.connection.execute(
            "SELECT rule_set_id, version, sha256 FROM rule_set WHERE name = ? AND version = ?",
            [name, int(version)],
        ).fetchone()
    if row is None:
        rows = database.connection.execute("SELECT rule_set_id, name FROM rule_set").fetchall()
        raise unknown_name(
            "rule set",
            text,
            (name for row in rows for name in row),
            hint="'tracker grammar extract TREEBANK' makes one",
        )
    return str(row[0])


def _newest(database: Database, name: str) -> tuple[str, int, str] | None:
    return database.connection.execute(
        "SELECT rule_set_id, version, sha256 FROM rule_set WHERE name = ? "
        "ORDER BY version DESC LIMIT 1",
        [name],
    ).fetchone()


def _content(rules: pa.Table) -> str:
    """Return what makes rules the same: what they ask, where from, and what is said of them."""
    columns = ("rule", "kind", "allowed_values", "annotation", "note", "support", "strength")
    rows = rules.select([name for name in columns if name in rules.column_names]).to_pylist()
    lines = [[_rounded(row.get(name)) for name in columns] for row in rows]
    return json.dumps(sorted(lines, key=str))


def _rounded(value: Any) -> Any:
    """Return a number as rule files hold it."""
    return round(value, 4) if isinstance(value, float) else value


@dataclass(frozen=True)
class Trees:
    """Trees that rules are to check."""

    name: str
    """What messages call them."""
    language: str | None
    """Code of their language; None where it is not known."""
    scheme: str | None
    """Scheme of their relations, ud or sud; None where these do not tell."""


def misfits(database: Database, rule_set_id: str, trees: Iterable[Trees]) -> dict[str, str]:
    """Return, by name, why a rule set is not made for trees; what is not known is no reason.

    Of languages the first part of the code counts: en-GB fits en. Trees of UD fit rules of SUD,
    into which they are converted to be checked; trees of SUD fit no rules of UD.
    """
    about = row_by_id(database, "rule_set", rule_set_id, "language", "scheme")
    language, scheme = about or (None, None)
    reasons = {}
    for tree in trees:
        if None not in (language, tree.language) and _code(language) != _code(tree.language):
            reasons[tree.name] = f"it is in {tree.language}, the rules are of {language}"
        elif (scheme, tree.scheme) == ("ud", "sud"):
            reasons[tree.name] = (
                "its relations are of SUD, the rules of UD: only the other way trees are converted"
            )
    return reasons


def _code(language: str | None) -> str:
    return str(language).lower().replace("_", "-").partition("-")[0]


def refusal(rule_set_id: str, reasons: dict[str, str]) -> InputError:
    """Return the error that says why a rule set does not check anything of what was asked for."""
    (name, reason), *others = reasons.items()
    more = f"; nor to {len(others)} more" if others else ""
    return InputError(
        f"the rules '{rule_set_id}' do not apply to {name}: {reason}{more}",
        hint="'tracker grammar rules' lists the rule sets; --accept-mismatch checks by these all "
        "the same",
    )


def check_fit(
    database: Database, rule_set_id: str, trees: Trees, *, accept_mismatch: bool = False
) -> None:
    """Raise InputError where a rule set is not made for trees, unless that is accepted."""
    reasons = misfits(database, rule_set_id, [trees])
    if reasons and not accept_mismatch:
        raise refusal(rule_set_id, reasons)
