"""What to know of scores made from judgements: which do not compare, and what that does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...schema.brief import listed, plural
from ...schema.database import Database
from ...schema.statements import read_rows, read_tuples
from ..functions.statistics import FEWEST_VALUES
from .human_scores import (
    ALL,
    CAMPAIGN,
    DOCUMENTS,
    DOMAINS,
    PASSING,
    RAW,
    WMT24,
    ZERO,
    HumanSettings,
    Rule,
)

FEWEST_DOCUMENTS = 5
"""Of fewer, no one-sided test of documents is below 0.05: its p-value is 1 / 2^n at the least."""
NOT_COMPARABLE = (
    "z-scores of different campaigns are not comparable: each is relative to its own annotators "
    "and outputs"
)


def notes_on(
    database: Database, campaign_id: str, chosen: Mapping[str, str], settings: HumanSettings
) -> list[str]:
    """Return remarks on a campaign's annotators and control items, one text each.

    ``chosen`` says by criterion whose judgements count. Reads the temporary tables
    ``judgement_at_hand``, ``judgement_pair`` and ``standardised_judgement``, and the rankings.
    """
    counted = read_rows(database, "human_notes", campaign_id=campaign_id, fewest=FEWEST_VALUES)
    rankings = read_rows(database, "human_choices", campaign_id=campaign_id)
    hard_to_compare = unlike(database, chosen, settings)
    notes: list[str] = []
    for row in counted:
        criterion = row["criterion"]
        of_criterion = [ranking for ranking in rankings if ranking["criterion"] == criterion]
        about = [
            *hard_to_compare.get(criterion, ()),
            *_notes(row, chosen[criterion], settings),
            *_changed_rankings(of_criterion, chosen[criterion]),
        ]
        notes += [f"{campaign_id}, {criterion}: {note}" for note in about]
    return notes


def ranking_notes(database: Database, campaign_id: str, rule: Rule) -> list[str]:
    """Return remarks on the domains and documents of each treebank that a ranking is over.

    Reads ``ranked_sentence``.
    """
    return [
        f"{campaign_id}, {note}"
        for note in (*_domains(database, rule), *_documents(database, rule))
    ]


def _documents(database: Database, rule: Rule) -> Iterator[str]:
    for treebank_id, sentences, documents in read_tuples(database, "documents_of_judged"):
        if rule.test == WMT24 or rule.unit != DOCUMENTS:
            other = "'--test signed-rank'" if rule.test == WMT24 else "'--unit documents'"
            yield (
                f"{treebank_id}: tests take {sentences} sentences of "
                f"{plural(documents, 'document')} for independent: systems that are alike differ "
                f"significantly more often than they should; {other} takes documents"
            )
        elif documents < FEWEST_DOCUMENTS:
            yield (
                f"{treebank_id}: no difference can be significant over "
                f"{plural(documents, 'document')}; '--unit sentences' takes sentences for "
                "independent"
            )


def _domains(database: Database, rule: Rule) -> Iterator[str]:
    rows = read_tuples(database, "undomained_sentences") if rule.over == DOMAINS else []
    for treebank_id, sentences, domains, missing in rows:
        yield (
            f"{treebank_id}: {missing} of {sentences} judged sentences have no domain; "
            + ("they count as one domain" if domains else "means are over sentences")
        )


def _changed_rankings(rankings: Sequence[Mapping[str, Any]], annotators: str) -> list[str]:
    """Return a text for each treebank whose systems the other choice of annotators ranks anew."""
    other = ALL if annotators == PASSING else PASSING
    by_choice = {(ranking["treebank_id"], ranking["annotators"]): ranking for ranking in rankings}
    notes = []
    for (treebank_id, choice), here in by_choice.items():
        there = by_choice.get((treebank_id, other))
        if choice != annotators or there is None or here["ranking"] == there["ranking"]:
            continue
        places, others = (
            {one["submission_id"]: place for place, one in enumerate(ranking["ranking"])}
            for ranking in (here, there)
        )
        moved = sum(places.get(name) != others.get(name) for name in places | others)
        notes.append(
            f"whose judgements count changes the ranking of {treebank_id}: "
            f"{_clusters(here)}, as chosen; {_clusters(there)} ('--annotators {other}'); "
            f"{moved} of {len(places | others)} systems have another place"
        )
    return notes


def _clusters(ranking: Mapping[str, Any]) -> str:
    clusters = ranking["clusters"]
    who = "those who passed" if ranking["annotators"] == PASSING else "all"
    return (
        f"{'no clusters' if clusters is None else plural(clusters, 'cluster')} by {who} "
        f"({ranking['judgements']} judgements)"
    )


def _notes(row: Mapping[str, Any], annotators: str, settings: HumanSettings) -> list[str]:
    notes = []
    if row["tested"]:
        notes.append(
            f"{row['passed']} of {plural(row['tested'], 'annotator')} passed quality control; "
            f"scores rest on {'those who passed' if annotators == PASSING else 'all'}"
        )
    else:
        notes.append("no quality control: too few degraded copies; scores rest on all annotators")
    if annotators == PASSING and row["outputs_by_failed"]:
        notes.append(
            f"{row['outputs_by_failed']} of {row['outputs']} outputs have no score: nobody who "
            "passed judged them; '--annotators all' counts everybody"
        )
    if row["tested"] and row["untested"]:
        notes.append(f"annotators who cannot be tested, and so do not pass: {row['untested']}")
    if settings.within == CAMPAIGN and row["of_several_treebanks"]:
        notes.append(
            "annotators of several treebanks, standardised over all of them: "
            f"{row['of_several_treebanks']}; '--within treebank' does so apart"
        )
    if row["unvaried"]:
        became = "counted as 0" if settings.unvaried == ZERO else "without z-scores"
        notes.append(f"annotators whose ratings do not vary, {became}: {row['unvaried']}")
    if row["unpaired"]:
        notes.append(f"control items without an original by the same annotator: {row['unpaired']}")
    if row["hits_left_out"]:
        notes.append(
            f"{row['hits_left_out']} of {row['hits']} HITs with repeats are left out of the "
            f"agreement: fewer than {FEWEST_VALUES} repeats, or scores that do not vary"
        )
    return notes


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
        subject = (
            f"the {row['systems']} systems of {row['treebank_id']} were judged on different "
            f"sentences, each on {row['fewest']} to {row['most']}; means and clusters take these "
            "for alike"
        )
        if not row["shared"]:
            yield f"{subject}: no sentence was judged of all"
            continue
        places, others = (
            {name: place for place, name in enumerate(row[column])}
            for column in ("ranking", "shared_ranking")
        )
        moved = sum(places[name] != others[name] for name in places)
        order = listed([name.split("/")[1] for name in row["shared_ranking"]], NAMED, " > ")
        yield (
            f"{subject}: over the {plural(row['shared'], 'sentence')} judged of all, "
            f"{moved} of {row['systems']} have another place ({order})"
        )


def _annotators(row: Mapping[str, Any], rule: Rule) -> Iterator[str]:
    if row["systems"] == 1:
        yield (
            "one system was judged: its mean z-score is 0 by construction and says nothing about it"
        )
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
    if row["lowest"] < 0 or row["criterion"].startswith("xsts"):  # penalties such as MQM's; 1 to 5
        return
    if row["highest"] <= SHORT:
        yield (
            f"ratings lie between {row['lowest']:g} and {row['highest']:g}: they are taken as they "
            "are, on a scale of 0 to 100"
        )
    elif short:
        yield (
            f"{len(short)} of {plural(row['annotators'], 'annotator')} rate up to {SHORT} at most, "
            f"others up to {row['highest']:g} ({listed(short, NAMED)}): raw means mix two scales, "
            "z-scores do not"
        )


def _names(row: Mapping[str, Any]) -> Iterator[str]:
    for alike in row["named_alike"] or ():
        names = " and ".join(f"'{name}'" for name in alike["names"])
        yield (
            f"the {alike['kind']}s {names} count apart: their names differ in case, blanks or "
            "marks alone"
        )
