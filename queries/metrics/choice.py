"""Which settings of a metric are the score of a test set: rules, a model, references, a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.names import check_names
from ...schema.statements import read_rows, read_tuples, statement

CHOICES = ("grammar", "form", "smatch", "s2match", "mf", "references")
"""What there are choices of besides metrics of packages and those computed elsewhere."""


def choose_first(database: Database, signatures: Sequence[str]) -> None:
    """Let the settings of signatures be the score of test sets that have chosen none yet.

    Those that leave sentences out do not become it.
    """
    database.connection.execute(statement("forget_unused_settings"))
    _choose(database, signatures, elect=False)


def settle(database: Database, signatures: Sequence[str], *, elect: bool) -> Mapping[str, str]:
    """Let the settings of signatures, of scores that are there, be the score where ``elect`` asks.

    Returns, by test set that has others, what is chosen: scores by these signatures stand beside.
    """
    if elect:
        with database.transaction() as connection:
            connection.execute(statement("remove_chosen_settings"), {"signatures": signatures})
            _choose(database, signatures, elect=True)
    return dict(read_tuples(database, "settings_beside", signatures=signatures))


def notes_on(beside: Mapping[str, str]) -> list[str]:
    """Return a sentence for each test set where scores stand beside the score, see ``settle``."""
    return [
        f"the score on {treebank_id} is by other settings ({settings}): these stand beside it; "
        "'tracker keep choose', or --elect where they are scored, makes them the score"
        for treebank_id, settings in beside.items()
    ]


def _choose(database: Database, signatures: Sequence[str], *, elect: bool) -> None:
    database.connection.execute(
        statement("choose_settings"), {"signatures": signatures, "elect": elect}
    )


def choose_settings(
    database: Database, metric: str, settings: str, treebanks: Sequence[str] | None = None
) -> int:
    """Let settings be the score of a metric on test sets, all for None; return on how many.

    ``settings`` are those that the view metric_settings has, or a part that only one of them has.

    Raises UnknownNameError for a metric that has no such settings, InputError for settings that no
    score, or scores of several, were computed with.
    """
    listed = database.connection.execute("SELECT DISTINCT metric FROM metric_settings").fetchall()
    names = [*CHOICES, *(name for (name,) in listed)]
    check_names("metric with settings", [metric], names, hint="'tracker show metric_settings'")
    rows = [
        (row["treebank_id"], row["settings"])
        for row in read_rows(database, "settings_of_metric", metric=metric, treebanks=treebanks)
    ]
    settings_there = sorted({name for _, name in rows})
    exact = [name for name in settings_there if name == settings]
    matching = exact or [name for name in settings_there if settings in name]
    if not matching:
        raise UnknownNameError(
            f"no score by '{metric}' was computed with '{settings}'",
            hint=f"there are: {', '.join(settings_there)}"
            if settings_there
            else "score with them first",
        )
    if len(matching) > 1:
        raise InputError(
            f"'{settings}' may be {plural(len(matching), 'choice')} of settings",
            hint=f"name one of {', '.join(matching)}",
        )
    chosen = [treebank_id for treebank_id, name in rows if name == matching[0]]
    with database.transaction() as connection:
        connection.execute(
            "DELETE FROM standing_choice WHERE metric = ? AND list_contains(?, treebank_id)",
            [metric, chosen],
        )
        connection.execute(
            "INSERT INTO standing_choice SELECT unnest(?), ?, ?, now()",
            [chosen, metric, matching[0]],
        )
    return len(chosen)
