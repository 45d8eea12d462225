"""The labels of all nodes at a point, in one scene."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase, translate
from functools import cached_property
from typing import Final, TypeVar

import numpy as np

from lineage_tt.governance.labels.idle import idle
from lineage_tt.governance.labels.propagation_rules import carrying
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.spreading import Carried, Words, carried, fixpoint, in_place, word_type
from lineage_tt.governance.labels.statements import Lattice, Stated, stated_of
from lineage_tt.governance.ports import Bools, PointGraph
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.arrays.rows import Adjacency
from lineage_tt.model.edges import dataset_of, is_column

Derived = TypeVar("Derived")
_WORD: Final = (1 << 64) - 1


class Labelled:
    """The labels of each node: those stated for it, and those that reach it over the edges in force."""

    def __init__(
        self, point: PointGraph, scene: Scene, lattice: Lattice | None = None, stated: Stated | None = None
    ) -> None:  # fmt: skip
        self.point, self.scene = point, scene
        self.stated: Stated = stated_of(point.facts()) if stated is None else stated
        self.lattice = lattice or Lattice(scene, self.stated.words)

    # --- the rules at the point -------------------------------------------------------------------------------

    @cached_property
    def carries(self) -> Bools:
        """By edge: whether it carries labels, regardless of what people block."""
        return self._derived("carries", lambda: carrying(self.point, self.scene))

    def _derived(self, name: str, make: Callable[[], Derived]) -> Derived:
        """Return a value that depends only on the point's edges and the scene's carrying rules; it is computed once."""
        scene, derived = self.scene, self.point.derived
        rules = scene.carry, scene.stop_aggregation, scene.stop_masking, scene.stop_functions, scene.direction
        if (name, rules) not in derived:
            derived[name, rules] = make()
        result: Derived = derived[name, rules]
        return result

    @cached_property
    def stated_bits(self) -> dict[int, int]:
        """The bits that are stated for nodes, by node."""
        result: dict[int, int] = {}
        bits_of = self.lattice.by_label
        numbers = self.point.numbers([*self.stated.labels])
        for number, facts in zip(numbers.tolist(), self.stated.labels.values(), strict=True):
            bits = bits_of.get(facts[0].value, 0)
            for fact in facts[1:] if len(facts) > 1 else ():
                bits |= bits_of.get(fact.value, 0)
            if number >= 0 and bits:
                result[number] = bits
        return result

    @cached_property
    def kept_out(self) -> dict[int, int]:
        """The bits that do not reach nodes, by node: those that decisions keep out, and all bits at stop nodes."""
        result: dict[int, int] = {}
        for node, facts in self.stated.decisions.items():
            number = self.point.number(node)
            if number >= 0:
                result[number] = result.get(number, 0) | self.lattice.kept_out(facts)
        if self.scene.stop_nodes:
            every = (1 << (64 * self.lattice.words)) - 1
            for number in _matching(self.point, self.scene.stop_nodes):
                result[number] = every
        return result

    @cached_property
    def blocked(self) -> dict[int, int]:
        """The bits that edges do not let through, by edge; a blocked pair of datasets blocks all edges between them."""
        result: dict[int, int] = {}
        for (source, target), facts in self.stated.blocks.items():
            bits = self.lattice.blocked(facts)
            for edge in self._between(source, target):
                result[edge] = result.get(edge, 0) | bits
        return result

    def _between(self, source: str, target: str) -> list[int]:
        point = self.point
        one, other = point.number(source), point.number(target)
        if one < 0 or other < 0:
            return []
        into = [other] if is_column(target) else [other, *point.members.at(other).tolist()]
        edges = np.concatenate([point.into.at(node) for node in into])
        ends = point.source[edges]
        mask = ends == one if is_column(source) else point.dataset[ends] == one
        return [int(edge) for edge in edges[mask]]

    @cached_property
    def idle(self) -> list[tuple[str, str]]:
        """The patterns of the scene, each with its key, that match nothing at the point."""
        return list(idle(self.point, self.scene, self.stated.words))

    # --- the fixpoint -----------------------------------------------------------------------------------------

    @cached_property
    def have(self) -> list[Words]:
        """By word of 64 bits, by node: the bits that it has."""
        words = []
        for word in range(self.lattice.words):
            allowed, stated = self.begin(word)
            whole = self.point.wholes.view(np.uint8)
            words.append(fixpoint(self.carried(word), allowed, whole, *self.columns, stated, self.scene.depth))
        return words

    def begin(self, word: int) -> tuple[Words, Words]:
        """Return which bits of a word may reach each node, and which are stated for it."""
        shift, nodes, kind = 64 * word, self.point.nodes, word_type(self.lattice.size)
        every = int(np.iinfo(kind).max)
        allowed, stated = np.full(nodes, every, kind), np.zeros(nodes, kind)
        for into, bits_of, flip in ((allowed, self.kept_out, every), (stated, self.stated_bits, 0)):
            if bits_of:
                one, all_bits = self.lattice.words == 1, bits_of.values()
                here = all_bits if one else [bits >> shift & _WORD for bits in all_bits]
                bits = np.fromiter(here, np.uint64, len(bits_of))
                into[np.fromiter(bits_of, np.int64, len(bits_of))] = (bits ^ np.uint64(flip)).astype(kind)
        return allowed, stated

    def carried(self, word: int) -> Carried:
        """Return the edges that carry labels, with the bits of a word that they let through."""
        if not self.blocked:
            return self.forth
        near, far, mask = self.ends()
        passes = np.full(len(near), _WORD, np.uint64)
        self._enter_blocks(passes, 64 * word)
        return carried(near, far, mask, self.point.nodes, passes)

    @cached_property
    def forth(self) -> Carried:
        """The edges that carry labels, by the end that labels come from, as if none were blocked."""
        starts = self.point.starts if self.scene.direction == "down" else None
        if starts is not None and self.carries.all():
            return in_place(starts, self.point.target)
        near, far, mask = self.ends()
        return self._derived("forth", lambda: carried(near, far, mask, self.point.nodes))

    @cached_property
    def back(self) -> Carried:
        """The same edges, by the end that labels reach."""
        near, far, mask = self.ends()
        return self._derived("back", lambda: carried(far, near, mask, self.point.nodes))

    @property
    def columns(self) -> Adjacency:
        """All columns of each dataset; those that nothing in force names also have its labels, but are not shown."""
        return self.point.columns

    def ends(self) -> tuple[Ints, Ints, Bools]:
        """Return the near and far ends of all edges in the direction of labels, and which edges carry labels.

        Where labels spread in both directions, each edge occurs twice: first downstream, then upstream.
        """
        source, target = self.point.source, self.point.target
        if self.scene.direction == "down":
            return source, target, self.carries
        if self.scene.direction == "up":
            return target, source, self.carries
        ends = np.concatenate([source, target]), np.concatenate([target, source])
        return *ends, np.concatenate([self.carries, self.carries])

    def _enter_blocks(self, passes: Words, shift: int) -> None:
        for edge, bits in self.blocked.items():
            through = np.uint64(~bits >> shift & _WORD)
            passes[edge] &= through
            if self.scene.direction == "both":
                passes[edge + len(self.point.source)] &= through

    # --- answers ----------------------------------------------------------------------------------------------

    def bits_at(self, number: int) -> int:
        """Return the bits of a node by its number."""
        return sum(int(word[number]) << (64 * at) for at, word in enumerate(self.have))

    def bits_of(self, node: str) -> int:
        """Return the bits of a node; a column that the point does not know has those of its dataset."""
        number = self.point.number(node)
        if number < 0 and is_column(node):
            number = self.point.number(dataset_of(node))
        return self.bits_at(number) if number >= 0 else 0

    def of(self, node: str) -> tuple[str, ...]:
        """Return the labels of a node, the highest level first."""
        return self.lattice.names(self.bits_of(node))

    def numbers(self) -> Ints:
        """Return the numbers of the nodes that have any label."""
        numbers = np.flatnonzero((np.bitwise_or.reduce(np.stack(self.have)) != 0) & self.point.live)
        return numbers.astype(np.int32)

    def all(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each node that has labels, with its labels, ordered by name."""
        numbers = self.numbers()
        names_by_bits: dict[int, tuple[str, ...]] = {}
        for node, number in sorted(zip(self.point.node_texts(numbers), numbers.tolist(), strict=True)):
            bits = self.bits_at(number)
            if bits not in names_by_bits:
                names_by_bits[bits] = self.lattice.names(bits)
            yield node, names_by_bits[bits]

    def states(self, number: int, bit: int) -> bool:
        """Return whether a bit is stated for a node itself."""
        return bool(self.stated_bits.get(number, 0) & bit)


def stops(scene: Scene, node: str) -> bool:
    """Return whether a scene lets no label reach a node."""
    names = node, dataset_of(node)
    return any(fnmatchcase(name, pattern) for pattern in scene.stop_nodes for name in names)


def _matching(point: PointGraph, patterns: Iterable[str]) -> Sequence[int]:
    matches = [re.compile(translate(pattern)).match for pattern in patterns]
    texts = point.node_texts(range(point.nodes))
    return [
        number for number, text in enumerate(texts)
        if any(match(text) or match(dataset_of(text)) for match in matches)
    ]  # fmt: skip
