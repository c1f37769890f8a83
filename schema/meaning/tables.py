"""Meaning graphs of references and outputs, what they share, and how probable the texts are."""

from __future__ import annotations

from ..tables import OfOutput, OfSentence, Table, column, double, key


class GoldGraph(OfSentence, table=True):
    """One row per reference sentence of a treebank of meaning graphs."""

    penman: str | None = column(
        "the graph in PENMAN notation, as it stands in the file; NULL where it is broken"
    )
    variables: int = column("its nodes")
    triples: int = column("its different triples, the top not counted")
    flag: str | None = column(
        "what is unusual about it, such as not connected, or what is broken; NULL where nothing is"
    )


class ReferenceGraph(Table, table=True):
    """One row per reference sentence and parser: the graph a parser makes of the sentence."""

    treebank_id: str = key("the treebank")
    parser: str = key("what made the graph, with version")
    sentence_no: int = key("the sentence", of="sentence")
    penman: str | None = column("the graph in PENMAN notation; NULL where the parser gave none")
    variables: int = column("its nodes")
    triples: int = column("its different triples, the top not counted")
    quality: float | None = double("estimated quality of the parse, 0 to 1, where one is given")
    flag: str | None = column("what is unusual about it; NULL where nothing is")


class OutputGraph(Table, table=True):
    """One row per output and parser: the graph a parser makes of the output."""

    submission_id: str = key("the submission")
    parser: str = key("what made the graph, with version")
    sentence_no: int = key("the sentence", of="output")
    penman: str | None = column("the graph in PENMAN notation; NULL where the parser gave none")
    variables: int = column("its nodes")
    triples: int = column("its different triples, the top not counted")
    quality: float | None = double("estimated quality of the parse, 0 to 1, where one is given")
    flag: str | None = column("what is unusual about it; NULL where nothing is")


class GraphMatch(OfOutput, table=True):
    """One row per output and aspect of meaning: triples its graph shares with the gold graph."""

    aspect: str = key("all, or what of the meaning is compared, such as negation")
    matched: float = double("triples matched; a similar concept counts in part")
    output_triples: int = column("triples of the output's graph")
    gold_triples: int = column("triples of the gold graph")
    status: str = column("optimal, or how far the alignment is proved: time limit, hill climbing")
    gap: float | None = double(
        "triples that a better alignment might match besides; NULL where unknown"
    )


class ReferenceGraphMatch(Table, table=True):
    """One row per reference sentence and aspect: triples its parsed graph shares with the gold
    graph.
    """

    signature_id: str = key("how it was computed", of="signature")
    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    aspect: str = key("all, or what of the meaning is compared, such as negation")
    matched: float = double("triples matched; a similar concept counts in part")
    parsed_triples: int = column("triples of the parsed graph")
    gold_triples: int = column("triples of the gold graph")
    status: str = column("optimal, or how far the alignment is proved: time limit, hill climbing")
    gap: float | None = double(
        "triples that a better alignment might match besides; NULL where unknown"
    )


class OutputProbability(Table, table=True):
    """One row per output and language model: how probable its words are."""

    submission_id: str = key("the submission")
    model: str = key("the language model, with versions and the hash of its files")
    sentence_no: int = key("the sentence", of="output")
    tokens: int | None = column("tokens of the model; NULL where they are not known")
    probability: float | None = double("mean probability of a token in its context, 0 to 1")
    undefined_reason: str | None = column("why there is none")


class ReferenceProbability(Table, table=True):
    """One row per reference sentence, kind of its text and language model: how probable its words
    are.
    """

    treebank_id: str = key("the treebank")
    reference_form: str = key("which text of the sentence: text, or its tokens with blanks between")
    model: str = key("the language model, with versions and the hash of its files")
    sentence_no: int = key("the sentence", of="sentence")
    tokens: int | None = column("tokens of the model; NULL where they are not known")
    probability: float | None = double("mean probability of a token in its context, 0 to 1")
    undefined_reason: str | None = column("why there is none")
