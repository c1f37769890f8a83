"""The natural key of every table, and the words that tables and code share."""

from __future__ import annotations

from .migrate import created_tables

KEYS = {table.name: table.grain for table in created_tables()}

OWNERS = tuple(table for table, key in KEYS.items() if key == (f"{table}_id",))
"""Tables whose rows other tables refer to by an id."""
_LOADED_OF_CAMPAIGN = ("campaign", "campaign_treebank", "judgement")
STATISTICS = tuple(
    table
    for table, key in KEYS.items()
    if "campaign_id" in key and table not in _LOADED_OF_CAMPAIGN
)
"""Tables of what is computed over all the submissions of a campaign that people judged."""

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
