"""A small campaign in a database, loaded and scored as users do it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from sr_tracker.ingest.names import register_system
from sr_tracker.queries.catalog import macros as sql_macros
from sr_tracker.queries.change.comparison.stored import missing_comparisons, store
from sr_tracker.queries.change.significance import Settings as Tests
from sr_tracker.queries.change.significance import run_significance
from sr_tracker.queries.errors import Settings, analyses
from sr_tracker.queries.errors.jobs import run_analyses
from sr_tracker.queries.metrics.registry import usual_metrics
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.queries.people import evaluate
from sr_tracker.queries.people.human_scores import HumanSettings
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.statements import rows_of
from tests import building
from tests.building import add_run, written
from tests.conftest import Once

Word = tuple[str, str, int, str]
"""Form, lemma, head and relation."""

LEMMAS = ("see", "dog", "big", "run", "tree")
RELATIONS = ("nsubj", "obj", "nmod:poss", "nmod", "advmod")

ONE_WORD: list[Word] = [("Run", "run", 0, "root")]
PUNCTUATION_ONLY: list[Word] = [("...", "...", 0, "punct"), ("!", "!", 1, "punct")]


def conllu(sentences: list[list[Word]], names: list[str] | None = None) -> str:
    """Sentences as a CoNLL-U file; their ids are s1, s2, … unless given."""
    trees = [
        [(form, head, relation, "X", "_", lemma) for form, lemma, head, relation in words]
        for words in sentences
    ]
    return building.conllu(trees, names=names)


def random_sentence(rng: random.Random) -> list[Word]:
    """A random tree of two to nine words, about every sixth one punctuation."""
    length = rng.randint(2, 9)
    order = rng.sample(range(1, length + 1), length)
    heads = {order[0]: 0}
    for place, token in enumerate(order[1:], start=1):
        heads[token] = rng.choice(order[:place])
    words: list[Word] = []
    for token in range(1, length + 1):
        lemma = rng.choice(LEMMAS)
        if heads[token] and rng.random() < 1 / 6:
            words.append((",", ",", heads[token], "punct"))
        else:
            relation = rng.choice(RELATIONS) if heads[token] else "root"
            words.append((f"{lemma.capitalize()}s", lemma, heads[token], relation))
    return words


def shuffled_text(words: list[Word], rng: random.Random) -> str:
    forms = [form for form, *_ in words]
    rng.shuffle(forms)
    return " ".join(forms)


def fill(database: Database) -> None:
    """Two treebanks, one with hidden text; two systems, one with iterations; human scores."""
    rng = random.Random(20)
    first = [*(random_sentence(rng) for _ in range(14)), ONE_WORD, PUNCTUATION_ONLY]
    second = [random_sentence(rng) for _ in range(6)]
    hidden = [[("_", lemma, head, rel) for _, lemma, head, rel in words] for words in second]
    one, two, hid = "en_one-ud1.0-test", "fr_two-ud1.0-test", "en_hid-ud1.0-test"
    from sr_tracker.tracker.api.tracker import Tracker

    tracker = Tracker(database)
    for treebank, sentences in {one: first, two: second, hid: hidden}.items():
        file = f"{treebank}.conllu"
        building.load(tracker.ingest_treebank, conllu(sentences), file, campaign="C20")
    run = {"campaign": "C20", "accept_mismatch": True, "reference_form": "tokens"}
    for treebank, sentences in {one: first, two: second, hid: second}.items():
        texts = [shuffled_text(words, rng) for words in sentences]
        add_run(tracker, "random", texts, treebank, **run)
        some = [None if n % 5 == 2 else text for n, text in enumerate(texts)]
        add_run(tracker, "partial", some, treebank, **run)
    forms = [" ".join(form for form, *_ in words) for words in first]
    half = [a if n % 2 else shuffled_text(first[n], rng) for n, a in enumerate(forms)]
    add_run(tracker, "random@2", half, one, **run)
    parent = f"C20/random/{one}"
    add_run(tracker, "random@3", forms, one, parent_submission_id=parent, **run)
    register_system(database, "random", family="chance")
    people = [
        (system, one, f"s{number}", criterion, rng.uniform(-2, 2), rng.uniform(0, 100))
        for system in ("random", "partial")
        for number in range(1, 15, 2)
        for criterion in ("adequacy", "fluency", "style")
    ]
    columns = ("system", "treebank", "sent_id", "criterion", "z_score", "raw_mean")
    building.load(tracker.ingest_scores, [columns, *people], "human.csv", campaign_id="C20")


def judge(database: Database) -> None:
    """Two annotators' judgements of the clarity of three systems' outputs, with degraded copies."""
    database.connection.execute(
        "INSERT INTO judgement SELECT 'C20', row_number() OVER items, annotator, "
        "annotator || '-1', row_number() OVER items, submission_id, treebank_id, "
        "sentence_no, 'clarity', kind, "
        "(50 + sentence_no + length(submission_id) + length(annotator) * iteration) % 40 "
        "+ CASE kind WHEN 'degraded' THEN 0 ELSE 50 END, NULL, NULL "
        "FROM submission JOIN output USING (submission_id), "
        "(VALUES ('ann'), ('bert')) AS annotators (annotator), "
        "(VALUES ('ordinary'), ('degraded')) AS kinds (kind) "
        "WHERE treebank_id = 'en_one-ud1.0-test' AND sentence_no <= 8 "
        "WINDOW items AS (ORDER BY annotator, submission_id, sentence_no, kind)"
    )


def mark_errors(database: Database) -> None:
    """Errors marked in every other judged output, major ones in those of one system."""
    database.connection.execute(
        "UPDATE judgement SET error_spans = CASE sentence_no % 2 WHEN 0 THEN [] ELSE [{"
        "start_character: 0, end_character: 3, on_source: false, category: 'accuracy', "
        "severity: if(contains(submission_id, 'partial'), 'major', 'minor'), weight: 1}] END"
    )


def check_grammar(database: Database) -> None:
    """Rules of word order, checked twice, by two ways of counting, on outputs that get trees."""
    from sr_tracker.queries.grammar.extraction import ExtractionSettings, extract_rules
    from sr_tracker.queries.grammar.scoring import score_grammar, score_references

    database.connection.execute(
        "UPDATE output_words SET upos = list_transform(forms, lambda _: 'X'), "
        "heads = range(len(forms))::INTEGER[], deprels = list_transform(forms, lambda _: 'nmod') "
        "WHERE submission_id = 'C20/random/fr_two-ud1.0-test'"
    )
    settings = ExtractionSettings(kinds=["word_order"], minimum_pairs=0, minimum_share=0.5)
    extract_rules(database, "en_one-ud1.0-test", settings, name="order")
    score_references(database, "order", "en_one-ud1.0-test")
    for applicable in ("bearing", "links"):
        score_grammar(database, "order", applicable=applicable, accept_mismatch=True)


def check_form(database: Database) -> None:
    """Form by an n-gram model of other texts than the references."""
    from sr_tracker.queries.meaning.form.models import train_ngram_model
    from sr_tracker.queries.meaning.form.scoring import score_form

    score_form(database, train_ngram_model(["See the big dog run .", "Dogs run ."], "dogs"))


def check_meaning(database: Database) -> None:
    """Gold graphs of one treebank, and parses of references and outputs that differ in a word."""
    from sr_tracker.queries.meaning.matching import MeaningSettings
    from sr_tracker.queries.meaning.scoring import match_references, score_meaning

    database.connection.execute(
        """
        INSERT INTO gold_graph
        SELECT treebank_id, sentence_no, '(a / see-01 :ARG0 (b / dog))', 2, 3, NULL
        FROM sentence WHERE treebank_id = 'en_one-ud1.0-test';
        INSERT INTO reference_graph
        SELECT treebank_id, 'toy', sentence_no, penman, 2, 3, NULL, NULL FROM gold_graph;
        INSERT INTO output_graph
        SELECT
            submission_id, 'toy', sentence_no,
            if((sentence_no + length(system_id)) % 3 = 0, '(a / see-01)', penman),
            if((sentence_no + length(system_id)) % 3 = 0, 1, 2),
            if((sentence_no + length(system_id)) % 3 = 0, 1, 3),
            NULL, NULL
        FROM submission JOIN gold_graph USING (treebank_id)
        """
    )
    settings = MeaningSettings("toy")
    match_references(database, "en_one-ud1.0-test", settings)
    score_meaning(database, settings)


def expect_words(database: Database) -> None:
    """A challenge set, some outputs are to have a text and others not; and training files."""
    from sr_tracker.queries.tasks.challenges import score_challenges

    database.connection.execute(
        "INSERT INTO challenge_check SELECT treebank_id, 'words', sentence_no, "
        "if(sentence_no % 2 = 0, 'dogs', 'trees'), 1, "
        "if(sentence_no % 3 = 0, 'lacks', 'contains'), 'dog', NULL, NULL "
        "FROM sentence WHERE treebank_id = 'en_one-ud1.0-test'"
    )
    score_challenges(database)
    database.connection.execute(
        "INSERT INTO training_overlap SELECT treebank_id, 'some', 'reference', sentence_no, 4, "
        "sentence_no % 2, 3, 2, 1, 0.25, 'some.txt', 7, sentence_no % 2 = 1 "
        "FROM sentence WHERE treebank_id = 'en_one-ud1.0-test'"
    )


def score_as_before(database: Database) -> None:
    """A scoring of BLEU by an older version, long ago."""
    database.connection.execute(
        "INSERT INTO signature SELECT 'old', * EXCLUDE (signature_id) FROM signature "
        "WHERE metric = 'bleu' LIMIT 1"
    )
    database.connection.execute(
        "INSERT INTO scoring SELECT target, metric, 'old', data_sha256, tool, "
        "scored_at - INTERVAL 1 YEAR, 0 FROM scoring WHERE metric = 'bleu' LIMIT 1"
    )


@pytest.fixture(scope="session")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database without tables that knows the macros."""
    with duckdb.connect() as connection:
        for macro in sql_macros():
            connection.execute(macro.text)
        yield connection


@pytest.fixture(scope="session")
def campaign_file(once: Once) -> Path:
    """The file of the small campaign's database, scored and analysed; not to be changed."""

    def make(path: Path) -> None:
        with open_database(path) as database:
            fill(database)
            score(database)
            settings = Settings(labels=["deprel"], minimum_share=0, minimum_support=3)
            run_analyses(database, analyses(settings))
            judge(database)
            evaluate(database, "C20", HumanSettings(criterion="clarity"))
            run_significance(database, settings=Tests(metrics=["bleu"], replicates=100))

    return once("campaign.duckdb", make)


@pytest.fixture(scope="session")
def file_with_all_rows(campaign_file: Path, once: Once) -> Path:
    """A copy of the small campaign in which every view has rows."""

    def make(path: Path) -> None:
        path.write_bytes(campaign_file.read_bytes())
        with open_database(path) as database:
            check_grammar(database)
            mark_errors(database)
            score_as_before(database)
            check_form(database)
            expect_words(database)
            check_meaning(database)
            runs = rows_of(
                database,
                "SELECT submission_id, previous_submission_id FROM submission_history "
                "WHERE previous_submission_id IS NOT NULL",
            )
            store(
                database,
                missing_comparisons(
                    database, [(*run.values(),) for run in runs], usual_metrics()
                ).rows,
            )

    return once("all.duckdb", make)


@pytest.fixture(scope="session")
def campaign(campaign_file: Path) -> Iterator[Database]:
    """The small campaign, read-only."""
    with open_database(campaign_file, read_only=True) as database:
        yield database


@pytest.fixture(scope="session")
def copy_of_campaign(
    campaign_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """A copy of the small campaign, to be changed in transactions that are rolled back."""
    copy = written(tmp_path_factory.mktemp("copy") / "copy.duckdb", campaign_file.read_bytes())
    with open_database(copy) as database:
        yield database


@pytest.fixture
def changeable(copy_of_campaign: Database) -> Iterator[Database]:
    """The small campaign; what a test changes is undone after it."""
    copy_of_campaign.connection.execute("BEGIN")
    yield copy_of_campaign
    copy_of_campaign.connection.execute("ROLLBACK")
