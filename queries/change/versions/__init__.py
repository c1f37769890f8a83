"""Versions of test sets and databases: what changed, and what a database held at a moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from ....schema.brief import plural
from ....schema.database import Database
from ....schema.keys import natural_keys, statistics_of_campaigns
from ....schema.statements import Row, read_rows, read_tuples
from ...catalog import aliases, macros, views

_WHAT = {
    "text_changed": "texts",
    "words_changed": "words",
    "lemmas_changed": "lemmas",
    "trees_changed": "trees",
}


def version_remarks(database: Database, treebanks: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return a remark for each two treebanks that are versions of one test set, by both names.

    The older one comes first. Versions with the same bytes have none.
    """
    names = [*dict.fromkeys(treebanks)]
    if len(names) < 2:
        return {}
    rows = read_rows(database, "changed_versions", treebanks=names)
    return {(row["old"], row["new"]): _remark(row) for row in rows}


def _remark(row: Row) -> str:
    changed = [f"{row[name]:,} have other {what}" for name, what in _WHAT.items() if row[name]]
    return (
        f"{row['old']} and {row['new']} are versions of one test set: of "
        f"{row['shared_sentences']:,} shared sentences {', '.join(changed) or 'none changed'}; "
        f"'tracker task drift {row['old']} {row['new']}' shows which part of a change of scores is "
        "the references'"
    )


_OWN_TIME = {
    "ingestion": "(ingested_at <= {moment} OR target IN (SELECT submission_id FROM submission"
    " UNION ALL SELECT treebank_id FROM treebank))",
    "judgement": "coalesce(judged_at <= {moment}, true)",
    "standing_choice": "chosen_at <= {moment}",
}
_WITHOUT_LATER_JUDGEMENTS = (
    "(submission_id, sentence_no, criterion) NOT IN (SELECT (submission_id, sentence_no, criterion)"
    " FROM {judgement} WHERE judged_at > {moment} AND submission_id IS NOT NULL)"
)
_VERSIONED = {
    "scoring": ("target, metric", "scored_at"),
    "analysis": ("submission_id, analysis, settings", "analysed_at"),
}
_LATER = "later_result"
_LATER_CAMPAIGN = "later_campaign"
_LATER_PARENT = "later_parent"


@dataclass(frozen=True)
class Snapshot:
    """What there was at a moment."""

    moment: datetime
    submissions: int
    """Submissions that existed."""
    all_submissions: int
    """Those there are now."""
    first: datetime | None
    """When the first of all was made."""

    def __str__(self) -> str:
        text = f"as of {_written(self.moment)}: "
        text += f"{self.submissions} of {plural(self.all_submissions, 'submission')}"
        if not self.submissions and self.first:
            text += f" (the first was made {_written(self.first)})"
        return text


@contextmanager
def as_of(database: Database, moment: datetime) -> Iterator[Snapshot]:
    """Let the block read all tables and views as they stood at a moment with a time zone.

    A submission exists from its created_at, with what tells where it came from; in place of a
    parent that was made later stands the nearest of its ancestors that existed, as where a parent
    is removed. Of a metric, or an analysis with its settings, the newest result until then counts
    or, where the submission was loaded later with its true date, the first one ever made. A result
    that a clock set back dates before one that it replaced counts from the time of that one. Human
    scores count from the last of their judgements whose time is known. Only this connection is
    concerned, which may be read-only; it must not write meanwhile.
    """
    literal = f"TIMESTAMPTZ '{moment.astimezone(UTC).isoformat()}'"
    tables = {table: set(columns) for table, columns in read_tuples(database, "columns_of_tables")}
    names = {table: original(database, table) for table in tables}
    views_of = {
        table: _rows_then(table, tables[table], names, literal)
        for table in dict.fromkeys(("submission", "treebank", *sorted(tables)))
    }
    with overlaid(database, tables=_later_results(names, literal), views_of=views_of):
        yield _snapshot(database, moment, names["submission"])


def _later_results(names: dict[str, str], moment: str) -> dict[str, str]:
    """Return the tables of the results, and the judged campaigns, that do not count yet."""
    parts = [
        f"SELECT signature_id, {'target' if table == 'scoring' else 'submission_id'} "  # noqa: S608
        f"AS submission_id FROM {names[table]} "
        f"QUALIFY max({made}) OVER (PARTITION BY {keys} ORDER BY revision) > {moment} "
        f"AND revision > min(revision) OVER (PARTITION BY {keys})"
        for table, (keys, made) in _VERSIONED.items()
    ]
    campaigns = (
        f"SELECT DISTINCT campaign_id FROM {names['submission']} "  # noqa: S608
        f"SEMI JOIN {names['human_score']} AS judged USING (submission_id) "
        f"WHERE created_at > {moment}"
    )
    return {
        _LATER: " UNION ALL ".join(parts),
        _LATER_CAMPAIGN: campaigns,
        _LATER_PARENT: _ancestors_then(names["submission"], moment),
    }


def _ancestors_then(submission: str, moment: str) -> str:
    """Return a query for runs whose parent was made later: their nearest ancestor of then."""
    return f"""
        WITH RECURSIVE line AS (
            SELECT run.submission_id, parent.parent_submission_id
            FROM {submission} AS run
            JOIN {submission} AS parent ON parent.submission_id = run.parent_submission_id
            WHERE run.created_at <= {moment} AND parent.created_at > {moment}
            UNION
            SELECT line.submission_id, parent.parent_submission_id
            FROM line
            JOIN {submission} AS parent ON parent.submission_id = line.parent_submission_id
            WHERE parent.created_at > {moment}
        )
        SELECT line.submission_id, max(ancestor.submission_id) AS ancestor_id
        FROM line
        LEFT JOIN {submission} AS ancestor ON ancestor.submission_id = line.parent_submission_id
            AND ancestor.created_at <= {moment}
        GROUP BY ALL"""  # noqa: S608


def _rows_then(table: str, columns: set[str], names: dict[str, str], moment: str) -> str:
    """Return a query for the rows of a table that count at the moment."""
    if table == "submission":
        return (
            "SELECT submission.* REPLACE (if(later.submission_id IS NULL, "  # noqa: S608
            "submission.parent_submission_id, later.ancestor_id) AS parent_submission_id) "
            f"FROM {names[table]} AS submission LEFT JOIN {_LATER_PARENT} AS later "
            f"USING (submission_id) WHERE created_at <= {moment}"
        )
    conditions = [_OWN_TIME[table].format(moment=moment)] if table in _OWN_TIME else []
    if table == "human_score":
        conditions.append(
            _WITHOUT_LATER_JUDGEMENTS.format(judgement=names["judgement"], moment=moment)
        )
    there = (
        "(SELECT submission_id FROM submission UNION ALL SELECT trial_submission_id "  # noqa: S608
        f"FROM {names['trial']} AS trial JOIN submission USING (submission_id))"
    )
    conditions += [
        f"({column} IS NULL OR {column} IN {there})"
        for column in sorted(columns)
        if column.endswith("submission_id")
    ]
    owner = "target" if table == "scoring" else "submission_id"
    if {"signature_id", owner} <= columns:
        conditions.append(
            f"(signature_id, {owner}) NOT IN "  # noqa: S608
            f"(SELECT (signature_id, submission_id) FROM {_LATER})"
        )
    if "target" in columns:
        conditions.append(
            f"(target IN {there} OR target NOT IN "  # noqa: S608
            f"(SELECT submission_id FROM {names['submission']} UNION ALL "
            f"SELECT trial_submission_id FROM {names['trial']}))"
        )
    # Without the later submissions they would be other figures.
    if table in statistics_of_campaigns():
        conditions += [
            f"{column} NOT IN (SELECT campaign_id FROM {_LATER_CAMPAIGN})"  # noqa: S608
            for column in ("campaign_id", "other_campaign_id")
            if column in columns
        ]
    chosen = f"SELECT * FROM {names[table]}"  # noqa: S608
    return chosen + (f" WHERE {' AND '.join(conditions)}" if conditions else "")


def _snapshot(database: Database, moment: datetime, submissions: str) -> Snapshot:
    now, first = database.connection.execute(
        f"SELECT count(*), epoch_us(min(created_at)) FROM {submissions}"  # noqa: S608
    ).fetchone() or (0, None)
    (then,) = database.connection.execute("SELECT count(*) FROM submission").fetchone() or (0,)
    return Snapshot(
        moment, then, now, None if first is None else datetime.fromtimestamp(first / 1e6, UTC)
    )


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def original(database: Database, table: str) -> str:
    """Return the SQL name by which a table of the database itself is read under an overlay."""
    return f"{database.catalog}.main.{table}"


@contextmanager
def overlaid(
    database: Database, *, tables: Mapping[str, str], views_of: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Let the block read what these queries give in place of the tables and views of their names.

    ``tables`` are filled once, ``views_of`` are views; a query may read those before it. All other
    views rest on them. Only this connection is concerned, which may be read-only; it must not write
    meanwhile.
    """
    connection = database.connection
    own = database.catalog
    overlay = f'{own[:-1]} overlaid"'
    instead = dict(views_of or {})
    rest = {name: f"FROM {own}.main.{name}" for name in natural_keys().keys() - instead.keys()}
    connection.execute(f"ATTACH ':memory:' AS {overlay} (READ_WRITE)")
    try:
        connection.execute(f"USE {overlay}")
        for macro in macros():
            connection.execute(macro.text)
        for name, query in tables.items():
            connection.execute(f"CREATE TABLE {name} AS {query}")
        for name, query in {**instead, **rest}.items():
            connection.execute(f"CREATE VIEW {name} AS {query}")
        for view in [*views(), *aliases()]:
            if view.name not in tables:
                connection.execute(view.text)
        yield
    finally:
        connection.execute(f"USE {own}")
        connection.execute(f"DETACH {overlay}")
