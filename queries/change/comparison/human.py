"""People's judgement of two submissions, and the errors they marked, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sr_tracker.queries.change.comparison.pairing import Pairing
from sr_tracker.queries.change.comparison.samples import Sample
from sr_tracker.queries.change.comparison.sides import read_side
from sr_tracker.queries.metrics.metric import SENTENCE_MEAN, Formula
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary

OTHER_CAMPAIGN = "z-scores of two campaigns are not comparable"
NONE_SHARED = "there is no sentence of which people judged both outputs"
PER_100_WORDS = Formula("", "100 * sums[1] / nullif(sums[2], 0)")
"""Of marked errors and words, as in the view error_rates."""


def judged_samples(
    database: Database, new: str, base: str, criteria: Mapping[str, str], pairing: Pairing
) -> list[Sample]:
    """Return the sample of each measure, given with its criterion.

    It has the z-scores of the sentences of which both outputs were judged, so that means are over
    these. Across campaigns there is none: each standardises judgements by itself.
    """
    sides = {"new": new, "base": base}
    samples = [Sample(measure, "human", SENTENCE_MEAN) for measure in criteria]
    if len({read_side(database, name).campaign_id for name in (new, base)}) > 1:
        return [replace(sample, undefined_reason=OTHER_CAMPAIGN) for sample in samples]
    with temporary(database):
        pairing.hold(database)
        return [
            _read(database, each, "compared_judgements", sides | {"criterion": criterion})
            for each, criterion in zip(samples, criteria.values(), strict=True)
        ]


def error_samples(
    database: Database, new: str, base: str, measures: Sequence[str], pairing: Pairing
) -> list[Sample]:
    """Return the sample of each measure of marked errors.

    It has errors and words of the sentences of which both outputs were judged, so that rates are
    over these.
    """
    sides = {"new": new, "base": base}
    samples = [Sample(measure, "errors", PER_100_WORDS) for measure in measures]
    with temporary(database):
        pairing.hold(database)
        return [
            _read(database, each, "compared_errors", sides | {"measure": each.measure})
            for each in samples
        ]


def _read(database: Database, sample: Sample, name: str, given: Mapping[str, str]) -> Sample:
    rows = database.connection.execute(statement(name), given).fetchall()
    if not rows:
        return replace(sample, undefined_reason=NONE_SHARED)
    numbers = np.array([number for number, _, _ in rows], np.int64)
    statistics = np.array([[row[side] for row in rows] for side in (1, 2)])
    return replace(sample, sentence_nos=numbers, statistics=statistics)
