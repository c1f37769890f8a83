"""What several methods take: which submissions are meant, and what is said of a model run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

from ...schema.errors import InputError
from ...schema.selection import Names

if TYPE_CHECKING:
    from ...ingest.judgements.appraise_batches import BatchItem
    from ...ingest.judgements.columns import Scales

Chosen = TypeVar("Chosen")
Files = Path | str | Sequence[Path | str]
"""One file, or several."""
Fields = Mapping[str, Any]
"""Settings as a mapping of their fields."""


class Filters(TypedDict, total=False):
    """Which submissions: those that pass all of these, by ids or names as in schema.selection."""

    submission: Names
    campaign: Names
    year: Names
    system: Names
    treebank: Names
    language: Names


class Submitting(TypedDict, total=False):
    """What may be said of any model run besides its names; see ingest.campaigns.runs.Run."""

    track: str
    created_at: datetime | None
    reference_form: str | None
    id_column: str | None
    text_column: str | None
    accept_mismatch: bool


class Loading(Submitting, total=False):
    """What may be said of a model run that is loaded from a file."""

    iteration: int | None
    next_iteration: bool
    parent_submission_id: str | None
    params: Mapping[str, Any]
    tags: Mapping[str, Any]


class OfAllRows(TypedDict, total=False):
    """What holds for all rows of a file of scores or judgements."""

    system_id: str | None
    treebank_id: str | None
    submission_id: str | None
    criterion: str | None


class ScoreColumns(OfAllRows, total=False):
    """What holds for all rows of a file of scores; see ingest.formats.ScoreFile."""

    campaign_id: str | None


class HowScored(TypedDict, total=False):
    """How a metric's scores were computed elsewhere; see queries.metrics.external."""

    name: str | None
    version: str | None
    model: str | None
    model_hash: str | None
    prompt_hash: str | None
    reference: str | None
    better: str | None


class Judging(OfAllRows, total=False):
    """What may be said of a file of judgements; see ingest.judgements.columns.JudgementFile."""

    kinds: Mapping[str, str]
    layout: str
    levels: Sequence[str]
    ignore: Collection[str]
    scales: Scales | None
    annotators: Collection[str] | None
    register: bool
    raw: bool
    weights: str | None
    annotator_names: Mapping[str, str] | None
    language_pair: str | None
    item_numbers: str
    batches: Sequence[BatchItem]
    judged_segments: Mapping[str, Collection[int]] | None


def named(filters: Filters) -> dict[str, Names]:
    """Return filters as the resolver takes them. Raises TypeError for one that there is not."""
    unknown = filters.keys() - Filters.__annotations__.keys()
    if unknown:
        known = ", ".join(Filters.__annotations__)
        raise TypeError(f"submissions are not chosen by {', '.join(sorted(unknown))}, but {known}")
    return cast(dict[str, Names], dict(filters))


def files_of(given: Files) -> list[Path]:
    """Return the paths of one file or of several. Raises InputError for what names none."""
    each = [given] if isinstance(given, str | Path) else given
    try:
        return [*map(Path, each)]
    except TypeError:
        raise InputError(
            f"{given!r} names no file", hint="give a path, or a list of them"
        ) from None


def settings_of(
    kind: type[Chosen],
    settings: Chosen | Mapping[str, Any] | None,
    fields_of_kind: Mapping[str, Any] | None = None,
) -> Chosen:
    """Return settings: as they are, made of a mapping of their fields, or the defaults.

    ``fields_of_kind`` are fields by their names, which go before those of ``settings``. Raises
    InputError for what is neither, for a field that there is not, and for one that is missing.
    """
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    hint = f"its fields: {', '.join(known)}"
    if isinstance(settings, kind):
        chosen = {name: getattr(settings, name) for name in known}
    elif settings is None or isinstance(settings, Mapping):
        chosen = dict(settings or {})
    else:
        raise InputError(f"{settings!r} is no {kind.__name__} and no mapping", hint=hint)
    chosen |= fields_of_kind or {}
    unknown = sorted(chosen.keys() - known.keys())
    if unknown:
        raise InputError(f"{kind.__name__} has no field '{unknown[0]}'", hint=hint)
    missing = [
        name
        for name, each in known.items()
        if name not in chosen and each.default is MISSING and each.default_factory is MISSING
    ]
    if missing:
        raise InputError(f"{kind.__name__} lacks the field '{missing[0]}'", hint=hint)
    return kind(**chosen)
