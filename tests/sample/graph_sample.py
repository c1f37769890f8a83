"""The sample's campaign of meaning graphs: gold graphs, outputs of two systems, and parses."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.sample.graph_building import Graph, build_graph
from tests.sample.graph_meanings import Meaning, draw_meanings
from tests.sample.graph_sentences import clumsy_sentence, fluent_sentence
from tests.sample.graph_systems import FLUENT, LITERAL, PARSERS, SYSTEMS, parsed, understood

CAMPAIGN = "SAMPLE26"
TREEBANK = "en_meaning"
TRAINING = "en_sample-ud1.0-train"
"""The treebank that the language model of the form is trained on."""
SEED = "graphs 2026"
SENTENCES = 42
REFERENCES = "references"

HEADER = f"""\
# A sample made by a program: invented graphs and sentences, and SIMULATED systems and parsers.

[campaign]
id = "{CAMPAIGN}"
name = "Sample campaign 2026: meaning graphs"
year = 2026
description = "Meaning graphs to English; systems and parsers are simulated."

# Text for a language model: other sentences with the same words.
[[treebanks]]
path = "../treebanks/en_sample-ud-train.conllu"
version = "1.0"

[[amr]]
path = "gold.amr"
id = "{TREEBANK}"
language = "en"
version = "1.0"
split = "test"
"""
SYSTEM_ENTRY = """
[[systems]]
id = "{system}"
team = "{team}"
kind = "{kind}"
description = "{description}"

[[submissions]]
path = "submissions/{system}.txt"
system = "{system}"
treebank = "{treebank}"
created_at = {date}
reference_form = "text"
"""
GRAPHS_ENTRY = """
[[graphs]]
path = "{path}"
{target}
parser = "{parser}"
"""


def meaning_files() -> dict[str, str]:
    """Every file of the campaign by its path within its folder."""
    meanings = draw_meanings(random.Random(SEED), SENTENCES)
    texts = {
        REFERENCES: [fluent_sentence(meaning) for meaning in meanings],
        LITERAL: [clumsy_sentence(meaning) for meaning in meanings],
    }
    said = {REFERENCES: meanings, LITERAL: meanings, FLUENT: _understood(meanings)}
    texts[FLUENT] = [fluent_sentence(meaning) for meaning in said[FLUENT]]
    graphs = [build_graph(meaning) for meaning in meanings]
    files = {"campaign.toml": manifest(), "gold.amr": _amr_file(graphs, texts[REFERENCES])}
    for system in SYSTEMS:
        files[f"submissions/{system}.txt"] = "".join(f"{text}\n" for text in texts[system])
    for parser, noise in PARSERS.items():
        for name, sentences in texts.items():
            rng = random.Random(f"{SEED} {parser} {name}")
            parses = [parsed(build_graph(meaning), rng, noise) for meaning in said[name]]
            files[_parses(parser, name)] = _amr_file(
                [graph for graph, _ in parses], sentences, [quality for _, quality in parses]
            )
    return files


def manifest() -> str:
    """The campaign.toml."""
    parts = [HEADER]
    for day, (system, (team, kind, description)) in enumerate(SYSTEMS.items(), start=1):
        parts.append(
            SYSTEM_ENTRY.format(
                system=system,
                team=team,
                kind=kind,
                description=description,
                treebank=TREEBANK,
                date=f"2026-05-{day:02d}",
            )
        )
    for parser in PARSERS:
        targets = {name: f'treebank = "{TREEBANK}"\nsystem = "{name}"' for name in SYSTEMS}
        targets[REFERENCES] = f'references = "{TREEBANK}"'
        for name, target in targets.items():
            path = _parses(parser, name)
            parts.append(GRAPHS_ENTRY.format(path=path, target=target, parser=parser))
    return "".join(parts)


def _understood(meanings: Sequence[Meaning]) -> list[Meaning]:
    rng = random.Random(f"{SEED} {FLUENT}")
    return [understood(meaning, rng) for meaning in meanings]


def _parses(parser: str, name: str) -> str:
    return f"parses/{parser.partition('/')[0]}/{name}.amr"


def _amr_file(
    graphs: Sequence[Graph], texts: Sequence[str], qualities: Sequence[float] | None = None
) -> str:
    blocks = []
    for number, (graph, text) in enumerate(zip(graphs, texts, strict=True), start=1):
        head = f"# ::id meaning-{number:02d}\n# ::snt {text}\n"
        quality = f"# ::quality {qualities[number - 1]:.2f}\n" if qualities is not None else ""
        blocks.append(f"{head}{quality}{graph.penman()}\n")
    return "\n".join(blocks)
