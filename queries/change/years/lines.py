"""Which test sets of different years are joined by a line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from sr_tracker.queries.change.years.model import Entry

Lines = dict[str, list[Entry]]


_NAMES: tuple[Callable[[Entry], str], ...] = (
    lambda entry: entry.language or entry.treebank_id,
    lambda entry: entry.short_name,
    lambda entry: f"{entry.short_name}-{entry.split}" if entry.split else entry.short_name,
    lambda entry: entry.treebank_id,
    lambda entry: f"{entry.treebank_id} {entry.campaign_id}",
)


def lines_of(entries: Sequence[Entry]) -> Lines:
    """Return the lines by name, each with at most one test set a year, in order.

    A line joins the test sets of a language. Where a year has several of them, those of one corpus
    are joined; then those of one split, of one treebank, and of one campaign. Tracks are apart.
    """
    groups: dict[tuple[str | None, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.language, entry.track].append(entry)
    several_tracks = len({entry.track for entry in entries}) > 1
    lines: Lines = defaultdict(list)
    for (_, track), members in groups.items():
        name = next((name for name in _NAMES if _one_a_year(members, name)), _NAMES[-1])
        for entry in members:
            lines[f"{name(entry)} ({track})" if several_tracks else name(entry)].append(entry)
    return {
        name: sorted(lines[name], key=lambda entry: (entry.year, entry.campaign_id))
        for name in sorted(lines)
    }


def _one_a_year(entries: Sequence[Entry], name: Callable[[Entry], str]) -> bool:
    return max(Counter((entry.year, name(entry)) for entry in entries).values()) == 1
