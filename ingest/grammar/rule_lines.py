"""The rule lines that L'AMBRE's own tool reads: a rule is a language, a link type and a feature."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ...schema.arrow import arrow_table
from ...schema.errors import InputError
from ...schema.files import read_text
from ...schema.rule_sets import PRESCRIBED, rule_keys

_KINDS = {"agreement": 5, "argstruct": 7}
_HINT = "language, rule set, 'agreement', deprel-DEPENDENT-HEAD and a feature, separated by tabs"


def is_peer_line(line: str) -> bool:
    """Return whether a line looks like one of a published rule set."""
    values = line.split("\t")
    return len(values) > 2 and values[2] in _KINDS


def read_peer_rules(path: Path) -> tuple[dict[str, str], pa.Table]:
    """Return what the lines say of the set (name, language, scheme) and its rules.

    An argument structure line prescribes values of the dependent, of the head, or of both: one rule
    for each. Raises InputError (file:line) for other lines.
    """
    said: dict[str, str] = {"scheme": "sud"}
    rows: list[dict[str, object]] = []
    places: list[str] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        values = line.rstrip("\n").split("\t")
        if not is_peer_line(line) or len(values) != _KINDS[values[2]]:
            raise InputError(
                "this is no rule line of a published rule set", where=where, hint=_HINT
            )
        said.setdefault("language", values[0])
        said.setdefault("name", f"{values[0]}-{values[1]}")
        link = values[3].rsplit("-", 2)
        if len(link) != 3:
            raise InputError(f"'{values[3]}' is no link type", where=where, hint=_HINT)
        rule = dict(zip(("deprel", "dependent_upos", "head_upos"), link, strict=True))
        rule["feature"] = values[4]
        if values[2] == "agreement":
            rows.append({"kind": "agreement", **rule})
            places.append(where)
            continue
        for bearer, text in zip(("dependent", "head"), values[5:7], strict=True):
            if text != "-":
                places.append(where)
                allowed = sorted(set(text.replace(";", ",").split(",")) - {""})
                rows.append(
                    {
                        "kind": "argument_structure",
                        **rule,
                        "bearer": bearer,
                        "allowed_values": allowed,
                    }
                )
    return said, rule_keys(arrow_table(rows, PRESCRIBED, places.__getitem__))


def peer_lines(rules: pa.Table, language: str, rule_set: str) -> str:
    """Return rules as the lines the peer reads; word order rules have no such line."""
    lines = []
    sides: dict[tuple[str, str], dict[str, str]] = {}
    for row in rules.to_pylist():
        link = f"{row['deprel']}-{row['dependent_upos']}-{row['head_upos']}"
        if row["kind"] == "agreement":
            lines.append(f"{language}\t{rule_set}\tagreement\t{link}\t{row['feature']}")
        elif row["kind"] == "argument_structure":
            values = sides.setdefault((link, row["feature"]), {})
            values[row["bearer"]] = ";".join(row["allowed_values"])
    for (link, feature), values in sides.items():
        both = "\t".join(values.get(bearer, "-") for bearer in ("dependent", "head"))
        lines.append(f"{language}\t{rule_set}\targstruct\t{link}\t{feature}\t{both}")
    return "\n".join(lines) + "\n"
