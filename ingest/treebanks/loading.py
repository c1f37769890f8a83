"""Loading treebanks: a CoNLL-U file becomes sentences, words, ranges and empty nodes, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash, read_text
from ...schema.keys import replaced_with
from ...schema.names import resolve_treebank
from ...schema.staging import Load, commit, is_loaded
from ...schema.statements import read_tuples, row_by_id
from ..names import FORMER_RELATIONS, RELATIONS, SUD_RELATIONS, TreebankName, register_campaign
from .conllu import ConlluFile, parse_conllu
from .conllu_columns import (
    ConlluTables,
    check_trees,
    conllu_tables,
    read_heads,
    sentence_numbers,
    surface_texts,
)

_NAME_PARTS = ("treebank_id", "language", "corpus", "scheme", "version", "split")


def ingest_treebank(
    database: Database,
    path: Path,
    name: TreebankName,
    *,
    campaign_id: str | None = None,
    without: Sequence[str] = (),
    replace: bool = False,
) -> bool:
    """Load a treebank and return whether anything changed; see ``prepare_treebank``."""
    treebank = prepare_treebank(
        database, path, name, campaign_id=campaign_id, without=without, replace=replace
    )
    return write_treebanks(database, [treebank]) == [True]


@dataclass(frozen=True)
class ReadTreebank:
    """A treebank that is ready to be written."""

    name: TreebankName
    source: str
    campaign_id: str | None
    load: Load | None
    """None where its content is loaded."""

    @property
    def words(self) -> int:
        """How many words are to be written."""
        return self.load.rows["token"].num_rows if self.load else 0


def prepare_treebank(
    database: Database,
    path: Path,
    name: TreebankName,
    *,
    campaign_id: str | None = None,
    without: Sequence[str] = (),
    replace: bool = False,
) -> ReadTreebank:
    """Read and check a treebank, and return it: nothing is written yet.

    ``without`` leaves out the sentences that hold one of these universal relations. The same
    content loaded again under the same id changes nothing.

    Raises InputError for a broken file, and for other content under an id that is taken, unless
    ``replace`` is given and no submission refers to it.
    """
    text = read_text(path)
    excluded = sorted(set(without))
    target, sha256 = name.treebank_id, content_hash(text, *excluded)
    if is_loaded(database, "treebank", target, sha256):
        return ReadTreebank(name, path.name, campaign_id, None)
    taken = is_taken(database, target, path, replace=replace)
    file = parse_conllu(text, str(path))
    if not len(file.lengths):
        hint = "is it the right file, and complete?"
        raise InputError("the file holds no sentence", where=str(path), hint=hint)
    rows = _treebank_rows(file, name, excluded, path, sha256)
    load = Load(
        kind="treebank",
        target=target,
        source=path.name,
        sha256=sha256,
        records=rows["sentence"].num_rows,
        rows=rows,
        replaces=replaced_with("treebank", target) if taken else (),
    )
    return ReadTreebank(name, path.name, campaign_id, load)


def write_treebanks(database: Database, treebanks: Sequence[ReadTreebank]) -> list[bool]:
    """Write treebanks, all or none, and return of each whether anything changed."""
    loads = [treebank.load for treebank in treebanks if treebank.load]
    with database.transaction():
        if loads:
            commit(database, *loads)
        return [
            link_campaign(database, treebank.campaign_id, treebank.name.treebank_id)
            | (treebank.load is not None or _keep_name(database, treebank.name))
            for treebank in treebanks
        ]


def named_before(
    database: Database, path: Path, name: TreebankName, without: Sequence[str] = ()
) -> TreebankName:
    """Return the name under which a file was loaded with the version that its own name lacks.

    That is the name itself where it has a version, or no such file was loaded.
    """
    if name.version is not None:
        return name
    rows = read_tuples(
        database,
        "treebank_versions",
        source=path.name,
        scheme=name.scheme,
        language=name.language,
        corpus=name.corpus,
        split=name.split,
    )
    sha256 = content_hash(read_text(path), *sorted(set(without))) if rows else ""
    for treebank_id, version, its_hash in rows:
        if its_hash == sha256:
            return replaced(name, treebank_id=treebank_id, version=version)
    return name


def _keep_name(database: Database, name: TreebankName) -> bool:
    """Note what is given of a loaded treebank besides its content; return whether it is new."""
    parts = {part: getattr(name, part) for part in ("language", "version", "split")}
    values = {part: value for part, value in parts.items() if value is not None}
    stored = row_by_id(database, "treebank", name.treebank_id, *values) if values else ()
    if stored == tuple(values.values()):
        return False
    database.connection.execute(
        "UPDATE treebank SET language = coalesce(?, language), version = coalesce(?, version), "
        "split = coalesce(?, split) WHERE treebank_id = ?",
        [*parts.values(), name.treebank_id],
    )
    return True


def link_campaign(database: Database, campaign_id: str | None, treebank_id: str) -> bool:
    """Note that a campaign evaluates on a treebank; return whether that is new."""
    if campaign_id is None:
        return False
    with database.transaction():
        register_campaign(database, campaign_id)
        inserted = database.connection.execute(
            "INSERT INTO campaign_treebank SELECT ?, ? WHERE NOT EXISTS "
            "(FROM campaign_treebank WHERE campaign_id = ? AND treebank_id = ?)",
            [campaign_id, treebank_id] * 2,
        ).fetchone()
    return inserted is not None and inserted[0] > 0


def is_taken(database: Database, treebank_id: str, path: Path, *, replace: bool) -> bool:
    """Return whether there is a treebank to replace.

    Raises InputError where there is one that must not be replaced.
    """
    taken = row_by_id(database, "treebank", treebank_id, "source")
    if taken is None:
        return False
    if not replace:
        raise InputError(
            f"treebank '{treebank_id}' is already loaded with other content (from {taken[0]})",
            where=str(path),
            hint="give another --id, or --replace to load this file in its place",
        )
    used = database.connection.execute(
        "SELECT count(*) FROM submission WHERE treebank_id = ?", [treebank_id]
    ).fetchone()
    if used and used[0]:
        raise InputError(
            f"treebank '{treebank_id}' cannot be replaced: {plural(used[0], 'submission')} of it",
            where=str(path),
            hint="load the file under another --id",
        )
    return True


def _treebank_rows(
    file: ConlluFile, name: TreebankName, excluded: Sequence[str], path: Path, sha256: str
) -> dict[str, pa.Table]:
    """Return the rows of a treebank by table, sentences with excluded relations left out."""
    heads = read_heads(file)
    check_trees(file, heads)
    chosen = _chosen_sentences(file, excluded)
    if not chosen.any():
        hint = "leave out fewer relations"
        raise InputError("every sentence has an excluded relation", where=str(path), hint=hint)
    tables = conllu_tables(file, heads).of_sentences(chosen)
    rows = {
        "sentence": _sentence_rows(file, tables, chosen),
        "token": tables.tokens,
        "multiword_token": tables.ranges,
        "empty_node": tables.empty_nodes,
    }
    counts = {"sentences": rows["sentence"].num_rows, "tokens": rows["token"].num_rows}
    treebank = treebank_row(name, path, sha256, hidden=tables.hidden, excluded=excluded, **counts)
    return {
        "treebank": treebank,
        **{
            table: rows_of.add_column(
                0, "treebank_id", pa.repeat(name.treebank_id, rows_of.num_rows)
            )
            for table, rows_of in rows.items()
        },
    }


def treebank_row(
    name: TreebankName,
    source: Path,
    sha256: str,
    *,
    hidden: bool,
    sentences: int,
    tokens: int = 0,
    excluded: Sequence[str] = (),
) -> pa.Table:
    """Return a treebank's row of the table ``treebank``; ``hidden`` says whether its text is."""
    parts = {part: pa.array([getattr(name, part)], pa.string()) for part in _NAME_PARTS}
    return pa.table(
        {
            **parts,
            "excluded_relations": pa.array([excluded], pa.list_(pa.string())),
            "hidden_text": [hidden],
            "sentences": [sentences],
            "tokens": [tokens],
            "source": [source.name],
            "sha256": [sha256],
        }
    )


def _chosen_sentences(file: ConlluFile, excluded: Sequence[str]) -> np.ndarray:
    if not excluded:
        return np.ones(len(file.lengths), dtype=bool)
    relations = pc.replace_substring_regex(file.words["deprel"], ":.*", "")
    relations_of_schemes = RELATIONS | FORMER_RELATIONS | SUD_RELATIONS
    unknown = set(excluded) - relations_of_schemes - set(relations.unique().to_pylist())
    if unknown:
        raise InputError(
            f"'{min(unknown)}' is no universal relation, and no word of the file has it",
            where=file.source,
            hint="sentences are left out by relations such as reparandum, without subtypes",
        )
    wrong = np.asarray(pc.is_in(relations, pa.array(excluded, pa.string())))
    sentences = sentence_numbers(file.lengths)[wrong] - 1
    return np.asarray(np.bincount(sentences, minlength=len(file.lengths)) == 0)


def _sentence_rows(file: ConlluFile, tables: ConlluTables, chosen: np.ndarray) -> pa.Table:
    indices = np.flatnonzero(chosen).tolist()
    texts_of_file = pa.array([file.texts[i] for i in indices], pa.string())
    texts = forms_texts = pa.nulls(len(indices), pa.string())
    if not tables.hidden:
        forms_texts, joined = surface_texts(tables, len(indices))
        texts = pc.coalesce(texts_of_file, joined)
    return pa.table(
        {
            "sentence_no": pa.array(range(1, len(indices) + 1), pa.int32()),
            "sent_id": pa.array([file.sent_ids[i] for i in indices], pa.string()),
            "text": texts,
            "text_given": pc.is_valid(texts_of_file),
            "forms_text": forms_texts,
            "newdoc": pa.array([file.newdocs[i] for i in indices], pa.string()),
            "comments": pa.array([file.comments[i] for i in indices], pa.list_(pa.string())),
            "line_no": pa.array([file.lines[i] for i in indices], pa.int32()),
        }
    )


_LANGUAGE = re.compile("([a-z]{2,3})_")


def file_text(file: Path) -> tuple[str, str | None]:
    """Return the text of a CoNLL-U file and the language code that its name begins with.

    Raises InputError where the file cannot be read.
    """
    named = _LANGUAGE.match(file.name)
    return read_text(file), named[1] if named else None


def treebank_text(database: Database, treebank_id: str) -> tuple[str, str | None]:
    """Return a treebank of the database as CoNLL-U, and its language.

    Raises UnknownNameError for a treebank that is not loaded.
    """
    hint = "'tracker show treebank' lists them; a file must end in .conllu"
    treebank_id = resolve_treebank(database, treebank_id, hint=hint)
    (language,) = row_by_id(database, "treebank", treebank_id, "language") or (None,)
    rows = read_tuples(database, "export_conllu", treebank_id=treebank_id)
    return "".join(f"{text}\n\n" for (text,) in rows), language
