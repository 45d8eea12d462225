"""Events of derived labels: what each version of the log changed in the labels of nodes, under one scene of the rules.

The change feed depends only on the log. These events depend on the log and on the rules, so each names, by digest, the
rules under which it was derived, and its id contains that digest: the same version under the same rules gives the same
event wherever and whenever it is made; other rules give another event.

Labels are compared at the start of each interval that the version changed, and at the version's own system time if it
lies in such an interval: labels as of ``(valid_at, version - 1)`` with those as of ``(valid_at, version)``. So a change
planned for August is reported when it is announced, with August's time, and a label stated since January is reported
with all that it reaches today.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import orjson

from lineage_tt.events import LABELS_CHANGED, LABELS_CLASS, LABELS_SCHEMA, Event, envelope, store_urn
from lineage_tt.governance.labels.following import Changed
from lineage_tt.governance.labels.moving import difference, moved
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import BLOCK, DECISION
from lineage_tt.governance.ports import MASKED, PointGraph
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.edges import ALIAS, REJECTED, dataset_of
from lineage_tt.model.facts import COLUMN, LABEL, OWNER
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from collections.abc import Callable

    from lineage_tt.governance.labels.labelled import Labelled
    from lineage_tt.governance.points.graphed import Points
    from lineage_tt.model.answers import Basis

#: The most instants of a version that are compared, earliest first; an event says how many were omitted.
MAX_INSTANTS: Final = 100


class LabelFeed:
    """Makes the events of one store under one scene of its rules; the graph follows the versions it is asked about."""

    def __init__(
        self, points: Points, labelled: Callable[[Basis, Scene], Labelled], store_id: str, scene: Scene
    ) -> None:
        self._points, self._labelled = points, labelled
        self._source = store_urn(store_id)
        self._scene = scene
        self.digest = digest_of(scene)

    def event(self, entry: FeedEntry) -> Event | None:
        """Return the event of one version; None where no node's labels changed.

        Raises BeyondHorizonError where the previous version is no longer kept.
        """
        graph = self._points.graph
        if graph.version < entry.version:
            graph.refresh()
        instants = sorted(_instants(entry, self._scene))
        by_change: dict[Changed, dict[str, Any]] = {}
        for at in instants[:MAX_INSTANTS]:
            for each, change in self._changed(at, entry):
                by_change.setdefault(each, change)  # the same change at a later instant adds nothing
        changes = list(by_change.values())
        return self._event(entry, changes, len(instants) - MAX_INSTANTS) if changes else None

    def _changed(self, at: int, entry: FeedEntry) -> list[tuple[Changed, dict[str, Any]]]:
        points = self._points
        first = points.graph.basis(at, version=entry.version - 1)
        second = points.graph.basis(at, version=entry.version)
        before, after = points.facts(first), points.facts(second)
        if not any(fact.key == LABEL for fact in (*before, *after)):
            return []
        labelled = self._labelled(first, self._scene)
        gone = {node for fact in before if fact.key == LABEL for node in (fact.node, dataset_of(fact.node))}
        changes = points.graph.diff(first, second)
        vanishing = any(end in gone or dataset_of(end) in gone for edge in changes.removed for end in edge[1:3])
        if not vanishing and moved(labelled, changes, after) == []:
            return []
        point = points.at(second)
        return [(each, _object(each, at, point)) for each in difference(labelled.point, point, self._scene)]

    def _event(self, entry: FeedEntry, changes: list[dict[str, Any]], omitted: int) -> Event:
        data: dict[str, Any] = {
            "version": entry.version,
            "system_time": format_instant(entry.system_time),
            "effective_at": format_instant(entry.effective_at),
            "kind": entry.kind,
            "task_id": entry.task_id,
            "node": entry.node,
            "event_id": entry.event_id,
            "message_op": entry.op,
            "actor": entry.actor,
            "reason": entry.reason,
            "classes": [LABELS_CLASS],
            "rules": {"scene": self._scene.name, "digest": self.digest},
            "instants_omitted": max(0, omitted),
            "changes": changes,
        }
        event_id = f"{entry.version}.labels.{self.digest}"
        return envelope(entry, self._source, event_id, LABELS_CHANGED, LABELS_SCHEMA) | {"data": data}


def digest_of(scene: Scene) -> str:
    """Return a digest that identifies a scene's rules: 16 hexadecimal digits; the scene's name does not count."""
    rules = {name: value for name, value in scene._asdict().items() if name != "name"}
    return hashlib.sha256(orjson.dumps(rules, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def _instants(entry: FeedEntry, scene: Scene) -> set[int]:
    """Return the starts of the changed intervals that may affect labels, and the system time if it lies in one."""
    stretches = [each[-2:] for each in entry.changes if each[3] in scene.carry or each[4] in (ALIAS, REJECTED)]
    for _, _, key, _, valid_from, valid_to in entry.facts:
        if key in (LABEL, MASKED, COLUMN) or key.startswith((DECISION, BLOCK)):
            stretches.append((valid_from, valid_to))
    now = entry.system_time
    recorded = {now for start, end in stretches if start <= now and (end is None or now < end)}
    return recorded | {start for start, _ in stretches}


def _object(changed: Changed, at: int, point: PointGraph) -> dict[str, Any]:
    before, after = set(changed.before), set(changed.after)
    nodes = {changed.node, dataset_of(changed.node)}
    return {
        "node": changed.node,
        "valid_at": format_instant(at),
        "before": list(changed.before),
        "after": list(changed.after),
        "gained": [label for label in changed.after if label not in before],
        "lost": [label for label in changed.before if label not in after],
        "owners": sorted({fact.value for fact in point.facts(OWNER) if fact.node in nodes}),
    }
