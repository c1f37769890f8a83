"""Treebanks: reference sentences with their trees."""

from __future__ import annotations

from .columns import Entity, Table, column, key, list_of


class Treebank(Entity, table=True):
    """One row per split of a dependency treebank in one version and scheme."""

    treebank_id: str = key("such as en_ewt-ud2.3-test")
    language: str | None = column("language code read from the name or given")
    corpus: str | None = column("name of the corpus within the language, such as ewt")
    scheme: str = column("annotation scheme: ud or sud")
    version: str | None = column("version of the treebank release")
    split: str | None = column("train, dev or test")
    excluded_relations: list[str] = list_of(
        "VARCHAR", "sentences with one of these relations were left out"
    )
    parsed_by: str | None = column(
        "what parsed its sentences, with version; NULL where trees are given, or there are none"
    )
    hidden_text: bool = column("true where every form is hidden: text metrics are undefined")
    sentences: int = column("number of sentences")
    tokens: int = column("number of syntactic words")
    source: str = column("name of the file it was read from")
    sha256: str = column("hash of what was loaded: the file's content and the exclusions")


class Sentence(Table, table=True):
    """One row per reference sentence of a treebank."""

    treebank_id: str = key("the treebank", of="treebank")
    sentence_no: int = key("position in the treebank, from 1")
    sent_id: str | None = column("the sent_id comment; NULL where there is none")
    text: str | None = column(
        "the text comment, or the forms joined as SpaceAfter says; NULL where hidden"
    )
    text_given: bool = column("true where the text stands in the file, false where it was joined")
    forms_text: str | None = column("the word forms joined with single blanks; NULL where hidden")
    newdoc: str | None = column(
        "id of the document that starts here; empty text where it has no id"
    )
    comments: list[str] = list_of("VARCHAR", "all comment lines as they stand in the file")
    line_no: int = column("line of the file on which the sentence starts")


class SentenceSource(Table, table=True):
    """One row per reference sentence that has a source text, a document or a domain."""

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    source_text: str | None = column("the text that was translated; NULL where none is given")
    document_id: str | None = column("the document that the sentence is of, as its file names it")
    domain: str | None = column("the domain of the document, such as news")


class AlternativeReference(Table, table=True):
    """One row per reference sentence and other reference it has besides its text."""

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    reference_name: str = key("the name of the reference, such as refB")
    text: str = column("the text of the reference")


class Token(Table, table=True):
    """One row per syntactic word of a reference sentence."""

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    token_no: int = key("ID: position in the sentence, from 1")
    form: str | None = column("FORM; NULL where the text is hidden")
    lemma: str | None = column("LEMMA; NULL where unspecified")
    upos: str | None = column("UPOS: universal part of speech")
    xpos: str | None = column("XPOS: language-specific part of speech")
    feats: str | None = column("FEATS: morphological features, Name=Value joined with |")
    head: int | None = column("HEAD: token_no of the head, 0 for the root")
    deprel: str | None = column("DEPREL: dependency relation with its subtype")
    deps: str | None = column("DEPS: enhanced dependencies")
    misc: str | None = column("MISC")
    space_after: bool = column("false where MISC says SpaceAfter=No")


class MultiwordToken(Table, table=True):
    """One row per surface token that spans several syntactic words."""

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    first_token_no: int = key("first word of the range")
    last_token_no: int = column("last word of the range")
    form: str | None = column("surface form; NULL where the text is hidden")
    feats: str | None = column("FEATS of the range line (Typo=Yes and the like)")
    misc: str | None = column("MISC of the range line")
    space_after: bool = column("false where MISC says SpaceAfter=No")


class EmptyNode(Table, table=True):
    """One row per empty node of the enhanced graph (ID with a decimal point)."""

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence", of="sentence")
    after_token: int = key("token_no it follows, 0 at the start of the sentence")
    node_no: int = key("number after the decimal point")
    form: str | None = column("FORM")
    lemma: str | None = column("LEMMA")
    upos: str | None = column("UPOS")
    xpos: str | None = column("XPOS")
    feats: str | None = column("FEATS")
    deps: str | None = column("DEPS")
    misc: str | None = column("MISC")
