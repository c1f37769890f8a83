"""How free the word order of relations is: the views against the definition and the paper."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.schema.database import Database

SUBMISSION = "C20/random/en_one-ud1.0-test"
TREEBANK = "en_one-ud1.0-test"
counts = st.integers(0, 10_000)


def defined_entropy(one: int, other: int) -> float:
    shares = [count / (one + other) for count in (one, other) if count]
    return -sum(share * math.log2(share) for share in shares) + 0.0


def sides(campaign: Database, treebank_id: str, subtypes: bool) -> dict[str, Counter[str]]:
    """Edges of a treebank by relation and side of the dependent, counted word by word."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for token_no, head, deprel in campaign.connection.execute(
        "SELECT token_no, head, deprel FROM token WHERE treebank_id = ?", [treebank_id]
    ).fetchall():
        if head:
            relation = deprel if subtypes else deprel.partition(":")[0]
            found[relation]["final" if token_no < head else "initial"] += 1
    return found


@given(one=counts, other=counts)
def test_binary_entropy_is_its_definition(database: Database, one: int, other: int) -> None:
    ((found, mirrored),) = database.connection.execute(
        "SELECT binary_entropy($one, $other), binary_entropy($other, $one)",
        {"one": one, "other": other},
    ).fetchall()
    assert found == mirrored
    if one + other == 0:
        assert found is None
    else:
        assert found == pytest.approx(defined_entropy(one, other), abs=1e-14)
        assert 0 <= found <= 1
        assert math.copysign(1, found) == 1


def test_entropy_of_the_papers_example(database: Database) -> None:
    """Shimorina et al. (2021), section 3.1: 20 head-final against 80 head-initial gives 0.72."""
    found = database.connection.execute("SELECT binary_entropy(20, 80), binary_entropy(50, 50)")
    example, even = found.fetchone() or (None, None)
    assert round(float(example), 2) == 0.72
    assert even == 1


@pytest.mark.parametrize("level", ["universal", "annotated"])
def test_relation_entropy(campaign: Database, level: str) -> None:
    treebanks = campaign.connection.execute("SELECT treebank_id, language FROM treebank").fetchall()
    rows = campaign.connection.execute(
        "SELECT treebank_id, deprel, language, edges, head_final, head_initial, entropy "
        "FROM relation_entropy WHERE level = ?",
        [level],
    ).fetchall()
    expected = {
        (treebank_id, name): (language, side.total(), side["final"], side["initial"])
        for treebank_id, language in treebanks
        for name, side in sides(campaign, treebank_id, level == "annotated").items()
        if level == "annotated" or name != "punct"
    }
    assert {row[:2]: row[2:6] for row in rows} == expected
    for *_, head_final, head_initial, entropy in rows:
        assert entropy == pytest.approx(defined_entropy(head_final, head_initial), abs=1e-14)
    names = {row[1] for row in rows}
    assert ("punct" in names) == (level == "annotated")
    assert "root" not in names
    assert ("nmod:poss" in names) == (level == "annotated")


def test_treebank_entropy_weighs_relations_equally(campaign: Database) -> None:
    rows = campaign.connection.execute("FROM treebank_entropy").fetchall()
    assert len(rows) == 3
    for treebank_id, language, relations, mean, middle in rows:
        entropies = [
            defined_entropy(side["final"], side["initial"])
            for name, side in sides(campaign, treebank_id, subtypes=False).items()
            if name != "punct"
        ]
        assert language == treebank_id[:2]
        assert relations == len(entropies)
        assert mean == pytest.approx(fmean(entropies), abs=1e-14)
        assert middle == pytest.approx(median(entropies), abs=1e-14)


def test_entropy_and_accuracy_stand_side_by_side(campaign: Database) -> None:
    rows = campaign.connection.execute(
        "SELECT campaign_id, year, system_id, treebank_id, language, deprel, edges, entropy, dea "
        "FROM entropy_dea WHERE submission_id = ?",
        [SUBMISSION],
    ).fetchall()
    accuracy = {
        deprel: (edges, dea)
        for deprel, edges, dea in campaign.connection.execute(
            "SELECT deprel, edges, dea FROM dea_by_relation WHERE submission_id = ?", [SUBMISSION]
        ).fetchall()
    }
    side = sides(campaign, TREEBANK, subtypes=False)
    assert {row[5] for row in rows} == set(accuracy) == set(side) - {"punct"}
    for *dimensions, deprel, edges, entropy, dea in rows:
        assert dimensions == ["C20", 2020, "random", TREEBANK, "en"]
        assert (edges, dea) == accuracy[deprel]
        expected = defined_entropy(side[deprel]["final"], side[deprel]["initial"])
        assert entropy == pytest.approx(expected, abs=1e-14)


def test_entropy_of_japanese_is_the_published_one(database: Database, shared_data: Path) -> None:
    """Shimorina et al. (2021), section 5.3, prints 0.02 for ja_gsd 2.3: 0.0165 to four decimals.

    Every edge of the test set as annotated counts, the root and the relation punct do not.
    """
    path = shared_data / "ud" / "2.3" / "ja_gsd-ud-test.conllu.gz"
    name = name_treebank(path, treebank_id="ja_gsd-ud2.3-test")
    ingest_treebank(database, path, name)
    rows = database.connection.execute(
        "SELECT language, relations, round(entropy_mean, 4), round(entropy_mean, 2) "
        "FROM treebank_entropy WHERE treebank_id = 'ja_gsd-ud2.3-test'"
    ).fetchall()
    assert rows == [("ja", 21, 0.0165, 0.02)]
