"""The natural key of every table, and the words that tables and code share."""

from __future__ import annotations

from dataclasses import dataclass

from .migrate import columns_of_tables, created_tables

KEYS = {table.name: table.grain for table in created_tables()}

OWNERS = tuple(table for table, key in KEYS.items() if key == (f"{table}_id",))
"""Tables whose rows other tables refer to by an id."""


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


REFERENCES = tuple(
    Reference(table, column, owner)
    for table, columns in columns_of_tables().items()
    for column in columns
    for owner in OWNERS
    if column == f"{owner}_id" or column.endswith(f"_{owner}_id")
)
"""Every column that refers to a row of OWNERS: called KIND_id, or ending so."""
_BY_NAME = ("campaign_treebank", "standing_choice")
"""What is said of a treebank by its name, and holds for other content."""


def parts_of(kind: str) -> list[Reference]:
    """Return what goes with the content of a treebank or a submission: columns of tables' keys.

    These are all tables of which a row is about the one (or, of pairs of submissions, about it and
    another) but for statistics over a campaign's judgements where it is a treebank, and its own.
    """
    return [
        reference
        for reference in REFERENCES
        if reference.kind == kind
        and reference.table not in (kind, *_BY_NAME)
        and reference.column in KEYS[reference.table]
        and not (kind == "treebank" and reference.table in STATISTICS)
    ]


def replaced_with(kind: str, target: str) -> list[tuple[str, str, str]]:
    """Return the rows that go where a treebank or submission is replaced: table, column, value."""
    columns = [(reference.table, reference.column) for reference in parts_of(kind)]
    columns = [(kind, f"{kind}_id"), *columns, ("scoring", "target")]
    return [(table, column, target) for table, column in columns]


_LOADED_OF_CAMPAIGN = ("campaign", "campaign_treebank", "judgement")
STATISTICS = tuple(
    table
    for table, key in KEYS.items()
    if "campaign_id" in key and table not in _LOADED_OF_CAMPAIGN
)
"""Tables of what is computed over all the submissions of a campaign that people judged."""

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
