"""Notices: what owners should know about changes since a point, one for each person. Pure; delivery is done elsewhere.

An owner is notified of new violations, of labels that reached what they own, and of checks on it, or on what it is made
from, that fail now and did not then. The fact ``owner`` of a node or its dataset, or a grant ``own``, names the owner.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple

from lineage_tt.governance.labels.following import Changed
from lineage_tt.governance.permissions.grants import GRANT
from lineage_tt.governance.ports import PointGraph
from lineage_tt.governance.rules.violation import Violation
from lineage_tt.model.answers import Basis, FactAsOf
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import OWNER, check_name, check_status
from lineage_tt.model.times import format_instant

NOTICE: Final = "dev.lineage_tt.notice"
Kind = Literal["violation", "label", "check", "impact"]


class Item(NamedTuple):
    """One thing to notify about: its kind, the node, and a text."""

    kind: Kind
    node: str
    text: str

    def to_json(self) -> dict[str, str]:
        """Return it as an object."""
        return self._asdict()


class Notice(NamedTuple):
    """Everything about which one person is notified."""

    person: str
    items: tuple[Item, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return {"person": self.person, "items": [item.to_json() for item in self.items]}


def notices(
    point: PointGraph, before: PointGraph, violations: Iterable[Violation], labels: Iterable[Changed]
) -> tuple[list[Notice], int]:
    """Return the notices, by person, and the number of items about nodes without an owner."""
    owners = owners_of(point.facts())
    by_person: dict[str, set[Item]] = defaultdict(set)
    unowned = 0
    items = [Item("violation", each.subject, f"{each.rule}: {each.detail}") for each in violations if not each.allowed]
    for each in labels:
        came = sorted(set(each.after) - set(each.before))
        items += [Item("label", each.node, f"has {', '.join(came)} now")] if came else []
    for item in items:
        unowned += not _add_item(by_person, owners, item.node, item)
    for node, name in sorted(failing(point.facts()) - failing(before.facts())):
        item = Item("check", node, f"{name} fails")
        unowned += not _add_item(by_person, owners, node, item)
        for below in _below(point, node):
            _add_item(by_person, owners, below, Item("check", node, f"{name} fails, and {below} is made of it"))
    return [Notice(person, tuple(sorted(mine))) for person, mine in sorted(by_person.items())], unowned


def owners_of(facts: Sequence[FactAsOf]) -> dict[str, set[str]]:
    """Return who owns each node."""
    owners: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if fact.key == OWNER:
            owners[fact.node].add(fact.value)
        elif fact.key.startswith(GRANT) and fact.value == "own":
            owners[fact.node].add(fact.key[len(GRANT) :])
    return owners


def failing(facts: Iterable[FactAsOf]) -> set[tuple[str, str]]:
    """Return the (node, check) that fail."""
    return {
        (fact.node, name)
        for fact in facts
        if (name := check_name(fact.key)) is not None and check_status(fact.value) in ("failed", "error")
    }


def _add_item(by_person: dict[str, set[Item]], owners: dict[str, set[str]], node: str, item: Item) -> bool:
    """Add an item for each owner of a node; return whether it has any."""
    persons = owners.get(node, set()) | owners.get(dataset_of(node), set())
    for person in persons:
        by_person[person].add(item)
    return bool(persons)


def _below(point: PointGraph, node: str) -> list[str]:
    """Return, in order, the datasets that are made from a node."""
    start = point.number(node)
    if start < 0:
        return []
    begin = [start, *(point.members.at(start).tolist() if point.dataset[start] == start else ())]
    seen, waiting = set(begin), list(begin)
    while waiting:
        edges = point.out.at(waiting.pop())
        for far in point.target[edges].tolist():
            for each in (far, *point.members.at(far).tolist()):
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
    datasets = {int(point.dataset[each]) for each in seen} - {int(point.dataset[start])}
    return sorted(point.node_texts(sorted(datasets)))


def event_of(notice: Notice, basis: Basis, source: str, release: str | None = None) -> dict[str, Any]:
    """Return a notice as a CloudEvent, with the parts that every delivery of subscriptions reads.

    ``release`` names a release that is announced before its deployment; None for what is in the store.
    """
    about = "" if release is None else f"{release}-"
    facts = [{"node": item.node, "key": item.kind, "before": None, "after": item.text} for item in notice.items]
    return {
        "specversion": "1.0",
        "id": f"notice-{about}{basis.version}-{basis.valid_at}-{notice.person}",
        "source": source,
        "type": NOTICE,
        "subject": notice.person,
        "time": format_instant(basis.system_time or basis.valid_at),
        "datacontenttype": "application/json",
        "data": {
            "version": basis.version, "classes": ["notice"], "actor": None, "changes": [], "facts": facts,
            "effective_at": format_instant(basis.valid_at), **notice.to_json(),
            **({} if release is None else {"release": release}),
        },
    }  # fmt: skip
