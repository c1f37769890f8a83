"""Error identification: how well broken rules point at the tokens that people corrected."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import pyarrow as pa

from ....schema.corrections import M2File, Parse
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.grammar.rule_sets import Trees, check_fit, resolve_rule_set
from ....schema.names import unknown_name
from ....schema.statements import read_table
from ....schema.temporary import table_of, temporary
from ..scoring import check_words, scheme_at_hand

PRESETS = {
    "falko-merlin": ("?:*:FORM",),
    "ua-gec": (
        *("G/Case", "G/Gender", "G/Number", "G/Aspect", "G/Tense"),
        *("G/VerbVoice", "G/PartVoice", "G/VerbAForm", "G/Participle", "G/Comparison"),
    ),
}
"""Patterns of error types by corpus. Falko-MERLIN's are the paper's (Pratapa et al. 2021, A.3)."""


def morphology_types(file: M2File, wanted: Sequence[str]) -> frozenset[str]:
    """Return the error types of a file that are presets' or fit a pattern such as ``*:FORM``.

    All that a file of labels has, where nothing is wanted. Raises UnknownNameError for a pattern or
    preset that no edit of the file has, InputError where an M2 file's types are not chosen from.
    """
    if not wanted and file.corrected:
        raise InputError(
            "it is not said which error types are errors of morphology",
            where=file.source,
            hint=f"give --morphology: a preset ({', '.join(PRESETS)}), a type or a pattern",
        )
    types = {edit.type for sentence in file.sentences for edit in sentence.edits}
    chosen: set[str] = set()
    for name in wanted:
        found = {
            kind for kind in types for one in PRESETS.get(name, (name,)) if fnmatchcase(kind, one)
        }
        if not found:
            raise unknown_name(
                "error type",
                name,
                {*types, *PRESETS} - {name},
                message=f"no edit has a type that '{name}' stands for",
                where=file.source,
                hint=f"presets: {', '.join(PRESETS)}; 'tracker grammar gec types' counts the "
                "file's",
            )
        chosen |= found
    return frozenset(chosen if wanted else types)


def type_rows(file: M2File, morphology: frozenset[str]) -> pa.Table:
    """Return one row per annotator and error type: edits, tokens under them, most frequent first.

    ``insertions`` are edits between two tokens: no token of the source is in error.
    """
    edits = [edit for sentence in file.sentences for edit in sentence.edits]
    told = (
        (e.annotator, e.type, e.type in morphology, e.end - e.start, int(e.start == e.end))
        for e in edits
    )
    counts = {"tokens": pa.int64(), "insertions": pa.int64()}
    rows = table_of(told, annotator=pa.int32(), type=pa.string(), morphology=pa.bool_(), **counts)
    counted = rows.group_by(["annotator", "type", "morphology"]).aggregate(
        [([], "count_all"), ("tokens", "sum"), ("insertions", "sum")]
    )
    return counted.rename_columns(
        ["annotator", "type", "morphology", "edits", "tokens", "insertions"]
    ).sort_by([("annotator", "ascending"), ("edits", "descending"), ("type", "ascending")])


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
    accept_mismatch: bool = False,
) -> pa.Table:
    """Return precision and recall by annotator and kind of rules (and ``all``), or by single rule.

    Pratapa et al. 2021, algorithm 1. ``parse`` holds the source sentences. A token is in error
    where an edit of a type of ``morphology`` covers it. Where there are several annotators, ``any``
    takes a token as in error where one of them does. Columns: annotator, rules, precision and
    recall (0 to 1, NULL with a reason where undefined), tp, fp, fn, corrected (tokens in error),
    tokens, sentences, reason.

    Raises UnknownNameError for a rule set that does not exist, InputError for one without rules,
    and for rules of another scheme than the parse's unless ``accept_mismatch``.
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
        trees = Trees("the parsed sentences", None, scheme_at_hand(database))
        check_fit(database, rule_set_id, trees, accept_mismatch=accept_mismatch)
        return read_table(database, "gec_identification")


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
    placed = [(places[name], name, rule) for name, rule in rows]
    return table_of(placed, place=pa.int32(), name=pa.string(), rule=pa.string())


def _annotated(file: M2File) -> pa.Table:
    """Return which sentences each annotator looked at, and their tokens."""
    rows = [
        (annotator, number, len(sentence.tokens))
        for number, sentence in enumerate(file.sentences, start=1)
        for annotator in [*map(str, sorted(sentence.annotators)), *_several(file)]
    ]
    return table_of(rows, annotator=pa.string(), sentence_no=pa.int32(), tokens=pa.int32())


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
    return table_of(sorted(rows), annotator=pa.string(), sentence_no=pa.int32(), unit=pa.int32())


def _several(file: M2File) -> tuple[str, ...]:
    return (ANY,) if len(file.annotators) > 1 else ()
