"""The rule sets that L'AMBRE's tool publishes, as its lines hold them, in two formats.

pratapa-etal-2021 has a line for each type of dependencies and feature. chaudhary-etal-2021 has a
line for each leaf of decision trees: what a construction demands where features of the words, their
heads and their neighbours do, or do not, hold (Chaudhary et al. 2020, 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import pyarrow as pa

from ...schema.errors import InputError
from ...schema.grammar.rule_sets import (
    BEARERS,
    ORDERS,
    PRESCRIBED,
    RULE,
    conditions_of,
    encoded,
    rule_keys,
)
from ..formats import Format, UserFile, arrow_table


@dataclass(frozen=True)
class RuleFile:
    """The content of a rule file."""

    header: dict[str, str]
    """What the comments at its head say of the set."""
    rules: pa.Table
    """The columns of RULE or of PRESCRIBED, and ``rule``."""


_TYPE_CELLS = {"agreement": 5, "argstruct": 7}
_TYPE_HINT = (
    "language, rule set, 'agreement', deprel-DEPENDENT-HEAD and a feature, separated by tabs"
)


def _is_type_line(line: str) -> bool:
    """Return whether a line looks like one about a type of dependencies."""
    values = line.split("\t")
    return len(values) > 2 and values[2] in _TYPE_CELLS


def _reader(
    schema: pa.Schema, rules_of: Callable[[Sequence[str], str], list[dict[str, object]]]
) -> Callable[[UserFile], RuleFile]:
    """Return what reads a file of rules, and their name, language and scheme, by its lines.

    ``rules_of`` gives the rules of a line by its cells and its place.
    """

    def read(file: UserFile) -> RuleFile:
        header: dict[str, str] = {"scheme": "sud"}
        rows: list[dict[str, object]] = []
        places: list[str] = []
        for number, line in file.filled_lines():
            values = [value.strip() for value in line.split("\t")]
            of_line = rules_of(values, file.where(number))
            header.setdefault("language", values[0])
            header.setdefault("name", f"{values[0]}-{values[1]}")
            rows += of_line
            places += [file.where(number)] * len(of_line)
        return RuleFile(header, rule_keys(arrow_table(rows, schema, places.__getitem__)))

    return read


def _type_rules(values: Sequence[str], where: str) -> list[dict[str, object]]:
    """Return the rules of a line about a type of dependencies.

    An argument structure line prescribes values of the dependent, of the head, or of both: one rule
    for each. Raises InputError for other lines.
    """
    if len(values) < 3 or _TYPE_CELLS.get(values[2]) != len(values):
        what = "this is no rule line of a published rule set"
        raise InputError(what, where=where, hint=_TYPE_HINT)
    link = values[3].rsplit("-", 2)
    if len(link) != 3:
        raise InputError(f"'{values[3]}' is no link type", where=where, hint=_TYPE_HINT)
    rule: dict[str, object] = dict(zip(RULE.names[1:4], link, strict=True))
    rule["feature"] = values[4]
    if values[2] == "agreement":
        return [{"kind": "agreement", **rule}]
    rules = []
    for bearer, text in zip(BEARERS, values[5:7], strict=True):
        if text != "-":
            allowed = sorted(set(text.replace(";", ",").split(",")) - {""})
            rule |= {"bearer": bearer, "allowed_values": allowed}
            rules.append({"kind": "argument_structure", **rule})
    return rules


def peer_lines(rules: pa.Table, language: str, rule_set: str) -> str:
    """Return rules as lines about types of dependencies, without those that have no such line."""
    lines = []
    sides: dict[tuple[str, str], dict[str, str]] = {}
    for row in rules.to_pylist():
        link = f"{row['deprel']}-{row['dependent_upos']}-{row['head_upos']}"
        if row["conditions"] or "*" in link or "/" in link:
            continue
        if row["kind"] == "agreement":
            lines.append(f"{language}\t{rule_set}\tagreement\t{link}\t{row['feature']}")
        elif row["kind"] == "argument_structure":
            values = sides.setdefault((link, row["feature"]), {})
            values[row["bearer"]] = ";".join(row["allowed_values"])
    for (link, feature), values in sides.items():
        both = "\t".join(values.get(bearer, "-") for bearer in ("dependent", "head"))
        lines.append(f"{language}\t{rule_set}\targstruct\t{link}\t{feature}\t{both}")
    return "\n".join(lines) + "\n"


_NOMINAL = "NOUN/PRON/PROPN"
_ORDERED = {
    "subject-verb": ("*subj*", "*", "VERB"),
    "object-verb": ("*obj*", "*", "VERB"),
    "noun-adposition": ("*", _NOMINAL, "ADP"),
    "adjective-noun": ("*mod*", "ADJ", _NOMINAL),
    "numeral-noun": ("*mod*", "NUM", _NOMINAL),
}
"""The dependencies of each construction whose order trees decide: relation, dependent and head."""
_LEAF_CELLS = 8
_LEAF_TASKS = ("agreement", "wordorder", "casemarking")
_LEAF_HINT = (
    "language, rule set, agreement, wordorder or casemarking, what it is about, its label, "
    "features that hold, features that do not hold, and examples, separated by tabs"
)
_LEMMAS = {
    "lemma": "lemma",
    "neighborhood": "near.lemma",
    "headlemma": "head.lemma",
    "headheadlemma": "head.head.lemma",
    "depheadlemma": "other.lemma",
    "depdeplemma": "child.lemma",
}
_FEATURES: Mapping[tuple[str, int], str] = {
    ("deppos", 1): "upos={0}",
    ("deprel", 1): "deprel={0}",
    ("depfeat", 2): "{0}={1}",
    ("headpos", 1): "head.upos={0}",
    ("headrelrel", 1): "head.deprel={0}",
    ("headrelrel", 2): "head.upos={0} & head.deprel={1}",
    ("headrelrel", 3): "head.upos={0} & deprel={1} & head.deprel={2}",
    ("headfeat", 2): "head.{0}={1}",
    ("headfeat", 3): "head.upos={0} & head.{1}={2}",
    ("headfeat", 4): "head.upos={0} & deprel={1} & head.{2}={3}",
    ("headfeatrel", 3): "deprel={0} & head.{1}={2}",
    ("headmatch", 2): "head.agrees={1}",
    ("agreepos", 1): "agrees=Case & head.upos={0}",
    ("agreerel", 1): "agrees=Case & deprel={0}",
    ("agree", 1): "agrees=Case & head.deprel={0}",
    ("agree", 3): "agrees=Case & deprel={0} & head.upos={1} & head.deprel={2}",
    ("depheadpos", 1): "other.upos={0}",
    ("depheadrel", 1): "other.deprel={0}",
    ("depdeppos", 1): "child.upos={0}",
    ("depdeprel", 1): "child.deprel={0}",
}
"""Features of the trees, by their first word and how many follow it, as tests of conditions."""


def _is_leaf_line(line: str) -> bool:
    """Return whether a line looks like a leaf of a decision tree."""
    values = line.split("\t")
    return len(values) > 2 and (
        values[2] in _LEAF_TASKS[1:] or (values[2] == "agreement" and len(values) == _LEAF_CELLS)
    )


def _leaf_rules(values: Sequence[str], where: str) -> list[dict[str, object]]:
    """Return the rule of a leaf; what it requires of relation and parts of speech is its link.

    Raises InputError for other lines.
    """
    if len(values) != _LEAF_CELLS or values[2] not in _LEAF_TASKS:
        raise InputError("this is no leaf of a decision tree", where=where, hint=_LEAF_HINT)
    _, _, task, model, label, active, inactive, examples = values
    if not examples.isdecimal():
        raise InputError(f"'{examples}' is no number of examples", where=where, hint=_LEAF_HINT)
    rule = _demand(task, model, label, where)
    feature = str(rule["feature"])
    required = [test for name in _names(active) for test in _tests(name, feature, where)]
    conditions = []
    for test in required:
        name, _, value = test.partition("=")
        field = _LINK_FIELDS.get(name)
        if field is None or not _covers(field, str(rule[field]), value):
            conditions.append(test)
        else:
            rule[field] = value
    conditions += [f"not {' & '.join(_tests(name, feature, where))}" for name in _names(inactive)]
    rule["conditions"] = conditions_of("; ".join(conditions)) if conditions else None
    return [{**rule, "support": int(examples)}]


def _demand(task: str, model: str, label: str, where: str) -> dict[str, object]:
    """Return what a tree is about, and what a leaf with this label demands."""
    if task == "wordorder":
        if model not in _ORDERED or label not in ORDERS:
            what = f"'{label}'" if model in _ORDERED else f"'{model}'"
            hint = f"{' or '.join(ORDERS)}, of {', '.join(_ORDERED)}"
            raise InputError(f"{what} is no word order", where=where, hint=hint)
        link = dict(zip(_LINK_FIELDS.values(), _ORDERED[model], strict=True))
        return {"kind": "word_order", **link, "feature": "order", "allowed_values": [label]}
    if task == "casemarking":
        link = {"deprel": "*", "dependent_upos": model, "head_upos": "*"}
        demand = {
            "feature": "Case",
            "bearer": "dependent",
            "allowed_values": sorted(label.split("/")),
        }
        return {"kind": "argument_structure", **link, **demand}
    feature, _, upos = model.partition("-")
    if not upos or label != "req-agree":
        hint = "such as gender-NOUN, and req-agree: trees also predict where agreement is by chance"
        raise InputError(f"'{model}' '{label}' demands no agreement", where=where, hint=hint)
    link = {"deprel": "*", "dependent_upos": upos, "head_upos": "*"}
    return {"kind": "agreement", **link, "feature": feature.title()}


_LINK_FIELDS = {"deprel": "deprel", "upos": "dependent_upos", "head.upos": "head_upos"}
"""The fields of a rule that say what a test of these properties would."""


def _covers(field: str, wanted: str, value: str) -> bool:
    if field == "deprel":
        return fnmatchcase(value, wanted)
    return wanted == "*" or value in wanted.split("/")


def _names(text: str) -> Iterator[str]:
    return (name for name in text.split(" ### ") if name not in ("", "NA"))


def _tests(name: str, feature: str, where: str) -> list[str]:
    """Return the tests that a feature of a tree about agreement of ``feature`` stands for.

    Raises InputError for one that words and their trees do not have.
    """
    prefix, _, rest = name.partition("_")
    if name == "headmatch_True":
        return [f"head.agrees={feature}"]
    if prefix in _LEMMAS and rest:
        return [f"{_LEMMAS[prefix]}={encoded(rest)}"]
    parts = [encoded(part).replace("/", ",") for part in rest.split("_")]
    template = _FEATURES.get((prefix, len(parts)))
    if template is None or "" in parts:
        raise InputError(
            f"no word of a tree has the feature '{name}'",
            where=where,
            hint="leave the line out: what is not in the tree cannot be checked",
        )
    return template.format(*parts).split(" & ")


def _begins_with(fits: Callable[[str], bool]) -> Callable[[UserFile], bool]:
    def begins(file: UserFile) -> bool:
        lines = (line for _, line in file.filled_lines() if not line.startswith("#"))
        return fits(next(lines, ""))

    return begins


PUBLISHED = (
    Format("L'AMBRE, decision trees", _reader(RULE, _leaf_rules), _begins_with(_is_leaf_line)),
    Format("L'AMBRE", _reader(PRESCRIBED, _type_rules), _begins_with(_is_type_line)),
)
"""The formats of the published rule sets."""
