"""From raw scores to z-scores, to one score per output, and to rankings of submissions."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import duckdb
import pyarrow as pa

from ...schema import TOOL_VERSION
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError, check_choices
from ...schema.parameters import Criterion, Option
from ...schema.statements import read_tuples, statement
from ...schema.temporary import temporary

DOCUMENTS = "documents"
Z, RAW = SCORES = ("z", "raw")
SENTENCES, DOMAINS = UNITS = ("sentences", "domains")
INDEPENDENT = (DOCUMENTS, SENTENCES)
RANK_SUM, SIGNED_RANK, WMT24 = TESTS = ("rank-sum", "signed-rank", "wmt24")
AUTO, ALL, PASSING = "auto", "all", "passing"
CHOICES = (ALL, PASSING)
DEVIATIONS = ("sample", "population")
AVERAGES = ("mean", "median")
CAMPAIGN, TREEBANK = SCOPES = ("campaign", "treebank")
NULL, ZERO = UNVARIED = ("null", "zero")
SOURCE = "judgements"


@dataclass(frozen=True)
class Rule:
    """How submissions are ranked, and when one is significantly better than another."""

    ranked_by: Annotated[
        str,
        Option(
            "Which score of a sentence ranks and is tested: the standardised one, or the raw one.",
            flag="--rank-by",
            choices=SCORES,
        ),
    ] = Z
    over: Annotated[
        str,
        Option(
            "Units that a system's mean averages: sentences, or domains, each the "
            "mean of its sentences.",
            choices=UNITS,
        ),
    ] = SENTENCES
    test: Annotated[
        str,
        Option(
            "Which Wilcoxon test makes clusters; wmt24: signed ranks in each domain, combined.",
            choices=TESTS,
        ),
    ] = RANK_SUM
    """See ``comparison``."""
    unit: Annotated[
        str,
        Option(
            "Units that tests treat as independent: documents, where they are known, or sentences.",
            choices=INDEPENDENT,
        ),
    ] = DOCUMENTS
    """Today's campaigns take sentences; WMT24's test always does."""
    domain_pattern: Annotated[
        str | None,
        Option(
            "Find domains in documents' names: '^test-en-([a-z]+)_'; else those that were loaded.",
            metavar="REGEX",
        ),
    ] = None

    def check(self) -> None:
        """Check the choices. Raises InputError for one that does not exist."""
        check_choices(
            ("score to rank by", self.ranked_by, SCORES),
            ("unit of means", self.over, UNITS),
            ("test of rankings", self.test, TESTS),
            ("unit of tests", self.unit, INDEPENDENT),
        )
        if self.domain_pattern is None:
            return
        try:
            re.compile(self.domain_pattern)
        except re.error as error:
            raise InputError(
                f"'{self.domain_pattern}' is no regular expression: {error}",
                hint="such as '^test-en-([a-z]+)_': what the brackets find is the domain",
            ) from error


@dataclass(frozen=True)
class HumanSettings(Rule):
    """How judgements are turned into scores, and submissions ranked by these."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "sr18": {"deviation": "sample", "test": RANK_SUM, "unit": SENTENCES, "over": SENTENCES}
    }
    """Settings of papers: Mille et al. 2018, sections 3.2 and 5.2.1."""

    criterion: Criterion | None = None
    deviation: Annotated[
        str, Option("Standard deviation of an annotator's scores.", choices=DEVIATIONS)
    ] = "sample"
    within: Annotated[
        str,
        Option(
            "Standardise over an annotator's scores in the campaign, or in each treebank.",
            choices=SCOPES,
        ),
    ] = CAMPAIGN
    unvaried: Annotated[
        str,
        Option("z-score of annotators whose scores never vary: none, or 0.", choices=UNVARIED),
    ] = NULL
    average: Annotated[
        str | None,
        Option(
            "Which average of the annotators' judgements is an output's score.",
            choices=AVERAGES,
            default="median for xsts, else mean",
        ),
    ] = None
    calibration: Annotated[
        str | None,
        Option(
            "Test set that all judged: raw scores are moved so that everybody rates it alike.",
            metavar="TREEBANK",
        ),
    ] = None
    """As Licht et al. 2022 make scores of several groups of annotators comparable."""
    annotators: Annotated[
        str,
        Option(
            "Annotators whose judgements make human scores; auto: those who passed where anybody "
            "did, else all.",
            choices=(PASSING, ALL, AUTO),
        ),
    ] = AUTO
    threshold: Annotated[
        float,
        Option("Annotators pass who rate degraded copies lower with a p-value below this."),
    ] = 0.05
    holm: Annotated[bool, Option("Make clusters by p-values corrected for their number.")] = False
    replace: Annotated[bool, Option("Replace human scores that were loaded from files.")] = False

    def check(self) -> None:
        """Check the choices. Raises InputError for one that does not exist."""
        super().check()
        check_choices(
            ("deviation", self.deviation, DEVIATIONS),
            ("scope of z-scores", self.within, SCOPES),
            ("z-score of unvaried ratings", self.unvaried, UNVARIED),
            ("average of judgements", self.average or AVERAGES[0], AVERAGES),
            ("choice of annotators", self.annotators, (AUTO, *CHOICES)),
        )
        if not 0 < self.threshold <= 1:
            raise InputError(
                f"{self.threshold:g} is no threshold for p-values", hint="give 0.05 or the like"
            )


def clear_evaluation(database: Database, campaign_id: str, criteria: Sequence[str]) -> None:
    """Remove what was ranked and compared before, and how far annotators agreed."""
    for table in ("human_ranking", "human_comparison", "annotator_agreement"):
        database.connection.execute(
            f"DELETE FROM {table} WHERE campaign_id = ? AND list_contains(?, criterion)",  # noqa: S608
            [campaign_id, list(criteria)],
        )


def place_sentences(database: Database, rule: Rule) -> None:
    """Make the temporary table ``ranked_sentence``: the score that ranks, and the domain.

    It has the columns of ``human_sentence``, which it reads, with score, document and domain: NULL
    where none is known, and for tests of sentences and means over sentences.

    Raises InputError where the database, which has fewer expressions than Python, refuses one.
    """
    pattern = rule.domain_pattern
    parameters = {
        "ranked_by": rule.ranked_by,
        "over": rule.over,
        "unit": SENTENCES if rule.test == WMT24 else rule.unit,
        "domain_pattern": pattern,
        "brackets": 1 if pattern and re.compile(pattern).groups else 0,
    }
    try:
        database.connection.execute(statement("ranked_sentences"), parameters)
    except duckdb.InvalidInputException as error:
        raise InputError(
            f"'{pattern}' is no regular expression of the database: {error}",
            hint="it has no lookaround and no references to brackets",
        ) from error


def store_rankings(database: Database, annotators: str) -> None:
    """Store the mean scores of each submission by these annotators' judgements.

    Judgements of an output are averaged, then the outputs of a submission (Mille et al. 2018,
    Tables 6 to 8), over domains those of each domain first. Reads ``ranked_sentence``.
    """
    database.connection.execute(statement("store_human_ranking"), {"annotators": annotators})


def standardise_judgements(database: Database, settings: HumanSettings) -> None:
    """Make the temporary table ``standardised_judgement`` of what counts in scores.

    z = (raw - mean) / deviation, by the annotator's scores of all kinds on the criterion in the
    campaign, or in the treebank where ``within`` says so (Mille et al. 2018, section 3.2). Where
    these scores do not vary it is what ``unvaried`` says: null, or zero (WebNLG 2020).
    """
    database.connection.execute(
        statement("standardise_judgements"),
        {
            "deviation": settings.deviation,
            "within": settings.within,
            "unvaried": 0.0 if settings.unvaried == ZERO else None,
            "calibration": settings.calibration,
        },
    )


def calibration_notes(database: Database, campaign_id: str, calibration: str | None) -> list[str]:
    """Return who judged nothing of the calibration set, by criterion: they do not count.

    Raises InputError where nobody judged it.
    """
    if calibration is None:
        return []
    rows = read_tuples(database, "uncalibrated_annotators", calibration=calibration)
    for _, judged, _ in rows:
        if not judged:
            raise InputError(
                f"nobody judged anything of the calibration set '{calibration}'",
                where=campaign_id,
                hint="load its judgements first, of the same criterion",
            )
    return [
        f"{campaign_id}, {criterion}: {plural(len(missing), 'annotator')} judged nothing of the "
        f"calibration set and do not count: {', '.join(missing[:5])}"
        + (" …" if len(missing) > 5 else "")
        for criterion, _, missing in rows
        if missing
    ]


def average_sentences(database: Database, annotators: str, average: str | None) -> None:
    """Make the temporary table ``human_sentence``: mean scores of each output.

    Its columns are campaign_id, treebank_id, criterion, submission_id, sentence_no, raw_mean,
    z_mean and assessments. ``annotators`` is all or passing, ``average`` mean or median, None for
    median of criteria whose names begin with xsts.
    """
    database.connection.execute(
        statement("human_sentences"), {"annotators": annotators, "average": average}
    )


def scored_by_files(database: Database, *, replace: bool) -> dict[str, str]:
    """Return the criteria on which files brought scores of what was judged, each with its file.

    These scores stay, on the whole criterion: beside scores made of judgements, means would mix two
    scales. ``replace`` removes them instead. Reads ``standardised_judgement``.
    """
    judged = (
        "(submission_id, criterion) IN "
        "(SELECT (submission_id, criterion) FROM standardised_judgement)"
    )
    if replace:
        database.connection.execute(
            f"DELETE FROM human_score WHERE source <> ? AND {judged}",  # noqa: S608
            [SOURCE],
        )
    rows = database.connection.execute(
        f"SELECT criterion, min(source) FROM human_score WHERE source <> ? AND {judged} "  # noqa: S608
        "GROUP BY criterion ORDER BY criterion",
        [SOURCE],
    ).fetchall()
    return dict(rows)


def store_human_scores(
    database: Database,
    campaign_id: str,
    chosen: Mapping[str, str],
    annotators: str,
    by_files: Container[str] = (),
) -> None:
    """Store the scores of outputs on the criteria for which these annotators count.

    ``chosen`` names the annotators by criterion, ``by_files`` are criteria left to files. Reads
    ``human_sentence``. Scores of the campaign that were made from judgements before give way.
    """
    criteria = [criterion for criterion, choice in chosen.items() if choice == annotators]
    database.connection.execute(
        "DELETE FROM human_score WHERE source = ? AND list_contains(?, criterion) "
        "AND submission_id IN (SELECT submission_id FROM submission WHERE campaign_id = ?)",
        [SOURCE, criteria, campaign_id],
    )
    free = [criterion for criterion in criteria if criterion not in by_files]
    database.connection.execute(
        statement("store_human_scores"), {"criteria": free, "source": SOURCE}
    )


def store_standardisation(
    database: Database, campaign_id: str, chosen: Mapping[str, str], settings: HumanSettings
) -> None:
    """Store how the campaign's scores and rankings were made, in place of what was stored."""
    connection = database.connection
    criteria: Sequence[str] = list(chosen)
    chosen_annotators = pa.table({"criterion": criteria, "annotators": [*chosen.values()]})
    with temporary(database, chosen_annotators=chosen_annotators):
        condition = "campaign_id = ? AND list_contains(?, criterion)"
        connection.execute(
            f"CREATE TEMP TABLE former_standardisation AS FROM standardisation WHERE {condition}",
            [campaign_id, criteria],
        )
        connection.execute(
            f"DELETE FROM standardisation WHERE {condition}",  # noqa: S608
            [campaign_id, criteria],
        )
        stored = (
            *("deviation", "within", "unvaried", "threshold", "ranked_by", "domain_pattern"),
            *("average", "calibration"),
        )
        connection.execute(
            statement("store_standardisation"),
            {
                "campaign_id": campaign_id,
                "ranked_over": settings.over,
                "ranked_test": settings.test,
                "tool": TOOL_VERSION,
                **{name: getattr(settings, name) for name in stored},
            },
        )
