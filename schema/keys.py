"""The natural key of every table, and the words that tables and code share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .migrate import tables
from .statements import SqlFile


@cache
def natural_keys() -> dict[str, tuple[str, ...]]:
    """Return the columns of every table's natural key."""
    return {name: table.grain for name, table in tables().items()}


@cache
def owners() -> tuple[str, ...]:
    """Return the tables whose rows other tables refer to by an id."""
    return tuple(table for table, key in natural_keys().items() if key == (f"{table}_id",))


@dataclass(frozen=True)
class Reference:
    """A column with ids of rows of another table, or of the same."""

    table: str
    column: str
    kind: str
    """The table of those rows."""

    @property
    def is_parent(self) -> bool:
        """Whether it names what the row was developed from, which the row may outlive."""
        return self.column.startswith("parent_")


@cache
def links() -> tuple[Reference, ...]:
    """Return every column that refers to a row of an owner: called KIND_id, or ending so."""
    return tuple(
        Reference(name, column, owner)
        for name, table in tables().items()
        for column in table.column_comments
        for owner in owners()
        if column == f"{owner}_id" or column.endswith(f"_{owner}_id")
    )


_BY_NAME = ("campaign_treebank", "standing_choice")
"""What is said of a treebank by its name, and holds for other content."""


def parts_of(kind: str) -> list[Reference]:
    """Return what goes with the content of a treebank or a submission: columns of tables' keys.

    These are all tables of which a row is about the one (or, of pairs of submissions, about it and
    another) but for statistics over a campaign's judgements where it is a treebank, and its own.
    """
    return [
        reference
        for reference in links()
        if reference.kind == kind
        and reference.table not in (kind, *_BY_NAME)
        and reference.column in natural_keys()[reference.table]
        and not (kind == "treebank" and reference.table in statistics_of_campaigns())
    ]


def replaced_with(kind: str, target: str) -> list[tuple[str, str, str]]:
    """Return the rows that go where a treebank or submission is replaced: table, column, value."""
    columns = [(reference.table, reference.column) for reference in parts_of(kind)]
    columns = [(kind, f"{kind}_id"), *columns, ("scoring", "target")]
    return [(table, column, target) for table, column in columns]


@cache
def statistics_of_campaigns() -> tuple[str, ...]:
    """Return tables of what is computed over all submissions of a campaign that people judged."""
    loaded = ("campaign", "campaign_treebank", "judgement")
    tables_of_campaigns = (name for name, key in natural_keys().items() if "campaign_id" in key)
    return tuple(name for name in tables_of_campaigns if name not in loaded)


RUNS = (
    "(SELECT submission_id, treebank_id FROM submission UNION "
    "SELECT trial_submission_id, treebank_id FROM trial JOIN submission USING (submission_id))"
)
"""In SQL, what outputs and scores are stored under, submissions and further trials of them, each
with its treebank."""
RUNS_OF_TREEBANK = f"(SELECT submission_id FROM {RUNS} WHERE treebank_id = $treebank)"  # noqa: S608
"""In SQL, those of one treebank."""

TEXT_SCHEME = "text"
WITHOUT_WORDS = (TEXT_SCHEME, "amr")
"""The schemes of treebanks whose sentences are text, or meaning graphs, but no words."""
NO_OUTPUTS = "none"
"""The analysis of submissions that are known only from judgements."""
EXTERNAL = "given/"
"""How labels of models begin whose probabilities were computed elsewhere."""
BY_JUDGEMENTS = "judgements"
"""The source of human scores that are statistics over all judgements of a campaign."""
INGESTED = {
    "submission": ("submission", "output_graphs"),
    "treebank": (
        *("treebank", "reference_graphs", "sources", "labels", "alternative_reference"),
        *("parsed_references", "challenge", "overlap"),
    ),
    "campaign": ("judgements", "human_scores", "metric_scores"),
    "rule_set": ("rule_set",),
}
"""Kinds of ingestions by what their target is, or begins with before a blank or a colon."""
SCORED = (
    ("sentence_score", "submission_id"),
    ("submission_score", "submission_id"),
    ("slice_score", "submission_id"),
    ("scoring", "target"),
)
"""What a scoring leaves: tables, and their columns of submissions."""
_OF_TRIALS = ("output", "submission_score", "slice_score")
"""Tables that have rows of further trials of a submission as well."""


def table_audits() -> list[SqlFile]:
    """Return audits of what tables declare: their keys, and what they refer to but for parents."""
    made = []
    for name, table in tables().items():
        keys = ", ".join(table.grain)
        shared = f"SELECT {keys}, count(*) AS rows FROM {name} GROUP BY ALL HAVING count(*) > 1"  # noqa: S608
        made.append(
            SqlFile(f"{name}_key", f"one row per key of several rows of {name}.", shared, {})
        )
        made += [
            _reference_audit(table, column, target)
            for column, target in table.refers.items()
            if not column.startswith("parent_")
        ]
    return made


def _reference_audit(table: SqlFile, column: str, target: str) -> SqlFile:
    name, key = table.name, tables()[target].grain
    pairs = [(column, *key)] if len(key) == 1 else [*zip(key, key, strict=True)]
    there = RUNS if target == "submission" and name in _OF_TRIALS else target
    lost = (
        f"SELECT {', '.join(dict.fromkeys([*table.grain, column]))} FROM "  # noqa: S608
        f"(FROM {name} WHERE {column} IS NOT NULL) AS referring ANTI JOIN {there} AS there "
        f"ON {' AND '.join(f'referring.{own} = there.{other}' for own, other in pairs)}"
    )
    described = f"one row per row of {name} whose {column} is of no {target} that is there."
    return SqlFile(f"{name}_{column}", described, lost, {})
