"""The sample campaign: files are well formed and fit together; people are said to be simulated."""

from __future__ import annotations

import csv
import tomllib
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conllu import TokenList, parse

import sr_tracker.tracker.demo
from sr_tracker.queries.meaning.functions.graph_alignment import align_graphs
from sr_tracker.queries.meaning.functions.graph_aspects import ASPECTS, aspect_counts
from sr_tracker.queries.meaning.functions.graph_triples import read_triples

SAMPLE = Path(sr_tracker.tracker.demo.__file__).parent / "sample"
TREEBANKS = sorted((SAMPLE / "treebanks").glob("*.conllu"))
CAMPAIGNS = ("SAMPLE23", "SAMPLE24", "SAMPLE25")
MEANING_CAMPAIGN = "SAMPLE26"


def words(sentence: TokenList) -> list[dict[str, Any]]:
    return [word for word in sentence if isinstance(word["id"], int)]


@cache
def sentences(path: Path) -> list[TokenList]:
    return list(parse(path.read_text(encoding="utf-8")))


def test_the_readme_says_that_the_judgements_are_simulated() -> None:
    assert "judgements are simulated" in (SAMPLE / "README.md").read_text(encoding="utf-8")
    for manifest in SAMPLE.glob("*/campaign.toml"):
        assert "SIMULATED" in manifest.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: path.name)
def test_text_is_what_forms_ranges_and_spaces_spell(path: Path) -> None:
    for sentence in sentences(path):
        text, covered = "", 0
        for token in sentence:
            number = token["id"]
            if isinstance(number, tuple):
                if number[1] == ".":
                    continue
                covered = number[2]
            elif number <= covered:
                continue
            text += token["form"] + ("" if (token["misc"] or {}).get("SpaceAfter") else " ")
        assert text.strip() == sentence.metadata["text"]


@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: path.name)
def test_five_to_twelve_percent_are_non_projective(path: Path) -> None:
    computed = [not projective([w["head"] for w in words(s)]) for s in sentences(path)]
    assert 0.05 <= sum(computed) / len(computed) <= 0.12


def projective(heads: list[int]) -> bool:
    """No two edges cross, the edge to the root from the left end included."""
    edges = [tuple(sorted((head, place))) for place, head in enumerate(heads, start=1)]
    return not any(a < c < b < d for a, b in edges for c, d in edges)


@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: path.name)
def test_enhanced_graph_of_elliptic_sentences(path: Path) -> None:
    elliptic = [s for s in sentences(path) if any(not_plain(t["id"]) for t in s)]
    assert elliptic or "test" in path.name
    for sentence in elliptic:
        ids = {str(w["id"]) for w in words(sentence)} | {"0"}
        empties = {f"{t['id'][0]}.{t['id'][2]}" for t in sentence if not_plain(t["id"])}
        orphans = [w for w in words(sentence) if w["deprel"] == "orphan"]
        assert len(empties) == len(orphans) == 1
        for token in sentence:
            if isinstance(token["id"], tuple) and token["id"][1] == "-":
                continue
            for relation, head in token["deps"]:
                name = str(head) if isinstance(head, int) else f"{head[0]}.{head[2]}"
                assert name in ids | empties
                assert relation != "orphan"


def not_plain(identifier: object) -> bool:
    return isinstance(identifier, tuple) and identifier[1] == "."


def test_ids_and_texts_are_unique_and_documents_named() -> None:
    everything = [s for path in TREEBANKS for s in sentences(path)]
    assert len({s.metadata["sent_id"] for s in everything}) == len(everything) == 840
    assert len({s.metadata["text"] for s in everything}) == 840
    assert sum("newdoc id" in s.metadata for s in everything) == 84


def manifests() -> dict[str, dict[str, Any]]:
    return {
        path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in SAMPLE.glob("*/campaign.toml")
    }


def test_manifests_name_files_systems_and_parents_that_exist() -> None:
    assert set(manifests()) == {*CAMPAIGNS, MEANING_CAMPAIGN}
    for campaign, manifest in manifests().items():
        if campaign == MEANING_CAMPAIGN:
            continue
        folder = SAMPLE / campaign
        assert manifest["campaign"]["id"] == campaign
        systems = {system["id"] for system in manifest["systems"]}
        runs = set()
        for entry in manifest["submissions"]:
            assert entry["system"] in systems
            named = [entry["treebank"]] if "treebank" in entry else ["en_sample", "de_sample"]
            for name in named:
                assert (folder / entry["path"].format(treebank=name)).is_file()
                suffix = "" if entry["iteration"] == 1 else f"@{entry['iteration']}"
                runs.add(f"{campaign}/{entry['system']}/{name}-ud1.0-test{suffix}")
            assert entry.get("parent") is None or entry["parent"] in runs
        assert all((folder / entry["path"]).resolve().is_file() for entry in manifest["treebanks"])
        assert [entry["path"] for entry in manifest["judgements"]] == ["human/judgements.csv"]


def test_every_reader_has_a_file_and_one_run_is_incomplete() -> None:
    files = {path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("submissions/*/*")}
    assert {Path(name).suffix for name in files} == {".txt", ".csv", ".conllu"}
    lines = (SAMPLE / "SAMPLE24/submissions/head-direction/en_sample-1.txt").read_text("utf-8")
    assert len(lines.splitlines()) == 120
    assert "#" not in lines
    text = (SAMPLE / "SAMPLE24/submissions/ngram/de_sample-1.txt").read_text(encoding="utf-8")
    assert text.count("# sent_id = ") == 116


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def judged(campaign: str) -> list[dict[str, str]]:
    return rows(SAMPLE / campaign / "human" / "judgements.csv")


def original(row: dict[str, str]) -> tuple[str, ...]:
    names = ("annotator", "hit", "criterion", "system", "iteration", "treebank", "sent_id")
    return tuple(row[name] for name in names)


def test_judgements_are_small_and_within_their_scale() -> None:
    files = list(SAMPLE.glob("*/human/*"))
    assert {path.name for path in files} == {"judgements.csv"}
    assert sum(path.stat().st_size for path in files) < 400_000
    for campaign in CAMPAIGNS:
        assert all(0 <= int(row["score"]) <= 100 for row in judged(campaign))


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_every_hit_has_items_of_all_kinds_and_a_careful_rater(campaign: str) -> None:
    hits: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in judged(campaign):
        hits[row["hit"], row["annotator"]].append(row)
    raters = defaultdict(set)
    for (hit, annotator), items in hits.items():
        raters[hit].add(int(annotator.split("-")[-1]))
        kinds = Counter(row["kind"] for row in items)
        ordinary = kinds.pop("ordinary")
        assert kinds == {"repeat": 4, "degraded": 4, "reference": 1}
        assert 0 < ordinary <= 20
        assert [int(row["item"]) for row in items] == list(range(1, ordinary + 10))
        assert {(row["system"] == "") for row in items if row["kind"] == "reference"} == {True}
        originals = {original(row) for row in items if row["kind"] == "ordinary"}
        assert len(originals) == ordinary
        copies = {original(row) for row in items if row["kind"] in ("repeat", "degraded")}
        assert copies < originals
    assert len({len(rater) for rater in raters.values()}) == 1


def test_gold_graphs_have_every_aspect_of_meaning() -> None:
    blocks = (SAMPLE / MEANING_CAMPAIGN / "gold.amr").read_text(encoding="utf-8").split("\n\n")
    graphs = [read_triples(block) for block in blocks]
    assert len(graphs) == 42
    assert not [graph.flag for graph in graphs if graph.flag]
    counted = [aspect_counts(graph, graph, ASPECTS, align_graphs) for graph in graphs]
    for aspect in ASPECTS:
        assert sum(counts[aspect].gold_triples > 0 for counts in counted) >= 8, aspect


def test_manifest_of_graphs_names_files_that_exist() -> None:
    folder = SAMPLE / MEANING_CAMPAIGN
    manifest = manifests()[MEANING_CAMPAIGN]
    named = [
        entry["path"]
        for section in ("treebanks", "amr", "submissions", "graphs")
        for entry in manifest[section]
    ]
    assert all((folder / name).resolve().is_file() for name in named)
    assert len({(e["parser"], e.get("system", "")) for e in manifest["graphs"]}) == 6
