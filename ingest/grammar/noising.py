"""A treebank with at most one wrong inflection per sentence, and what became of its sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import Brief
from ...schema.errors import InputError
from ..treebanks.conllu import COLUMN_NAMES, ConlluFile, SpecialLine, parse_conllu
from ..treebanks.conllu_columns import sentence_numbers
from .alternatives import Alternatives, Outcome, find_alternatives
from .unimorph import Dictionary, FeatureMapping

ALTERED = "# altered ="
_TEXT = re.compile(r"(#\s*text\s*=\s?)(.*)", re.DOTALL)


@dataclass(frozen=True)
class Replacement:
    """A word that another takes the place of, both as CoNLL-U columns."""

    sentence: int
    """Counted from 1."""
    row: int
    """The word, counted from 0 through the file."""
    feature: str
    old: dict[str, str]
    new: dict[str, str]


def write_sentences(
    text: str, file: ConlluFile, replacements: Sequence[Replacement], *, altered_only: bool
) -> str:
    """Return the text with the words replaced, the text comments to match and the changes marked.

    With ``altered_only`` the other sentences are left out. ``file`` is the text as it was parsed.
    """
    lines = text.split("\n")
    forms = file.words["form"].to_pylist()
    starts, ranges = file.starts, file.ranges_by_sentence()
    for item in replacements:
        start, comments = int(starts[item.sentence - 1]), file.comments[item.sentence - 1]
        first = file.lines[item.sentence - 1] - 1
        pieces = _pieces(forms[start : item.row + 1], ranges[item.sentence])
        for place, comment in enumerate(comments, start=first):
            match = _TEXT.fullmatch(comment)
            if match:
                lines[place] = match[1] + _replaced(match[2], pieces, item.new["form"])
        lines[int(file.word_lines[item.row]) - 1] = "\t".join(
            item.new[name] for name in COLUMN_NAMES
        )
        words = (item.old["id"], item.old["form"], item.new["form"], item.feature)
        first_word = first + len(comments)
        lines[first_word] = f"{ALTERED} {' '.join(words)}\n{lines[first_word]}"
    if altered_only:
        return _chosen(lines, file, {item.sentence for item in replacements})
    return "\n".join(lines)


def _pieces(forms: list[str], ranges: list[SpecialLine]) -> list[str]:
    """Return what stands in the text up to the last of the forms: a range stands for its words."""
    pieces: list[str | None] = list(forms)
    for span in ranges:
        if span.first <= len(forms):
            pieces[span.first - 1 : span.second] = [
                span.columns["form"],
                *([None] * (span.second - span.first)),
            ]
    return [piece for piece in pieces if piece is not None]


def _replaced(text: str, pieces: list[str], new: str) -> str:
    """Return the text with its last piece replaced; as it is where the pieces are not in it."""
    place = end = 0
    for piece in pieces:
        place = text.find(piece, end)
        if place < 0:
            return text
        end = place + len(piece)
    return text[:place] + new + text[end:]


def _chosen(lines: list[str], file: ConlluFile, sentences: set[int]) -> str:
    ends = [*(start - 1 for start in file.lines[1:]), len(lines)]
    blocks = (
        "\n".join(lines[start - 1 : end]).strip("\n")
        for number, (start, end) in enumerate(zip(file.lines, ends, strict=True), start=1)
        if number in sentences
    )
    return "".join(f"{block}\n\n" for block in blocks)


DOTTED_LANGUAGES = frozenset({"tr", "az", "kk", "crh", "tt"})
"""Languages that write the capital of i with a dot, and that of ı without."""


@dataclass(frozen=True, repr=False)
class NoiseReport(Brief):
    """What became of the sentences of a treebank."""

    sentences: int
    altered: int
    unaltered: dict[Outcome, int]
    """Sentences left as they are, by how far the best of their words came."""
    changes: Counter[tuple[str, str, str]]
    """Altered sentences by UD feature, old value and new value."""


def add_noise(
    text: str,
    source: str,
    dictionary: Dictionary,
    mapping: FeatureMapping,
    *,
    seed: int,
    language: str | None = None,
    altered_only: bool = False,
    accept_mismatch: bool = False,
) -> tuple[str, NoiseReport]:
    """Return a CoNLL-U text in which one word per sentence, where possible, is wrongly inflected.

    Every word that has alternatives is as likely as any other of its sentence, and so is every
    alternative of a word; the same text, dictionary, mapping and seed give the same noise. Words
    within multiword tokens stay. An altered word has the new form in the casing of the old one, the
    new features, and the XPOS that the treebank mostly gives to such words (``_`` where it has
    none); its sentence has the text to match and a comment ``# altered = ID old new feature``.

    Raises InputError where the text is not CoNLL-U, has no sentences or has been altered before,
    and, unless ``accept_mismatch``, where the dictionary has less than KNOWN_SHARE of its nouns,
    verbs and adjectives.
    """
    file = parse_conllu(text, source)
    if not file.lines:
        raise InputError("the treebank has no sentences", where=source, hint="give a CoNLL-U file")
    _refuse_altered(file)
    rows = _changeable_words(file)
    words = pa.table({name: file.words[name].take(pa.array(rows)) for name in _READ})
    alternatives = find_alternatives(words, dictionary, mapping)
    if not accept_mismatch:
        _refuse_other_language(words, alternatives, source)
    sentence = sentence_numbers(file.lengths)[rows] - 1
    word, option = _drawn(alternatives, sentence, len(file.lengths), seed)
    replacements = _replacements(file, rows[word], option, alternatives, language)
    report = _report(alternatives, sentence, len(file.lengths), option)
    return write_sentences(text, file, replacements, altered_only=altered_only), report


_READ = ("lemma", "form", "upos", "feats")
_INFLECTED = pa.array(["NOUN", "VERB", "ADJ"])
KNOWN_SHARE = 0.05
"""A dictionary with a smaller share of a treebank's nouns, verbs and adjectives is of another
language. Measured: its own has 10 to 26 % of their forms, that of a near relative up to 3 %."""
_FORM_NOTES = ("Translit=", "CorrectForm=")


def _refuse_altered(file: ConlluFile) -> None:
    for line, comments in zip(file.lines, file.comments, strict=True):
        if any(comment.startswith(ALTERED) for comment in comments):
            raise InputError(
                "the sentence has been altered before",
                where=f"{file.source}:{line}",
                hint="add noise to the original treebank",
            )


def _refuse_other_language(words: pa.Table, alternatives: Alternatives, source: str) -> None:
    inflected = np.asarray(pc.is_in(words["upos"], value_set=_INFLECTED))
    covered = alternatives.outcome[inflected] >= Outcome.NO_ALTERNATIVE
    if len(covered) and covered.mean() < KNOWN_SHARE:
        raise InputError(
            f"the dictionary has {covered.sum():,} of the {len(covered):,} nouns, verbs and "
            f"adjectives ({covered.mean():.1%}) with form and features: is it of another language?",
            where=source,
            hint="give the language's own dictionary; --accept-mismatch takes a small one",
        )


def _changeable_words(file: ConlluFile) -> np.ndarray:
    """Return the words that stand for themselves in the text."""
    starts = file.starts
    covered = np.zeros(len(file.word_lines), dtype=bool)
    for span in file.ranges:
        start = starts[span.sentence - 1]
        covered[start + span.first - 1 : start + span.second] = True
    return np.flatnonzero(~covered)


def _drawn(
    alternatives: Alternatives, sentence: np.ndarray, sentences: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the words to alter, at most one per sentence, and the option of each.

    Two numbers are drawn for every sentence, whether it needs them or not: what happens to one
    does not depend on the others.
    """
    draws = np.random.default_rng(seed).random((sentences, 2))
    candidates = np.flatnonzero(alternatives.count > 0)
    per_sentence = np.bincount(sentence[candidates], minlength=sentences)
    before = np.cumsum(per_sentence) - per_sentence
    lucky = np.flatnonzero(per_sentence)
    word = candidates[before[lucky] + (draws[lucky, 0] * per_sentence[lucky]).astype(np.int64)]
    option = alternatives.first[word] + (draws[lucky, 1] * alternatives.count[word]).astype(
        np.int64
    )
    return word, option


def _replacements(
    file: ConlluFile,
    rows: np.ndarray,
    option: np.ndarray,
    alternatives: Alternatives,
    language: str | None,
) -> list[Replacement]:
    usual = _usual_xpos(file)
    sentence = sentence_numbers(file.lengths)
    columns = {name: file.words[name].take(pa.array(rows)).to_pylist() for name in file.words}
    replacements = []
    for place, (row, choice) in enumerate(zip(rows.tolist(), option.tolist(), strict=True)):
        feature, old, new = alternatives.changes[choice]
        values = {name: column[place] for name, column in columns.items()}
        items = values["feats"].split("|")
        items[items.index(f"{feature}={old}")] = f"{feature}={new}"
        form = cased_like(values["form"], alternatives.forms[choice], language)
        changed = {"form": form, "feats": "|".join(items)}
        tags = usual.get((values["upos"], changed["feats"]), ["_"])
        changed["xpos"] = values["xpos"] if values["xpos"] in tags else tags[0]
        notes = [note for note in values["misc"].split("|") if not note.startswith(_FORM_NOTES)]
        changed["misc"] = "|".join(notes) or "_"
        replacements.append(Replacement(int(sentence[row]), row, feature, values, values | changed))
    return replacements


def _usual_xpos(file: ConlluFile) -> dict[tuple[str, str], list[str]]:
    """Return the XPOS that words of a UPOS and features have, the most frequent first."""
    names = ["upos", "feats", "xpos"]
    words = pa.table({name: file.words[name] for name in names})
    counts = words.group_by(names).aggregate([([], "count_all")])
    order = [(name, "ascending") for name in names]
    usual: dict[tuple[str, str], list[str]] = {}
    for row in counts.sort_by([("count_all", "descending"), *order]).to_pylist():
        usual.setdefault((row["upos"], row["feats"]), []).append(row["xpos"])
    return usual


def _report(
    alternatives: Alternatives, sentence: np.ndarray, sentences: int, option: np.ndarray
) -> NoiseReport:
    furthest = np.full(sentences, Outcome.NO_LEMMA)
    np.maximum.at(furthest, sentence, alternatives.outcome)
    counts = np.bincount(furthest, minlength=len(Outcome))
    return NoiseReport(
        sentences=sentences,
        altered=len(option),
        unaltered={outcome: int(counts[outcome]) for outcome in Outcome if outcome < Outcome.FOUND},
        changes=Counter(alternatives.changes[choice] for choice in option.tolist()),
    )


def cased_like(original: str, form: str, language: str | None = None) -> str:
    """Return a form in capitals, with a capital or without one, as the original has it.

    A form with capitals of its own keeps those behind its first letter.
    """
    if original.isupper() and sum(letter.isalpha() for letter in original) > 1:
        return _upper(form, language)
    if original[:1].isupper():
        return _upper(form[:1], language) + form[1:]
    return _lower(form[:1], language) + form[1:]


def _upper(text: str, language: str | None) -> str:
    if language in DOTTED_LANGUAGES:
        text = text.replace("i", "İ").replace("ı", "I")
    return text.upper()


def _lower(text: str, language: str | None) -> str:
    if language in DOTTED_LANGUAGES:
        text = text.replace("İ", "i").replace("I", "ı")
    return text.lower()


REASONS = {
    Outcome.NO_LEMMA: "no lemma in the dictionary",
    Outcome.NO_ANALYSIS: "no word's form and features in the dictionary",
    Outcome.NO_ALTERNATIVE: "no alternative in a single feature",
    Outcome.SAME_FORM: "alternatives have the same form only",
}
_SCHEMA = pa.schema(
    [("group", pa.string()), ("name", pa.string()), ("count", pa.int64()), ("share", pa.float64())]
)


def report_rows(report: NoiseReport, dictionary: Dictionary) -> pa.Table:
    """Return the counts: columns group, name, count, share.

    Groups: `sentences` and `not altered` (shares of all sentences; a sentence counts under the
    reason of the word that came furthest), `feature` and `change` (shares of the altered ones),
    `dictionary` (no share).
    """
    features: Counter[str] = Counter()
    for (feature, _, _), count in report.changes.items():
        features[feature] += count
    changes = Counter(
        {f"{feature}={old} → {new}": count for (feature, old, new), count in report.changes.items()}
    )
    total, altered = report.sentences, report.altered
    rows = [("sentences", "all", total, 1.0), ("sentences", "altered", altered, altered / total)]
    rows += [
        ("not altered", REASONS[outcome], count, count / total)
        for outcome, count in report.unaltered.items()
    ]
    for group, counts in (("feature", features), ("change", changes)):
        most_first = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        rows += [(group, name, count, count / altered) for name, count in most_first]
    lines = {"entries": len(dictionary.entries), **dictionary.left_out}
    counted = [("dictionary", name, count, None) for name, count in lines.items()]
    return pa.Table.from_pylist(
        [dict(zip(_SCHEMA.names, row, strict=True)) for row in [*rows, *counted]], schema=_SCHEMA
    )
