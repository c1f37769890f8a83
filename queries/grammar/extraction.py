"""Learning grammar rules from a treebank (Pratapa et al. 2021, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, ClassVar

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError, check_choices
from ...schema.grammar import rule_sets
from ...schema.names import resolve_treebank
from ...schema.parameters import Option
from ...schema.statements import read_table, row_by_id, statement
from ...schema.temporary import hold, temporary
from .scoring import convert_words, judge_dependencies

_SCHEMES = ("ud", "sud")
_SUPPORT_BY_SIZE = ((200, 5), (1000, 10), (5000, 20))
_SUPPORT_OF_LARGE = 50
_MINIMUM_WORDS = 100
_LEARNED = pa.schema(
    [*rule_sets.PRESCRIBED, rule_sets.RULE.field("support"), rule_sets.RULE.field("strength")]
)


@dataclass(frozen=True)
class ExtractionSettings:
    """Thresholds of the extraction; the defaults are those of the paper."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "pratapa2021": {"minimum_words_of": {"cs": 500, "ru": 500}, "as_scripts": True}
    }
    """Settings that a paper's rules were learned with: those of its authors' scripts."""

    kinds: Annotated[
        Sequence[str],
        Option("Kind of rules; may be repeated.", flag="--kind", choices=rule_sets.KINDS),
    ] = ("agreement", "argument_structure")
    minimum_share: Annotated[
        float, Option("Agreement, word order: share of the links that must follow the rule.")
    ] = 0.9
    minimum_pairs: Annotated[
        int | None,
        Option(
            "Agreement, word order: links that a rule must exceed; else 5 to 50 by "
            "the treebank's size.",
            low=0,
        ),
    ] = None
    """None: 5 for a treebank of fewer than 200 sentences, 10 below 1,000, 20 below 5,000, else 50.
    Counted are links with the feature at both ends."""
    coverage: Annotated[
        float,
        Option("Agreement: share of all instances that the most frequent rules cover."),
    ] = 0.8
    features: Annotated[
        Sequence[str],
        Option("Argument structure: features that constructions may prescribe.", flag="--feature"),
    ] = ("Case", "VerbForm")
    minimum_divergence: Annotated[
        float,
        Option("Argument structure: divergence (nats) from the part of speech's own distribution."),
    ] = 0.9
    """Kullback-Leibler divergence of a feature's values in a construction."""
    minimum_words: Annotated[
        int | None,
        Option(
            "Argument structure: words with the feature in the construction.", low=1, default=100
        ),
    ] = None
    """None: that of ``minimum_words_of`` for the language, else 100."""
    minimum_words_of: Mapping[str, int] = field(default_factory=dict)
    """Such minima by language code."""
    minimum_value_share: Annotated[
        float, Option("Argument structure: share from which a value is allowed.")
    ] = 0.1
    lemmas: Annotated[
        Sequence[str],
        Option(
            "Also learn rules for single lemmas of the head, or of the dependent, where they "
            "demand something else than all lemmas together; may be repeated.",
            flag="--lemma",
            choices=rule_sets.BEARERS,
        ),
    ] = ()
    as_scripts: bool = False
    """Compare as the authors' scripts: a share of agreement must exceed its minimum; divergences
    are rounded to 4 digits first, shares of values to 3; agreement rules of equal support come in
    the order of their dependency type's first dependency, then the larger share first."""
    examples: int = 10
    """Examples stored of dependencies that keep a rule, and of some that break it."""


def extract_rules(
    database: Database,
    treebank_id: str,
    settings: ExtractionSettings | None = None,
    *,
    name: str | None = None,
    scheme: str | None = None,
) -> rule_sets.Stored:
    """Learn rules from a treebank, store them with examples and return what was stored.

    The set is called ``name``, else as the treebank; where that has a version with the same rules
    already, nothing changes. Rules are of the treebank's scheme; where that is ud and ``scheme`` is
    sud, they are learned from its trees converted to SUD, and stored without examples, whose
    dependencies the treebank does not have.

    Raises UnknownNameError for a treebank that is not loaded, InputError for one without trees, or
    of SUD where ``scheme`` is ud, for settings that cannot be, and where no rule is found.
    """
    settings = settings or ExtractionSettings()
    _check(settings)
    treebank_id = resolve_treebank(database, treebank_id)
    language, its_scheme, sentences = _treebank(database, treebank_id)
    if (its_scheme, scheme) == ("sud", "ud"):
        hint = "only trees of UD are converted; leave the scheme out"
        raise InputError(f"'{treebank_id}' is in SUD, no rules of UD are in it", hint=hint)
    converted = (its_scheme, scheme) == ("ud", "sud")
    with temporary(database):
        _prepare(database, treebank_id, converted=converted)
        settings = _resolved(settings, language, sentences)
        rules = rule_sets.rule_keys(_learn(database, settings))
        if not rules.num_rows:
            raise InputError(
                f"no rule is frequent and firm enough in '{treebank_id}'",
                hint="take a larger treebank, or lower the thresholds",
            )
        examples = _examples(database, rules, 0 if converted else settings.examples)
    return rule_sets.store_rule_set(
        database,
        rule_sets.NewRuleSet(
            name=name or treebank_id,
            language=language,
            scheme=scheme or its_scheme,
            treebank_id=treebank_id,
            parameters=asdict(settings),
            source=treebank_id,
        ),
        rules,
        examples,
    )


def _check(settings: ExtractionSettings) -> None:
    check_choices(
        *(("kind of rule", kind, rule_sets.KINDS) for kind in settings.kinds or ("",)),
        *(("word whose lemmas have rules", whose, rule_sets.BEARERS) for whose in settings.lemmas),
    )
    for what in ("minimum_share", "coverage", "minimum_value_share"):
        value = getattr(settings, what)
        if not 0 < value <= 1:
            raise InputError(
                f"{what.replace('_', ' ')} = {value} is no share", hint="give more than 0, up to 1"
            )


def _treebank(database: Database, treebank_id: str) -> tuple[str | None, str, int]:
    columns = ("language", "scheme", "sentences")
    row = row_by_id(database, "treebank", treebank_id, *columns)
    language, scheme, sentences = row or (None, "", 0)
    if scheme not in _SCHEMES:
        raise InputError(
            f"'{treebank_id}' has no trees: its scheme is {scheme}",
            hint="rules are learned from a dependency treebank (ud or sud)",
        )
    return language, str(scheme), int(sentences)


def _prepare(database: Database, treebank_id: str, *, converted: bool) -> None:
    connection = database.connection
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE grammar_target AS SELECT ? AS target", [treebank_id]
    )
    connection.execute(statement("grammar_reference_words"))
    if converted:
        convert_words(database)
    connection.execute("CREATE OR REPLACE TEMP VIEW grammar_dependent AS FROM grammar_word")
    connection.execute(statement("grammar_features"))
    connection.execute(statement("grammar_dependencies"))


def _learn(database: Database, settings: ExtractionSettings) -> pa.Table:
    pairs = settings.minimum_pairs
    parameters: dict[str, dict[str, Any]] = {
        "agreement": {
            "minimum_support": pairs,
            "minimum_share": settings.minimum_share,
            "coverage": settings.coverage,
            "as_scripts": settings.as_scripts,
        },
        "argument_structure": {
            "features": list(settings.features),
            "minimum_support": settings.minimum_words,
            "minimum_divergence": settings.minimum_divergence,
            "minimum_value_share": settings.minimum_value_share,
            "as_scripts": settings.as_scripts,
        },
        "word_order": {"minimum_support": pairs, "minimum_share": settings.minimum_share},
    }
    hold(database, "general_rule", _LEARNED.empty_table())
    learned = [_learned(database, settings.kinds, parameters)]
    if settings.lemmas:
        uncut = {**parameters, "agreement": {**parameters["agreement"], "coverage": 1.0}}
        hold(database, "general_rule", _learned(database, settings.kinds, uncut))
    for whose in settings.lemmas:
        database.connection.execute(statement("grammar_lemmas"), {"whose": whose})
        learned.append(_learned(database, settings.kinds, parameters))
    return pa.concat_tables(learned)


def _learned(
    database: Database, kinds: Sequence[str], parameters: Mapping[str, Mapping[str, Any]]
) -> pa.Table:
    """Return the rules of these kinds that ``general_rule`` does not demand already."""
    return pa.concat_tables(
        read_table(database, f"extract_{kind}", **parameters[kind])
        .select(_LEARNED.names)
        .cast(_LEARNED)
        for kind in rule_sets.KINDS
        if kind in kinds
    )


def _resolved(
    settings: ExtractionSettings, language: str | None, sentences: int
) -> ExtractionSettings:
    """Return the settings with the minima that hold for a treebank."""
    pairs = next((pairs for size, pairs in _SUPPORT_BY_SIZE if sentences < size), _SUPPORT_OF_LARGE)
    words = settings.minimum_words_of.get(language or "", _MINIMUM_WORDS)
    return replace(
        settings,
        minimum_pairs=pairs if settings.minimum_pairs is None else settings.minimum_pairs,
        minimum_words=words if settings.minimum_words is None else settings.minimum_words,
        minimum_words_of={},
    )


def _examples(database: Database, rules: pa.Table, examples: int) -> pa.Table:
    hold(database, "rule_at_hand", rules)
    judge_dependencies(database)
    return read_table(database, "grammar_examples", examples=examples)
