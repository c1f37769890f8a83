"""The natural key of every table, and the words that tables and code share."""

from __future__ import annotations

from sr_tracker.schema.migrate import created_tables

KEYS = {table.name: table.grain for table in created_tables()}

TEXT_SCHEME = "text"
WITHOUT_WORDS = (TEXT_SCHEME, "amr")
"""The schemes of treebanks whose sentences are text, or meaning graphs, but no words."""
NO_OUTPUTS = "none"
"""The analysis of submissions that are known only from judgements."""
EXTERNAL = "given/"
"""How labels of models begin whose probabilities were computed elsewhere."""
SCORED = (
    ("sentence_score", "submission_id"),
    ("submission_score", "submission_id"),
    ("scoring", "target"),
)
"""What a scoring leaves: tables, and their columns of submissions."""
