from __future__ import annotations

import csv
import random
import statistics
import tomllib
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conllu import TokenList, parse
from scipy.stats import ttest_rel

import sr_tracker.tracker.demo
from sr_tracker.queries.functions.graph_alignment import align_graphs
from sr_tracker.queries.functions.graph_aspects import ASPECTS, aspect_counts
from sr_tracker.queries.functions.graph_triples import GraphTriples, read_triples
from sr_tracker.schema.errors import InputError
from tests.sample.campaigns import CAMPAIGNS, SYSTEMS, Campaign
from tests.sample.generator import main
from tests.sample.graph_building import build_graph
from tests.sample.graph_meanings import draw_meanings
from tests.sample.graph_sample import CAMPAIGN as MEANING_CAMPAIGN
from tests.sample.graph_sample import SEED, SENTENCES
from tests.sample.graph_sentences import clumsy_sentence, fluent_sentence
from tests.sample.graph_systems import understood
from tests.sample.ratings import CRITERIA
from tests.sample.treebanks import GRAMMARS

SAMPLE = Path(sr_tracker.tracker.demo.__file__).parent / "sample"
TREEBANKS = sorted((SAMPLE / "treebanks").glob("*.conllu"))
each_campaign = pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda c: c.campaign_id)
each_treebank = pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: path.name)


def words(sentence: TokenList) -> list[dict[str, Any]]:
    return [word for word in sentence if isinstance(word["id"], int)]


@cache
def sentences(path: Path) -> list[TokenList]:
    return list(parse(path.read_text(encoding="utf-8")))


def test_the_generator_writes_the_committed_files_byte_for_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 2
    (tmp_path / "file").touch()
    assert main([str(tmp_path / "file")]) == InputError.exit_code
    new = tmp_path / "new"
    assert main([str(new)]) == 0
    assert "files written" in capsys.readouterr().err
    made = {p.relative_to(new): p.read_bytes() for p in new.rglob("*") if p.is_file()}
    kept = {p.relative_to(SAMPLE): p.read_bytes() for p in SAMPLE.rglob("*") if p.is_file()}
    kept.pop(Path("README.md"))
    assert made.keys() == kept.keys()
    assert [str(name) for name in made if made[name] != kept[name]] == []
    assert not [str(name) for name in made if b"\r" in made[name]]
    assert sum(map(len, kept.values())) < 1_500_000


def test_the_readme_says_that_the_judgements_are_simulated() -> None:
    assert "judgements are simulated" in (SAMPLE / "README.md").read_text(encoding="utf-8")
    for manifest in SAMPLE.glob("*/campaign.toml"):
        assert "SIMULATED" in manifest.read_text(encoding="utf-8")


@each_treebank
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


@each_treebank
def test_five_to_twelve_percent_are_non_projective(path: Path) -> None:
    found = [not projective([w["head"] for w in words(s)]) for s in sentences(path)]
    assert 0.05 <= sum(found) / len(found) <= 0.12


def projective(heads: list[int]) -> bool:
    """No two edges cross, the edge to the root from the left end included."""
    edges = [tuple(sorted((head, place))) for place, head in enumerate(heads, start=1)]
    return not any(a < c < b < d for a, b in edges for c, d in edges)


@each_treebank
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


@each_treebank
def test_finite_verbs_agree_with_their_subjects(path: Path) -> None:
    checked = 0
    for sentence in sentences(path):
        by_id = {w["id"]: w for w in words(sentence)}
        for word in by_id.values():
            if word["deprel"] not in ("nsubj", "nsubj:pass") or word["feats"] is None:
                continue
            head = by_id[word["head"]]
            verbs = [head, *[w for w in by_id.values() if w["head"] == head["id"]]]
            finite = [
                w for w in verbs
                if (w["feats"] or {}).get("Tense") and w["feats"].get("VerbForm") == "Fin"
                and (w is head or w["deprel"] in ("aux", "aux:pass", "cop"))
            ]  # fmt: skip
            joined = any(w["head"] == word["id"] and w["deprel"] == "conj" for w in by_id.values())
            number = "Plur" if joined else word["feats"].get("Number")
            if not finite or number is None or word["feats"].get("PronType") in ("Rel", "Int"):
                continue
            (verb,) = finite
            assert verb["feats"]["Number"] == number, sentence.metadata["text"]
            assert verb["feats"]["Person"] == word["feats"].get("Person", "3")
            assert (word["feats"].get("Case") or "Nom") == "Nom"
            checked += 1
    assert checked > 80


@pytest.mark.parametrize("path", [p for p in TREEBANKS if p.name.startswith("de")], ids=str)
def test_german_noun_phrases_agree_in_case_gender_and_number(path: Path) -> None:
    checked = 0
    for sentence in sentences(path):
        by_id = {w["id"]: w for w in words(sentence)}
        for word in by_id.values():
            if word["deprel"] in ("det", "det:poss", "amod"):
                noun = by_id[word["head"]]["feats"]
                for name in ("Case", "Gender", "Number"):
                    assert word["feats"][name] == noun[name], sentence.metadata["text"]
                checked += 1
    assert checked > 150


# An oracle of its own: which case, gender and number a definite article can mark.
ARTICLE_READINGS = {
    "der": {"Nom Masc Sing", "Dat Fem Sing", "Gen Fem Sing", "Gen Plur"},
    "die": {"Nom Fem Sing", "Acc Fem Sing", "Nom Plur", "Acc Plur"},
    "das": {"Nom Neut Sing", "Acc Neut Sing"},
    "den": {"Acc Masc Sing", "Dat Plur"},
    "dem": {"Dat Masc Sing", "Dat Neut Sing"},
    "des": {"Gen Masc Sing", "Gen Neut Sing"},
}


@pytest.mark.parametrize("path", [p for p in TREEBANKS if p.name.startswith("de")], ids=str)
def test_german_articles_mark_what_their_features_say(path: Path) -> None:
    for sentence in sentences(path):
        for word in words(sentence):
            if word["lemma"] == "der" and word["upos"] in ("DET", "PRON"):
                feats = word["feats"]
                gender = "" if feats["Number"] == "Plur" else f"{feats['Gender']} "
                reading = f"{feats['Case']} {gender}{feats['Number']}"
                assert reading in ARTICLE_READINGS[word["form"].lower()]


@pytest.mark.parametrize("path", [p for p in TREEBANKS if p.name.startswith("de")], ids=str)
def test_german_main_clauses_are_verb_second(path: Path) -> None:
    checked = 0
    for sentence in sentences(path):
        by_id = {w["id"]: w for w in words(sentence)}
        root = next(w for w in by_id.values() if w["head"] == 0)
        if (
            sentence.metadata["text"].endswith(("?", "!"))
            or "Sie bitte" in sentence.metadata["text"]
        ):
            continue
        finite = [
            w for w in by_id.values()
            if (w["feats"] or {}).get("VerbForm") == "Fin"
            and (w is root or w["head"] == root["id"])
            and w["deprel"] in ("root", "aux", "aux:pass", "cop")
        ]  # fmt: skip
        (verb,) = finite
        # Everything before the finite verb hangs on one dependent of the clause.
        tops = set()
        for place in range(1, verb["id"]):
            node = by_id[place]
            while node["head"] not in (root["id"], 0):
                node = by_id[node["head"]]
            if node["deprel"] != "punct" and node is not root:
                tops.add(node["id"])
        assert len(tops) == 1, sentence.metadata["text"]
        checked += 1
    assert checked > 90


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
    assert set(manifests()) == {*(c.campaign_id for c in CAMPAIGNS), MEANING_CAMPAIGN}
    for campaign, manifest in manifests().items():
        if campaign == MEANING_CAMPAIGN:
            continue
        folder = SAMPLE / campaign
        assert manifest["campaign"]["id"] == campaign
        systems = {system["id"] for system in manifest["systems"]}
        assert systems <= set(SYSTEMS)
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


def judged(campaign: Campaign) -> list[dict[str, str]]:
    return rows(SAMPLE / campaign.campaign_id / "human" / "judgements.csv")


def original(row: dict[str, str]) -> tuple[str, ...]:
    names = ("annotator", "hit", "criterion", "system", "iteration", "treebank", "sent_id")
    return tuple(row[name] for name in names)


def test_judgements_are_small_and_within_their_scale() -> None:
    files = list(SAMPLE.glob("*/human/*"))
    assert {path.name for path in files} == {"judgements.csv"}
    assert sum(path.stat().st_size for path in files) < 400_000
    for campaign in CAMPAIGNS:
        assert all(0 <= int(row["score"]) <= 100 for row in judged(campaign))


@each_campaign
def test_every_hit_has_items_of_all_kinds_and_a_careful_rater(campaign: Campaign) -> None:
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
    careful = set(campaign.panel.careful)
    assert all(found & careful for found in raters.values())
    assert {len(found) for found in raters.values()} == {campaign.panel.per_hit}


@each_campaign
def test_quality_control_tells_careless_raters_from_careful_ones(campaign: Campaign) -> None:
    """A one-sided paired t-test of originals against degraded copies, as in `tracker human`."""
    table = judged(campaign)
    scores = {original(row): int(row["score"]) for row in table if row["kind"] == "ordinary"}
    pairs: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for row in table:
        if row["kind"] == "degraded":
            pair = scores[original(row)], int(row["score"])
            pairs[row["annotator"], row["criterion"]].append(pair)
    assert len(pairs) == campaign.panel.raters * len(CRITERIA) * len(GRAMMARS)
    for (annotator, _), found in pairs.items():
        assert len(found) >= 10
        before, after = zip(*found, strict=True)
        p_value = ttest_rel(before, after, alternative="greater").pvalue
        assert (p_value < 0.05) == (int(annotator.split("-")[-1]) in campaign.panel.careful)


def test_the_readme_names_the_careless_raters() -> None:
    text = (SAMPLE / "README.md").read_text(encoding="utf-8")
    for campaign in CAMPAIGNS:
        (line,) = (
            line for line in text.splitlines() if line.startswith(f"| {campaign.campaign_id} ")
        )
        for numbers, what in (
            (campaign.panel.guessing, "anywhere"),
            (campaign.panel.constant, "same"),
        ):
            for number in numbers:
                assert f"rater-{number}" in line
                assert what in line
        assert line.count("rater-") == campaign.panel.raters - len(campaign.panel.careful)


def test_raters_rank_the_systems_as_they_are() -> None:
    means = {}
    for campaign in CAMPAIGNS:
        scores = defaultdict(list)
        for row in judged(campaign):
            if row["kind"] in ("ordinary", "repeat"):
                scores[row["system"]].append(int(row["score"]))
        means[campaign.year] = {system: statistics.mean(found) for system, found in scores.items()}
    assert means[2025]["human"] > means[2025]["ngram"]
    assert means[2023]["head-direction"] > means[2023]["random"]


def gold_graphs() -> list[GraphTriples]:
    blocks = (SAMPLE / MEANING_CAMPAIGN / "gold.amr").read_text(encoding="utf-8").split("\n\n")
    return [read_triples(block) for block in blocks]


def test_gold_graphs_have_every_aspect_of_meaning() -> None:
    graphs = gold_graphs()
    assert len(graphs) == SENTENCES
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


def test_the_clumsy_system_says_all_and_the_fluent_one_does_not() -> None:
    meanings = draw_meanings(random.Random(SEED), SENTENCES)
    rng = random.Random(1)
    lost = [understood(meaning, rng) for meaning in meanings]
    assert (
        10 < sum(meaning != instead for meaning, instead in zip(meanings, lost, strict=True)) < 40
    )
    for meaning in meanings:
        graph = build_graph(meaning)
        fluent, clumsy = fluent_sentence(meaning), clumsy_sentence(meaning)
        assert fluent != clumsy
        assert fluent[0].isupper()
        assert fluent.endswith(".")
        assert "  " not in fluent + clumsy
        words = {*clumsy.lower().rstrip(".").split()} | {*clumsy.rstrip(".").split()}
        for value in [edge[2] for edge in graph.edges]:
            if isinstance(value, str) and value.startswith('"'):
                assert value.strip('"') in words
        negations = sum(role == ":polarity" for _, role, _ in graph.edges)
        assert clumsy.split().count("not") == fluent.split().count("not") == negations
