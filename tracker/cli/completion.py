"""What shells complete after the Tab key: names in the database, silently where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

_NAMES = {
    "submission": "SELECT submission_id FROM submission UNION SELECT system_id || at "
    "FROM submission, (VALUES ('@latest'), ('@previous'), ('@first')) AS names (at)",
    "system": "SELECT system_id FROM system",
    "treebank": "SELECT treebank_id FROM treebank",
    "campaign": "SELECT campaign_id FROM campaign",
    "language": "SELECT DISTINCT language FROM treebank WHERE language IS NOT NULL",
    "view": "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'",
    "measure": "SELECT DISTINCT metric FROM submission_score "
    "UNION SELECT DISTINCT criterion FROM human_score",
}
