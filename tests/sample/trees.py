"""Dependency trees that the sample's grammars build, and their form in CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(eq=False)
class Word:
    """A syntactic word; words know their head, and a list of words knows their order."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: dict[str, str] = field(default_factory=dict)
    deprel: str = "root"
    head: Word | None = None
    glued_left: bool = False  # no blank before it
    glued_right: bool = False  # no blank after it
    fused_with_next: str | None = None  # spelling of the multiword token it begins
    empty: bool = False  # an empty node of the enhanced graph
    enhanced: list[tuple[Word | None, str]] = field(default_factory=list)

    def under(self, head: Word, deprel: str) -> Word:
        """Attach the word to a head; returns the word."""
        self.head, self.deprel = head, deprel
        return self


@dataclass
class Phrase:
    """Words in order and the one among them that stands for the whole."""

    words: list[Word]
    head: Word

    def under(self, head: Word, deprel: str) -> list[Word]:
        """Attach the phrase to a head; returns its words."""
        self.head.under(head, deprel)
        return self.words


def punctuation(form: str, head: Word, *, glued_right: bool = False) -> Word:
    """A punctuation mark, by default without a blank before it."""
    xpos = {",": ",", '"': "``" if glued_right else "''"}.get(form, ".")
    word = Word(form, form, "PUNCT", xpos, glued_left=not glued_right, glued_right=glued_right)
    return word.under(head, "punct")


def sentence_conllu(words: list[Word], sent_id: str) -> str:
    """One sentence as CoNLL-U with its sent_id and text comments and a closing empty line."""
    _capitalise(words)
    ids = _ids(words)
    spacing = [_space_after(words, index) for index in range(len(words))]
    lines = [f"# sent_id = {sent_id}", f"# text = {sentence_text(words)}"]
    with_graph = any(word.empty for word in words)
    for index, word in enumerate(words):
        misc = "_" if spacing[index] else "SpaceAfter=No"
        if word.fused_with_next is not None:
            following = ids[words[index + 1]]
            range_misc = "_" if spacing[index + 1] else "SpaceAfter=No"
            columns = [f"{ids[word]}-{following}", word.fused_with_next, *["_"] * 7, range_misc]
            lines.append("\t".join(columns))
        if word.empty or _is_fused(words, index):
            misc = "_"
        lines.append("\t".join([*_columns(word, ids, with_graph), misc]))
    return "\n".join(lines) + "\n\n"


def sentence_text(words: list[Word]) -> str:
    """The sentence as written, multiword tokens and missing blanks observed."""
    text = ""
    for index, word in enumerate(words):
        if word.empty or (index and words[index - 1].fused_with_next is not None):
            continue
        end = index + 1 if word.fused_with_next is not None else index
        text += word.fused_with_next or word.form
        text += " " if _space_after(words, end) else ""
    return text.rstrip()


def is_projective(words: Iterable[Word]) -> bool:
    """Whether no edge passes over a word that its head does not dominate."""
    order = [word for word in words if not word.empty]
    place = {word: index for index, word in enumerate(order)}
    for word in order:
        if word.head is None:
            continue
        first, last = sorted((place[word], place[word.head]))
        if any(not _dominates(word.head, between) for between in order[first + 1 : last]):
            return False
    return True


def _dominates(ancestor: Word, word: Word | None) -> bool:
    while word is not None and word is not ancestor:
        word = word.head
    return word is ancestor


def _capitalise(words: list[Word]) -> None:
    """Give the sentence its capital, behind an opening quotation mark if there is one."""
    first = next(word for word in words if word.upos != "PUNCT")
    first.form = first.form[0].upper() + first.form[1:]
    if first.fused_with_next is not None:
        first.fused_with_next = first.fused_with_next[0].upper() + first.fused_with_next[1:]


def _ids(words: list[Word]) -> dict[Word, str]:
    ids: dict[Word, str] = {}
    number = empties = 0
    for word in words:
        if word.empty:
            empties += 1
            ids[word] = f"{number}.{empties}"
        else:
            number, empties = number + 1, 0
            ids[word] = str(number)
    return ids


def _columns(word: Word, ids: dict[Word, str], with_graph: bool) -> list[str]:
    """The first nine columns; the enhanced graph is given where the sentence has empty nodes."""
    head = "0" if word.head is None else ids[word.head]
    graph = "_"
    if with_graph:
        edges = word.enhanced or [(word.head, word.deprel)]
        graph = "|".join(f"{ids[h] if h is not None else 0}:{rel}" for h, rel in edges)
    feats = sorted(word.feats.items(), key=lambda feature: feature[0].lower())
    return [
        ids[word],
        word.form,
        word.lemma,
        word.upos,
        word.xpos,
        "|".join(f"{name}={value}" for name, value in feats) or "_",
        "_" if word.empty else head,
        "_" if word.empty else word.deprel,
        graph,
    ]


def _is_fused(words: list[Word], index: int) -> bool:
    starts = words[index].fused_with_next is not None
    return starts or (index > 0 and words[index - 1].fused_with_next is not None)


def _space_after(words: list[Word], index: int) -> bool:
    if words[index].empty or words[index].glued_right:
        return False
    following = next((word for word in words[index + 1 :] if not word.empty), None)
    return following is None or not following.glued_left
