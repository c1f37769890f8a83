"""Campaigns, systems, what their model runs produced, and treebanks: sentences with their trees."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from . import Entity, OfSentence, Table, column, json_object, key, list_of, timestamp


class Campaign(Entity, table=True):
    """One row per evaluation with a name and a year."""

    campaign_id: str = key("short name, such as SR19")
    name: str = column("full name")
    year: int | None = column("year of the evaluation")
    description: str | None = column("free text")


class CampaignTreebank(Entity, table=True):
    """One row per treebank that a campaign evaluates on."""

    campaign_id: str = key("the campaign", of="campaign")
    treebank_id: str = key("the treebank", of="treebank")


class System(Entity, table=True):
    """One row per generator of sentences: a team's system, a baseline, or the human reference."""

    system_id: str = key("short name, such as IMS")
    team: str | None = column("who built it")
    kind: str = column("team, baseline or human")
    description: str | None = column("free text")
    family: str | None = column(
        "name shared by the systems of one team over the years; NULL where none is declared"
    )


class Tag(Entity, table=True):
    """One row per tag or note that a user gave a campaign, system or treebank; those of submissions
    are in submission.tags.
    """

    kind: str = key("campaign, system or treebank")
    target: str = key("its id")
    name: str = key("the tag's name; a note is the tag note")
    value: str = column("what it says")


class Submission(Entity, table=True):
    """One row per model run: one system's output for one treebank in one campaign."""

    submission_id: str = key("campaign/system/treebank, with @iteration after the first")
    campaign_id: str = column("the campaign", of="campaign")
    system_id: str = column("the system", of="system")
    treebank_id: str = column("the treebank it was generated for", of="treebank")
    track: str = column("shallow, deep or any other name")
    iteration: int = column("1 for a system's first run, then increasing")
    parent_submission_id: str | None = column(
        "the run this one was developed from", of="submission"
    )
    created_at: datetime = timestamp(
        "when the model run was made: given, or when it was first loaded"
    )
    reference_form: str = column(
        "what surface metrics compare with: text (raw) or tokens (forms joined with blanks)"
    )
    analysis: str = column("what turned text into output tokens, with version")
    params: dict[str, Any] = json_object("parameters of the model run")
    tags: dict[str, Any] = json_object("free labels")
    source: str = column("name of the file it was read from")
    sha256: str = column("hash of the outputs and of what decides how they are read")


class Trial(Table, table=True):
    """One row per trial of a submission that has several: a seed, or a sample of its outputs."""

    submission_id: str = key("the submission", of="submission")
    trial_no: int = key("number of the trial, from 1")
    trial_submission_id: str = column(
        "what its outputs and scores are stored under: the submission itself for the first trial, "
        "else its id with #2, #3, …"
    )
    label: str | None = column("what tells it from others, such as its file or its seed")
    sha256: str = column("hash of its outputs and of what decides how they are read")


class Output(Table, table=True):
    """One row per reference sentence and submission, or further trial of one: the generated
    text.
    """

    submission_id: str = key("the submission, or the trial", of="submission")
    sentence_no: int = key("the sentence of the submission's treebank")
    text: str | None = column("generated text; NULL where the system gave none")


class OutputWords(Table, table=True):
    """One row per output that has words: its analysed words in their order, in lists (the view
    output_token has a row for each).
    """

    submission_id: str = key("the submission")
    sentence_no: int = key("the sentence", of="output")
    forms: list[str] = list_of("VARCHAR", "word forms")
    lemmas: list[str | None] | None = list_of(
        "VARCHAR", "lemmas, empty where they are the form; NULL where the analysis gives none"
    )
    punctuation: list[int] = list_of("INTEGER", "places, from 1, of the words that are punctuation")
    upos: list[str | None] | None = list_of(
        "VARCHAR", "universal parts of speech; NULL where the analysis gives none"
    )
    xpos: list[str | None] | None = list_of(
        "VARCHAR", "language-specific parts of speech; NULL where the analysis gives none"
    )
    feats: list[str | None] | None = list_of(
        "VARCHAR", "morphological features; NULL where the analysis gives none"
    )
    heads: list[int | None] | None = list_of(
        "INTEGER", "places of the heads, 0 for the root; NULL where the analysis does not parse"
    )
    deprels: list[str | None] | None = list_of(
        "VARCHAR", "dependency relations; NULL where the analysis does not parse"
    )


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


class SentenceSource(OfSentence, table=True):
    """One row per reference sentence that has a source text, a document or a domain."""

    source_text: str | None = column("the text that was translated; NULL where none is given")
    document_id: str | None = column("the document that the sentence is of, as its file names it")
    domain: str | None = column("the domain of the document, such as news")


class SentenceLabel(OfSentence, table=True):
    """One row per reference sentence and label, by whose values scores tell sentences apart."""

    label: str = key("name of the label, such as genre, length or frequency")
    value: str = column("the sentence's value of it, as text")
    origin: str = column(
        "loaded: from a file beside the sentences; comments: of the treebank's own file; "
        "computed: from the words"
    )


class AlternativeReference(OfSentence, table=True):
    """One row per reference sentence and other reference it has besides its text."""

    reference_name: str = key("the name of the reference, such as refB")
    text: str = column("the text of the reference")


class Token(OfSentence, table=True):
    """One row per syntactic word of a reference sentence."""

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


class MultiwordToken(OfSentence, table=True):
    """One row per surface token that spans several syntactic words."""

    first_token_no: int = key("first word of the range")
    last_token_no: int = column("last word of the range")
    form: str | None = column("surface form; NULL where the text is hidden")
    feats: str | None = column("FEATS of the range line (Typo=Yes and the like)")
    misc: str | None = column("MISC of the range line")
    space_after: bool = column("false where MISC says SpaceAfter=No")


class EmptyNode(OfSentence, table=True):
    """One row per empty node of the enhanced graph (ID with a decimal point)."""

    after_token: int = key("token_no it follows, 0 at the start of the sentence")
    node_no: int = key("number after the decimal point")
    form: str | None = column("FORM")
    lemma: str | None = column("LEMMA")
    upos: str | None = column("UPOS")
    xpos: str | None = column("XPOS")
    feats: str | None = column("FEATS")
    deps: str | None = column("DEPS")
    misc: str | None = column("MISC")
