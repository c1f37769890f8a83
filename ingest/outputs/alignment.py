"""Outputs → the sentences of a treebank: by sent_id, by number, or by position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import plural
from ...schema.errors import InputError
from ..formats import UserFile
from ..records import RECORD_SUFFIXES, check_once
from .reading import OutputFile

if TYPE_CHECKING:
    import numpy.typing as npt

    Counts: TypeAlias = npt.NDArray[np.int64]

LEAST_OUTPUTS_TO_JUDGE = 20
OUTPUTS_JUDGED_TOGETHER = 100
LEAST_AGREEMENT = 0.75
LEAST_VOTERS = 5


def align(file: OutputFile, treebank_id: str, sent_ids: Sequence[str | None]) -> list[int]:
    """Return, for each output of the file, the sentence_no it belongs to.

    Ids are the treebank's sent_ids, composed (NFC) or decomposed, or, where none of them is,
    sentence numbers: from 1, or from 0 where they are 0 to n - 1, as in what stanza writes.

    Raises InputError (file:line) for unknown and repeated ids and, where outputs have no ids, for
    a count other than the treebank's.
    """
    if not file.texts:
        hint = "is it the right file, and complete?"
        raise InputError("the file holds no output", where=file.source, hint=hint)
    if file.ids is None:
        return _by_position(file, treebank_id, len(sent_ids))
    numbers = {sent_id: number for number, sent_id in enumerate(sent_ids, start=1) if sent_id}
    file = replace(file, ids=_spelled_as(numbers, file.ids))
    if not any(name in numbers for name in file.ids or ()):
        places = range(len(sent_ids))
        first = 0 if {*(file.ids or ())} == {str(place) for place in places} else 1
        numbers = {str(first + place): 1 + place for place in places}
    _check_ids(file, numbers, treebank_id, len(sent_ids))
    check_once(file, file.ids or (), lambda name: f"sentence '{name}' has two outputs")
    return [numbers[name] for name in file.ids or ()]


def _spelled_as(numbers: Mapping[str, int], ids: Sequence[str]) -> list[str]:
    """Return ids as the treebank spells them where only the Unicode normal form differs."""
    composed = {normalize("NFC", sent_id): sent_id for sent_id in numbers}
    return [name if name in numbers else composed.get(normalize("NFC", name), name) for name in ids]


def _by_position(file: OutputFile, treebank_id: str, expected: int) -> list[int]:
    if len(file.texts) != expected:
        one_empty = len(file.texts) == expected + 1 and not file.texts[-1]
        raise InputError(
            f"the file has {plural(len(file.texts), 'output')}, treebank '{treebank_id}' has "
            f"{plural(expected, 'sentence')}",
            where=file.source,
            hint=f"one output belongs to every sentence{_by_position_because(file)}"
            f"{'; the last is empty: is it a line too many?' if one_empty else ''}",
        )
    return list(range(1, expected + 1))


def _by_position_because(file: OutputFile) -> str:
    """Return why outputs are aligned by position, where they are, as the end of a sentence."""
    if file.ids is not None:
        return ""
    is_table = UserFile(Path(file.source)).suffix in (*RECORD_SUFFIXES, ".json")
    named = "; --id-column names a column of ids" if is_table else ""
    return f": outputs without ids are aligned by position{named}"


def _check_ids(file: OutputFile, numbers: dict[str, int], treebank_id: str, sentences: int) -> None:
    unknown = [item for item, name in enumerate(file.ids or ()) if name not in numbers]
    if unknown:
        others = f" (and {len(unknown) - 1} more)" if len(unknown) > 1 else ""
        raise InputError(
            f"treebank '{treebank_id}' has no sentence '{(file.ids or [])[unknown[0]]}'{others}",
            where=file.where(unknown[0]),
            hint=f"ids are the treebank's sent_ids, or the numbers 1 to {sentences}; "
            "is it the right treebank?",
        )


def check_belongs(
    file: OutputFile, numbers: Sequence[int], references: Sequence[str], treebank_id: str
) -> None:
    """Check that outputs resemble their own references (``in_alphabetical_order``).

    Each output votes: is it closer to its own reference, or to that of the output after it, by
    the letters of its words in alphabetical order? One that is close to neither votes against its
    own. Of about a hundred neighbouring outputs, three quarters must vote for their own
    references. (On the real files of SR'19, word orders at random and words glued together
    included, at least 83 % do; where a file is shifted by some sentences, at most 64 %.) Fewer
    than 20 outputs are not judged.

    Raises InputError (file:line of the first output that votes against) where outputs seem to
    belong to another treebank or order.
    """
    items = [item for item, text in enumerate(file.texts) if text is not None]
    if len(items) < LEAST_OUTPUTS_TO_JUDGE:
        return
    from rapidfuzz import fuzz, process

    outputs = in_alphabetical_order([str(file.texts[item]) for item in items])
    own = [references[numbers[item] - 1] for item in items]
    with_own = process.cpdist(outputs, own, scorer=fuzz.ratio)
    with_other = process.cpdist(outputs, own[1:] + own[:1], scorer=fuzz.ratio)
    against = with_own <= with_other
    counted = (with_own != with_other) | (with_own == 0)
    for window in np.array_split(
        np.arange(len(items)), max(1, len(items) // OUTPUTS_JUDGED_TOGETHER)
    ):
        voters = window[counted[window]]
        opposed = voters[against[voters]]
        if len(opposed) > (1 - LEAST_AGREEMENT) * len(voters):
            raise InputError(
                f"the outputs do not resemble the sentences of treebank '{treebank_id}': from "
                f"here on, {len(opposed)} of {len(voters)} are closer to another sentence",
                where=file.where(items[opposed[0]]),
                hint="check the treebank and the order of the file"
                f"{_by_position_because(file)}; --accept-mismatch loads it anyway",
            )


def in_alphabetical_order(texts: Iterable[str]) -> list[str]:
    """Return texts in lower case, their words in alphabetical order."""
    return [" ".join(sorted(text.lower().split())) for text in texts]


def word_counts(texts: Sequence[str | None]) -> Counts:
    """Return how many words between blanks each text has, and how many of them are punctuation.

    One row each; -1 where there is no text.
    """
    words = [-1 if text is None else len(text.split()) for text in texts]
    marks = pc.count_substring_regex(pa.array(texts, pa.string()), r"(^|\s)[\pP\pS]+(\s|$)")
    return np.array([words, marks.fill_null(-1).to_numpy()], np.int64)


def closer_form(texts: Counts, forms: Counts, raw: Counts) -> str:
    """Return which form of the references the outputs are written like: ``tokens`` or ``text``.

    All are given as their ``word_counts``. Each output votes for the form whose number of
    punctuation marks between blanks is closer to its own, where both forms have as many for
    that whose number of words is: word order, wrong and missing words do not matter, only what is
    written together. Votes are counted, not words, so that a few outputs far off do not decide.
    In doubt, the raw text.
    """
    return "tokens" if _form_votes(texts, forms, raw).sum() > 0 else "text"


def is_clearly(texts: Counts, forms: Counts, raw: Counts) -> bool:
    """Return whether three quarters of the outputs, and five, vote for what ``closer_form`` says.

    Outputs that are as close to either form do not vote.
    """
    votes = _form_votes(texts, forms, raw)
    voters = np.count_nonzero(votes)
    return bool(voters >= LEAST_VOTERS and abs(votes.sum()) >= (2 * LEAST_AGREEMENT - 1) * voters)


def _form_votes(texts: Counts, forms: Counts, raw: Counts) -> Counts:
    """Return each output's vote: 1 for tokens, -1 for the text, 0 where it is as close to both."""
    words, marks = np.sign(abs(texts - raw) - abs(texts - forms))
    votes: Counts = np.where(forms[1] == raw[1], words, marks)[texts[0] >= 0]
    return votes
