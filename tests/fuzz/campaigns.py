"""Small campaigns that a tracker may meet and nobody would print: hypothesis strategies.

Two to four sentences with hostile words, trees of any shape, systems that say nothing, judgements
that do not vary, graphs of one node. What readers refuse is tried elsewhere: most of these load.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from hypothesis import strategies as st
from mutations import broken_files

Files = Mapping[str, bytes]
TREEBANK = "en_toy-ud1.0-test"
TRAINING = "en_toy-ud1.0-train"
GOLD = "en_gold"
PARSER = "any/1.0"
WORDS = (
    *("the", "dog", "dogs", "sees", "a", ".", ",", "?", "!!!", "The", "don't", "1,000.5", "-", "0"),
    *(
        "漢字",
        "かな",
        "שלום",
        "مرحبا",
        "ไทย",
        "É",
        "E\u0301",
        "ß",
        "İ",
        "👩‍👩‍👧",
        "\U0010ffff",
        "\ufffd",
    ),
    *("\u200b", "\u202e", "\u2028", "\x1b[2J", "\x85", "\u00ad", "\u0301", "\ufeff", "x\u00a0y"),
    *("New York", "<script>", "</svg>", "&amp;", "]]>", "'; DROP TABLE x --", '"', "'", "`", "|"),
    *("=1+1", "{x}", "{{x}}", "%s", "$1", "\\", "[bold]", "[/]", "[", "(", ")", "/", "\\n", "NaN"),
    *("NULL", "inf", "_", "None", "#", "1-2", "w" * 300, "p<0.05", "a=b", "*", "@", "x/y"),
)
RELATIONS = ("root", "nsubj", "det", "obj", "punct", "advcl", "conj", "acl:relcl", "dep", "fixed")
PARTS_OF_SPEECH = ("NOUN", "VERB", "DET", "PUNCT", "ADJ", "X", "SYM", "_", "PRON")
FEATURES = ("_", "Number=Sing", "Number=Plur", "Case=Nom|Number=Sing", "Case=Acc", "Gender=Fem")
NODES = ("dog", "see-01", "play-11", "-", '"x y"', "1", "person", "a" * 300, "漢", "multi-sentence")
_word = st.sampled_from(WORDS)
_plain = st.sampled_from(WORDS[:14])
_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r")
_words = st.one_of(_plain, _plain, _word, st.text(_characters, min_size=1, max_size=3))


@st.composite
def _heads(draw: st.DrawFn, length: int) -> list[int]:
    """Return the heads of a tree: a chain, a star, or each below one drawn before it."""
    order = draw(st.permutations(range(1, length + 1)))
    shape = draw(st.sampled_from(["any", "any", "chain", "star"]))
    heads = dict.fromkeys(order, 0)
    for place, token in enumerate(order[1:], start=1):
        above = {"chain": place - 1, "star": 0}.get(shape)
        heads[token] = order[draw(st.integers(0, place - 1)) if above is None else above]
    return [heads[token] for token in range(1, length + 1)]


@st.composite
def _sentence(draw: st.DrawFn) -> list[list[str]]:
    """Return the rows of a sentence."""
    length = draw(st.one_of(st.integers(1, 6), st.integers(1, 6), st.just(20)))
    rows = []
    for number, head in enumerate(draw(_heads(length)), start=1):
        form = draw(_words)
        lemma = draw(st.one_of(st.just(form), st.just("_"), _words))
        relation = draw(st.sampled_from(RELATIONS[1:])) if head else "root"
        features = draw(st.sampled_from(FEATURES))
        tag = draw(st.sampled_from(PARTS_OF_SPEECH))
        space = draw(st.sampled_from(["_", "_", "SpaceAfter=No"]))
        rows.append([str(number), form, lemma, tag, "_", features, str(head), relation, "_", space])
    return rows


def _backwards(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return a sentence with its words in the opposite order: text for training only."""
    words = [row[1:6] for row in reversed(rows)]
    return [[row[0], *word, *row[6:]] for row, word in zip(rows, words, strict=True)]


def _conllu(sentences: Sequence[Sequence[Sequence[str]]], names: Sequence[str]) -> bytes:
    blocks = [
        "\n".join([f"# sent_id = {name}", *("\t".join(row) for row in rows), "", ""])
        for name, rows in zip(names, sentences, strict=True)
    ]
    return "".join(blocks).encode("utf-8", "replace")


@st.composite
def _output(draw: st.DrawFn, rows: Sequence[Sequence[str]]) -> str:
    """Return what a system says: the reference, its words in another order, others, or nothing."""
    forms = [row[1] for row in rows]
    texts: list[st.SearchStrategy[str]] = [
        st.just(" ".join(forms)),
        st.permutations(forms).map(" ".join),
        st.lists(_words, max_size=8).map(" ".join),
        st.sampled_from(["", " ", "\t", ".", "\u200b", "\u3000"]),
        st.just(" ".join(forms[:1] * 50)),
    ]
    return draw(st.one_of(texts))


def _table(rows: Sequence[Sequence[object]]) -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8", "replace")


@st.composite
def _judgements(draw: st.DrawFn, systems: Sequence[str], names: Sequence[str]) -> bytes:
    """Return ratings of any number of annotators: all equal, few, or any."""
    annotators = draw(st.sampled_from([["P"], ["P", "Q"], ["\u202eP", "=Q", "<b>"]]))
    scores = draw(st.sampled_from([st.just(50), st.sampled_from([0, 100]), st.floats(0, 100)]))
    kinds = st.sampled_from(["ordinary"] * 3 + ["repeat", "degraded", "reference"])
    rows: list[list[object]] = [
        ["annotator", "hit", "item", "system", "sent_id", "criterion", "kind", "score"]
    ]
    for number in range(draw(st.integers(1, 24))):
        system, name = draw(st.sampled_from(systems)), draw(st.sampled_from(names))
        criterion = draw(st.sampled_from(["adequacy", "fluency", "<i>'\u202e"]))
        annotator, kind, score = draw(st.sampled_from(annotators)), draw(kinds), draw(scores)
        rows.append([annotator, "h", number, system, name, criterion, kind, score])
    return _table(rows)


@st.composite
def _graph(draw: st.DrawFn) -> str:
    """Return a graph of one to four nodes, a star or a chain."""
    nodes = draw(st.lists(st.sampled_from(NODES[:3] + NODES[6:]), min_size=1, max_size=4))
    chained = draw(st.booleans())
    text = ""
    for number, node in reversed(list(enumerate(nodes))):
        below = f" :ARG{number} {text}" if text and chained else text and f" :ARG0 {text}"
        text = f"(v{number} / {node}{below})"
    if draw(st.booleans()):
        value = draw(st.sampled_from(NODES))
        return f"{text[:-1]} :polarity - :mod {value if value in NODES[3:6] else 'v0'})"
    return text


@st.composite
def _graphs(draw: st.DrawFn, texts: Mapping[str, str], *, gold: bool) -> bytes:
    """Return graphs, with their texts as gold ones; parses may lack some."""
    rest = dict(texts) if gold or draw(st.booleans()) else dict(list(texts.items())[:1])
    blocks = []
    for name, text in rest.items():
        shown = [f"# ::snt {' '.join(text.split())}"] if gold else []
        blocks.append("\n".join([f"# ::id {name}", *shown, draw(_graph()), "", ""]))
    return "".join(blocks).encode("utf-8", "replace")


def _entry(section: str, **values: object) -> str:
    lines = [
        f"{name} = {str(value).lower() if isinstance(value, bool) else repr(value)}"
        for name, value in values.items()
    ]
    return "\n".join([f"[[{section}]]", *lines, "", ""])


@st.composite
def _submission(
    draw: st.DrawFn, system: str, iteration: int, sentences: Mapping[str, Sequence[Sequence[str]]]
) -> tuple[bytes, str]:
    """Return a file of outputs, some of them missing, and its entry without its treebank."""
    rows: list[list[object]] = [["sent_id", "text"]]
    for place, (name, sentence) in enumerate(sentences.items()):
        if place == 0:  # a file without any output is refused
            rows.append([name, draw(st.permutations([row[1] for row in sentence]).map(" ".join))])
        elif draw(st.integers(0, 9)) < 9:
            rows.append([name, draw(_output(sentence))])
    path = f"{system}-{iteration}.csv"
    entry = _entry(
        "submissions",
        path=path,
        system=system,
        iteration=iteration,
        accept_mismatch=True,
        reference_form=draw(st.sampled_from(["tokens"] * 9 + ["text"])),
    )
    return _table(rows), entry


@st.composite
def campaigns(draw: st.DrawFn) -> Files:
    """Return the files of a campaign, campaign.toml among them."""
    drawn = draw(st.lists(_sentence(), min_size=1, max_size=4))
    sentences = {f"s{number}": rows for number, rows in enumerate(drawn, start=1)}
    files = {
        "test.conllu": _conllu(drawn, list(sentences)),
        "train.conllu": _conllu([_backwards(rows) for rows in drawn], list(sentences)),
    }
    if draw(st.integers(0, 15)) == 15:
        files["test.conllu"] = draw(broken_files("treebank"))
    kind = st.sampled_from(["team", "team", "baseline", "human"])
    kinds = draw(st.one_of(st.lists(kind, max_size=3), st.lists(kind, min_size=2, max_size=3)))
    systems = dict(zip("ABC", kinds, strict=False))
    manifest = ['[campaign]\nid = "F"\nname = "F"\nyear = 2019\n\n']
    for split, name in (("test", TREEBANK), ("train", TRAINING)):
        manifest.append(_entry("treebanks", path=f"{split}.conllu", id=name))
    for name, kind in systems.items():
        manifest.append(_entry("systems", id=name, kind=kind, family="f"))
        for iteration in range(1, draw(st.integers(1, 2)) + 1):
            content, entry = draw(_submission(name, iteration, sentences))
            files[f"{name}-{iteration}.csv"] = content
            manifest.append(f'{entry.rstrip()}\ntreebank = "{TREEBANK}"\n\n')
    if systems and draw(st.integers(0, 3)):
        files["judgements.csv"] = draw(_judgements(list(systems), list(sentences)))
        manifest.append(_entry("judgements", path="judgements.csv", treebank=TREEBANK))
    files["campaign.toml"] = "".join(manifest).encode()
    return files | draw(_meaning(sentences))


@st.composite
def _meaning(draw: st.DrawFn, sentences: Mapping[str, Sequence[Sequence[str]]]) -> Files:
    """Return a campaign of gold graphs, outputs of two systems, and their parses."""
    texts = {name: " ".join(row[1] for row in rows) for name, rows in sentences.items()}
    files = {"gold.amr": draw(_graphs(texts, gold=True))}
    manifest = ['[campaign]\nid = "M"\nname = "M"\nyear = 2020\n\n']
    manifest.append(_entry("amr", path="gold.amr", id=GOLD, language="en"))
    for system in "DE":
        content, entry = draw(_submission(system, 1, sentences))
        files[f"{system}-1.csv"] = content
        files[f"{system}.amr"] = draw(_graphs(texts, gold=False))
        manifest.append(f'{entry.rstrip()}\ntreebank = "{GOLD}"\n\n')
        manifest.append(
            _entry("graphs", path=f"{system}.amr", treebank=GOLD, parser=PARSER, system=system)
        )
    files["meaning.toml"] = "".join(manifest).encode()
    return files
