"""What to know when reading scores that were made from judgements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.statements import read_rows, read_tuples
from ..functions.statistics import FEWEST_VALUES
from .comparability import unlike
from .human_scores import (
    ALL,
    CAMPAIGN,
    DOCUMENTS,
    DOMAINS,
    PASSING,
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
        of_criterion = [found for found in rankings if found["criterion"] == criterion]
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
