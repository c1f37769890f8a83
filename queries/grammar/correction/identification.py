"""Error identification: how well broken rules point at the tokens that people corrected."""

from __future__ import annotations

import pyarrow as pa

from sr_tracker.queries.grammar.checking import check_words
from sr_tracker.schema.corrections import M2File, Parse
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.rule_sets import resolve_rule_set
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary

ANY = "any"
ALL = "all"


def identify_errors(
    database: Database,
    rule_set: str,
    file: M2File,
    parse: Parse,
    morphology: frozenset[str],
    *,
    by: str = "kind",
) -> pa.Table:
    """Return precision and recall by annotator and kind of rules (and ``all``), or by single rule.

    Pratapa et al. 2021, algorithm 1. ``parse`` holds the source sentences. A token is in error
    where an edit of a type of ``morphology`` covers it. Where there are several annotators, ``any``
    takes a token as in error where one of them does. Columns: annotator, rules, precision and
    recall (0 to 1, NULL with a reason where undefined), tp, fp, fn, corrected (tokens in error),
    tokens, sentences, reason.

    Raises UnknownNameError for a rule set that does not exist, InputError for one without rules.
    """
    rule_set_id = resolve_rule_set(database, rule_set)
    tables = {
        "gec_group": _groups(database, rule_set_id, by),
        "gec_unit": parse.units,
        "gec_annotated": _annotated(file),
        "gec_corrected": _corrected(file, morphology),
    }
    with temporary(database, **tables):
        check_words(database, rule_set_id, parse.words)
        return database.connection.execute(statement("gec_identification")).to_arrow_table()


def _groups(database: Database, rule_set_id: str, by: str) -> pa.Table:
    """Return the rules of each group, in which they count as one: place, name, rule."""
    rules = database.connection.execute(
        "SELECT kind, rule FROM grammar_rule WHERE rule_set_id = ? "
        "ORDER BY kind, support DESC NULLS LAST, rule",
        [rule_set_id],
    ).fetchall()
    if not rules:
        raise InputError(f"the rule set '{rule_set_id}' has no rule", hint="import another version")
    if by == "rule":
        rows = [(rule, rule) for _, rule in rules]
    else:
        rows = rules + [(ALL, rule) for _, rule in rules]
    places = {name: place for place, name in enumerate(dict.fromkeys(name for name, _ in rows))}
    return pa.table(
        {
            "place": pa.array([places[name] for name, _ in rows], pa.int32()),
            "name": pa.array([name for name, _ in rows], pa.string()),
            "rule": pa.array([rule for _, rule in rows], pa.string()),
        }
    )


def _annotated(file: M2File) -> pa.Table:
    """Return which sentences each annotator looked at, and their tokens."""
    rows = [
        (annotator, number, len(sentence.tokens))
        for number, sentence in enumerate(file.sentences, start=1)
        for annotator in [*map(str, sorted(sentence.annotators)), *_several(file)]
    ]
    return pa.table(
        {
            "annotator": pa.array([row[0] for row in rows], pa.string()),
            "sentence_no": pa.array([row[1] for row in rows], pa.int32()),
            "tokens": pa.array([row[2] for row in rows], pa.int32()),
        }
    )


def _corrected(file: M2File, morphology: frozenset[str]) -> pa.Table:
    """Return the tokens in error, numbered from 1."""
    rows = {
        (annotator, number, unit)
        for number, sentence in enumerate(file.sentences, start=1)
        for edit in sentence.edits
        if edit.type in morphology
        for unit in range(edit.start + 1, edit.end + 1)
        for annotator in (str(edit.annotator), *_several(file))
    }
    ordered = sorted(rows)
    return pa.table(
        {
            "annotator": pa.array([row[0] for row in ordered], pa.string()),
            "sentence_no": pa.array([row[1] for row in ordered], pa.int32()),
            "unit": pa.array([row[2] for row in ordered], pa.int32()),
        }
    )


def _several(file: M2File) -> tuple[str, ...]:
    return (ANY,) if len(file.annotators) > 1 else ()
