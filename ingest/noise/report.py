"""What became of the sentences of a treebank, as rows that people read."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from sr_tracker.ingest.noise.alternatives import Outcome
from sr_tracker.ingest.noise.noising import NoiseReport
from sr_tracker.ingest.noise.unimorph import Dictionary

REASONS = {
    Outcome.NO_LEMMA: "no lemma in the dictionary",
    Outcome.NO_ANALYSIS: "no word's form and features in the dictionary",
    Outcome.NO_ALTERNATIVE: "no alternative in a single feature",
    Outcome.SAME_FORM: "alternatives have the same form only",
}
_SCHEMA = pa.schema(
    [("group", pa.string()), ("name", pa.string()), ("count", pa.int64()), ("share", pa.float64())]
)


def report_rows(report: NoiseReport, dictionary: Dictionary) -> pa.Table:
    """Return the counts: columns group, name, count, share.

    Groups: `sentences` and `not altered` (shares of all sentences; a sentence counts under the
    reason of the word that came furthest), `feature` and `change` (shares of the altered ones),
    `dictionary` (no share).
    """
    features: Counter[str] = Counter()
    for (feature, _, _), count in report.changes.items():
        features[feature] += count
    changes = Counter(
        {f"{feature}={old} → {new}": count for (feature, old, new), count in report.changes.items()}
    )
    total, altered = report.sentences, report.altered
    rows = [("sentences", "all", total, 1.0), ("sentences", "altered", altered, altered / total)]
    rows += [
        ("not altered", REASONS[outcome], count, count / total)
        for outcome, count in report.unaltered.items()
    ]
    for group, counts in (("feature", features), ("change", changes)):
        rows += [(group, name, count, count / altered) for name, count in _most_first(counts)]
    lines = {"entries": len(dictionary.entries), **dictionary.left_out}
    counted = [("dictionary", name, count, None) for name, count in lines.items()]
    return pa.Table.from_pylist(
        [dict(zip(_SCHEMA.names, row, strict=True)) for row in [*rows, *counted]], schema=_SCHEMA
    )


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
