"""Rankings of submissions by people's judgement: which score ranks, over what it is averaged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import statement

Z, RAW = SCORES = ("z", "raw")
SENTENCES, DOMAINS = UNITS = ("sentences", "domains")
RANK_SUM, SIGNED_RANK, WMT24 = TESTS = ("rank-sum", "signed-rank", "wmt24")


@dataclass(frozen=True)
class Rule:
    """How submissions are ranked, and when one is significantly better than another."""

    ranked_by: str = Z
    """The score of a sentence: z, standardised by annotator, or raw."""
    over: str = SENTENCES
    """What its mean is of: sentences, or domains, each the mean of its sentences."""
    test: str = RANK_SUM
    """Between two submissions: rank-sum, signed-rank, or wmt24; see ``comparison``."""
    domain_pattern: str | None = None
    """A regular expression that finds the domain in the name of a document; None for the domain
    that was loaded."""

    def check(self) -> None:
        """Check the choices. Raises InputError for one that does not exist."""
        for name, value, known in (
            ("score to rank by", self.ranked_by, SCORES),
            ("unit of means", self.over, UNITS),
            ("test of rankings", self.test, TESTS),
        ):
            if value not in known:
                raise InputError(f"'{value}' is no {name}", hint=f"choose from {', '.join(known)}")
        if self.domain_pattern is None:
            return
        try:
            re.compile(self.domain_pattern)
        except re.error as error:
            raise InputError(
                f"'{self.domain_pattern}' is no regular expression: {error}",
                hint="such as '^test-en-([a-z]+)_': what the brackets find is the domain",
            ) from error


def clear_rankings(database: Database, campaign_id: str, criteria: Sequence[str]) -> None:
    """Remove what was ranked and compared before."""
    for table in ("human_ranking", "human_comparison"):
        database.connection.execute(
            f"DELETE FROM {table} WHERE campaign_id = ? AND list_contains(?, criterion)",  # noqa: S608
            [campaign_id, list(criteria)],
        )


def place_sentences(database: Database, rule: Rule) -> None:
    """Make the temporary table ``ranked_sentence``: the score that ranks, and the domain.

    It has the columns of ``human_sentence``, which it reads, with score and domain: NULL where none
    is known, and for means over sentences.

    Raises InputError where the database, which has fewer expressions than Python, refuses one.
    """
    pattern = rule.domain_pattern
    given = {
        "ranked_by": rule.ranked_by,
        "over": rule.over,
        "domain_pattern": pattern,
        "brackets": 1 if pattern and re.compile(pattern).groups else 0,
    }
    try:
        database.connection.execute(statement("ranked_sentences"), given)
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
