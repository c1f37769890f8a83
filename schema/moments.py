"""Dates and times that people write, as moments."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from .errors import InputError


def parse_moment(text: str, *, end_of_day: bool = True) -> datetime:
    """Return the moment that a date (2020-06-12) or time (2020-06-12T15:30+02:00) means, in UTC.

    A date means the end of that day, or its beginning; a time without a zone is UTC. Raises
    InputError.
    """
    try:
        try:
            moment_of_day = time.max if end_of_day else time.min
            return datetime.combine(date.fromisoformat(text.strip()), moment_of_day, UTC)
        except ValueError:
            moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        edge = "end" if end_of_day else "beginning"
        raise InputError(
            f"'{text}' is no date or time",
            hint=f"write 2020-06-12 (the {edge} of that day, UTC), 2020-06-12T15:30 (UTC) "
            "or 2020-06-12T15:30+02:00",
        ) from error
