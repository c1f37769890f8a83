"""Which judgements do not compare, and what that does to a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.statements import read_rows
from .human_scores import RAW, Rule

SHORT = 10
"""Ratings up to this are of a short scale, such as 1 to 5, and not of 0 to 100."""
FEWEST_RATINGS = 5
"""So many ratings tell an annotator's scale."""
NAMED = 5
BALANCED = 0.5
"""Pairs of systems that share less of their annotators are told where raw scores rank."""


def unlike(database: Database, chosen: Mapping[str, str], rule: Rule) -> dict[str, list[str]]:
    """Return by criterion what makes a campaign's judgements hard to compare, one text each.

    Systems that were judged on other sentences than others, with the ranking over the sentences
    that all have; annotators of one system; a single system; scales other than 0 to 100, or of
    several lengths; names that differ in case, blanks and marks alone. ``chosen`` says by criterion
    whose judgements count. Reads the temporary tables ``judgement_at_hand`` and
    ``standardised_judgement``.
    """
    rows = read_rows(database, "judged_unlike", fewest=FEWEST_RATINGS, short=SHORT)
    return {
        row["criterion"]: [
            *_coverage(database, row["criterion"], chosen[row["criterion"]], rule),
            *_annotators(row, rule),
            *_balance(database, row["criterion"], chosen[row["criterion"]], rule),
            *_scales(row),
            *_names(row),
        ]
        for row in rows
        if row["criterion"] in chosen
    }


def _coverage(database: Database, criterion: str, annotators: str, rule: Rule) -> Iterator[str]:
    rows = read_rows(
        database,
        "judged_coverage",
        criterion=criterion,
        annotators=annotators,
        ranked_by=rule.ranked_by,
    )
    for row in rows:
        said = (
            f"the {row['systems']} systems of {row['treebank_id']} were judged on different "
            f"sentences, each on {row['fewest']} to {row['most']}; means and clusters take these "
            "for alike"
        )
        if not row["shared"]:
            yield f"{said}: no sentence was judged of all"
            continue
        places, others = (
            {name: place for place, name in enumerate(row[column])}
            for column in ("ranking", "shared_ranking")
        )
        moved = sum(places[name] != others[name] for name in places)
        order = _listed([name.split("/")[1] for name in row["shared_ranking"]], " > ")
        yield (
            f"{said}: over the {plural(row['shared'], 'sentence')} judged of all, "
            f"{moved} of {row['systems']} have another place ({order})"
        )


def _annotators(row: Mapping[str, Any], rule: Rule) -> Iterator[str]:
    if row["systems"] == 1:
        yield "one system was judged: its mean z-score is 0 by construction and says nothing of it"
    elif row["of_one_system"]:
        yield (
            f"{row['of_one_system']} of {plural(row['annotators'], 'annotator')} judged one system "
            f"only ({row['judgements_of_one_system']} of {row['judgements']} judgements): "
            + (
                "raw scores of it are high or low as they are lenient or strict"
                if rule.ranked_by == RAW
                else "z-scores take out how good it is with how strict they are"
            )
        )


def _balance(database: Database, criterion: str, annotators: str, rule: Rule) -> Iterator[str]:
    """Yield in which treebanks raw scores of systems are those of other annotators."""
    if rule.ranked_by != RAW:
        return
    rows = read_rows(
        database,
        "annotator_balance",
        criterion=criterion,
        annotators=annotators,
        balanced=BALANCED,
    )
    for row in rows:
        without, partly = row["without"], row["partly"]
        of = f"of {plural(row['pairs'], 'pair')} of systems in {row['treebank_id']}"
        if without:
            yield (
                f"{without} {of} have no annotator in common and no test: raw scores do not tell "
                "strict annotators from poor outputs"
            )
        if partly:
            yield (
                f"{partly} {of} share less than half of their judgements' annotators (the least "
                f"{row['least']:.0%}): raw differences are partly those of annotators; "
                "'--rank-by z' takes these out"
            )


def _scales(row: Mapping[str, Any]) -> Iterator[str]:
    short: Sequence[str] = row["short_scale"]
    if row["lowest"] < 0:  # penalties, such as MQM's
        return
    if row["highest"] <= SHORT:
        yield (
            f"ratings lie between {row['lowest']:g} and {row['highest']:g}: they are taken as they "
            "are, on a scale of 0 to 100"
        )
    elif short:
        yield (
            f"{len(short)} of {plural(row['annotators'], 'annotator')} rate up to {SHORT} at most, "
            f"others up to {row['highest']:g} ({_listed(short)}): raw means mix two scales, "
            "z-scores do not"
        )


def _names(row: Mapping[str, Any]) -> Iterator[str]:
    for alike in row["named_alike"] or ():
        names = " and ".join(f"'{name}'" for name in alike["names"])
        yield (
            f"the {alike['kind']}s {names} count apart: their names differ in case, blanks or "
            "marks alone"
        )


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return between.join([*names[:NAMED], *more])
