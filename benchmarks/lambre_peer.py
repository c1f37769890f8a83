"""Grammar scores against L'AMBRE's own scorer (``lambre`` 2.x, MIT): the same counts, how fast.

Text and rules are the same: gold trees of a treebank taken for the outputs of some systems, and the
rules learned from it. Real French trees where the development data is there, else the sample's.
"""

from __future__ import annotations

import gzip
import importlib
import importlib.util
import logging
import math
import sys
import types
from pathlib import Path
from typing import Any

import pyarrow as pa
from measuring import Row, against, installed, print_table, seconds_of

import sr_tracker
from sr_tracker.ingest.grammar.rule_files import export_peer_rules
from sr_tracker.queries.grammar.extraction import ExtractionSettings, extract_rules
from sr_tracker.queries.grammar.scoring import score_grammar
from sr_tracker.tracker.api.tracker import Tracker

PROJECT = Path(__file__).resolve().parents[1]
FRENCH = PROJECT.parent / "shared" / "data" / "lambre" / "sud-french-gsd"
SAMPLE = PROJECT / "tracker" / "demo" / "sample" / "treebanks"
SYSTEMS = (1, 16, 48)
ROUNDS = 5
TREEBANK = "peer-sud-test"


def measure(folder: Path, systems: tuple[int, ...] = SYSTEMS) -> list[Row]:
    """Return the rows of the table; without ``lambre`` one that says so.

    The peer's scorers of documents and of sentences run on what it has read, as often as there are
    systems; ``from its files`` adds its reading. Ours reads tables, writes them and commits.

    Raises AssertionError where counts or scores differ from the peer's.
    """
    if not installed("lambre"):
        return [Row("grammar scores", "", "lambre", "not installed")]
    file = _text(folder)
    rows: list[Row] = []
    with sr_tracker.connect(folder / "grammar.duckdb", create=True) as db, db.writing():
        db.ingest_treebank(file, treebank=TREEBANK, scheme="sud")
        settings = ExtractionSettings(minimum_words=20)
        extract_rules(db.database, TREEBANK, settings, name="peer")
        (folder / "peer.txt").write_text(export_peer_rules(db.database, "peer"), encoding="utf-8")
        peer = _Peer(file, folder / "peer.txt")
        loaded = 0
        for count in systems:
            for number in range(loaded, count):
                db.ingest_submission(file, system=f"S{number}", treebank=TREEBANK)
            loaded = count
            db.database.connection.execute("CHECKPOINT")
            seconds = seconds_of(
                lambda: score_grammar(db.database, "peer"), ROUNDS, before=lambda: _forget(db)
            )
            if count == systems[0]:
                _check_same(db, peer)
            words = count * peer.words
            scorers = count * (peer.document + peer.sentences)
            rows += against(
                f"grammar scores, systems: {count}",
                f"{seconds:.2f} s, {words:,} words, {words / seconds:,.0f}/s",
                seconds,
                {
                    "lambre from its files": scorers + count * peer.reading,
                    "lambre, its scorers alone": scorers,
                },
                "20x",
            )
    return rows


class _Peer:
    """The peer's scorer on one text: what it says, and the seconds that it takes."""

    def __init__(self, file: Path, rules: Path) -> None:
        import pyconll

        self._scorer, rule_utils = _peer_modules()
        self.agreement, self.argument = rule_utils.load_pratapa_etal_2021_rules(rules)
        self.reading = seconds_of(lambda: pyconll.load_from_file(str(file)), ROUNDS)
        self._text = pyconll.load_from_file(str(file))
        self.words = sum(not token.is_multiword() for sentence in self._text for token in sentence)
        self.document = seconds_of(self.document_scores, ROUNDS)
        self.sentences = seconds_of(self.sentence_scores, ROUNDS)

    def document_scores(self) -> dict[str, Any]:
        scores: dict[str, Any] = self._scorer.get_doc_score(
            self._text, self.agreement, self.argument
        )[0]
        return scores

    def sentence_scores(self) -> list[dict[str, Any]]:
        scores: list[dict[str, Any]] = self._scorer.get_sent_score(
            self._text, self.agreement, self.argument
        )[0]
        return scores

    def counts(self) -> dict[str, tuple[int, int]]:
        """Return links and violations by rule, as the peer's own checks count them."""
        agreement = {link: {name: [0] * 3 for name in f} for link, f in self.agreement.items()}
        argument = {
            link: {
                name: {
                    side: {"feat_value": value, "counts": [0] * 3}
                    for side, value in zip(("depd", "head"), values, strict=True)
                }
                for name, values in features.items()
            }
            for link, features in self.argument.items()
        }
        for sentence in self._text:
            for token in sentence:
                if token.head not in ("0", None):
                    self._scorer.check_agreement(token, token.head, agreement, sentence)
                    self._scorer.check_argstruct_rule(token, token.head, argument, sentence)
        counts_by_rule = {
            f"{link}:{name}": (total, mismatch)
            for link, features in agreement.items()
            for name, (mismatch, _, total) in features.items()
        }
        for link, features in argument.items():
            for name, sides in features.items():
                for side, bearer in (("depd", "dependent"), ("head", "head")):
                    mismatch, _, total = sides[side]["counts"]
                    if sides[side]["feat_value"] != "-":
                        counts_by_rule[f"{link}:{name}@{bearer}"] = (total, mismatch)
        return {rule: counts for rule, counts in counts_by_rule.items() if counts[0]}


def _peer_modules() -> tuple[Any, Any]:
    """Return the peer's scorer and rule reader, without its package module: that needs a parser."""
    specification = importlib.util.find_spec("lambre")
    if specification is None or specification.submodule_search_locations is None:
        raise ImportError("lambre is not installed")
    package = types.ModuleType("lambre")
    package.__path__ = list(specification.submodule_search_locations)
    sys.modules["lambre"] = package
    names = ("lambre.score_utils_pratapa", "lambre.rule_utils")
    scorer, rules = (importlib.import_module(name) for name in names)
    return scorer, rules


def _check_same(db: Tracker, peer: _Peer) -> None:
    submission = f"local/S0/{TREEBANK}"
    counts = db.sql(
        "SELECT rule, sum(links)::INTEGER AS links, sum(violated)::INTEGER AS violated "
        f"FROM rule_check WHERE submission_id = '{submission}' GROUP BY rule"
    ).to_pylist()
    ours = {row["rule"]: (row["links"], row["violated"]) for row in counts}
    assert ours == peer.counts()
    document = peer.document_scores()
    names = {"grammar": "joint_score", "grammar_agreement": "agr_score"}
    names["grammar_argument"] = "argstruct_score"
    for metric, name in names.items():
        (row,) = db.sql(
            f"SELECT score FROM submission_score WHERE metric = '{metric}' "
            f"AND submission_id = '{submission}'"
        ).to_pylist()
        assert math.isclose(row["score"], document[name], rel_tol=1e-12)
    sentences = db.sql(
        "SELECT coalesce(score, 1) AS score FROM sentence_score WHERE metric = 'grammar' "
        f"AND submission_id = '{submission}' ORDER BY sentence_no"
    )["score"].to_pylist()
    theirs = [scores["joint_score"] for scores in peer.sentence_scores()]
    assert len(sentences) == len(theirs)
    assert all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(sentences, theirs, strict=True))


def _text(folder: Path) -> Path:
    """Write the text as one file: French trees, or those of the sample."""
    parts = sorted(FRENCH.glob("*.conllu.gz")) or sorted(SAMPLE.glob("de_*.conllu"))
    file = folder / "text.conllu"
    contents = [
        gzip.decompress(part.read_bytes()) if part.suffix == ".gz" else part.read_bytes()
        for part in parts
    ]
    file.write_bytes(b"".join(contents))
    return file


def _forget(db: Tracker) -> None:
    for table in ("scoring", "sentence_score", "submission_score"):
        db.database.connection.execute(f"DELETE FROM {table} WHERE metric LIKE 'grammar%'")
    db.database.connection.execute("DELETE FROM rule_check")


if __name__ == "__main__":
    import tempfile

    pa.set_cpu_count(2)
    with tempfile.TemporaryDirectory() as name:
        logging.disable(logging.WARNING)
        print_table(measure(Path(name)), {})
