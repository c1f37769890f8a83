"""Metrics held against errors that people corrected (L'AMBRE, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

import pyarrow as pa
import pyarrow.compute as pc

from ....schema.database import Database
from ....schema.errors import InputError, check_choices
from ....schema.grammar import AnnotatedSentence, Edit, M2File, Parse
from ....schema.grammar.rule_sets import Trees, check_fit, resolve_rule_set
from ....schema.names import check_names, unknown_name
from ....schema.statements import read_table
from ....schema.temporary import table_of, temporary
from ..metrics import KINDS
from ..scoring import APPLICABLE, check_words, rule_set_content, scheme_at_hand

VARIANTS = {"source": (), "target": (True, False), "morph": (True,), "rest": (False,)}
"""Which edits are made, those of morphology (True) or the others (Pratapa et al. 2021, A.4)."""
_UNCORRECTED = ("UNK", "Um")
"""Types of errors that the annotator found and could not correct."""


def variant_rows(file: M2File, morphology: frozenset[str]) -> pa.Table:
    """Return the variants: one row per sentence, annotator who looked at it, and variant.

    Columns: sentence (from 1), annotator, variant, text (tokens separated by blanks; it may be
    empty where everything is deleted).

    Raises InputError for a corpus that does not say what is right.
    """
    if not file.corrected:
        raise InputError(
            "the labels say which tokens are wrong, not what would be right",
            where=file.source,
            hint="'tracker grammar gec identify' and 'types' take labels; variants need an M2 file",
        )
    rows = [
        (number, annotator, variant, " ".join(_variant(sentence, annotator, variant, morphology)))
        for number, sentence in enumerate(file.sentences, start=1)
        for annotator in sorted(sentence.annotators)
        for variant in VARIANTS
    ]
    texts = {"variant": pa.string(), "text": pa.string()}
    return table_of(rows, sentence=pa.int32(), annotator=pa.int32(), **texts)


def _variant(
    sentence: AnnotatedSentence, annotator: int, variant: str, morphology: frozenset[str]
) -> list[str]:
    edits = [
        edit
        for edit in sentence.edits
        if edit.annotator == annotator and (edit.type in morphology) in VARIANTS[variant]
    ]
    return apply_edits(sentence.tokens, edits)


def apply_edits(tokens: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """Return the tokens with edits made, which follow each other and do not overlap.

    Errors without a correction (UNK, Um) stay as they are.
    """
    corrected: list[str] = []
    reached = 0
    for edit in edits:
        if edit.type not in _UNCORRECTED:
            corrected += [*tokens[reached : edit.start], *edit.correction]
            reached = edit.end
    return [*corrected, *tokens[reached:]]


def score_variants(
    database: Database,
    rule_set: str,
    variants: pa.Table,
    parse: Callable[[Sequence[Sequence[str]]], Parse],
    *,
    applicable: str = "links",
    accept_mismatch: bool = False,
) -> pa.Table:
    """Return the scores grammar, grammar_agreement, … of variants of sentences.

    ``parse`` gets every text once, as tokens, and keeps them. Columns: sentence, annotator,
    variant, metric, score (NULL where no rule of the metric applies).

    Raises UnknownNameError for a rule set that does not exist, InputError for rules of another
    scheme than the parser's unless ``accept_mismatch``, and what ``parse`` raises.
    """
    check_choices(("way of counting", applicable, APPLICABLE))
    rule_set_id = resolve_rule_set(database, rule_set)
    _, kinds = rule_set_content(database, rule_set_id)
    encoded = variants["text"].combine_chunks().dictionary_encode()
    texts = [text.split(" ") if text else [] for text in encoded.dictionary.to_pylist()]
    parsed = parse(texts)
    metrics = {name: kind for name, kind in KINDS.items() if kind is None or kind in kinds}
    named = pa.table({"metric": list(metrics), "kind": pa.array(metrics.values(), pa.string())})
    with temporary(database, gec_metric=named):
        check_words(database, rule_set_id, parsed.words)
        trees = Trees("the parsed sentences", None, scheme_at_hand(database))
        check_fit(database, rule_set_id, trees, accept_mismatch=accept_mismatch)
        scored = read_table(database, "gec_grammar_scores", applicable=applicable)
    numbers = pc.add(encoded.indices.cast(pa.int32()), pa.scalar(1, pa.int32()))
    numbered = variants.drop_columns("text").append_column("sentence_no", numbers)
    return pa.concat_tables(
        numbered.append_column("metric", pa.repeat(name, numbered.num_rows))
        .join(scored, ["metric", "sentence_no"])
        .select(["sentence", "annotator", "variant", "metric", "score"])
        for name in metrics
    )


def accept(
    database: Database,
    variants: pa.Table,
    scores: Sequence[pa.Table],
    lower_is_better: Sequence[str] = (),
) -> pa.Table:
    """Return how often each metric prefers the better variant (Pratapa et al. 2021, table 4).

    ``scores`` are tables of ``score_variants`` and ``read_scores``. A row per annotator, metric and
    contrast: worse, better, accuracy (correct / pairs; NULL with a reason where no pair differs),
    pairs (whose texts differ), correct (the better one has strictly the better score), wrong
    (strictly the worse one), ties and unscored (one of the two has no score).

    Raises InputError for a metric that is given twice, UnknownNameError for one of
    ``lower_is_better`` that has no scores.
    """
    metrics = [name for rows in scores for name in rows["metric"].unique().to_pylist()]
    twice = next((name for name in metrics if metrics.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"the metric '{twice}' is given twice", hint="name them differently")
    check_names("metric", lower_is_better, metrics, where="the scores")
    if not metrics:
        raise InputError("there are no scores", hint="give --scores, or --rules and --model")
    named = {
        "place": pa.array(range(len(metrics)), pa.int32()),
        "metric": pa.array(metrics, pa.string()),
        "lower_is_better": pa.array([name in lower_is_better for name in metrics], pa.bool_()),
    }
    tables = {
        "gec_variant": variants,
        "gec_score": pa.concat_tables(scores),
        "gec_metric": pa.table(named),
    }
    with temporary(database, **tables):
        return read_table(database, "gec_acceptability")


PRESETS = {
    "falko-merlin": ("?:*:FORM",),
    "ua-gec": (
        *("G/Case", "G/Gender", "G/Number", "G/Aspect", "G/Tense"),
        *("G/VerbVoice", "G/PartVoice", "G/VerbAForm", "G/Participle", "G/Comparison"),
    ),
    "rulec-gec": (
        *("Сущ.:Падеж", "Сущ.:Число", "Сущ.:Род", "Сущ.:Др."),
        *("Прил.:Падеж", "Прил.:Число", "Прил.:Род", "Прил.:Др."),
        *("Глагол:Число/Лицо", "Глагол:Вид", "Глагол:Залог", "Глагол:Время", "Глагол:Др."),
        "Лексика:морф.",
    ),
}
"""Patterns of error types by corpus.

Those of Falko-MERLIN and RULEC-GEC are the paper's (Pratapa et al. 2021, appendix A.3); RULEC-GEC's
files name them in Russian (Rozovskaya and Roth 2019).
"""


def morphology_types(file: M2File, wanted: Sequence[str]) -> frozenset[str]:
    """Return the error types of a file that are presets' or fit a pattern such as ``*:FORM``.

    All that a file of labels has, where nothing is wanted. Raises UnknownNameError for a pattern or
    preset that no edit of the file has, InputError where an M2 file's types are not chosen from.
    """
    if not wanted and file.corrected:
        raise InputError(
            "the error types of morphology are not named",
            where=file.source,
            hint=f"give --morphology: a preset ({', '.join(PRESETS)}), a type or a pattern",
        )
    types = {edit.type for sentence in file.sentences for edit in sentence.edits}
    chosen: set[str] = set()
    for name in wanted:
        matching = {
            kind for kind in types for one in PRESETS.get(name, (name,)) if fnmatchcase(kind, one)
        }
        if not matching:
            raise unknown_name(
                "error type",
                name,
                {*types, *PRESETS} - {name},
                message=f"no edit has a type that '{name}' stands for",
                where=file.source,
                hint=f"presets: {', '.join(PRESETS)}; 'tracker grammar gec types' counts the "
                "file's",
            )
        chosen |= matching
    return frozenset(chosen if wanted else types)


def type_rows(file: M2File, morphology: frozenset[str]) -> pa.Table:
    """Return one row per annotator and error type: edits, tokens under them, most frequent first.

    ``insertions`` are edits between two tokens: no token of the source is in error.
    """
    edits = [edit for sentence in file.sentences for edit in sentence.edits]
    counts_by_type = (
        (e.annotator, e.type, e.type in morphology, e.end - e.start, int(e.start == e.end))
        for e in edits
    )
    counts = {"tokens": pa.int64(), "insertions": pa.int64()}
    rows = table_of(
        counts_by_type, annotator=pa.int32(), type=pa.string(), morphology=pa.bool_(), **counts
    )
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
