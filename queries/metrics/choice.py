"""Which settings of a metric are the score of a test set: rules, a language model, a parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.names import check_names
from ...schema.statements import read_rows, read_tuples, statement

if TYPE_CHECKING:
    from .loop import Target

CHOSEN = ("grammar", "form", "smatch", "s2match")
"""Metrics with settings that only one can be the score of; others go with one of these."""


def choose_first(database: Database, signatures: Sequence[str]) -> None:
    """Let the settings of signatures be the score of test sets that have chosen none yet.

    Those that leave sentences out do not become it.
    """
    database.connection.execute(statement("forget_unused_settings"))
    database.connection.execute(statement("choose_first_settings"), {"signatures": [*signatures]})


def settle(database: Database, targets: Sequence[Target], *, elect: bool) -> Mapping[str, str]:
    """Let the settings that targets were scored with be the score, where ``elect`` asks for it.

    Returns the chosen settings of the test sets that have others: scores by these stand beside.
    """
    signatures = {each.signature_id for target in targets for each in target.signatures.values()}
    given = {"signatures": [*signatures]}
    if elect:
        with database.transaction() as connection:
            connection.execute(statement("remove_chosen_settings"), given)
            connection.execute(statement("elect_settings"), given)
    return dict(read_tuples(database, "settings_beside", **given))


def choose_settings(
    database: Database, metric: str, settings: str, treebanks: Sequence[str] | None = None
) -> int:
    """Let settings be the score of a metric on test sets, all for None; return on how many.

    ``settings`` are those that the view metric_settings has, or a part that only one of them has.

    Raises UnknownNameError for a metric that has no such settings, InputError for settings that no
    score, or scores of several, were computed with.
    """
    check_names("metric with settings", [metric], CHOSEN, hint="'tracker show metric_settings'")
    rows = [
        (row["treebank_id"], row["settings"])
        for row in read_rows(database, "settings_of_metric", metric=metric, treebanks=treebanks)
    ]
    known = sorted({name for _, name in rows})
    exact = [name for name in known if name == settings]
    matching = exact or [name for name in known if settings in name]
    if not matching:
        raise UnknownNameError(
            f"no score by '{metric}' was computed with '{settings}'",
            hint=f"there are: {', '.join(known)}" if known else "score with them first",
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
