"""A synthetic campaign of any size: treebanks with random trees, submissions that reorder them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

RELATIONS = ("nsubj", "obj", "obl", "nmod", "amod", "det", "case", "advmod", "conj", "punct")
PARTS_OF_SPEECH = ("NOUN", "NOUN", "NOUN", "NOUN", "ADJ", "DET", "ADP", "ADV", "VERB", "PUNCT")
TREEBANKS = 10
SYLLABLES = ["ka", "lo", "mi", "re", "tu", "sen", "dor", "vi", "pal", "ge", "no", "bri", "sha"]


FEATURES = {
    "NOUN": ("Case=Nom|Gender=Fem|Number=Sing", "Case=Gen|Gender=Masc|Number=Plur"),
    "ADJ": ("Case=Nom|Degree=Pos|Gender=Fem|Number=Sing", "Degree=Cmp"),
    "DET": ("Definite=Def|PronType=Art", "Definite=Ind|Number=Sing|PronType=Art"),
    "VERB": ("Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", "VerbForm=Inf"),
}


@dataclass(frozen=True)
class SyntheticCampaign:
    """Where a generated campaign lies and what it holds."""

    manifest: Path
    treebanks: list[Path]
    submissions: list[Path]
    outputs: int
    output_tokens: int


def write_campaign(
    folder: Path,
    *,
    treebanks: int = TREEBANKS,
    sentences: int = 2_000,
    submissions: int = 174,
    mean_length: int = 18,
    seed: int = 1,
) -> SyntheticCampaign:
    """Write treebanks, submissions and their manifest into a folder, the same for each seed."""
    random = np.random.default_rng(seed)
    words = _vocabulary(random, 20_000)
    references = [_sentences(random, words, sentences, mean_length) for _ in range(treebanks)]
    folder.mkdir(parents=True, exist_ok=True)
    treebank_files = []
    for number, reference in enumerate(references):
        file = folder / f"en_bench{number}-ud1.0-test.conllu"
        file.write_text(_conllu(random, reference), encoding="utf-8")
        treebank_files.append(file)
    submission_files = []
    tokens = 0
    for number in range(submissions):
        treebank = number % treebanks
        file = folder / f"system{number // treebanks}-en_bench{treebank}.txt"
        outputs = [_perturbed(random, sentence) for sentence in references[treebank]]
        tokens += sum(len(output) for output in outputs)
        blocks = (
            f"# sent_id = {n}\n# text = {' '.join(output)}\n\n"
            for n, output in enumerate(outputs, start=1)
        )
        file.write_text("".join(blocks), encoding="utf-8")
        submission_files.append(file)
    manifest = folder / "campaign.toml"
    manifest.write_text(
        '[campaign]\nid = "BENCH24"\n\n[[treebanks]]\npath = "*.conllu"\n\n'
        '[[submissions]]\npath = "{system}-{treebank}.txt"\n',
        encoding="utf-8",
    )
    return SyntheticCampaign(
        manifest, treebank_files, submission_files, submissions * sentences, tokens
    )


def _vocabulary(random: np.random.Generator, size: int) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < size:
        count = int(random.integers(1, 5))
        words["".join(SYLLABLES[i] for i in random.integers(0, len(SYLLABLES), count))] = None
        if len(words) % 997 == 0:
            words[f"x{len(words)}"] = None
    return list(words)


def _sentences(
    random: np.random.Generator, words: list[str], count: int, mean_length: int
) -> list[list[str]]:
    lengths = np.maximum(random.poisson(mean_length - 1, count), 1)
    ranks = np.minimum(random.zipf(1.25, int(lengths.sum())), len(words)) - 1
    forms = iter(ranks.tolist())
    return [[*(words[next(forms)] for _ in range(length)), "."] for length in lengths]


def _conllu(random: np.random.Generator, sentences: list[list[str]]) -> str:
    blocks = []
    for number, sentence in enumerate(sentences, start=1):
        heads = _heads(random, len(sentence))
        lines = [f"# sent_id = s{number}", f"# text = {' '.join(sentence)}"]
        for position, (form, head) in enumerate(zip(sentence, heads, strict=True), start=1):
            kind = len(RELATIONS) - 1 if form == "." else (position * 7 + number) % 9
            relation = "root" if head == 0 else RELATIONS[kind]
            part = PARTS_OF_SPEECH[kind]
            feats = FEATURES.get(part, ("_", "_"))[(position + number) % 2]
            columns = (position, form, form, part, part[:2], feats, head, relation)
            lines.append("\t".join((*map(str, columns), f"{head}:{relation}", "_")))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n\n"


def _heads(random: np.random.Generator, length: int) -> list[int]:
    """Return a random tree: each word's head is a word near it that comes earlier in a shuffle."""
    order = random.permutation(length - 1) + 1 if length > 1 else np.array([1])
    heads = [0] * length
    placed = [int(order[0])]
    for word in order[1:].tolist():
        heads[word - 1] = min(placed, key=lambda other: (abs(other - word), other))
        placed.append(word)
    if length > 1:
        heads[length - 1] = placed[0]
    return heads


def _perturbed(random: np.random.Generator, sentence: list[str]) -> list[str]:
    """Return the sentence with some neighbours swapped and some words lost."""
    words = list(sentence)
    for position in random.integers(0, len(words), max(1, len(words) // 5)).tolist():
        other = (position + 1) % len(words)
        words[position], words[other] = words[other], words[position]
    if len(words) > 4 and random.random() < 0.3:
        del words[int(random.integers(0, len(words)))]
    return words
