"""A lake: publishing to it, fetching from it, and keeping it small."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Unpack, cast

from ...schema.address import LakeAddress, place_of
from ...schema.errors import InputError
from ...schema.parameters import DryRun, Option
from ...schema.progress import Progress, silent
from ..api.methods import Filters, named

if TYPE_CHECKING:
    from ...queries.lake.maintenance import Maintenance, Upgrade
    from ...schema.address import Place
    from ...schema.lake.copying import Copied
    from ..api.tracker import Tracker


def publish(
    tracker: Tracker,
    lake: str | LakeAddress,
    *,
    data_path: Annotated[
        str | None,
        Option(
            "Where a new lake keeps its data: a folder, or s3://BUCKET/…",
            metavar="FOLDER",
            variable="TRACKER_DATA_PATH",
        ),
    ] = None,
    dry_run: Annotated[bool, Option("Look for conflicts, and write nothing.")] = False,
    bring_back: Annotated[bool, Option("Publish also what was removed from the lake.")] = False,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> Copied:
    """Copy to LAKE what the database has and the lake lacks; make the lake where there is none.

    LAKE is ducklake:postgres:dbname=NAME host=HOST; passwords come from the environment
    (PGPASSWORD). A row that both have with different contents is an error, raised before anything
    is written. Rows that were copied before are skipped, so that an interrupted call can be
    repeated. What was removed from the lake stays away, unless --bring-back is given.

    Returns what was new, see ``queries.lake.publish``.

    >>> db.publish("lake.ducklake", data_path="data")  # doctest: +SKIP
    """
    from ...queries.lake import chosen_by, publish

    with tracker.reading() as database:
        chosen = chosen_by(database, named(filters))
    return publish(
        _file(tracker),
        _lake(lake, data_path),
        chosen,
        dry_run=dry_run,
        bring_back=bring_back,
        wait_seconds=tracker.wait,
        say=tracker.say,
        progress=progress,
    )


def fetch(
    tracker: Tracker,
    lake: str | LakeAddress,
    *,
    bring_back: Annotated[bool, Option("Fetch also what was removed from the database.")] = False,
    progress: Progress = silent,
    **filters: Unpack[Filters],
) -> Copied:
    """Copy from LAKE what the database lacks; make the database where there is none.

    The names are those of the lake. A submission comes with all it needs: its treebank, its scores,
    the runs it was developed from. Judgements come with a whole campaign. What was removed from the
    database stays away, unless --bring-back is given.

    Returns what was new, see ``queries.lake.fetch``.

    >>> db.fetch("lake.ducklake", system="ours")  # doctest: +SKIP
    """
    from ...queries.lake import chosen_by, fetch
    from ...schema.lake.opening import open_lake

    address = _lake(lake)
    with open_lake(address, read_only=True) as shared:
        chosen = chosen_by(shared, named(filters))
    return fetch(
        address,
        _file(tracker),
        chosen,
        bring_back=bring_back,
        wait_seconds=tracker.wait,
        say=tracker.say,
        progress=progress,
    )


def maintain(
    tracker: Tracker,
    *,
    keep_days: Annotated[
        int, Option("Days after which states are forgotten: --as-of shows them no more.", low=0)
    ] = 30,
    repair: Annotated[
        bool, Option("Also remove all but the newest of rows that are there twice.")
    ] = False,
    dry_run: DryRun = False,
) -> Maintenance:
    """Merge small files, forget old states, and remove files that are no longer needed.

    Files of unfinished commits, where a process was killed, are removed as well, a day later.
    Others may read and publish meanwhile; reading a forgotten state fails. 'tracker keep check'
    runs the audits; where they find rows with one key, --repair shows how many rows of which tables
    would go, and removes them in one commit: for each key the row of the newest commit stays.

    Returns what was done, see ``queries.lake.maintenance.maintain``. Raises InputError where the
    database is no lake.

    >>> sr_tracker.connect("lake.ducklake").maintain(keep_days=7)  # doctest: +SKIP
    """
    from ...queries.lake.maintenance import maintain

    _lake(place_of_tracker(tracker))
    with tracker.writing() as database:
        return maintain(database, keep_days=keep_days, repair=repair, dry_run=dry_run)


def upgrade(tracker: Tracker) -> Upgrade:
    """Bring the tables and views of a lake to this version, for all who share it.

    A lake has one version: others go on reading with the existing views, but do not write.

    Returns which version's they were, see ``queries.lake.maintenance.upgrade``. Raises InputError
    where the database is no lake.

    >>> sr_tracker.connect("lake.ducklake").upgrade()  # doctest: +SKIP
    """
    from ...queries.lake.maintenance import upgrade

    lake = _lake(place_of_tracker(tracker))
    return upgrade(lake, wait_seconds=tracker.wait, say=tracker.say)


def place_of_tracker(tracker: Tracker) -> Place:
    """Return where the database is. Raises InputError for one in memory."""
    place = getattr(tracker.database, "place", None)
    if place is None:
        raise InputError("a database in memory is for one process alone", hint="connect to a file")
    return cast("Place", place)


def _file(tracker: Tracker) -> Path:
    """Return the file of the database. Raises InputError where it is none."""
    place = place_of_tracker(tracker)
    if isinstance(place, LakeAddress):
        raise InputError(
            "this is between a file and a lake, and two lakes are named",
            hint="name the file, your working copy, with --database",
        )
    return place


def _lake(lake: str | Place, data_path: str | None = None) -> LakeAddress:
    """Return a lake's address. Raises InputError for what is none."""
    address = place_of(lake, data_path)
    if not isinstance(address, LakeAddress):
        raise InputError(
            f"'{lake}' is no lake's address", hint="write ducklake:postgres:dbname=NAME host=HOST"
        )
    return address


class OriginalLake:
    """A lake for the explorer: everything is fetched; asked for its state now and then."""

    name = "lake.duckdb"
    is_lost_by_error = False
    LOOKED_EVERY = 5.0
    """Seconds between two questions to the catalog's server."""

    def __init__(self, address: LakeAddress) -> None:
        self._address = address
        self._looked = 0.0

    def may_differ(self, state: Hashable) -> bool:  # noqa: ARG002
        """Return whether the lake was not asked for a while."""
        return monotonic() - self._looked > self.LOOKED_EVERY

    def state(self) -> Hashable:
        """Return the number of the newest snapshot. Raises DatabaseUnavailableError."""
        from ...schema.lake.opening import newest_snapshot

        self._looked = monotonic()
        return newest_snapshot(self._address)

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Fetch everything. Raises DatabaseUnavailableError where the lake is not reached."""
        from ...queries.lake import fetch

        state = self.state()
        fetch(self._address, file, wait_seconds=wait)
        return state


class Methods:
    """What a Tracker has of a lake."""

    publish = publish
    fetch = fetch
    maintain = maintain
    upgrade = upgrade
