"""Outputs that are their references are read as the treebank has them, whatever it holds."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.analysers import analyser_factory, create_analyser
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.conllu import parse_conllu
from sr_tracker.ingest.treebanks.conllu_columns import conllu_tables, read_heads, surface_texts
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import open_database
from sr_tracker.schema.files import read_text

REAL_TREEBANKS = [
    "lambre/sud-french-gsd/fr_gsd-sud-test",
    "ud/2.3/en_partut-ud-dev",
    "ud/2.3/fr_partut-ud-test",
    "ud/2.3/ja_gsd-ud-test",
    "ud/2.5/el_gdt-ud-dev",
]

Word = tuple[str, str, str]
"""Form, lemma (`_` where there is none) and relation."""


class Unit(NamedTuple):
    """A word, or a multiword token with its surface form; whether a blank follows."""

    words: list[Word]
    surface: str | None = None
    blank: bool = True


class Sentence(NamedTuple):
    units: list[Unit]
    text: str | None = None


def conllu(sentences: list[Sentence]) -> str:
    """Sentences as a CoNLL-U file, every word on the one before it."""
    blocks = []
    for units, text in sentences:
        lines = [] if text is None else [f"# text = {text}"]
        token = 0
        for words, surface, blank in units:
            space = "_" if blank else "SpaceAfter=No"
            if surface is not None:
                span = f"{token + 1}-{token + len(words)}"
                lines.append("\t".join([span, surface, *"_______", space]))
            for form, lemma, relation in words:
                token += 1
                fields = [str(token), form, lemma, "X", "_", "_", str(token - 1), relation, "_"]
                lines.append("\t".join([*fields, space if surface is None else "_"]))
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def misread(path: Path, language: str | None = None) -> dict[str, list[int]]:
    """Return, for each way of writing a treebank's sentences, those that are read otherwise."""
    file = parse_conllu(read_text(path), str(path))
    tables = conllu_tables(file, read_heads(file))
    sentences = len(file.lengths)
    forms, joined = surface_texts(tables, sentences)
    texts = pc.coalesce(pa.array(file.texts, pa.string()), joined)
    spaced = tables.__class__(
        spaced_out(tables.tokens), spaced_out(tables.ranges), tables.empty_nodes, tables.hidden
    )
    numbers = pa.array(range(1, sentences + 1), pa.int32())
    analyser = create_analyser(
        "reference",
        tokens=tables.tokens,
        multiword_tokens=tables.ranges,
        texts=pa.table({"sentence_no": numbers, "text": texts}),
        language=language,
        model=None,
    )
    words = tables.tokens.append_column(
        "punctuation", pc.match_substring_regex(tables.tokens["deprel"], "^punct(:|$)")
    )
    expected = compared_words(words)
    lemmas = pc.coalesce(tables.tokens["lemma"], tables.tokens["form"])
    uninflected = tables.__class__(
        tables.tokens.set_column(tables.tokens.column_names.index("form"), "form", lemmas),
        *(tables.ranges, tables.empty_nodes, tables.hidden),
    )
    ways = {
        "words": forms,
        "surface forms": surface_texts(spaced, sentences)[1],
        "text": texts,
        "lemmas": surface_texts(uninflected, sentences)[0],
    }
    results = {}
    for way, written in ways.items():
        own = analyser.analyse(numbers, written)
        read = compared_words(own.append_column("punctuation", pc.is_null(own["position"])))
        results[way] = [
            number
            for number, text in enumerate(written.to_pylist(), start=1)
            if text.strip() and read[number] != expected[number]
        ]
    return {way: wrong for way, wrong in results.items() if wrong}


def spaced_out(rows: pa.Table) -> pa.Table:
    spaces = pa.array([True] * rows.num_rows, pa.bool_())
    return rows.set_column(rows.column_names.index("space_after"), "space_after", spaces)


def compared_words(rows: pa.Table) -> defaultdict[int, list[str]]:
    """Return each sentence's words as metrics compare them: lemma or form, no punctuation."""
    words: defaultdict[int, list[str]] = defaultdict(list)
    for row in rows.filter(pc.invert(rows["punctuation"])).to_pylist():
        words[row["sentence_no"]].append((row["lemma"] or row["form"]).lower())
    return words


@pytest.mark.parametrize("name", REAL_TREEBANKS)
def test_real_references_are_read_as_they_are(shared_data: Path, name: str) -> None:
    path = shared_data / f"{name}.conllu.gz"
    assert misread(path, path.name[:2]) == {}


@pytest.mark.long
def test_all_real_references_are_read_as_they_are(shared_data: Path) -> None:
    paths = [*shared_data.glob("ud/*/*.conllu.gz"), *shared_data.glob("lambre/*/*.conllu*")]
    by_name = {path.name: misread(path, path.name[:2]) for path in paths}
    assert {name: wrong for name, wrong in by_name.items() if wrong} == {}


def free(*words: str) -> list[Unit]:
    """Words that stand alone: `form/lemma`, or a form that is its own lemma."""
    parts = [word.split("/") for word in words]
    return [Unit([(part[0], part[-1], "punct" if part[0] in ",." else "dep")]) for part in parts]


def together(surface: str, *words: str) -> Unit:
    return Unit([word for unit in free(*words) for word in unit.words], surface)


DES = together("des", "de", "les/le")

SENTENCES = {
    "preposition before article": free("ocorre", "a", "a/o", "noite", "e", "a/o", "visibilidade"),
    "contraction before its form": [*free("fin"), DES, *free("mots", "et", "des/un")],
    "contraction after its form": [*free("des/un", "mots"), DES, *free("fins")],
    "contraction and its words": [*free("de", "les/lui", "voir"), DES, *free("de", "les/le")],
    "contraction that is a word of it": [
        *free("à/avoir", "noite"),
        together("à", "a", "a/o"),
        *free("a/o", "a", "à"),
    ],
    "contraction with a blank": [
        *free("à", "la/lui", "donner"),
        together("à la", "à", "la/le"),
        *free("la"),
    ],
    "contraction of one word": [together("cest", "est/être"), *free("cest/x", "est")],
    "no lemmas": [
        *free("du/_", "Maisons/_"),
        together("au", "à/_", "le/_"),
        *free("au/le", "Le/_"),
    ],
    "lemmas with blanks": free("parce/parce que", "que/_", "a/à peu près", "parce/x y", "que/z"),
    "forms with blanks": free("20 000/20000", "20", "000", "20 000/x", ".", "20\u00a0000/_"),
    "underscores": free("_", "a", "_", "b/_", "__/_"),
    "other case first": free("A/a", "a/o", "A/à", "a"),
    "apostrophes of both kinds": free("l'/le", "l’/lui", "an", "l'/_", "L’/_"),
    "marks that are words": free("-", "-/minus", ",", ".", "..", "...", "«/_"),
}


@pytest.mark.parametrize("blanks", [True, False])
@pytest.mark.parametrize("name", SENTENCES)
def test_sentences_that_can_be_misread(tmp_path: Path, name: str, blanks: bool) -> None:
    units = [unit._replace(blank=blanks) for unit in SENTENCES[name]]
    others = [Sentence(free(f"{form}/other", "des/tout")) for form in ("a", "au", "que", "20")]
    path = tmp_path / "a.conllu"
    path.write_text(conllu([Sentence(units), Sentence([DES]), *others]), encoding="utf-8")
    assert misread(path) == {}


def test_a_text_that_its_words_do_not_spell(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    units = free("do", "n't/not", "a/o", "go", "a", ".")
    texts = ["Dont a go a.", "dont, a go", "x", "do  n't a a go a . .", ""]
    path.write_text(conllu([Sentence(units, text) for text in texts]), encoding="utf-8")
    assert misread(path) == {}


forms = st.text("aAbdeé'’-.,_1 漢\u00a0\u3000", min_size=1, max_size=4).filter(
    lambda form: form.strip("_") and form == form.strip(" ")
)
lemmas = st.sampled_from(["_", "a", "b", "de", "a b", "."])
words = st.tuples(forms, lemmas, st.sampled_from(["dep", "dep", "punct"]))
units = st.one_of(
    st.builds(Unit, st.tuples(words).map(list), st.none(), st.booleans()),
    st.builds(Unit, st.lists(words, min_size=1, max_size=3), forms, st.booleans()),
)
sentences = st.builds(
    Sentence,
    st.lists(units, min_size=1, max_size=7),
    st.one_of(st.none(), forms, st.just("a b de")),
)


@given(st.lists(sentences, min_size=1, max_size=3))
def test_any_reference_is_read_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, treebank: list[Sentence]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.conllu"
    path.write_text(conllu(treebank), encoding="utf-8")
    assert misread(path) == {}


def test_outputs_that_are_their_references_have_every_edge(tmp_path: Path) -> None:
    path = tmp_path / "fr_x-ud2.5-test.conllu"
    treebank = [Sentence(units) for units in SENTENCES.values()]
    treebank[0] = Sentence([unit._replace(blank=False) for unit in treebank[0].units])
    content = conllu(treebank)
    # A word without a relation is punctuation where its tag says so.
    content += "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\t,\t,\tPUNCT\t_\t_\t1\t_\t_\t_\n"
    content += "3\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n4\t!\t!\t_\t_\t_\t3\t_\t_\t_\n\n"
    path.write_text(content, encoding="utf-8")
    with open_database(None) as database:
        ingest_treebank(database, path, name_treebank(path))
        columns = "forms_text", "text"
        ways = {
            column: [
                text
                for (text,) in database.connection.execute(
                    f"SELECT {column} FROM sentence ORDER BY sentence_no"
                ).fetchall()
            ]
            for column in columns
        }
        for way, texts in ways.items():
            (tmp_path / f"{way}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
        for file in (tmp_path / "forms_text.txt", tmp_path / "text.txt", path):
            run = Run("C", file.suffix[1:] + file.stem, "fr_x-ud2.5-test")
            ingest_submission(database, file, run, analyser_factory(database, "reference"))
        score(database, metric_names=["dea", "bleu_lemma"])
        scores = database.connection.execute(
            "SELECT system_id, sentence_no, dea, bleu_lemma, len(lemmas) "
            "FROM output_scores JOIN reference_lemmas USING (treebank_id, sentence_no)"
        ).fetchall()
    assert len(scores) == 3 * (len(SENTENCES) + 1)
    for system, number, dea, bleu, lemmas_in_reference in scores:
        assert dea == 1, (system, number)
        if lemmas_in_reference >= 4:
            assert bleu == pytest.approx(1), (system, number)
