"""Relations that systems realise badly, or differently in treebanks of a language."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator

import pytest

from sr_tracker.queries.catalog import install
from sr_tracker.schema.database import Database, open_database

TREEBANKS = {"en_a": "en", "en_b": "en", "en_c": "en", "fr_a": "fr", "de_a": "de", "de_b": "de"}
RELATIONS = ("nsubj", "obj", "conj", "det")
SUBMISSIONS = {
    "C/one/en_a": 1,
    "C/one/en_a@2": 2,
    "C/one/en_b": 1,
    "C/two/en_a": 1,
    "C/two/en_c": 1,
    "C/two/en_b": 1,
    "C/three/en_c": 1,
    "D/three/fr_a": 1,
    "D/three/de_a": 1,
    "D/four/de_b": 1,
    "D/person/en_a": 1,
    "D/person/en_b": 1,
}

Edges = dict[str, dict[str, list[int]]]
"""Found or not, by submission and relation."""


def fill(database: Database, rng: random.Random) -> Edges:
    """Six treebanks in three languages; the same number of edges for all of a treebank."""
    connection = database.connection
    edges: Edges = {}
    times = {(t, r): rng.randint(0, 4) for t in TREEBANKS for r in RELATIONS}
    for treebank_id, language in TREEBANKS.items():
        connection.execute(
            "INSERT INTO treebank BY NAME SELECT ? AS treebank_id, ? AS language, 'ud' AS scheme, "
            "[] AS excluded_relations, false AS hidden_text, 1 AS sentences, 9 AS tokens, "
            "'f' AS source, 'h' AS sha256",
            [treebank_id, language],
        )
        relations = [each for each in RELATIONS for _ in range(times[treebank_id, each])]
        numbers = list(range(1, len(relations) + 1))
        connection.execute(
            "INSERT INTO reference_edges VALUES (?, 1, ?, ?, ?, ?)",
            [treebank_id, numbers, relations, numbers, numbers],
        )
    for system in ("one", "two", "three", "person"):  # of system four nothing is said
        kind = "human" if system == "person" else "team"
        connection.execute("INSERT INTO system VALUES (?, NULL, ?, NULL, NULL)", [system, kind])
    for submission_id, iteration in SUBMISSIONS.items():
        campaign_id, system_id, rest = submission_id.split("/")
        treebank_id = rest.partition("@")[0]
        connection.execute(
            "INSERT INTO submission BY NAME SELECT ? AS submission_id, ? AS campaign_id, "
            "? AS system_id, ? AS treebank_id, 'shallow' AS track, ? AS iteration, "
            "now() AS created_at, 'text' AS reference_form, 'a' AS analysis, '{}' AS params, "
            "'{}' AS tags, 'f' AS source, 'h' AS sha256",
            [submission_id, campaign_id, system_id, treebank_id, iteration],
        )
        for signature, newest in (("old", False), (f"new {treebank_id}", True)):
            connection.execute(
                "INSERT INTO scoring VALUES (?, 'dea', ?, 'h', 't', "
                "TIMESTAMPTZ '2024-01-01', ?::INTEGER)",
                [submission_id, signature, newest],
            )
            found = {
                relation: [rng.randint(0, 1) for _ in range(times[treebank_id, relation])]
                for relation in RELATIONS
                if times[treebank_id, relation]
            }
            connection.execute(
                "INSERT INTO edge_outcome VALUES (?, ?, 1, ?)",
                [signature, submission_id, [one for values in found.values() for one in values]],
            )
        edges[submission_id] = found
    return edges


@pytest.fixture(scope="module", params=range(3))
def filled(request: pytest.FixtureRequest) -> Iterator[tuple[Database, Edges]]:
    with open_database(None) as database:
        install(database)
        yield database, fill(database, random.Random(request.param))


def system_of(submission_id: str) -> str:
    return submission_id.split("/")[1]


def treebank_of(submission_id: str) -> str:
    return submission_id.split("/")[2].partition("@")[0]


def counted(edges: Edges, treebank_id: str, relation: str) -> dict[str, float]:
    """The accuracy of a treebank's submissions that count: newest ones, no human reference."""
    newer = {name.partition("@")[0] for name in edges if "@" in name}
    return {
        name: statistics.mean(found[relation])
        for name, found in edges.items()
        if treebank_of(name) == treebank_id
        and system_of(name) != "person"
        and name not in newer
        and relation in found
    }


def rows_of(database: Database, view: str) -> list[dict[str, object]]:
    return database.connection.execute(f"FROM {view}").to_arrow_table().to_pylist()


def test_consistency(filled: tuple[Database, Edges]) -> None:
    database, edges = filled
    rows = rows_of(database, "relation_consistency")
    expected = {}
    for treebank_id, language in TREEBANKS.items():
        for relation in RELATIONS:
            values = counted(edges, treebank_id, relation)
            if values:
                expected[treebank_id, relation] = {
                    "language": language,
                    "edges": len(next(f[relation] for n, f in edges.items() if n in values)),
                    "submissions": len(values),
                    "dea_mean": pytest.approx(statistics.mean(values.values())),
                    "dea_median": pytest.approx(statistics.median(values.values())),
                    "dea_min": pytest.approx(min(values.values())),
                    "dea_max": pytest.approx(max(values.values())),
                }
    assert {(row.pop("treebank_id"), row.pop("deprel")): row for row in rows} == expected
    best = [row["dea_max"] for row in rows]
    assert best == sorted(best, key=float)  # type: ignore[arg-type]


def by_system(edges: Edges, treebank_id: str, relation: str) -> dict[str, float]:
    values = counted(edges, treebank_id, relation)
    return {
        system: statistics.mean([v for n, v in values.items() if system_of(n) == system])
        for system in {system_of(name) for name in values}
    }


def test_divergence(filled: tuple[Database, Edges]) -> None:
    database, edges = filled
    rows = {
        (row["language"], row["deprel"]): row for row in rows_of(database, "relation_divergence")
    }
    expected: dict[tuple[str, str], dict[tuple[str, str], tuple[float, float, int]]] = {}
    for one, language in TREEBANKS.items():
        for other in TREEBANKS:
            for relation in RELATIONS:
                first = by_system(edges, one, relation)
                second = by_system(edges, other, relation)
                common = sorted(set(first) & set(second))
                if one != other and TREEBANKS[other] == language and common:
                    expected.setdefault((language, relation), {})[one, other] = (
                        statistics.mean([first[system] for system in common]),
                        statistics.mean([second[system] for system in common]),
                        len(common),
                    )
    assert set(rows) == set(expected)
    assert {language for language, _ in rows} == {"en"}  # no system has both German treebanks
    for key, pairs in expected.items():
        row = rows[key]
        low, high, systems = pairs[row["lowest_treebank_id"], row["highest_treebank_id"]]  # type: ignore[index]
        assert row["dea_lowest"] == pytest.approx(low)
        assert row["dea_highest"] == pytest.approx(high)
        assert row["systems"] == systems
        assert row["difference"] == pytest.approx(max(b - a for a, b, _ in pairs.values()))
        assert row["treebanks"] == len({treebank_id for pair in pairs for treebank_id in pair})
        assert row["lowest_edges"] == len(
            next(
                found[key[1]]
                for name, found in edges.items()
                if treebank_of(name) == row["lowest_treebank_id"]
            )
        )
