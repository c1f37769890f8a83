"""Loading treebanks: everything comes back, twice changes nothing, errors change nothing."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

import sr_tracker.ingest.treebanks.loading
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.conllu import COLUMN_NAMES, parse_conllu
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text
from tests.building import written
from tests.fuzz.seeds import TREEBANK

Counts = Callable[[], dict[str, int]]
TWO = TREEBANK.partition("\n# sent_id = c")[0]


def load(database: Database, path: Path, **options: object) -> bool:
    return ingest_treebank(database, path, name_treebank(path), **options)  # type: ignore[arg-type]


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return written(tmp_path / "fr_toy-ud-test.conllu", TWO)


def test_rows_of_a_small_file(database: Database, two: Path) -> None:
    assert load(database, two)
    run = database.connection.execute
    assert run(
        "SELECT sent_id, text, text_given, forms_text, newdoc, line_no FROM sentence "
        "ORDER BY sentence_no"
    ).fetchall() == [
        ("a", "Au loin_", True, "à le loin _", "d", 1),
        ("b", "Oui !", False, "Oui !", None, 10),
    ]
    assert run(
        "SELECT language, corpus, split, sentences, tokens, hidden_text, source FROM treebank"
    ).fetchall() == [("fr", "toy", "test", 2, 6, False, two.name)]
    assert run(
        "SELECT lemma, upos, xpos, feats, head, deprel, deps, misc FROM token "
        "WHERE sentence_no = 1 ORDER BY token_no"
    ).fetchall() == [
        ("à", "ADP", "P", "A=b", 3, "case", "3:case", None),
        ("le", "DET", None, None, 3, "det:x", None, None),
        ("loin loin", "ADV", None, None, 0, "root", None, "SpaceAfter=No"),
        ("_", "SYM", None, None, 3, "dep", None, None),
    ]
    assert run(
        "SELECT first_token_no, last_token_no, form, space_after FROM multiword_token"
    ).fetchall() == [(1, 2, "Au", True)]
    assert run(
        "SELECT sentence_no, after_token, node_no, form, deps FROM empty_node"
    ).fetchall() == [(2, 1, 1, "nul", "0:x")]


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_the_same_content_twice_changes_nothing(
    database: Database, two: Path, row_counts: Counts, suffix: str
) -> None:
    load(database, two)
    before = row_counts()
    pack = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[suffix]
    again = two.with_name(two.name + suffix)
    again.write_bytes(pack(b"\xef\xbb\xbf" + TWO.replace("\n", "\r\n").encode()))
    assert not load(database, again)
    assert row_counts() == before
    assert before["ingestion"] == 1


def test_campaigns_are_linked_even_later(database: Database, two: Path) -> None:
    assert load(database, two)
    assert load(database, two, campaign_id="C19")
    assert not load(database, two, campaign_id="C19")
    assert load(database, two, campaign_id="D20")
    links = database.connection.execute("SELECT campaign_id FROM campaign_treebank ORDER BY 1")
    assert links.fetchall() == [("C19",), ("D20",)]


def test_other_content_is_refused_unless_it_replaces(
    database: Database, two: Path, row_counts: Counts
) -> None:
    load(database, two)
    before = row_counts()
    two.write_text(TWO.replace("Oui", "Non"))
    with pytest.raises(InputError, match="already loaded with other content") as error:
        load(database, two)
    assert error.value.where == str(two)
    assert row_counts() == before
    assert load(database, two, replace=True)
    assert row_counts() == before
    cursor = database.connection.execute("SELECT form FROM token WHERE form IN ('Oui', 'Non')")
    assert cursor.fetchall() == [("Non",)]
    assert load(database, two, replace=True) is False


def test_a_treebank_with_submissions_is_not_replaced(database: Database, two: Path) -> None:
    load(database, two)
    database.connection.execute(
        "INSERT INTO submission SELECT 's', 'C', 'S', 'fr_toy-ud-test', 'shallow', 1, NULL, now(), "
        "'text', 'x', '{}', '{}', 'f', 'h'"
    )
    two.write_text(TWO.replace("Oui", "Non"))
    with pytest.raises(InputError, match="1 submission of it"):
        load(database, two, replace=True)


def test_sentences_with_excluded_relations_are_left_out(database: Database, two: Path) -> None:
    assert load(database, two, without=["det", "orphan"])
    run = database.connection.execute
    assert run("SELECT sentence_no, sent_id FROM sentence").fetchall() == [(1, "b")]
    assert run("SELECT sentence_no, token_no, form FROM token").fetchall() == [
        (1, 1, "Oui"),
        (1, 2, "!"),
    ]
    assert run("SELECT count(*) FROM multiword_token").fetchone() == (0,)
    assert run("SELECT sentence_no FROM empty_node").fetchall() == [(1,)]
    assert run("SELECT excluded_relations, sentences FROM treebank").fetchall() == [
        (["det", "orphan"], 1)
    ]
    assert not load(database, two, without=["orphan", "det", "det"])
    with pytest.raises(InputError, match="other content"):
        load(database, two)


def test_excluding_everything_is_refused(database: Database, two: Path, row_counts: Counts) -> None:
    before = row_counts()
    with pytest.raises(InputError, match="every sentence"):
        load(database, two, without=["root"], campaign_id="C")
    assert row_counts() == before


BROKEN = (
    b"",
    b"\n\n",
    b"# only a comment\n",
    TWO.replace("\t_\t_\n", "\t_\n", 1).encode(),
    TWO.replace("3\tcase", "9\tcase").encode(),
    TWO.replace("0\troot", "1\troot", 1).encode(),
    TWO.replace("3\tdep", "0\tdep").encode(),
    TWO.replace("3\tdep", "_\tdep").encode(),
    TWO.replace("sent_id = b", "sent_id = a").encode(),
    TWO.replace("loin", "lo\0in").encode(),
    TWO.encode().replace(b"Oui", b"Ou\xff"),
)


def test_a_broken_file_leaves_no_row(database: Database, two: Path, row_counts: Counts) -> None:
    before = row_counts()
    for content in BROKEN:
        two.write_bytes(content)
        with pytest.raises(InputError) as error:
            load(database, two, campaign_id="C19")
        assert (error.value.where or "").startswith(str(two)), content
        assert row_counts() == before, content


def test_an_invalid_campaign_leaves_no_row(
    database: Database, two: Path, row_counts: Counts
) -> None:
    before = row_counts()
    with pytest.raises(InputError, match="cannot be the id of a campaign"):
        load(database, two, campaign_id="a b")
    assert row_counts() == before


def test_an_interruption_while_writing_leaves_no_row(
    database: Database, two: Path, row_counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = row_counts()

    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(sr_tracker.ingest.treebanks.loading, "link_campaign", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load(database, two)
    monkeypatch.undo()
    assert row_counts() == before
    assert load(database, two)


def exported(database: Database, treebank_id: str) -> str:
    """Return a treebank as CoNLL-U, from the tables alone."""
    query = """
        WITH line AS (
            SELECT sentence_no, -1 AS place, 0 AS kind, 0 AS node,
                array_to_string(list_transform(comments, lambda c: c || chr(10)), '') AS text
            FROM sentence WHERE treebank_id = $id AND comments <> []
            UNION ALL SELECT sentence_no, first_token_no, 0, 0, concat_ws(chr(9),
                first_token_no || '-' || last_token_no, coalesce(form, '_'), '_', '_', '_',
                coalesce(feats, '_'), '_', '_', '_', coalesce(misc, '_')) || chr(10)
            FROM multiword_token WHERE treebank_id = $id
            UNION ALL SELECT sentence_no, token_no, 1, 0, concat_ws(chr(9), token_no,
                coalesce(form, '_'), coalesce(lemma, '_'), coalesce(upos, '_'),
                coalesce(xpos, '_'), coalesce(feats, '_'), coalesce(head::VARCHAR, '_'),
                coalesce(deprel, '_'), coalesce(deps, '_'), coalesce(misc, '_')) || chr(10)
            FROM token WHERE treebank_id = $id
            UNION ALL SELECT sentence_no, after_token, 2, node_no, concat_ws(chr(9),
                after_token || '.' || node_no, coalesce(form, '_'), coalesce(lemma, '_'),
                coalesce(upos, '_'), coalesce(xpos, '_'), coalesce(feats, '_'), '_', '_',
                coalesce(deps, '_'), coalesce(misc, '_')) || chr(10)
            FROM empty_node WHERE treebank_id = $id
        )
        SELECT string_agg(text, '' ORDER BY place, kind, node) || chr(10)
        FROM line GROUP BY sentence_no ORDER BY sentence_no
    """
    rows = database.connection.execute(query, {"id": treebank_id}).fetchall()
    return "".join(text for (text,) in rows)


@pytest.mark.parametrize(
    "patterns",
    [
        ["ud/2.3/*_partut-ud-test.conllu.gz", "ud/2.3/zh_gsd-ud-test.conllu.gz"],
        pytest.param(
            [
                *("ud/*/*.conllu.gz", "lambre/parsed/*.conllu"),
                *("lambre/sud-french-gsd/*.conllu.gz", "sr19/T1/*.conllu.gz"),
            ],
            marks=pytest.mark.long,
        ),
    ],
    ids=["few", "all"],
)
def test_real_treebanks_come_back_as_they_were(
    database: Database, shared_data: Path, patterns: list[str]
) -> None:
    files = [file for pattern in patterns for file in sorted(shared_data.glob(pattern))]
    assert len(files) > 2
    for number, path in enumerate(files):
        treebank_id = f"t{number}"
        ingest_treebank(database, path, name_treebank(path, treebank_id=treebank_id))
        before, after = read_text(path), exported(database, treebank_id)
        if after.rstrip("\n") == before.rstrip("\n"):
            continue
        # What may differ: blank lines, and a lemma of `_` where the form is another `_`.
        one, other = parse_conllu(before, "before"), parse_conllu(after, "after")
        assert one.comments == other.comments
        for name in COLUMN_NAMES:
            assert one.words[name].equals(other.words[name]), (path, name)
        assert one.ranges == other.ranges
        assert one.empty_nodes == other.empty_nodes


def test_hidden_text_is_null(database: Database, shared_data: Path, tmp_path: Path) -> None:
    path = tmp_path / "xx_hidden.conllu"
    path.write_text("# text = secret\n1\t_\tlemma\tX\t_\t_\t0\troot\t_\t_\n")
    load(database, path)
    run = database.connection.execute
    assert run("SELECT text, forms_text FROM sentence").fetchall() == [(None, None)]
    assert run("SELECT hidden_text FROM treebank").fetchall() == [(True,)]
    assert run("SELECT form, lemma FROM token").fetchall() == [(None, "lemma")]
