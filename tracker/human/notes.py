"""What to know when reading scores that were made from judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from queries.catalog import statement
from schema.database import Database
from tracker.human.standardise import CAMPAIGN, PASSING
from tracker.statistics import FEWEST_VALUES

NOT_COMPARABLE = (
    "z-scores of different campaigns are not comparable: each is relative to its own annotators "
    "and outputs"
)


def notes_on(
    database: Database, campaign_id: str, chosen: Mapping[str, str], within: str
) -> list[str]:
    """Return remarks on a campaign's annotators and control items, one text each.

    ``chosen`` says by criterion whose judgements count, ``within`` over what an annotator's scores
    are standardised. Reads the temporary tables
    ``judgement_at_hand``, ``judgement_pair`` and ``standardised_judgement``.
    """
    counted = database.connection.execute(
        statement("human_notes"), {"campaign_id": campaign_id, "fewest": FEWEST_VALUES}
    )
    names = [column[0] for column in counted.description or ()]
    notes: list[str] = []
    for values in counted.fetchall():
        row = dict(zip(names, values, strict=True))
        about = f"{campaign_id}, {row['criterion']}: "
        notes += [about + note for note in _notes(row, chosen[row["criterion"]], within)]
    return notes


def _notes(row: Mapping[str, Any], annotators: str, within: str) -> list[str]:
    notes = []
    if row["tested"]:
        notes.append(
            f"{row['passed']} of {row['tested']} annotators passed quality control; "
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
    if within == CAMPAIGN and row["of_several_treebanks"]:
        notes.append(
            "annotators of several treebanks, standardised over all of them: "
            f"{row['of_several_treebanks']}; '--within treebank' does so apart"
        )
    if row["without_z"]:
        notes.append(f"annotators without z-scores, as theirs do not vary: {row['without_z']}")
    if row["unpaired"]:
        notes.append(f"control items without an original by the same annotator: {row['unpaired']}")
    if row["hits_left_out"]:
        notes.append(
            f"{row['hits_left_out']} of {row['hits']} HITs with repeats are left out of the "
            f"agreement: fewer than {FEWEST_VALUES} repeats, or scores that do not vary"
        )
    return notes
