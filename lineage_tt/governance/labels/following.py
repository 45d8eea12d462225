"""Labels kept current from change to change, without spreading all of them again.

What an edge or a statement that goes may have brought is taken away as far as it may have got; what is still brought
otherwise is put back from the edge of that region; then what came new spreads. The work is that of the region, not of
the graph. A scene with a depth is not followed: there a label also goes when its way gets longer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lineage_tt.governance.labels.labelled import Labelled, stops
from lineage_tt.governance.labels.spreading import Carried
from lineage_tt.model.edges import dataset_of, is_column
from lineage_tt.model.errors import InvalidRequestError

#: The two ends of a carrying edge, as labels go.
Ends = tuple[str, str]


class Changed(NamedTuple):
    """A node whose labels changed: what it had, and what it has."""

    node: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return it as an object."""
        return {"node": self.node, "before": list(self.before), "after": list(self.after)}


class Following:
    """The labels of a point, moved on by the edges and statements that come and go."""

    def __init__(self, labelled: Labelled) -> None:
        if labelled.scene.depth is not None or labelled.scene.direction == "both" or labelled.blocked:
            raise InvalidRequestError("a scene with a depth, both ways, or with blocked edges is not followed")
        self.labelled = labelled
        point = labelled.point
        self._names: dict[str, int] = {}
        self._texts: list[str] = []
        self._out, self._into = labelled.forth, labelled.back
        self._more_out: dict[int, Counter[int]] = defaultdict(Counter)
        self._more_into: dict[int, Counter[int]] = defaultdict(Counter)
        self._members: dict[int, list[int]] = defaultdict(list)
        self._own_dataset: dict[int, int] = {}
        self._have: dict[int, int] = {}
        self._stated, self._kept_out = dict(labelled.stated_bits), dict(labelled.kept_out)
        self._columns = labelled.columns
        self._nodes = point.nodes
        self._base = [memoryview(word.data) for word in labelled.have]

    # --- nodes ------------------------------------------------------------------------------------------------

    def _number(self, node: str) -> int:
        found = self.labelled.point.number(node)
        return found if found >= 0 else self._names.get(node, -1)

    def add(self, node: str) -> int:
        """Return the number of a node, taking it in with its dataset where the point does not know it."""
        result = self._number(node)
        if result < 0:
            whole = self.add(dataset_of(node)) if is_column(node) else -1
            result = self._names[node] = self._nodes + len(self._texts)
            if stops(self.labelled.scene, node):
                self._kept_out[result] = -1
            self._texts.append(node)
            if whole >= 0:
                self._members[whole].append(result)
                self._own_dataset[result] = whole
                self._have[result] = self._bits(whole) & ~self._kept_out.get(result, 0)
        return result

    def _bits(self, number: int) -> int:
        found = self._have.get(number)
        if found is not None:
            return found
        if number >= self._nodes:
            return 0
        if len(self._base) == 1:
            return int(self._base[0][number])
        return self.labelled.bits_at(number)

    def of(self, node: str) -> tuple[str, ...]:
        """Return the labels of a node now."""
        number = self._number(node)
        if number < 0 and is_column(node):
            number = self._number(dataset_of(node))
        return self.labelled.lattice.names(self._bits(number)) if number >= 0 else ()

    # --- edges ------------------------------------------------------------------------------------------------

    def _ends(self, number: int, base: Carried, more: Mapping[int, Counter[int]]) -> list[int]:
        listed: list[int] = []
        if number < self._nodes:
            listed = base.far[base.starts[number] : base.starts[number + 1]].tolist()
        if number not in more:
            return listed
        counts = Counter(listed)
        counts.update(more[number])
        return [far for far, count in counts.items() if count > 0]

    def _leaving(self, number: int) -> Iterator[int]:
        yield from self._ends(number, self._out, self._more_out)
        if number < self._nodes:
            yield from self._columns.at(number).tolist()
        yield from self._members.get(number, ())

    def _entering(self, number: int) -> Iterator[int]:
        yield from self._ends(number, self._into, self._more_into)
        if number >= self._nodes:
            if number in self._own_dataset:
                yield self._own_dataset[number]
        elif (whole := int(self.labelled.point.dataset[number])) != number:
            yield whole

    # --- changes ----------------------------------------------------------------------------------------------

    def apply(
        self, gone: Iterable[Ends] = (), come: Iterable[Ends] = (), stated: Mapping[str, int] | None = None,
        kept_out: Mapping[str, int] | None = None,
    ) -> list[Changed]:  # fmt: skip
        """Take edges away and add others, each with its ends as labels go; return the nodes whose labels changed.

        ``stated`` and ``kept_out`` give, for the nodes where they changed, the bits that are stated and kept out now.
        """
        named = Counter(come)
        named.subtract(gone)
        net = {(self.add(source), self.add(target)): count for (source, target), count in named.items() if count}
        return self.apply_net(net, stated, kept_out)

    def apply_net(
        self, net: Mapping[tuple[int, int], int], stated: Mapping[str, int] | None = None,
        kept_out: Mapping[str, int] | None = None,
    ) -> list[Changed]:  # fmt: skip
        """Take edges away and add others, given by the numbers of their ends: how many more there are between two."""
        before: dict[int, int] = {}
        lost: dict[int, int] = {}
        gained: list[int] = []
        fresh: list[tuple[int, int]] = []
        for (one, other), count in net.items():  # one that goes and comes again is none
            if count:
                self._more_out[one][other] += count
                self._more_into[other][one] += count
                if count > 0:
                    fresh.append((one, other))
                else:
                    lost[other] = lost.get(other, 0) | self._bits(one)
        for node, bits in (stated or {}).items():
            number = self.add(node)
            lost[number] = lost.get(number, 0) | (self._stated.get(number, 0) & ~bits)
            self._stated[number] = bits
            gained.append(number)
        for node, bits in (kept_out or {}).items():
            number = self.add(node)
            lost[number] = lost.get(number, 0) | bits
            if self._kept_out.get(number, 0) & ~bits:
                gained += self._entering(number)
            self._kept_out[number] = bits
        suspect = self._take_away(lost, before)
        waiting = [*gained, *self._put_back(suspect)]
        self._spread(waiting, fresh, before)
        return self._changed(before)

    def _take_away(self, lost: Mapping[int, int], before: dict[int, int]) -> dict[int, int]:
        """Take away what may have come over what is lost, as far as it may have got; return it by node."""
        suspect: dict[int, int] = {}
        waiting = list(lost.items())
        while waiting:
            number, bits = waiting.pop()
            bits &= self._bits(number) & ~suspect.get(number, 0) & ~self._stated.get(number, 0)
            if bits:
                suspect[number] = suspect.get(number, 0) | bits
                waiting += [(far, bits) for far in self._leaving(number)]
        for number, bits in suspect.items():
            held = self._bits(number)
            before.setdefault(number, held)
            self._have[number] = held & ~bits
        return suspect

    def _put_back(self, suspect: Mapping[int, int]) -> Iterator[int]:
        """Put back what nodes still have from elsewhere; yield them."""
        for number, bits in suspect.items():
            back = 0
            for near in self._entering(number):
                back |= self._bits(near)
            back &= bits & ~self._kept_out.get(number, 0)
            if back:
                self._have[number] = self._bits(number) | back
                yield number

    def _spread(self, waiting: list[int], fresh: Iterable[tuple[int, int]], before: dict[int, int]) -> None:
        """Spread what nodes have over all their edges, and over the ``fresh`` ones what their near ends have."""
        for number in waiting:
            own = self._stated.get(number, 0) & ~self._bits(number)
            if own:
                before.setdefault(number, self._bits(number))
                self._have[number] = self._bits(number) | own
        waiting += [far for near, far in fresh if self._hand_on(self._bits(near), far, before)]
        while waiting:
            number = waiting.pop()
            bits = self._bits(number)
            waiting += [far for far in self._leaving(number) if self._hand_on(bits, far, before)]

    def _hand_on(self, bits: int, far: int, before: dict[int, int]) -> bool:
        """Let bits come to a node; say whether it gained any."""
        held = self._bits(far)
        gain = bits & ~held
        if gain:
            gain &= ~self._kept_out.get(far, 0)
        if gain:
            before.setdefault(far, held)
            self._have[far] = held | gain
        return gain != 0

    def _changed(self, before: Mapping[int, int]) -> list[Changed]:
        names = self.labelled.lattice.names
        changed = [(number, held) for number, held in before.items() if held != self._bits(number)]
        known = [number for number, _ in changed if number < self._nodes]
        texts = dict(zip(known, self.labelled.point.node_texts(known), strict=True))
        return sorted(
            Changed(texts.get(number) or self._texts[number - self._nodes], names(held), names(self._bits(number)))
            for number, held in changed
        )
