"""What test sets expect of outputs, and what training files hold of them."""

from __future__ import annotations

from ..tables import Table, column, double, key


class ChallengeCheck(Table, table=True):
    """One row per expectation of an item of a challenge set: a sentence and a phenomenon."""

    treebank_id: str = key("the test set")
    challenge: str = key("name of the challenge set")
    sentence_no: int = key("the sentence", of="sentence")
    phenomenon: str = key("what the item is about")
    check_no: int = key("number of the expectation, from 1: an item passes where all hold")
    kind: str = column(
        "contains, lacks (a text), matches, avoids (a regular expression), edge (in the output's "
        "tree: head, relation, dependent), or closer (to the pattern than to the other text)"
    )
    pattern: str = column("what is looked for; of closer the good output")
    other: str | None = column("of closer the incorrect output; NULL for other kinds")
    template: str | None = column("what the item was made from, as others were; NULL for none")


class TrainingOverlap(Table, table=True):
    """One row per sentence of a test set, side and training files: what these hold of it."""

    treebank_id: str = key("the test set")
    training: str = key("what the training files are called together")
    side: str = key("reference or source")
    sentence_no: int = key("the sentence", of="sentence")
    words: int = column("words: stretches of letters and digits, in lower case")
    exact: int = column("lines of the training files that have the same words")
    ngram_order: int = column("words of an n-gram")
    ngrams: int = column("n-grams of the sentence; 0 where it has fewer words")
    ngrams_found: int = column("those of them that the training files hold")
    similarity: float = double(
        "largest Jaccard similarity to a line, over word trigrams as often as they stand, 0 to 1"
    )
    similar_source: str | None = column("the file with that line; NULL where nothing is shared")
    similar_line: int | None = column("that line, or the first of the sentence there")
    overlapping: bool = column(
        "whether it counts as overlapping, by what was chosen when it was looked for"
    )
