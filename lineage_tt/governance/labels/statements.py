"""What is stated and decided about labels at a point, and how it is written as facts.

A label is a fact under ``label``. A decision is a fact under its own key, so that decisions do not replace each other:
``label-decision:LABEL`` on a node (with the value ``reject`` or ``downgrade LEVEL``), and ``label-block:SOURCE`` on the
target of an edge that does not let labels through (with the value ``*``, or one fact for each label). As for every
fact, the message says by whom, why and until when.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from lineage_tt.governance.labels.scene import Scene
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import LABEL
from lineage_tt.storage.processes import no_collections

DECISION: Final = "label-decision:"
BLOCK: Final = "label-block:"
REJECT: Final = "reject"
DOWNGRADE: Final = "downgrade "
ALL: Final = "*"


def reject_fact(label: str) -> tuple[str, list[str]]:
    """Return the key and values of the decision that a node does not have a label that reaches it."""
    return DECISION + _label(label), [REJECT]


def downgrade_fact(level: str, to: str, levels: Sequence[str]) -> tuple[str, list[str]]:
    """Return the key and values of the decision that a node gets at most the level ``to`` from other nodes.

    The decision is kept under the name of ``level``, which is higher.

    Raises InvalidRequestError for a text that is not a level, and for a level that is not lower.
    """
    for each in (level, to):
        if each not in levels:
            raise _no_level(each, levels)
    if levels.index(to) >= levels.index(level):
        raise InvalidRequestError(f"{to!r} is not below {level!r}", hint="downgrade to a lower level")
    return DECISION + level, [DOWNGRADE + to]


def block_fact(source: str, labels: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return the key and values, on an edge's target, of the decision that the edge stops labels (default: all)."""
    return BLOCK + source, [_label(label) for label in labels] or [ALL]


def replaced_words(blocked: Sequence[str], values: Sequence[str]) -> str | None:
    """Return that a block replaces another one, and which labels pass again; None if none does."""
    replaced = [] if ALL in values else sorted(set(blocked) - set(values))
    return (
        f"this replaces the block of {'all labels' if ALL in replaced else ', '.join(replaced)}" if replaced else None
    )


def without_labels(blocked: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return the values of a block without some labels.

    Raises InvalidRequestError for a label that is not one of them: the block of all labels has none.
    """
    for each in labels:
        if each not in blocked:
            words = "all labels" if ALL in blocked else ", ".join(blocked) or "none"
            raise InvalidRequestError(
                f"the edge has no block of {each!r}", hint=f"it blocks {words}; without --label a block ends as a whole"
            )
    return [each for each in blocked if each not in labels]


def check_decision(key: str, value: str, levels: Sequence[str] | None = None) -> None:
    """Raise InvalidRequestError for a decision that keeps no label out; ``levels`` are those of a scene, if known."""
    _label(key.removeprefix(DECISION))
    level = value.removeprefix(DOWNGRADE) if value.startswith(DOWNGRADE) else None
    if value != REJECT and not (level or "").strip():
        raise InvalidRequestError(f"{value!r} is not a decision", hint=f"give {REJECT}, or {DOWNGRADE}LEVEL")
    if level is not None and levels is not None and level not in levels:
        raise _no_level(level, levels)


def _no_level(level: str, levels: Sequence[str]) -> InvalidRequestError:
    known = ", ".join(levels) or "none: set them in [labels]"
    return InvalidRequestError(f"{level!r} is not a level", hint=f"the levels are {known}")


def _label(label: str) -> str:
    if not label.strip() or label == ALL:
        raise InvalidRequestError(f"{label!r} is not a label", hint="give its name")
    return label


class Stated(NamedTuple):
    """What is stated at a point: facts of labels by node, decisions by node, blocked edges by (source, target)."""

    labels: dict[str, list[FactAsOf]]
    decisions: dict[str, list[FactAsOf]]
    blocks: dict[tuple[str, str], list[FactAsOf]]

    @property
    def words(self) -> list[str]:
        """All labels that any node states, in order."""
        return sorted({fact.value for facts in self.labels.values() for fact in facts})


def stated_of(facts: Iterable[FactAsOf]) -> Stated:
    """Return what these facts say about labels."""
    result = Stated(defaultdict(list), defaultdict(list), defaultdict(list))
    labels = result.labels
    with no_collections():  # a list for each node about which anybody states something
        for fact in facts:
            node, key = fact[:2]
            if key == LABEL:
                labels[node].append(fact)
            elif key.startswith(DECISION):
                result.decisions[node].append(fact)
            elif key.startswith(BLOCK):
                result.blocks[key[len(BLOCK) :], node].append(fact)
    return result


class Lattice:
    """Labels as bits, in words of 64: a level also has the bits of the levels below it, so the union is the maximum."""

    def __init__(self, scene: Scene, labels: Iterable[str]) -> None:
        self.levels = scene.levels
        self.sets = tuple(sorted({label for label in labels if label not in scene.levels and scene.spreads(label)}))
        self._places = {label: place for place, label in enumerate((*self.levels, *self.sets))}
        #: by label: its bits as one integer
        self.by_label = {
            label: (1 << (place + 1)) - 1 if place < len(self.levels) else 1 << place
            for label, place in self._places.items()
        }

    @property
    def size(self) -> int:
        """How many labels there are."""
        return len(self._places)

    @property
    def words(self) -> int:
        """How many words of 64 bits a node has."""
        return max(1, -(-len(self._places) // 64))

    def bits(self, label: str) -> int:
        """Return a label's bits as one integer, 0 for one that does not spread."""
        return self.by_label.get(label, 0)

    def above(self, level: str) -> int:
        """Return the bits of the levels above one."""
        return self.bits(self.levels[-1]) & ~self.bits(level) if level in self.levels else 0

    def own_bit(self, label: str) -> int:
        """Return the one bit that distinguishes a label from those below it."""
        place = self._places.get(label)
        return 0 if place is None else 1 << place

    def names(self, bits: int) -> tuple[str, ...]:
        """Return the labels of some bits: the highest level, then the other labels in order."""
        top = [level for place, level in enumerate(self.levels) if bits >> place & 1][-1:]
        return (*top, *(label for label in self.sets if bits >> self._places[label] & 1))

    def kept_out(self, decisions: Iterable[FactAsOf]) -> int:
        """Return the bits that decisions on a node keep from reaching it."""
        bits = 0
        for fact in decisions:
            label = fact.key[len(DECISION) :]
            if fact.value == REJECT:  # for a level: its bit and those above
                below = self.levels.index(label) if label in self.levels else 0
                top = self.above(self.levels[below - 1]) if below else self.bits(self.levels[-1]) if self.levels else 0
                bits |= top if label in self.levels else self.bits(label)
            elif fact.value.startswith(DOWNGRADE):
                bits |= self.above(fact.value[len(DOWNGRADE) :])
        return bits

    def blocked(self, blocks: Iterable[FactAsOf]) -> int:
        """Return the bits that a blocked edge does not let through."""
        every = (1 << len(self._places)) - 1
        return every if any(f.value == ALL for f in blocks) else self._union(f.value for f in blocks)

    def _union(self, labels: Iterable[str]) -> int:
        bits = 0
        for label in labels:
            bits |= self.own_bit(label)
        return bits
