"""Outputs of their own: relations, patterns, error mining, challenge sets, versions of a test set.

A sentence is a head and words that hang from it. Where a system is wrong another word stands in
the place of one: its edge is not realised, and the others' are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.stored import pair_tests
from tests.building import Word, conllu
from tests.validity.paired import ALPHA, covered, significant
from tests.validity.simulation import Observed
from tests.validity.worlds import Floats, World, world

RELATIONS = tuple(f"r{number:02}" for number in range(30))
WORSE = ("r04", "r08", "r12")
"""Relations that the worse run gets wrong more often."""
FEW = {"few5": range(5), "few10": range(5, 15), "few20": range(15, 35)}
"""Relations that few sentences have, and which."""
RIGHT, FEW_RIGHT, FEW_WORSE = 0.85, 0.95, 0.85
TEMPLATE = 10
"""Items of a template."""
PASSED = 0.7
WRONG = "zz"
Sentences = list[list[Word]]


def random_trees(rng: np.random.Generator, sentences: int) -> Sentences:
    """Return sentences of 3 to 25 words, whose relations are as unequally frequent as real ones."""
    chances = 1 / np.arange(1, len(RELATIONS) + 1)
    chances /= chances.sum()
    drawn = []
    for number in range(sentences):
        relations = rng.choice(RELATIONS, rng.integers(2, 25), p=chances).tolist()
        relations += [name for name, those in FEW.items() if number in those]
        words: list[Word] = [(f"head{number}", 0, "root")]
        words += [(f"w{number}n{n}", 1, relation) for n, relation in enumerate(relations)]
        drawn.append(words)
    return drawn


@contextmanager
def trees(rng: np.random.Generator, sentences: int) -> Iterator[tuple[World, Sentences]]:
    """Make a treebank of random trees."""
    drawn = random_trees(rng, sentences)
    with world(sentences) as there:
        path = there.folder / "en_toy-ud-test.conllu"
        path.write_text(conllu(drawn))
        treebank, _ = there.db.ingest_treebank(path, version="1.0")
        yield replace(there, treebank=treebank), drawn


def written(rng: np.random.Generator, drawn: Sentences, right: dict[str, float]) -> list[str]:
    """Return an output for each sentence: words are right with their relation's probability."""
    return [
        " ".join(
            form if head == 0 or rng.random() < right.get(relation, RIGHT) else WRONG
            for form, head, relation in words
        )
        for words in drawn
    ]


def relations(sentences: int, runs: int, seed: int) -> Observed:
    """Observe relations' tests and intervals, of two equal runs and of one that is worse."""
    rng = np.random.default_rng(seed)
    base_right = dict.fromkeys(FEW, FEW_RIGHT)
    worse_right = dict.fromkeys(FEW, FEW_WORSE) | dict.fromkeys(WORSE, RIGHT - 0.25)
    seen: dict[str, list[float]] = {
        name: [] for name in ("primary", "equal", "others", "power", *FEW)
    }
    with trees(rng, sentences) as (there, drawn):
        ids = [
            [
                there.outputs(written(rng, drawn, right), f"{kind}{run}")
                for kind, right in (("a", base_right), ("b", base_right), ("c", worse_right))
            ]
            for run in range(runs)
        ]
        there.db.score(metrics=["dea", "bleu"])
        for base, equal, worse in ids:
            tests = pair_tests(there.database, equal, base, Settings())
            seen["equal"].append(max(significant(tests.relations())))
            seen["primary"].append(max(significant(tests.changes(tests.primary))))
            tests = pair_tests(there.database, worse, base, Settings())
            changed = {change.deprel: change for change in tests.relations()}
            marked = {name for name, c in changed.items() if c.is_significant(ALPHA)}
            seen["power"].append(len(marked & {*WORSE}) / len(WORSE))
            seen["others"].append(float(bool(marked - {*WORSE, *FEW})))
            for name in FEW:
                seen[name] += covered([changed[name]], FEW_WORSE - FEW_RIGHT)
    return seen


def patterns(sentences: int, runs: int, seed: int) -> Observed:
    """Observe patterns that changed between equal runs."""
    rng = np.random.default_rng(seed)
    seen = []
    with trees(rng, sentences) as (there, drawn):
        pairs = [
            [there.outputs(written(rng, drawn, {}), f"{side}{run}") for side in "ab"]
            for run in range(runs)
        ]
        there.db.score(metrics=["dea"])
        there.db.analyse(
            {"kinds": ["mining"], "labels": ["deprel"], "metric": "dea", "max_nodes": 2}
        )
        for base, new in pairs:
            changes = there.db.compare(new, base, sentence_metric="dea").patterns
            seen.append(max(significant(changes), default=0.0))
    return {"pattern": seen}


def marked(sentences: int, runs: int, seed: int) -> Observed:
    """Observe which patterns go with errors that fall on words at random."""
    rng = np.random.default_rng(seed)
    with trees(rng, sentences) as (there, drawn):
        texts = [" ".join(word for word, *_ in words) for words in drawn]
        with (there.folder / "judged.jsonl").open("w") as file:
            for run in range(runs):
                there.outputs(texts, f"s{run}")
                for number, text in enumerate(texts, start=1):
                    spans = _random_spans(rng, text)
                    row = {
                        "annotator": "a",
                        "system": f"s{run}",
                        "treebank": there.treebank,
                        "sent_id": f"s{number}",
                        "criterion": "mqm",
                        "score": -len(spans),
                        "error_spans": json.dumps(spans),
                    }
                    file.write(json.dumps(row) + "\n")
        there.db.ingest_judgements(there.folder / "judged.jsonl", campaign="C")
        there.db.human("C")
        there.db.analyse(
            {"kinds": ["mining"], "labels": ["deprel"], "metric": "mqm_errors", "max_nodes": 2}
        )
        rows = there.rows(
            "SELECT coalesce(bool_or(p_holm < ?), false)::INT FROM suspicious_patterns "
            "GROUP BY submission_id",
            ALPHA,
        )
    return {"pattern": [float(any_of) for (any_of,) in rows]}


def _random_spans(rng: np.random.Generator, text: str) -> list[dict[str, object]]:
    spans, start = [], 0
    for word in text.split():
        if rng.random() < 0.05:
            spans.append(
                {"start_character": start, "end_character": start + len(word), "severity": "major"}
            )
        start += len(word) + 1
    return spans


def items(*, templates: bool) -> Callable[[int, int, int], Observed]:
    """Return a simulation of challenge sets of which two runs pass equally many items.

    A run is a phenomenon. Of templates, a run of a system passes most items or few.
    """

    def simulate(sentences: int, runs: int, seed: int) -> Observed:
        rng = np.random.default_rng(seed)
        names = [f"p{run}" for run in range(runs)]
        with world(sentences) as there:
            for name in ("first", "second"):
                passed = rng.random((sentences, runs)) < _chances(rng, sentences, runs, templates)
                texts = [
                    " ".join(["text", *(n for n, p in zip(names, row, strict=True) if p)])
                    for row in passed
                ]
                there.outputs(
                    texts, "ours", reference_form="text", iteration=1 + (name == "second")
                )
            rows = [
                (n + 1, name, "matches", f"\\b{name}\\b", n // TEMPLATE if templates else "")
                for n in range(sentences)
                for name in names
            ]
            head = ("sent_id", "phenomenon", "kind", "pattern", "template")
            path = there.folder / "items.tsv"
            path.write_text("".join("\t".join(map(str, row)) + "\n" for row in (head, *rows)))
            there.db.ingest_challenge(path, treebank=there.treebank)
            rates = there.db.challenge(system="ours").rates.to_pylist()
        rates = [row for row in rates if row["phenomenon"]]
        return {
            "change": [
                float(row["p_value"] < ALPHA) for row in rates if row["p_value"] is not None
            ],
            "rate": [
                float(row["low"] <= PASSED <= row["high"])
                for row in rates
                if row["low"] is not None
            ],
        }

    return simulate


challenge, templates = items(templates=False), items(templates=True)


def _chances(rng: np.random.Generator, sentences: int, runs: int, templates: bool) -> Floats:
    if not templates:
        return np.full((sentences, runs), PASSED)
    of_template = rng.beta(PASSED / (1 - PASSED), 1, (-(-sentences // TEMPLATE), runs))
    return np.repeat(of_template, TEMPLATE, axis=0)[:sentences]


def drift(sentences: int, runs: int, seed: int) -> Observed:
    """Observe the interval of what changed references bring: a tenth of the words are others."""
    changed, seen = 0.1, []
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        with trees(rng, sentences) as (there, drawn):
            ours = there.outputs(written(rng, drawn, dict.fromkeys(FEW, RIGHT)), "ours")
            revised: Sequence[Sequence[Word]] = [
                [
                    (f"{f}x" if head and rng.random() < changed else f, head, name)
                    for f, head, name in words
                ]
                for words in drawn
            ]
            path = there.folder / "en_toy-ud-test.conllu"
            path.write_text(conllu(revised))
            later, _ = there.db.ingest_treebank(path, version="2.0")
            there.db.score(metrics=["dea"])
            there.db.carry(ours, to=later)
            effects = there.db.drift(there.treebank, later, metrics=["dea"]).effects
            effect = effects[0].effects[0]
            low, high = effect.references_low, effect.references_high
            held = np.nan if low is None or high is None else low <= -changed * RIGHT <= high
            seen.append(float(held))
    return {"interval": seen}
