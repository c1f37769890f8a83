"""``tracker keep remove``, ``rename``, ``tag``, ``note`` and ``check``: mend what was loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from ...schema.brief import plural
from ...schema.database import open_database
from ...schema.errors import CheckFailedError
from ...schema.parameters import Option
from ..api import keeping
from .context import Context
from .operation import Asks, Own, Shown, Values, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ...ingest.undo import Change
    from ...queries.checks import Finding
    from ..api import Tracker


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


def _accept_loss(context: Context, _: Tracker, values: Values) -> None:
    if values["accept_loss"]:
        open_database(
            context.database,
            create=False,
            wait_seconds=context.wait,
            say=context.say,
            accept_loss=True,
        ).close()


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{finding.audit}: {plural(finding.rows, 'row')}; {finding.description}"
        yield from (f"  {row}" for row in finding.first_rows)


def _fail(findings: Sequence[Finding]) -> None:
    if findings:
        raise CheckFailedError(
            f"{len(findings)} audits found rows that should not exist",
            hint="the database was changed by hand, or this is a bug worth reporting",
        )


check = operation(
    keeping.check,
    Shown(
        first=_accept_loss,
        lines=_findings,
        finish=_fail,
        options={
            "accept_loss": Own(
                Annotated[
                    bool,
                    Option(
                        "Go on with what the file itself holds where its log of changes (.wal) "
                        "was lost."
                    ),
                ],
                False,
            )
        },
    ),
)
