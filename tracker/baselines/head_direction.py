"""Head-direction baseline: each dependent on the side, and as far out, as most in training."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from sr_tracker.tracker.baselines.trees import ROOT, Tree, bottom_up

# Edges are looked up by (head upos, deprel, dependent upos), then by (deprel,), then by ().
Key = tuple[str, ...]


@dataclass
class _Edges:
    """Edges of one key: how many stand on each side, and their summed signed distances."""

    left: int = 0
    right: int = 0
    left_distance: int = 0
    right_distance: int = 0

    def add(self, distance: int) -> None:
        if distance < 0:
            self.left += 1
            self.left_distance += distance
        else:
            self.right += 1
            self.right_distance += distance


@dataclass
class HeadDirection:
    """Sides and distances of dependents, counted over a training split."""

    edges: dict[Key, _Edges] = field(default_factory=dict)

    @classmethod
    def train(cls, trees: Iterable[Tree]) -> HeadDirection:
        """Count every edge of the trees, whose words must be in order."""
        model = cls()
        for tree in trees:
            for dependent, head in enumerate(tree.heads):
                if head != ROOT:
                    for key in _keys(tree, dependent):
                        model.edges.setdefault(key, _Edges()).add(dependent - head)
        return model

    def position(self, tree: Tree, dependent: int) -> float:
        """Mean signed distance to the head on the majority side: negative stands for left."""
        edges = self._edges(tree, dependent)
        if edges.left > edges.right:
            return edges.left_distance / edges.left
        return edges.right_distance / max(edges.right, 1)

    def side_log_odds(self, tree: Tree, dependent: int) -> float:
        """Log of how much more probable the left side is than the right one (add one half)."""
        edges = self._edges(tree, dependent)
        return math.log((edges.left + 0.5) / (edges.right + 0.5))

    def _edges(self, tree: Tree, dependent: int) -> _Edges:
        for key in _keys(tree, dependent):
            if key in self.edges:
                return self.edges[key]
        return _Edges()

    def linearise(self, tree: Tree) -> list[int]:
        """A projective order of the words; what training cannot tell apart keeps its order."""
        domains = tree.dependents()
        spans: dict[int, list[int]] = {}
        for head in bottom_up(tree):
            position = {word: self.position(tree, word) for word in domains[head]}
            ranked = sorted(domains[head], key=position.__getitem__)
            left = [word for dep in ranked if position[dep] < 0 for word in spans.pop(dep)]
            right = [word for dep in ranked if position[dep] >= 0 for word in spans.pop(dep)]
            spans[head] = [*left, head, *right]
        return [word for root in domains[ROOT] for word in spans[root]]


def _keys(tree: Tree, dependent: int) -> tuple[Key, Key, Key]:
    deprel = tree.deprels[dependent]
    head_upos = tree.upos[tree.heads[dependent]]
    return ((head_upos, deprel, tree.upos[dependent]), (deprel,), ())
