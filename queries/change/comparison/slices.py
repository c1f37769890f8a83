"""How scores changed in the sentences of each value of a label, such as domain=news."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ....schema.statements import row_by_id
from ...metrics import metrics as all_metrics
from ...metrics.slices import MOST_VALUES, check_over
from ...resampling import DOCUMENT
from .model import SLICE, Measured, Settings
from .samples import Sample, whole_samples
from .sides import Pairing

FEWEST_WITH_VALUE = 10
TOO_FEW = "fewer than ten sentences have this value"
MOST_UNASKED = 12
"""Values of a label that is compared although nobody asks for it."""
_MEASURE = re.compile(r"([a-z][a-z0-9_.]*)\[([^\W\d_][\w.-]*)=(.*)\]", re.DOTALL)


def parse_slice(measure: str) -> tuple[str, str, str] | None:
    """Return metric, label and value of a measure such as bleu[domain=news]; None of another."""
    match = _MEASURE.fullmatch(measure)
    return (match[1], match[2], match[3]) if match else None


def slice_names(pairing: Pairing, metrics: Sequence[str], over: Sequence[str] | None) -> list[str]:
    """Return the measures of metrics in the sentences of each value of labels.

    ``over`` names labels, or LABEL=VALUE for all values of the label; None for those with few
    values but documents, which are resampled, and but computed ones where references have trees:
    of these, ``bucket_changes`` tells short and long ones apart.
    """
    values = pairing.label_values
    if over is None:
        words = row_by_id(pairing.database, "treebank", pairing.new.treebank_id, "tokens")
        labels = {
            value.label
            for value in values
            if value.label != DOCUMENT
            and value.number_of_values <= MOST_UNASKED
            and (words == (0,) or not value.computed)
        }
    else:
        check_over(values, over, pairing.new.treebank_id)
        labels = {name.partition("=")[0] for name in over}
    return [
        f"{metric}[{value.name}]"
        for metric in metrics
        if metric in all_metrics()
        for value in values
        if value.label in labels
    ]


def measured_slices(pairing: Pairing, measures: Iterable[str]) -> Mapping[str, Measured]:
    """Return what is tested together with some of the measures: those of their labels and metrics.

    Measures that are no scores by label, or of labels that there are not, are passed over.
    """
    parsed = [item for item in map(parse_slice, measures) if item is not None]
    together = {(metric, label) for metric, label, _ in parsed if metric in all_metrics()}
    if not together:
        return {}
    return {
        f"{metric}[{value.name}]": Measured(
            measure=f"{metric}[{value.name}]",
            kind=SLICE,
            item=value.name,
            better=all_metrics()[metric].better,
            new=None,
            base=None,
            n=0,
            submissions=2,
        )
        for metric, label in sorted(together)
        for value in pairing.label_values
        if value.label == label
    }


def slice_samples(pairing: Pairing, measures: Sequence[str], settings: Settings) -> list[Sample]:
    """Return the sample of each measure: the sentences of new's treebank with the value.

    Fewer than ``FEWEST_WITH_VALUE`` have scores and no test.
    """
    parsed = {name: item for name in measures if (item := parse_slice(name)) is not None}
    metrics = [*dict.fromkeys(metric for metric, _, _ in parsed.values())]
    whole = dict(zip(metrics, whole_samples(pairing, metrics, settings), strict=True))
    sentences = {(value.label, value.value): value.sentence_nos for value in pairing.label_values}
    samples = []
    for name, (metric, label, value) in parsed.items():
        sample = replace(whole[metric], measure=name, kind=SLICE)
        numbers = sentences.get((label, value), np.zeros(0, np.int64))
        if sample.sentence_nos is not None:
            sample = sample.of(np.isin(sample.sentence_nos, numbers))
            if sample.sentence_nos is not None and len(sample.sentence_nos) < FEWEST_WITH_VALUE:
                sample = replace(sample, undefined_reason=TOO_FEW)
        samples.append(replace(sample, stored=None))
    return samples


def slice_family(measure: str) -> str:
    """Return what a score by label is tested together with: bleu by domain."""
    metric, label, _ = parse_slice(measure) or (measure, "label", "")
    return f"{metric} by {label}"


def label_notes(pairing: Pairing, measures: Iterable[str]) -> list[str]:
    """Return remarks on labels that are compared: values that are left out, sentences without."""
    values = pairing.label_values
    compared = pairing.sentences[0]
    notes = []
    for label in dict.fromkeys(item[1] for name in measures if (item := parse_slice(name))):
        of_label = [value for value in values if value.label == label]
        if of_label and of_label[0].number_of_values > MOST_VALUES:
            notes.append(
                f"{label} has {of_label[0].number_of_values:,} values: the {MOST_VALUES} with most "
                "sentences are compared"
            )
            continue
        numbers = np.concatenate([value.sentence_nos for value in of_label])
        without = len(compared) - int(np.isin(compared, numbers).sum())
        if without:
            notes.append(f"{without:,} of {len(compared):,} sentences have no {label}")
    return notes
