"""``tracker remove``, ``rename``, ``tag``, ``note`` and ``check``: mend what was loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...schema.brief import plural
from ...schema.errors import CheckFailedError
from ..api import keeping
from .context import Context, command
from .operation import Asks, Shown, operation
from .options import option

if TYPE_CHECKING:
    import pyarrow as pa

    from ...ingest.undo import Change


def _rows(change: Change) -> pa.Table:
    import pyarrow as pa

    return pa.table({"table": [*change.rows], "rows": pa.array(change.rows.values(), pa.int64())})


def _asked(change: Change) -> str:
    return f"{change.deed.capitalize()} this?"


def _changed(change: Change) -> str:
    return f"{change.deed}d: {change.kind} {change.target}"


def _mended(done: str, change: Change) -> str:
    return f"{done if change.rows else 'nothing to change'}: {change.kind} {change.target}"


remove = operation(
    keeping.remove,
    Shown(
        rows=_rows,
        notes=lambda change: change.notes,
        asks=Asks(_asked, lambda change: {"name": change.target}),
        done=_changed,
    ),
)

rename = operation(
    keeping.rename,
    Shown(
        rows=_rows,
        notes=lambda change: change.notes,
        asks=Asks(_asked, lambda change: {"name": change.former}),
        done=_changed,
    ),
)

tag = operation(keeping.tag, Shown(done=lambda change: _mended("tagged", change)))
note = operation(
    keeping.note,
    Shown(done=lambda change, text="": _mended("noted" if text else "note removed", change)),
)


@command("check")
@option(
    "--accept-loss",
    is_flag=True,
    help="Go on with what the file itself holds where its log of changes (.wal) was lost.",
)
def check(context: Context, accept_loss: bool) -> None:
    """Run the audits; say nothing and leave with 0 where all is well."""
    from ...schema.database import open_database

    if accept_loss:
        open_database(
            context.database,
            create=False,
            wait_seconds=context.wait,
            say=context.say,
            accept_loss=True,
        ).close()
    findings = context.tracker().check()
    for finding in findings:
        click.echo(f"{finding.audit}: {plural(finding.rows, 'row')}; {finding.description}")
        for row in finding.first_rows:
            click.echo(f"  {row}")
    if findings:
        raise CheckFailedError(
            f"{len(findings)} audits found rows that should not exist",
            hint="the database was changed by hand, or this is a bug worth reporting",
        )
