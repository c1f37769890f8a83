"""Paired tests of two submissions by BLEU, against sacreBLEU's and compare-mt's.

All begin with the counts of sentences. Ours gives both submissions their intervals besides, and its
replicates are those of sacreBLEU.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from measuring import Row, against, installed, seconds_of

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.paired import paired_tests
from sr_tracker.queries.change.significance.replicates import _only_block, read_statistics
from sr_tracker.queries.metrics.formulas import formula_of
from sr_tracker.tracker.api.tracker import Tracker

METRIC, REPLICATES, ROUNDS = "bleu_13a", 1_000, 3


def measure(db: Tracker) -> list[Row]:
    """Return the rows of the bootstrap, and of the bootstrap with approximate randomisation."""
    with db.reading():
        return _measured(db)


def _measured(db: Tracker) -> list[Row]:
    (treebank,) = db.sql("SELECT min(treebank_id) AS id FROM treebank")["id"].to_pylist()
    submissions = db.select(treebank=treebank)[:2]
    scored = f"FROM submission_score WHERE metric = '{METRIC}'"
    (signature,) = db.sql(f"SELECT any_value(signature_id) AS id {scored}")["id"].to_pylist()
    formula = formula_of(METRIC)
    _, statistics = read_statistics(db.database, formula, signature, submissions)
    settings = Settings(replicates=REPLICATES)
    bootstrap, both = (
        seconds_of(
            partial(paired_tests, db.database, [(formula, statistics)], pairs, settings),
            ROUNDS,
            before=_only_block.cache_clear,
        )
        for pairs in ([], [(0, 1)])
    )
    references, *outputs = (
        db.sql(
            f"SELECT {column} AS text FROM output_scores WHERE submission_id = '{submission}' "
            "ORDER BY sentence_no"
        )["text"].to_pylist()
        for column, submission in (
            ("reference", submissions[0]),
            *(("coalesce(output, '')", submission) for submission in submissions),
        )
    )
    drawn, swapped = _sacrebleu(outputs, references)
    of = f"{REPLICATES:,} replicates of two submissions"
    return [
        *against(
            "paired bootstrap",
            f"{bootstrap:.3f} s, {of}",
            bootstrap,
            {"sacrebleu": drawn, "compare-mt": _compare_mt(outputs, references)},
            "10x",
        ),
        *against(
            "bootstrap and randomisation",
            f"{both:.3f} s, {of}",
            both,
            {"sacrebleu, both": drawn and swapped and drawn + swapped},
            "10x",
        ),
    ]


def _sacrebleu(
    outputs: Sequence[Sequence[str]], references: Sequence[str]
) -> tuple[float | None, float | None]:
    """Return the seconds of the paired bootstrap and of approximate randomisation."""
    if not installed("sacrebleu"):
        return None, None
    from sacrebleu import BLEU
    from sacrebleu.significance import PairedTest

    class Counted(BLEU):
        """BLEU that counts each system once."""

        counts: ClassVar[dict[int, Any]] = {}

        def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
            if id(hypotheses) not in self.counts:
                counts = super()._extract_corpus_statistics(hypotheses, references)
                self.counts[id(hypotheses)] = counts
            return self.counts[id(hypotheses)]

    systems = list(zip(("one", "other"), outputs, strict=True))
    metric = Counted(force=True)
    for texts in outputs:
        metric._extract_corpus_statistics(texts, [references])

    def test(kind: str) -> None:
        PairedTest(systems, {"BLEU": metric}, [references], kind, REPLICATES)()

    return seconds_of(partial(test, "bs")), seconds_of(partial(test, "ar"))


def _compare_mt(outputs: Sequence[Sequence[str]], references: Sequence[str]) -> float | None:
    """Return the seconds of its paired bootstrap, each sample as large as the test set."""
    if not installed("compare_mt"):
        return None
    from compare_mt.scorers import BleuScorer
    from compare_mt.sign_utils import eval_with_paired_bootstrap

    scorer = BleuScorer()
    words, *others = ([text.split() for text in texts] for texts in (references, *outputs))
    counts = [scorer.cache_stats(words, other) for other in others]
    return seconds_of(
        lambda: eval_with_paired_bootstrap(
            *(words, others, None, scorer),
            num_samples=REPLICATES,
            sample_ratio=1.0,
            cache_stats=counts,
        )
    )
