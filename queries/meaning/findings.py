"""What two meaning graphs say differently, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .differences import INSTANCE, Difference, Named, without_sense
from .functions.graph_triples import TOP_ROLE

LONGEST = 5
"""Findings that a sentence tells of at most."""
_ARGUMENT = re.compile(r":ARG[0-9]+$")


@dataclass(frozen=True)
class Finding:
    """Something that the output does not say as the reference does."""

    aspect: str
    """The aspect of meaning, named as in the scores by aspect; senses and other besides."""
    text: str


def find_findings(
    output: Named, gold: Named, mapping: Mapping[str, str], differences: Sequence[Difference]
) -> list[Finding]:
    """Return what differences mean, what matters most first; each is told of once."""
    telling = _Telling(output, gold, mapping, differences)
    return [finding for step in telling.steps() for finding in step()]


def in_words(findings: Sequence[Finding]) -> str:
    """Return findings as a sentence."""
    if not findings:
        return "The graphs say the same."
    texts = [finding.text for finding in findings[:LONGEST]]
    if len(findings) > LONGEST:
        texts.append(f"{len(findings) - LONGEST} more")
    text = "; ".join(texts)
    return f"{text[:1].upper()}{text[1:]}."


class _Telling:
    """Differences of which nothing was told yet."""

    def __init__(
        self,
        output: Named,
        gold: Named,
        mapping: Mapping[str, str],
        differences: Sequence[Difference],
    ) -> None:
        self.output = output
        self.gold = gold
        self.mapping = mapping
        self.back = {there: here for here, there in mapping.items()}
        self.left = [*differences]

    def steps(self) -> Sequence[Callable[[], Iterator[Finding]]]:
        return (
            self._negation,
            self._exchanged_nodes,
            self._exchanged_arguments,
            self._other_roles,
            self._arguments,
            self._names,
            self._nodes,
            self._concepts,
            self._relations,
            self._attributes,
        )

    def _take(self, taken: Sequence[Difference]) -> Sequence[Difference]:
        """Return some differences; they are told of now."""
        self.left = [item for item in self.left if item not in taken]
        return taken

    def _negation(self) -> Iterator[Finding]:
        for item in self._take([item for item in self.left if _role(item) == ":polarity"]):
            if item.gold and not item.output:
                yield Finding("negation", f"the negation of '{self._gold(item.gold[0])}' is lost")
            elif item.output:
                yield Finding("negation", f"'{self._output(item.output[0])}' is negated")

    def _exchanged_nodes(self) -> Iterator[Finding]:
        """Two nodes that are called as each other: the alignment kept their places."""
        other = {
            there: self._output(here)
            for here, there in self.mapping.items()
            if self._output(here) != self._gold(there)
        }
        pairs = [
            (one, two)
            for one in other
            for two in other
            if one < two and other[one] == self._gold(two) and other[two] == self._gold(one)
        ]
        for one, two in pairs:
            nodes = {one, two} | self.gold.name_nodes(one) | self.gold.name_nodes(two)
            if self._take([item for item in self.left if self._is_within(item, nodes)]):
                for there in (one, two):
                    if self.gold.is_negated(there) and self.output.is_negated(self.back[there]):
                        text = f"the negation of '{self._gold(there)}' is now that of "
                        yield Finding("negation", f"{text}'{other[there]}'")
                yield Finding("srl", self._places(one, two))

    def _exchanged_arguments(self) -> Iterator[Finding]:
        """Two arguments of one predicate, each in the role of the other."""
        changed = [
            (item.gold, self.mapping.get(item.output[2]))
            for item in self.left
            if item.gold and item.output and _ARGUMENT.match(item.gold[1])
        ]
        for number, (one, instead) in enumerate(changed):
            for two, other in changed[number + 1 :]:
                if one[0] == two[0] and (instead, other) == (two[2], one[2]):
                    self._take([item for item in self.left if item.gold in (one, two)])
                    yield Finding("srl", self._places(one[2], two[2]))

    def _other_roles(self) -> Iterator[Finding]:
        """Two nodes that are linked by another role."""
        extra = {
            (self.mapping.get(item.output[0]), self.mapping.get(item.output[2])): item
            for item in self.left
            if item.kind == "extra" and item.output and self.output.is_variable(item.output[2])
        }
        for item in [*self.left]:
            if not item.gold or item.output:
                continue
            source, role, target = item.gold
            for ends in ((source, target), (target, source)):
                instead = extra.pop(ends, None)
                if instead is None or instead.output is None:
                    continue
                self._take([item, instead])
                whose, what = (f"'{self._gold(end)}'" for end in ends)
                new = instead.output[1]
                turned = f"{whose} {_plain(role)} of {what}" if ends[0] == target else _plain(role)
                aspect = "srl" if _ARGUMENT.match(role) or _ARGUMENT.match(new) else "other"
                yield Finding(aspect, f"{what} is {_plain(new)} of {whose}, not {turned}")
                break

    def _arguments(self) -> Iterator[Finding]:
        arguments = [item for item in self.left if _ARGUMENT.match(_role(item))]
        for item in self._take([item for item in arguments if item.kind == "changed"]):
            yield self._instead(item, "srl")
        for item in self._take([item for item in arguments if self._is_lost(item)]):
            source, role, target = item.gold or ("", "", "")
            again = len(self.gold.parents(target)) > 1
            yield Finding(
                "reentrancies" if again else "srl",
                f"'{self._gold(target)}' is not {'also ' if again else ''}{_plain(role)} of "
                f"'{self._gold(source)}'",
            )

    def _is_lost(self, item: Difference) -> bool:
        """Return whether a relation of two nodes is missing that are both there."""
        if item.kind != "missing" or item.gold is None:
            return False
        return item.gold[0] in self.back and item.gold[2] in self.back

    def _names(self) -> Iterator[Finding]:
        for here, there in self.mapping.items():
            nodes = self.gold.name_nodes(there)
            names = self._gold(there), self._output(here)
            if not nodes or names[0] == names[1]:
                continue
            within = {there, *nodes}
            if self._take([item for item in self.left if self._is_name(item, within)]):
                has_name = bool(self.output.name_nodes(here))
                instead = f"{names[1]} instead of" if has_name else "no longer the name"
                yield Finding("named_entities", f"{instead} {names[0]}")
        links = [item for item in self.left if _role(item) == ":wiki" and item.kind == "changed"]
        for item in self._take(links):
            if item.gold and item.output:
                ours = self.output.written(item.output[2])
                theirs = self.gold.written(item.gold[2])
                text = f"'{self._gold(item.gold[0])}' is linked to {ours}, not to {theirs}"
                yield Finding("wikification", text)

    def _is_name(self, item: Difference, nodes: set[str]) -> bool:
        """Return whether a difference is one of a name: its words, its link."""
        role = _role(item)
        if role not in (":wiki", ":name") and not role.startswith(":op") and role != INSTANCE:
            return False
        if role == INSTANCE and item.gold and item.gold[2] != "name":
            return False
        return self._is_within(item, nodes)

    def _is_within(self, item: Difference, nodes: set[str]) -> bool:
        """Return whether a difference is one of nodes of the gold graph alone, or of their top."""
        if item.gold is not None:
            source, role, target = item.gold
            return source in nodes and (target in nodes or role == TOP_ROLE
                                        or not self.gold.is_variable(target))  # fmt: skip
        source, _, target = item.output or ("", "", "")
        return self.mapping.get(source) in nodes and not self.output.is_variable(target)

    def _nodes(self) -> Iterator[Finding]:
        """Nodes that only one graph has; what belongs to them is not told of again."""
        graphs = (
            ("missing", self.gold, set(self.gold.triples.variables) - set(self.back)),
            ("added", self.output, set(self.output.triples.variables) - set(self.mapping)),
        )
        for what, graph, nodes in graphs:
            for node in sorted(nodes, key=graph.triples.variables.index):
                parents = graph.parents(node)
                if any(source in nodes for source, _, _ in parents):
                    continue
                whose = [
                    f"{_plain(role)} of '{graph.called(source)}'" for source, role, _ in parents
                ]
                place = f" ({', '.join(whose)})" if whose else ""
                named = bool(graph.name_nodes(node))
                aspect = "named_entities" if named else "concepts"
                yield Finding(aspect, f"'{graph.called(node)}'{place} is {what}")
            self._take([item for item in self.left if self._touches(item, graph, nodes)])

    def _concepts(self) -> Iterator[Finding]:
        changed = self._take([item for item in self.left if _role(item) == INSTANCE])
        for item in changed:
            if not item.gold or not item.output:
                continue
            ours, theirs = item.output[2], item.gold[2]
            if without_sense(ours) == without_sense(theirs):
                yield Finding("senses", f"another sense: {ours} for {theirs}")
            else:
                yield Finding("concepts", f"'{ours}' instead of '{theirs}'")
        roots = [item for item in changed if item.gold and item.gold[0] == self.gold.triples.top]
        tops = self._take([item for item in self.left if _role(item) == TOP_ROLE])
        top, gold_top = self.output.triples.top, self.gold.triples.top
        if tops and not roots and top in self.mapping and gold_top in self.back:
            text = f"'{self._output(str(top))}' is the top, not '{self._gold(str(gold_top))}'"
            yield Finding("other", text)

    def _relations(self) -> Iterator[Finding]:
        for item in self._take([item for item in self.left if self._is_relation(item)]):
            if item.gold and item.output:
                yield self._instead(item, "other")
            elif item.gold:
                source, role, target = item.gold
                text = f"'{self._gold(target)}' is not {_plain(role)} of '{self._gold(source)}'"
                again = len(self.gold.parents(target)) > 1
                yield Finding("reentrancies" if again else "other", text)
            elif item.output:
                source, role, target = item.output
                text = f"'{self._output(target)}' is {_plain(role)} of '{self._output(source)}'"
                yield Finding("srl" if _ARGUMENT.match(role) else "other", text)

    def _is_relation(self, item: Difference) -> bool:
        graph, triple = (self.gold, item.gold) if item.gold else (self.output, item.output)
        return triple is not None and graph.is_variable(triple[2])

    def _attributes(self) -> Iterator[Finding]:
        for item in self._take(self.left):
            if item.gold and item.output:
                ours = self.output.written(item.output[2])
                theirs = self.gold.written(item.gold[2])
                text = f"{_plain(item.gold[1])} of '{self._gold(item.gold[0])}' is {ours}"
                yield Finding("other", f"{text}, not {theirs}")
                continue
            graph, triple = (self.gold, item.gold) if item.gold else (self.output, item.output)
            if triple is not None:
                what = (
                    f"{_plain(triple[1])} {graph.written(triple[2])} of '{graph.called(triple[0])}'"
                )
                word = "missing" if item.gold else "added"
                aspect = "wikification" if triple[1] == ":wiki" else "other"
                yield Finding(aspect, f"{what} is {word}")

    def _touches(self, item: Difference, graph: Named, nodes: set[str]) -> bool:
        """Return whether a difference is one of nodes of a graph, or of an edge to one of them."""
        triple = item.gold if graph is self.gold else item.output
        if triple is None or item.kind == "changed":
            return False
        return triple[0] in nodes or triple[2] in nodes

    def _instead(self, item: Difference, aspect: str) -> Finding:
        gold, output = item.gold or ("", "", ""), item.output or ("", "", "")
        text = f"{_plain(gold[1])} of '{self._gold(gold[0])}' is '{self._output(output[2])}', not "
        return Finding(aspect, f"{text}'{self._gold(gold[2])}'")

    def _places(self, one: str, two: str) -> str:
        """Return that two nodes have changed places, and which if they are those of one node."""
        names = f"'{self._gold(one)}' and '{self._gold(two)}'"
        relations = [item for item in self.gold.triples.relations if item[2] in (one, two)]
        for number, (source, role, target) in enumerate(relations):
            for other, instead, end in relations[number + 1 :]:
                if other == source and end != target:
                    names = f"'{self._gold(target)}' and '{self._gold(end)}'"
                    place = f"as {_plain(role)} and {_plain(instead)} of '{self._gold(source)}'"
                    return f"{names} have changed places {place}"
        return f"{names} have changed places"

    def _gold(self, variable: str) -> str:
        return self.gold.called(variable)

    def _output(self, variable: str) -> str:
        return self.output.called(variable)


def _role(item: Difference) -> str:
    triple = item.gold or item.output
    return triple[1] if triple else ""


def _plain(role: str) -> str:
    return role.removeprefix(":")
