"""HITs: batches of outputs that an annotator judges in one go, with items that check the care."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...schema.errors import InputError

ORDINARY, REPEAT, DEGRADED, REFERENCE = "ordinary", "repeat", "degraded", "reference"


@dataclass(frozen=True)
class Output:
    """A text to judge, and the submissions whose output for the sentence it is."""

    sentence_no: int
    text: str
    submissions: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """What an annotator sees at once."""

    kind: str
    text: str
    output: Output
    """The output that is judged, repeated, degraded, or replaced by its reference."""


@dataclass(frozen=True)
class Segment:
    """An output to mark errors in."""

    sentence_no: int
    sent_id: str | None
    source: str | None
    reference: str | None
    text: str


@dataclass(frozen=True)
class DocumentOutput:
    """A system's outputs for the sentences of a document, as they are or made worse."""

    system: str
    document: str
    segments: Sequence[Segment]
    degraded: bool = False


Degrade = Callable[[int, str], str | None]


def build_hits(
    outputs: Sequence[Output],
    references: Mapping[int, str],
    degrade: Degrade,
    *,
    size: int,
    controls: int,
    rng: random.Random,
) -> list[list[Item]]:
    """Return HITs: each output once as an ordinary item, in random order, and control items.

    HITs have at most ``size`` items and differ by at most one. Each has ``controls`` control
    items, in equal numbers as far as possible: degraded copies and exact repeats of its own
    outputs, each of another one, and references of its sentences (none where ``references`` is
    empty). At least a quarter of the HIT lies between a copy and its original; either comes first.
    Mille et al. 2018, section 3.2.1.

    Raises InputError where the sizes do not fit each other, or a HIT has too few outputs.
    """
    check_sizes(size, controls)
    shuffled = list(outputs)
    rng.shuffle(shuffled)
    count = -(-len(shuffled) // (size - controls))
    return [
        _hit(shuffled[number::count], references, degrade, controls, rng) for number in range(count)
    ]


def check_sizes(size: int, controls: int) -> None:
    """Raise InputError where control items would be more than half of a HIT."""
    if size < 2 or not 0 <= controls <= size // 2:
        raise InputError(
            f"a HIT of {size} items cannot have {controls} control items",
            hint="at least half of a HIT are outputs to judge: change --hit-size or --controls",
        )


def _hit(
    outputs: Sequence[Output],
    references: Mapping[int, str],
    degrade: Degrade,
    controls: int,
    rng: random.Random,
) -> list[Item]:
    kinds = [DEGRADED, REPEAT, *([REFERENCE] if references else [])]
    wanted = {
        kind: controls // len(kinds) + (place < controls % len(kinds))
        for place, kind in enumerate(kinds)
    }
    ordinary = [Item(ORDINARY, output.text, output) for output in outputs]
    degraded = _degraded(outputs, wanted[DEGRADED], degrade)
    taken = {id(item.output) for item in degraded}
    left = [output for output in outputs if id(output) not in taken]
    repeats = [Item(REPEAT, output.text, output) for output in left[: wanted[REPEAT]]]
    of_sentences = {output.sentence_no: output for output in reversed(outputs)}
    replaced = [
        Item(REFERENCE, references[number], output)
        for number, output in of_sentences.items()
        if number in references
    ][: wanted.get(REFERENCE, 0)]
    copies = [*degraded, *repeats]
    if len(copies) + len(replaced) < controls or 2 * ((len(outputs) + controls) // 4) < len(copies):
        raise InputError(
            f"{len(outputs)} outputs in a HIT are too few, or too much alike, "
            f"for {controls} control items",
            hint="lower --controls, or judge more sentences",
        )
    return _ordered(ordinary, copies, replaced, rng)


def _degraded(outputs: Sequence[Output], wanted: int, degrade: Degrade) -> list[Item]:
    items: list[Item] = []
    for output in outputs:
        if len(items) == wanted:
            break
        text = degrade(output.sentence_no, output.text)
        if text is not None:
            items.append(Item(DEGRADED, text, output))
    return items


def _ordered(
    ordinary: Sequence[Item], copies: Sequence[Item], replaced: Sequence[Item], rng: random.Random
) -> list[Item]:
    """Return the items of a HIT in random order, copies apart from their originals.

    A copy and its original go to the first and third quarter, or to the second and fourth.
    """
    originals = {id(item.output): item for item in ordinary}
    size = len(ordinary) + len(copies) + len(replaced)
    quarter = size // 4
    quarters: list[list[Item]] = [[], [], [], []]
    shuffled = list(copies)
    rng.shuffle(shuffled)
    for number, copy in enumerate(shuffled):
        pair = [copy, originals.pop(id(copy.output))]
        rng.shuffle(pair)
        quarters[number % 2].append(pair[0])
        quarters[number % 2 + 2].append(pair[1])
    others = [*originals.values(), *replaced]
    rng.shuffle(others)
    for part, capacity in zip(quarters, (quarter, quarter, quarter, size), strict=True):
        room = capacity - len(part)
        part += others[:room]
        del others[:room]
        rng.shuffle(part)
    return [item for part in quarters for item in part]


SPANS = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
"""Up to how many words an output has, and how many of them are replaced; of more, a quarter."""
LONGEST_WORD = 20
"""Where pieces between blanks are longer on average, a script writes no blanks between words."""


class Degrader:
    """Makes degraded copies with words from the other outputs."""

    def __init__(self, texts: Sequence[tuple[int, str]], rng: random.Random) -> None:
        """Take the texts that words may come from, each with the number of its sentence."""
        pieces = [piece for _, text in texts for piece in text.split()]
        letters = sum(len(piece) for piece in pieces)
        self._blank = "" if letters > LONGEST_WORD * len(pieces) else " "
        self._rng = rng
        shuffled = list(texts)
        rng.shuffle(shuffled)
        self._pool = [(unit, number) for number, text in shuffled for unit in self._units(text)]

    def degraded(self, sentence_no: int, text: str) -> str | None:
        """Return a copy in which a span of words is replaced by a span from other sentences.

        The longer the text, the longer the span (see SPANS); no word of it stays where it was. The
        first and the last word stay, if the text is long enough. Where a script writes no blanks,
        words are single letters. Bojar et al. 2017, section 3; Mille et al. 2018, section 3.2.1.
        Returns None where the other sentences have no such span, and for a blank text.
        """
        units = self._units(text)
        if not units:
            return None
        length = span_length(len(units))
        inner = 1 if len(units) >= length + 2 else 0
        start = self._rng.randint(inner, len(units) - length - inner)
        replaced = units[start : start + length]
        first = self._rng.randrange(len(self._pool))
        for place in range(len(self._pool)):
            at = (first + place) % len(self._pool)
            donors = self._pool[at : at + length]
            if len(donors) == length and all(
                number != sentence_no and unit.casefold() != old.casefold()
                for (unit, number), old in zip(donors, replaced, strict=True)
            ):
                new = [unit for unit, _ in donors]
                return self._blank.join([*units[:start], *new, *units[start + length :]])
        return None

    def _units(self, text: str) -> list[str]:
        return text.split() if self._blank else list("".join(text.split()))


def span_length(words: int) -> int:
    """Return how many words of a text of so many words are replaced."""
    return next((span for bound, span in SPANS if words <= bound), words // 4)


def filled(documents: Sequence[DocumentOutput], room: int) -> list[list[DocumentOutput]]:
    """Return batches: each document in the first one that has room for it, the longest first."""
    batches: list[list[DocumentOutput]] = []
    free: list[int] = []
    for document in sorted(documents, key=lambda one: -len(one.segments)):
        size = len(document.segments)
        place = next((at for at, left in enumerate(free) if left >= size), len(free))
        if place == len(free):
            batches.append([])
            free.append(room)
        batches[place].append(document)
        free[place] -= size
    return batches


def with_controls(
    batch: list[DocumentOutput], controls: int, degrader: Degrader, rng: random.Random
) -> list[DocumentOutput]:
    """Return a batch in random order, with copies made worse of some of its documents."""
    copies = []
    for document in rng.sample(batch, len(batch)):
        worse = [
            degrader.degraded(segment.sentence_no, segment.text) for segment in document.segments
        ]
        if len(worse) > controls or None in worse:
            continue
        controls -= len(worse)
        segments = [
            replace(segment, text=text or "")
            for segment, text in zip(document.segments, worse, strict=True)
        ]
        copies.append(replace(document, segments=segments, degraded=True))
    whole = [*batch, *copies]
    rng.shuffle(whole)
    return whole
