"""People's judgement of two submissions, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sr_tracker.queries.change.comparison.pairing import Pairing
from sr_tracker.queries.change.comparison.samples import Sample
from sr_tracker.queries.change.comparison.sides import read_side
from sr_tracker.queries.metrics.metric import SENTENCE_MEAN
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary

OTHER_CAMPAIGN = "z-scores of two campaigns are not comparable"
NONE_SHARED = "there is no sentence of which people judged both outputs"


def judged_samples(
    database: Database, new: str, base: str, criteria: Mapping[str, str], pairing: Pairing
) -> list[Sample]:
    """Return the sample of each measure, given with its criterion.

    It has the z-scores of the sentences of which both outputs were judged, so that means are over
    these. Across campaigns there is none: each standardises judgements by itself.
    """
    campaigns = {read_side(database, name).campaign_id for name in (new, base)}
    if len(campaigns) > 1:
        return [_without(measure, OTHER_CAMPAIGN) for measure in criteria]
    with temporary(database):
        pairing.hold(database)
        return [
            _read(database, new, base, measure, criterion)
            for measure, criterion in criteria.items()
        ]


def _read(database: Database, new: str, base: str, measure: str, criterion: str) -> Sample:
    rows = database.connection.execute(
        statement("compared_judgements"), {"new": new, "base": base, "criterion": criterion}
    ).fetchall()
    if not rows:
        return _without(measure, NONE_SHARED)
    numbers = np.array([number for number, _, _ in rows], np.int64)
    statistics = np.array([[row[side] for row in rows] for side in (1, 2)])
    return Sample(measure, "human", SENTENCE_MEAN, numbers, statistics)


def _without(measure: str, reason: str) -> Sample:
    return Sample(measure, "human", SENTENCE_MEAN, undefined_reason=reason)
