"""Rule files: what linguists read, edit and give back."""

from __future__ import annotations

import json
from pathlib import Path

from ...schema.database import Database
from ...schema.errors import InputError, check_choices
from ...schema.grammar.rule_sets import (
    ANNOTATIONS,
    BEARERS,
    CONDITION_SEPARATOR,
    KINDS,
    ORDERS,
    RULE,
    NewRuleSet,
    Stored,
    conditions_of,
    resolve_rule_set,
    rule_keys,
    store_rule_set,
)
from ...schema.statements import read_table, read_tuples, row_by_id
from ..formats import Format, UserFile, arrow_table, read_file
from .published_rules import PUBLISHED, RuleFile, peer_lines

COLUMNS = tuple(RULE.names)
_HEADER = ("name", "language", "scheme", "treebank", "parameters", "parent")
_NEEDED = COLUMNS[:5]


def export_rules(database: Database, rule_set_id: str, *, examples: int = 3) -> str:
    """Return a rule set as the text of a rule file, with some examples below each rule.

    Raises UnknownNameError for a set that does not exist.
    """
    rule_set_id = resolve_rule_set(database, rule_set_id)
    columns = ("name", "language", "scheme", "treebank_id", "parameters", "rule_set_id")
    row = row_by_id(database, "rule_set", rule_set_id, *columns)
    lines = [f"# {name}: {value}" for name, value in zip(_HEADER, row or (), strict=True) if value]
    lines.append("\t".join(COLUMNS))
    shown = _examples_by_rule(database, rule_set_id, examples)
    rules = database.connection.execute(
        f"SELECT rule, {', '.join(COLUMNS)} FROM grammar_rule WHERE rule_set_id = ? "  # noqa: S608
        "ORDER BY kind, support DESC NULLS LAST, rule",
        [rule_set_id],
    ).fetchall()
    for rule, *values in rules:
        cells = zip(COLUMNS, values, strict=True)
        lines.append("\t".join(_written(column, value) for column, value in cells))
        lines += shown.get(rule, [])
    return "\n".join(lines) + "\n"


def export_peer_rules(database: Database, rule_set_id: str) -> str:
    """Return a rule set as the lines L'AMBRE's own tool reads, without what they cannot say.

    They have no word order, no conditions, and no rules about any relation or part of speech.

    Raises UnknownNameError for a set that does not exist.
    """
    rule_set_id = resolve_rule_set(database, rule_set_id)
    rows = read_table(database, "rules_of_set", rule_set=rule_set_id)
    language = rows["language"][0].as_py() or "und"
    return peer_lines(rows, language, rows["name"][0].as_py())


def import_rules(
    database: Database,
    path: Path,
    *,
    name: str | None = None,
    language: str | None = None,
    scheme: str | None = None,
) -> Stored:
    """Store the rules of a file as a set, the next version where its name exists.

    The file is one that ``export_rules`` wrote, edited or not, or holds a rule set of L'AMBRE's
    tool, see ``published_rules``. ``name``, ``language`` and ``scheme`` replace what the file says.

    Raises InputError (file:line) for lines that are no rules, and where nothing says the name.
    """
    file = read_rule_file(path)
    header = file.header
    name = name or header.get("name")
    if name is None:
        raise InputError("the rule set has no name", where=str(path), hint="give --name")
    scheme = scheme or header.get("scheme", "sud")
    check_choices(("annotation scheme", scheme, ("ud", "sud")), where=str(path))
    parent = row_by_id(database, "rule_set", header.get("parent", ""), "rule_set_id")
    new = NewRuleSet(
        name=name,
        scheme=scheme,
        source=path.name,
        language=language or header.get("language"),
        treebank_id=header.get("treebank"),
        parent_rule_set_id=parent[0] if parent else None,
        parameters=_parameters(header.get("parameters"), path),
    )
    return store_rule_set(database, new, file.rules)


def read_rule_file(path: Path) -> RuleFile:
    """Return the rules of a file.

    Raises InputError (file:line) for what is no rule, and where there is none.
    """
    return read_file(path, _FORMATS)


def _own_rules(file: UserFile) -> RuleFile:
    header: dict[str, str] = {}
    rows: list[dict[str, object]] = []
    places: list[str] = []
    names: list[str] | None = None
    for number, line in file.filled_lines():
        if line.startswith("#"):
            key, separator, value = line[1:].partition(":")
            if separator and names is None and key.strip() in _HEADER:
                header[key.strip()] = value.strip()
        elif names is None:
            names = _header(line, file.where(number))
        else:
            rows.append(_rule(line, names, file.where(number)))
            places.append(file.where(number))
    if not rows:
        raise InputError("there is no rule in the file", where=file.source, hint=_LINE_HINT)
    return RuleFile(header, rule_keys(arrow_table(rows, RULE, places.__getitem__)))


_FORMATS = (*PUBLISHED, Format("rule file", _own_rules))
_LINE_HINT = f"columns, separated by tabs: {', '.join(COLUMNS)}"


def _header(line: str, where: str) -> list[str]:
    names = line.split("\t")
    unknown = [name for name in names if name not in COLUMNS]
    missing = [name for name in _NEEDED if name not in names]
    if unknown or missing or len(set(names)) < len(names):
        what = f"'{unknown[0]}' is no column" if unknown else f"the columns are {', '.join(names)}"
        raise InputError(f"{what} of a rule file", where=where, hint=_LINE_HINT)
    return names


def _rule(line: str, names: list[str], where: str) -> dict[str, object]:
    values = line.split("\t")
    if len(values) != len(names):
        raise InputError(
            f"{len(values)} values stand under {len(names)} columns",
            where=where,
            hint="separate them by single tabs; an empty value stays empty",
        )
    fields = {name: value.strip() or None for name, value in zip(names, values, strict=True)}
    for name in _NEEDED:
        if fields[name] is None:
            raise InputError(f"the rule has no {name}", where=where, hint="fill the column")
    _check_word(fields.get("kind"), KINDS, "kind of rule", where)
    _check_word(fields.get("annotation"), ANNOTATIONS, "annotation", where, optional=True)
    allowed = _allowed(fields, where)
    return {
        **fields,
        "allowed_values": allowed,
        "conditions": _conditions(fields.get("conditions"), where),
        "support": _number(fields.get("support"), int, where),
        "strength": _number(fields.get("strength"), float, where),
    }


def _allowed(fields: dict[str, str | None], where: str) -> list[str] | None:
    """Return the allowed values of a rule, after a check that its kind goes with them."""
    text = fields.get("allowed_values")
    allowed = sorted({value.strip() for value in text.split(",")} - {""}) if text else None
    kind, bearer = fields["kind"], fields.get("bearer")
    if kind == "argument_structure":
        _check_word(bearer, BEARERS, "bearer", where)
        if not allowed:
            raise InputError(
                "an argument structure rule allows some values",
                where=where,
                hint="as in Acc,Nom under allowed_values",
            )
    elif bearer is not None:
        raise InputError(f"a rule of {kind} has no bearer", where=where, hint="leave it empty")
    if kind == "agreement" and allowed:
        raise InputError(
            "an agreement rule allows every value that both words share",
            where=where,
            hint="leave allowed_values empty, or make it an argument_structure rule",
        )
    if kind == "word_order":
        _check_word(text, ORDERS, "order", where)
        if fields["feature"] != "order":
            raise InputError("the feature of a word order rule is 'order'", where=where)
    return allowed


def _conditions(text: str | None, where: str) -> list[str] | None:
    try:
        return conditions_of(text) if text else None
    except ValueError as error:
        raise InputError(
            f"'{error}' is no condition of a rule",
            where=where,
            hint="as in head.lemma=auf; not child.upos=ADP, or leave the column empty",
        ) from None


def _check_word(
    value: str | None, words: tuple[str, ...], what: str, where: str, *, optional: bool = False
) -> None:
    if value not in words and not (optional and value is None):
        hint = f"one of {', '.join(words)}"
        raise InputError(f"'{value or ''}' is no {what}", where=where, hint=hint)


def _number(text: str | None, kind: type[int] | type[float], where: str) -> int | float | None:
    try:
        number = None if text is None else kind(text)
    except ValueError:
        raise InputError(
            f"'{text}' is not a number", where=where, hint="or leave it empty"
        ) from None
    if number is not None and number < 0:
        raise InputError(
            f"support and strength are not negative: {text}", where=where, hint="or leave it empty"
        )
    return number


def _parameters(text: str | None, path: Path) -> dict[str, object]:
    try:
        parameters = json.loads(text) if text else {}
    except json.JSONDecodeError:
        parameters = None
    if not isinstance(parameters, dict):
        raise InputError(
            "the parameters are no JSON object", where=str(path), hint="leave the line as it was"
        )
    return parameters


def _written(column: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return (CONDITION_SEPARATOR if column == "conditions" else ",").join(value)
    return f"{value:.4f}" if isinstance(value, float) else str(value).replace("\t", " ")


def _examples_by_rule(database: Database, rule_set_id: str, examples: int) -> dict[str, list[str]]:
    rows = read_tuples(
        database, "grammar_rule_examples", rule_set_id=rule_set_id, examples=examples
    )
    shown: dict[str, list[str]] = {}
    for rule, satisfied, text, dependent, head in rows:
        mark = "+" if satisfied else "-"
        shown.setdefault(rule, []).append(f"#   {mark} {text}   [{dependent} < {head}]")
    return shown
