"""The page of a sentence: its tree, what changed, what leads to the next, what was lost."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import quote

import pytest

import sr_tracker
from sr_tracker.queries.errors.example_reading import read_words
from sr_tracker.queries.exploring import listing
from sr_tracker.queries.meaning.matching import MeaningSettings
from sr_tracker.queries.metrics.registry import direction
from tests.building import conllu, written
from tests.tracker.explorer_server import Answer, Ask, explorer

TREEBANK = "en_sample-ud1.0-test"
OURS = f"SAMPLE24/ngram/{TREEBANK}"
TINY = "local/ours/en_tiny-ud-test"
OTHER = f"SAMPLE23/random/{TREEBANK}"
DEMO = Path(__file__).resolve().parents[2] / "tracker" / "demo" / "sample"
WORDS = (
    ("Dogs", 2, "nsubj", "NOUN", "Number=Plur", "dog"),
    ("chase", 0, "root", "VERB", "Number=Plur", "chase"),
    ("black", 4, "amod", "ADJ", "_", "black"),
    ("cats", 2, "obj", "NOUN", "Number=Plur", "cat"),
)
ANALYSED = (
    ("Dogs", 2, "nsubj", "NOUN", "Number=Plur", "dog"),
    ("chases", 0, "root", "VERB", "Number=Sing", "chase"),
    ("cats", 2, "obj", "NOUN", "Number=Plur", "cat"),
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three iterations on one sentence, the last of them analysed and checked by a grammar rule."""
    folder = tmp_path_factory.mktemp("tiny")
    treebank = folder / "en_tiny-ud-test.conllu"
    treebank.write_text(conllu([WORDS], texts=["Dogs chase black cats"]), encoding="utf-8")
    rules = folder / "rules.tsv"
    columns = "kind deprel dependent_upos head_upos feature bearer allowed_values annotation "
    columns = "\t".join(f"{columns}support strength note".split())
    rules.write_text(f"{columns}\nagreement\tnsubj\tNOUN\tVERB\tNumber" + 6 * "\t" + "\n")
    path = folder / "tiny.duckdb"
    with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
        (folder / "source.txt").write_text("Hunde jagen <schwarze> Katzen\n", encoding="utf-8")
        (folder / "source.docs").write_text("news\tstory.7\n", encoding="utf-8")
        tracker.ingest_treebank(
            treebank, sources=folder / "source.txt", documents=folder / "source.docs"
        )
        for text in ("chase Dogs black cats", "Dogs chase cats"):
            tracker.submit([text], system="ours", treebank="en_tiny-ud-test", log=False)
        output = written(folder / "out.conllu", conllu([ANALYSED], texts=["Dogs chases cats"]))
        tracker.submit(output, system="ours", treebank="en_tiny-ud-test", log=False)
        tracker.grammar.import_(rules, name="tiny", language="en", scheme="ud")
        tracker.grammar.score("tiny")
    return path


def sentence(ask: Ask, number: int, treebank: str = TREEBANK, **state: str) -> Answer:
    message = "&".join(f"{name}={quote(value)}" for name, value in state.items())
    return ask(f"/sentence/{treebank}/{number}?{message}")


def lead(answer: Answer, text: str) -> str:
    """Return the address that a link of this text leads to, "" where there is none."""
    computed = re.search(rf'<a href="([^"]*)"[^>]*>{re.escape(text)}', answer.text)
    return html.unescape(computed[1]) if computed else ""


@pytest.mark.parametrize(
    ("page", "state"),
    [
        (f"/sentences/{OURS}?order=dea", {"order": "dea"}),
        (f"/sentences/{OURS}?order=length", {"order": "length"}),
        (f"/missed/{OURS}?relation=nsubj", {"relation": "nsubj"}),
        (f"/examples/{OURS}?pattern=(obj)", {"pattern": "(obj)", "metric": "bleu"}),
    ],
)
def test_the_next_sentence_is_the_next_of_the_list(
    ask: Ask, page: str, state: dict[str, str]
) -> None:
    """Each list leads to its first sentence, and from there one comes to its others, in order."""
    leads = [item for item in ask(page).leads() if item.startswith(f"/sentence/{TREEBANK}/")]
    numbers = [int(re.findall(r"/(\d+)\?", item)[0]) for item in dict.fromkeys(leads)][:4]
    assert len(numbers) == 4
    address = leads[0]
    for place, number in enumerate(numbers, 1):
        answer = ask(address)
        assert f"/{number}?" in address
        assert re.search(rf">{place} of \d+ sentences ", answer.text)
        assert (lead(answer, "← sentence before") == "") == (place == 1)
        address = lead(answer, "sentence after →")
    assert all(f"{name}={quote(value)}" in address for name, value in state.items())


def test_the_sentences_that_lost_lead_to_each_other(ask: Ask, sample_file: Path) -> None:
    ends = {"from": 0.0, "to": 1.0, "base_from": 0.0, "base_to": 1.0}
    pair = {"base": OURS, "metric": "bleu", **ends}
    with sr_tracker.connect(sample_file, read_only=True) as tracker, tracker.reading() as database:
        rows = listing(database, "sentences_changed", new=OTHER, sign=-1, **pair).rows
        most = listing(database, "sentences_changed", new=OTHER, sign=0, **pair).rows
        shown = listing(
            database,
            "listed_pair_sentences",
            submission=OTHER,
            treebank=TREEBANK,
            rows=None,
            **pair,
        ).rows
        lost = tracker.compare(OTHER, OURS).lost
    numbers = rows["sentence_no"].to_pylist()
    assert numbers[: len(lost)] == [item.sentence_no for item in lost]
    assert most["sentence_no"].equals(shown["sentence_no"])
    answer = sentence(ask, numbers[0], submission=OTHER, base=OURS, change="lost")
    assert f"/{numbers[1]}?" in lead(answer, "sentence after →")
    assert "lost (bold, dashed)" in answer.text
    alone = sentence(ask, 1, submission=OTHER, base="", change="lost", metric="bleu")
    assert alone.status == 200, "the form may choose no other"
    wrong = sentence(ask, 1, submission=OTHER, base=OURS, change="turned")
    assert (wrong.status, "no change of sentences" in wrong.text) == (400, True)


def test_the_source_stands_above_the_reference(tiny: Path) -> None:
    with explorer(tiny) as ask:
        answer = sentence(ask, 1, "en_tiny-ud-test")
    assert "document story.7 · news" in answer.plain
    assert "Hunde jagen &lt;schwarze&gt; Katzen" in answer.text
    assert answer.text.index("Hunde jagen") < answer.text.index(">reference<")


@pytest.mark.parametrize("order", ["bleu", "ter", "dea", "adequacy", "length", "number"])
def test_the_order_of_sentences_is_that_of_the_list(
    ask: Ask, sample_file: Path, order: str
) -> None:
    (shown,) = ask(f"/sentences/{OURS}?order={order}").queries()
    with sr_tracker.connect(sample_file, read_only=True) as tracker, tracker.reading() as database:
        of_list = [number for number, *_ in database.connection.execute(shown).fetchall()]
        ordered = listing(
            database, "sentences_in_order", submission=OURS, order=order, direction=direction(order)
        )
        missed = listing(
            database, "listed_missed", submission=OURS, deprel="nsubj", rows=None, start=0
        )
        missing = listing(database, "sentences_missing", submission=OURS, deprel="nsubj")
    assert of_list == ordered.rows["sentence_no"].to_pylist()[: len(of_list)]
    assert missed.rows["sentence_no"].equals(missing.rows["sentence_no"])


def test_a_sentence_outside_of_what_was_asked_for_has_its_neighbours_in_the_treebank(
    ask: Ask,
) -> None:
    answer = sentence(ask, 5, submission=OURS, relation="nowhere")
    assert "/4?" in lead(answer, "← sentence before")
    assert "/6?" in lead(answer, "sentence after →")


def test_edges_are_found_misplaced_or_missed(tiny: Path) -> None:
    with sr_tracker.connect(tiny, read_only=True) as tracker, tracker.reading() as database:
        read = [read_words(database, f"{TINY}{run}", [1])[1] for run in ("", "@2")]
    first, second = (
        {word.deprel: (word.found, word.misplaced) for word in words} for words in read
    )
    assert first["amod"] == (True, False)
    assert first["nsubj"] == first["obj"] == (False, True)
    assert first["root"] == (None, False)
    assert second["nsubj"] == (True, False)
    assert second["amod"] == (False, False)
    assert second["obj"] == (False, True)


def test_the_tree_tells_what_became_of_edges(tiny: Path) -> None:
    with explorer(tiny) as ask:
        alone = sentence(ask, 1, "en_tiny-ud-test", submission=TINY).text
        against = sentence(ask, 1, "en_tiny-ud-test", submission=f"{TINY}@2", base=TINY).text
    assert "1 of 3 edges found · 2 misplaced (dotted)" in alone
    assert "misplaced: obj(chase, cats)" in alone.replace("nsubj(chase, Dogs), ", "")
    assert "1 of 3 edges found · 1 won (bold) · 1 lost (bold, dashed) · 1 misplaced" in against


def test_a_sentence_is_shown_over_the_iterations_of_a_system(tiny: Path) -> None:
    with explorer(tiny) as ask:
        page = sentence(ask, 1, "en_tiny-ud-test", submission=f"{TINY}@2")
        assert re.search(r'aria-label="DEA of 3 runs, from [\d.]+ to [\d.]+"', page.text)
        assert "nsubj(dog)" in page.text
        assert "amod(black)" in page.text
        chosen = lead(page, "@3")
        assert f"submission={TINY}@3" in chosen
        assert f'value="{TINY}@3" selected' in ask(chosen.partition("#")[0]).text


def test_broken_rules_tell_which_words_break_them(tiny: Path) -> None:
    with explorer(tiny) as ask:
        broken = sentence(ask, 1, "en_tiny-ud-test", submission=f"{TINY}@3").text
        unparsed = sentence(ask, 1, "en_tiny-ud-test", submission=TINY).text
    assert "nsubj-NOUN-VERB:Number" in broken
    assert "Dogs Number=Plur, chases Number=Sing: Dogs chases cats" in broken
    assert "Grammar rules broken" not in unparsed


def test_graphs_stand_beside_each_other(tmp_path: Path) -> None:
    path = tmp_path / "meaning.duckdb"
    with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
        tracker.ingest_campaign(DEMO / "SAMPLE26" / "campaign.toml")
        tracker.meaning.score(MeaningSettings("attentive/1.0"))
        explained = tracker.meaning.explain("literal", limit=1).explained[0]
    with explorer(path) as ask:
        page = sentence(ask, explained.sentence_no, "en_meaning", submission="literal").text
    assert "gold graph" in page
    assert "graph of the output" in page
    assert html.escape(explained.sides[0].summary) in page
