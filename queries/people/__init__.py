"""From people's judgements to rankings: quality control, standardisation, agreement and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import resolve_treebank
from ...schema.progress import Progress, silent
from ...schema.themes import modules
from ..catalog import install
from . import human_scores
from .annotators import (
    judged_campaigns,
    judgements_at_hand,
    store_agreements,
    store_annotator_quality,
)
from .notes import NOT_COMPARABLE, notes_on, ranking_notes


@dataclass(frozen=True, repr=False)
class CampaignReport(Brief):
    """What came of one campaign's judgements."""

    campaign_id: str
    chosen: Mapping[str, str]
    """Whose judgements count, all or passing, by criterion."""
    notes: Sequence[str]
    """What to know when reading the scores."""


@dataclass(frozen=True, repr=False)
class HumanReport(Brief):
    """What an evaluation by people came to."""

    campaigns: Sequence[CampaignReport]

    @property
    def notes(self) -> list[str]:
        """What to know when reading the scores, of all campaigns."""
        notes = [note for campaign in self.campaigns for note in campaign.notes]
        return [*notes, NOT_COMPARABLE] if len(self.campaigns) > 1 else notes


def evaluate(
    database: Database,
    campaign: str | None = None,
    settings: human_scores.HumanSettings | None = None,
    progress: Progress = silent,
) -> HumanReport:
    """Turn stored judgements into scores, rankings and tests; return whose judgements count.

    For each campaign (or the one named), in one transaction: quality of annotators, scores of
    outputs, rankings and their tests with all annotators and with those who passed, agreement of
    annotators, and of metrics with people. What was stored before is replaced; the same judgements
    and settings give the same rows. Mille et al. 2018, sections 3.2 and 5.2.

    Raises UnknownNameError where there are no judgements, and InputError for settings that do not
    exist, and where nobody passed though passing annotators were asked for.
    """
    settings = settings or human_scores.HumanSettings()
    settings.check()
    install(database)
    calibration = settings.calibration and resolve_treebank(database, settings.calibration)
    campaigns, criterion = judged_campaigns(database, campaign, settings.criterion)
    settings = replace(settings, criterion=criterion, calibration=calibration)
    reports = []
    for done, campaign_id in enumerate(campaigns):
        progress(campaign_id, done, len(campaigns))
        with database.transaction():
            reports.append(_evaluate(database, campaign_id, settings))
    with database.transaction():
        for theme in modules("queries", "metric_agreement"):
            theme.store_evaluation_agreement(database)
    progress("evaluated", len(campaigns), len(campaigns))
    return HumanReport(reports)


def _evaluate(
    database: Database, campaign_id: str, settings: human_scores.HumanSettings
) -> CampaignReport:
    from .comparison import store_comparisons

    with judgements_at_hand(database, campaign_id, settings.criterion) as criteria:
        store_annotator_quality(database, campaign_id, criteria, settings.threshold)
        chosen = _chosen(database, campaign_id, criteria, settings.annotators)
        of_calibration = human_scores.calibration_notes(database, campaign_id, settings.calibration)
        human_scores.standardise_judgements(database, settings)
        by_files = human_scores.scored_by_files(database, replace=settings.replace)
        human_scores.clear_evaluation(database, campaign_id, criteria)
        of_ranking: list[str] = []
        for annotators in human_scores.CHOICES:
            human_scores.average_sentences(database, annotators, settings.average)
            human_scores.place_sentences(database, settings)
            of_ranking = of_ranking or ranking_notes(database, campaign_id, settings)
            human_scores.store_rankings(database, annotators)
            store_agreements(database, campaign_id, annotators)
            store_comparisons(
                database, campaign_id, annotators, corrected=settings.holm, rule=settings
            )
            human_scores.store_human_scores(database, campaign_id, chosen, annotators, by_files)
        human_scores.store_standardisation(database, campaign_id, chosen, settings)
        for theme in modules("queries", "metric_agreement"):
            theme.store_metric_agreement(database, campaign_id)
        notes = notes_on(database, campaign_id, chosen, settings)
        notes += of_ranking + of_calibration
        notes += [
            f"{campaign_id}, {criterion}: scores of outputs stay those of '{source}'; --replace "
            "puts those made from judgements in their place"
            for criterion, source in by_files.items()
        ]
    return CampaignReport(campaign_id, chosen, notes)


def _chosen(
    database: Database, campaign_id: str, criteria: Sequence[str], wanted: str
) -> dict[str, str]:
    """Return whose judgements count by criterion: all or passing."""
    rows = database.connection.execute(
        "SELECT DISTINCT criterion FROM annotator_quality WHERE campaign_id = ? AND passed",
        [campaign_id],
    ).fetchall()
    passed = {criterion for (criterion,) in rows}
    missing = [criterion for criterion in criteria if criterion not in passed]
    if wanted == human_scores.PASSING and missing:
        raise InputError(
            f"no annotator passed quality control on {missing[0]}",
            where=campaign_id,
            hint="'--annotators all' counts everybody; '--threshold' says who passes",
        )
    if wanted == human_scores.AUTO:
        return {
            criterion: human_scores.PASSING if criterion in passed else human_scores.ALL
            for criterion in criteria
        }
    return dict.fromkeys(criteria, wanted)
