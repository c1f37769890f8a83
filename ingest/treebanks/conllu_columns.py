"""A parsed CoNLL-U file → its heads, which form trees, and Arrow columns as tables hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import plural
from ...schema.errors import InputError
from .conllu import ConlluFile, SpecialLine

_NULL = pa.scalar(None, pa.string())


@dataclass(frozen=True)
class ConlluTables:
    """Words, ranges and empty nodes of a file, each row with its sentence_no."""

    tokens: pa.Table
    ranges: pa.Table
    empty_nodes: pa.Table
    hidden: bool
    """Whether every form of the file is ``_``: the text is hidden."""

    def of_sentences(self, chosen: np.ndarray) -> ConlluTables:
        """Return the rows of the sentences where ``chosen`` is true, renumbered from 1."""
        if chosen.all():
            return self
        numbers = np.cumsum(chosen).astype(np.int32)
        return ConlluTables(
            tokens=_masked(self.tokens, chosen, numbers),
            ranges=_masked(self.ranges, chosen, numbers),
            empty_nodes=_masked(self.empty_nodes, chosen, numbers),
            hidden=self.hidden,
        )


def conllu_tables(file: ConlluFile, heads: np.ndarray) -> ConlluTables:
    """Return a file's content as columns; unspecified values (``_``) are NULL.

    A form ``_`` is a real underscore unless all forms are; a lemma ``_`` is real where its form is.
    """
    words = file.words
    underscore = pc.equal(words["form"], "_")
    hidden = len(underscore) > 0 and bool(pc.all(underscore).as_py())
    unspecified = pc.and_not(pc.equal(words["lemma"], "_"), pc.and_(underscore, not hidden))
    tokens = {
        "sentence_no": pa.array(sentence_numbers(file.lengths), pa.int32()),
        "token_no": words["id"].cast(pa.int32()),
        "form": _specified(words["form"]) if hidden else words["form"],
        "lemma": pc.if_else(unspecified, _NULL, words["lemma"]),
        **{name: _specified(words[name]) for name in ("upos", "xpos", "feats")},
        "head": pa.array(heads, pa.int32(), mask=heads < 0),
        **{name: _specified(words[name]) for name in ("deprel", "deps", "misc")},
        "space_after": _space_after(words["misc"]),
    }
    return ConlluTables(pa.table(tokens), _ranges(file, hidden=hidden), _empty_nodes(file), hidden)


def sentence_numbers(lengths: np.ndarray) -> np.ndarray:
    """Return, for each word of sentences of these lengths, the number of its sentence, from 1."""
    return np.repeat(np.arange(1, len(lengths) + 1, dtype=np.int32), lengths)


def positions_within(sentences: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Return each word's rank among the counted words of its sentence, from 1.

    ``sentences`` are ascending sentence numbers, ``counted`` is true for the words that count;
    the rank of a word that does not is meaningless.
    """
    running = np.cumsum(counted, dtype=np.int64)
    starts = np.flatnonzero(np.diff(sentences, prepend=-1))
    before = np.concatenate([[0], running])[starts]
    lengths = np.diff(np.append(starts, len(sentences)))
    return np.asarray(running - np.repeat(before, lengths))


def surface_texts(tables: ConlluTables, sentences: int) -> tuple[pa.Array, pa.Array]:
    """Return, per sentence, its word forms joined with blanks and its text as SpaceAfter says.

    Every sentence has words; a range stands for its words in the text. Where MISC has the
    characters of tokens, as stanza writes them (start_char, end_char), there is no blank between
    those that touch.
    """
    tokens, ranges = tables.tokens, tables.ranges
    starts = np.searchsorted(tokens["sentence_no"].to_numpy(), np.arange(1, sentences + 2))
    offsets = pa.array(starts, pa.int32())
    forms = tokens["form"].combine_chunks()
    before = starts[ranges["sentence_no"].to_numpy() - 1] - 1
    first = before + ranges["first_token_no"].to_numpy()
    after = before + ranges["last_token_no"].to_numpy() + 1
    start, end = _characters(tokens["misc"])
    range_start, range_end = _characters(ranges["misc"])
    start[first] = range_start
    begins_at = np.append(start, -1)
    begins_at[starts[:-1]] = -1
    pieces = _with_space(tokens, (end >= 0) & (end == begins_at[1:]))
    if ranges.num_rows:
        edges = np.zeros(len(pieces) + 1, dtype=np.int8)
        edges[first] += 1
        edges[after] -= 1
        covered = np.cumsum(edges[:-1]) > 0
        begins = np.zeros(len(pieces), dtype=bool)
        begins[first] = True
        pieces = pc.if_else(pa.array(covered), "", pieces)
        pieces = pc.replace_with_mask(
            pieces,
            pa.array(begins),
            _with_space(ranges, (range_end >= 0) & (range_end == begins_at[after])),
        )
    texts = pc.binary_join(pa.ListArray.from_arrays(offsets, pieces), "")
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, forms), " ")
    return joined, pc.utf8_rtrim(texts, " ")


def _characters(misc: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """Return where tokens begin and end in the text, -1 where MISC does not say."""
    return _number(misc, "start_char"), _number(misc, "end_char")


def _number(misc: pa.ChunkedArray, name: str) -> np.ndarray:
    numbers = np.full(len(misc), -1, dtype=np.int64)
    has_name = pc.match_substring(misc, f"{name}=").fill_null(False).to_numpy()
    if has_name.any():
        matching = misc.filter(pa.array(has_name)).combine_chunks()
        matches = pc.extract_regex(matching, rf"(?:^|\|){name}=(?P<number>[0-9]{{1,15}})(?:\||$)")
        values = pc.struct_field(matches, "number")
        numbers[has_name] = pc.fill_null(values, "-1").cast(pa.int64()).to_numpy()
    return numbers


def _with_space(rows: pa.Table, touching: np.ndarray) -> pa.Array:
    space = pc.if_else(pc.and_not(rows["space_after"], pa.array(touching)), " ", "")
    return pc.binary_join_element_wise(rows["form"], space, "").combine_chunks()


def _masked(rows: pa.Table, chosen: np.ndarray, numbers: np.ndarray) -> pa.Table:
    index = rows["sentence_no"].to_numpy() - 1
    renumbered = pa.array(numbers[index], pa.int32())
    return rows.set_column(0, "sentence_no", renumbered).filter(pa.array(chosen[index]))


def _specified(values: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(values, "_"), _NULL, values)


def _space_after(misc: pa.Array) -> pa.Array:
    no_space = pc.match_substring_regex(misc, r"(^|\|)SpaceAfter=No(\||$)")
    return pc.invert(no_space)


def _special_columns(lines: Sequence[SpecialLine], names: Sequence[str]) -> dict[str, pa.Array]:
    return {
        name: _specified(pa.array([line.columns[name] for line in lines], pa.string()))
        for name in names
    }


def _ranges(file: ConlluFile, *, hidden: bool) -> pa.Table:
    lines = file.ranges
    special = _special_columns(lines, ("form", "feats", "misc"))
    if not hidden:
        special["form"] = pa.array([line.columns["form"] for line in lines], pa.string())
    return pa.table(
        {
            "sentence_no": pa.array([line.sentence for line in lines], pa.int32()),
            "first_token_no": pa.array([line.first for line in lines], pa.int32()),
            "last_token_no": pa.array([line.second for line in lines], pa.int32()),
            **special,
            "space_after": _space_after(pc.coalesce(special["misc"], "")),
        }
    )


def _empty_nodes(file: ConlluFile) -> pa.Table:
    names = ("form", "lemma", "upos", "xpos", "feats", "deps", "misc")
    return pa.table(
        {
            "sentence_no": pa.array([node.sentence for node in file.empty_nodes], pa.int32()),
            "after_token": pa.array([node.first for node in file.empty_nodes], pa.int32()),
            "node_no": pa.array([node.second for node in file.empty_nodes], pa.int32()),
            **_special_columns(file.empty_nodes, names),
        }
    )


UNSPECIFIED = -1
_NOT_A_NUMBER = -2


def read_heads(file: ConlluFile) -> np.ndarray:
    """Return each word's HEAD, -1 where it is unspecified (``_``).

    Raises InputError with the line where a HEAD is not a number of another word of its sentence.
    """
    texts = file.words["head"]
    length = pc.binary_length(texts)
    padded = pc.and_(pc.starts_with(texts, "0"), pc.greater(length, 1))
    numeric = pc.and_not(pc.and_(pc.ascii_is_decimal(texts), pc.less(length, 10)), padded)
    numbers = pc.if_else(numeric, texts, str(_NOT_A_NUMBER)).cast(pa.int64())
    heads = np.asarray(pc.if_else(pc.equal(texts, "_"), UNSPECIFIED, numbers))
    lengths = np.repeat(file.lengths, file.lengths)
    own = np.arange(len(heads)) - _starts(file.lengths) + 1
    wrong = np.flatnonzero((heads < UNSPECIFIED) | (heads > lengths) | (heads == own))
    if len(wrong):
        first = int(wrong[0])
        raise file.word_error(
            first,
            f"HEAD '{texts[first].as_py()}' is not another word of the sentence, which has "
            f"{plural(lengths[first], 'word')}",
            "HEAD is the ID of another word, or 0 for the root",
        )
    return heads


def check_trees(file: ConlluFile, heads: np.ndarray) -> None:
    """Check that every sentence's heads form one tree.

    Raises InputError with the line of a word without a head, of a sentence with no root or with
    several, or of a word that does not lead to the root.
    """
    unset = np.flatnonzero(heads == UNSPECIFIED)
    if len(unset):
        hint = "a treebank needs a tree for every sentence"
        raise file.word_error(int(unset[0]), "the word has no HEAD", hint)
    sentence = np.repeat(np.arange(len(file.lengths)), file.lengths)
    roots = np.bincount(sentence[heads == 0], minlength=len(file.lengths))
    odd = np.flatnonzero(roots != 1)
    if len(odd):
        first = int(odd[0])
        raise InputError(
            f"the sentence has {roots[first] or 'no'} root{'s' * bool(roots[first])}",
            where=f"{file.source}:{file.lines[first]}",
            hint="exactly one word has HEAD 0",
        )
    cyclic = np.flatnonzero(~reaches_root(file.lengths, heads))
    if len(cyclic):
        hint = "correct HEAD so that every word is connected to the root"
        raise file.word_error(int(cyclic[0]), "the word's heads run in a cycle", hint)


def reaches_root(lengths: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Return for each word whether following its heads ends at a root (pointer doubling)."""
    top = len(heads)
    parent = np.append(np.where(heads > 0, _starts(lengths) + heads - 1, top), top)
    for _ in range(int(lengths.max(initial=1)).bit_length()):
        parent = parent[parent]
    return np.asarray(parent[:-1] == top)


def _starts(lengths: np.ndarray) -> np.ndarray:
    """Return for each word the index of its sentence's first word."""
    return np.repeat(np.cumsum(lengths) - lengths, lengths)
