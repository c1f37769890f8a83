"""Scoring the sample's outputs by meaning and form, as the demo does."""

from __future__ import annotations

from collections.abc import Sequence

from schema.database import Database
from schema.progress import Progress
from tracker.demo.graph_sample import TRAINING, TREEBANK
from tracker.demo.graph_systems import PARSERS
from tracker.form.models import train_on_treebank
from tracker.form.scoring import score_form
from tracker.meaning.references import match_references
from tracker.meaning.scoring import score_meaning
from tracker.meaning.signatures import MeaningSettings


def score_graphs(database: Database, submissions: Sequence[str], progress: Progress) -> int:
    """Score outputs by an n-gram model and by each parser; return how many were not scored yet.

    The scores of the best parser are the newest.
    """
    model = train_on_treebank(database, TRAINING)
    scored = score_form(database, model, submissions, progress=progress).submissions
    for parser in sorted(PARSERS, key=lambda name: PARSERS[name], reverse=True):
        settings = MeaningSettings(parser)
        match_references(database, TREEBANK, settings, progress=progress)
        report = score_meaning(database, settings, submissions, progress=progress)
        scored = max(scored, len(report.scored))
    return scored
