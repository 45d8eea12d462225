"""The result of an assessment: plain values with one JSON form, the API of ``--format json`` and of the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from lineage_tt.model.completeness.summary import COMPLETE

BREAKING: Final = "breaking"
POTENTIALLY: Final = "potentially_breaking"
ADDITIVE: Final = "additive"
NONE: Final = "none"
UNKNOWN: Final = "unknown"
#: From the worst class to the most harmless; ``unknown`` is never shown as safe.
CLASSES: Final = (BREAKING, UNKNOWN, POTENTIALLY, ADDITIVE, NONE)

Class = str


def worst(classes: Iterable[Class]) -> Class:
    """Return the worst of these classes, ``none`` if the list is empty."""
    return min(classes, key=CLASSES.index, default=NONE)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that somebody should know before the release: what, its class, why, and whom it concerns.

    ``kind`` is stable (see docs/reference/impact.md). ``task`` is the candidate that causes it, ``subject`` the node
    that it is about, ``reader`` the task that reads the node, ``path`` the nodes from the change to the reader.
    ``allowed`` is the reason in the policy's allow-list, if an entry matches.
    """

    kind: str
    class_: Class
    task: str
    subject: str
    reason: str
    reader: str | None = None
    path: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    priority: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    allowed: str | None = None


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column of a written dataset that is added, removed or moved, or that changes its name, type or meaning."""

    change: str  # added, removed, renamed, type, meaning, moved
    dataset: str
    column: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class SignedEdge:
    """One signed change of an edge that the deployment would record: +1 puts the edge in force, -1 removes it."""

    sign: int
    source: str
    target: str
    type: str
    subtype: str
    expression: str
    valid_from: int
    valid_to: int | None


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """An edge that the release adds, removes, or changes (another type, subtype or expression)."""

    change: str  # added, removed, changed
    source: str
    target: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class TaskImpact:
    """What the release does to one task; ``known`` is false for a task that the store never saw."""

    task_id: str
    op: str  # online, update, offline
    class_: Class
    reasons: tuple[str, ...]
    file: str | None = None
    writes: tuple[str, ...] = ()
    coverage: str | None = None
    edges: tuple[EdgeChange, ...] = ()
    columns: tuple[ColumnChange, ...] = ()
    predicted: tuple[SignedEdge, ...] = ()
    known: bool = True
    kind: str = "task"  # task, dataset


@dataclass(frozen=True, slots=True)
class DerivedChange:
    """A task that nobody edits and whose edges change with the columns of what it reads."""

    task_id: str
    edges: tuple[EdgeChange, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """A dataset downstream of a change: which of its columns are reached, over which nodes, and its owners."""

    dataset: str
    class_: Class
    columns: tuple[str, ...]
    tasks: tuple[str, ...]
    steps: int
    path: tuple[str, ...]
    owners: tuple[str, ...] = ()
    priority: str | None = None
    protected: bool = False


@dataclass(frozen=True, slots=True)
class GroupReach:
    """A group of what is downstream (an owner, a system, a task): the worst class, the counts, the least steps."""

    group: str
    class_: Class
    datasets: int
    columns: int
    tasks: int
    steps: int


@dataclass(frozen=True, slots=True)
class LabelReach:
    """A label that reaches a node with the release and did not reach it before."""

    label: str
    origin: str
    node: str
    path: tuple[str, ...]
    owners: tuple[str, ...] = ()
    priority: str | None = None


@dataclass(frozen=True, slots=True)
class Backfill:
    """A task whose past output must be rebuilt, and why; the report lists these in the order in which to run them."""

    task_id: str
    datasets: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Gate:
    """The result of the gate: what ``--fail-on`` and the policy decide."""

    passed: bool = True
    fail_on: tuple[str, ...] = ("none",)
    tripped: tuple[str, ...] = ()
    approvals: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer; ``basis`` is the point of the prediction: the same release there gives the same answer.

    ``groups`` are what is downstream at the requested ``level``, None if no level was requested. ``completeness`` says
    which tasks downstream are partial or opaque, as in every answer of the store. ``unmapped`` are the changed SQL
    files that no path rule matches: they were not judged.
    """

    basis: Mapping[str, Any]
    effective_at: str
    verdict: Class
    counts: Mapping[str, int]
    tasks: tuple[TaskImpact, ...]
    findings: tuple[Finding, ...]
    readers: tuple[Reader, ...] = ()
    labels: tuple[LabelReach, ...] = ()
    backfill: tuple[Backfill, ...] = ()
    derived: tuple[DerivedChange, ...] = ()
    notes: tuple[str, ...] = ()
    gate: Gate = field(default_factory=Gate)
    unmapped: tuple[str, ...] = ()
    level: str | None = None
    groups: tuple[GroupReach, ...] = ()
    completeness: Mapping[str, Any] = field(default_factory=COMPLETE.to_json)

    def with_unmapped(self, files: Iterable[str]) -> Report:
        """Return the report with the changed SQL files that were not judged, listed and counted."""
        listed = tuple(sorted(set(files)))
        return replace(self, unmapped=listed, counts={**self.counts, "unmapped": len(listed)})

    def with_notes(self, notes: Iterable[str]) -> Report:
        """Return the report with these notes after its own."""
        return replace(self, notes=(*self.notes, *notes))

    def to_json(self) -> dict[str, Any]:
        """Return the report as an object; ``class_`` is called ``class`` there, ``groups`` is present if requested."""
        result: dict[str, Any] = _renamed(asdict(self), "class_", "class")
        if self.level is None:
            del result["level"], result["groups"]
        return result

    @classmethod
    def from_answer(cls, answer: Mapping[str, Any]) -> Report:
        """Return the report in an answer: what ``--format json`` prints and a server sends."""
        return cls.from_json({"basis": answer["basis"], "completeness": answer.get("completeness"), **answer["result"]})

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Report:
        """Return the report that ``to_json`` wrote, as a server sends it."""
        known: Any = _renamed(dict(fields), "class", "class_")
        return cls(
            basis=known["basis"],
            effective_at=known["effective_at"],
            verdict=known["verdict"],
            counts=known["counts"],
            tasks=tuple(_task(each) for each in known["tasks"]),
            findings=tuple(_build(Finding, each) for each in known["findings"]),
            readers=tuple(_build(Reader, each) for each in known["readers"]),
            labels=tuple(_build(LabelReach, each) for each in known["labels"]),
            backfill=tuple(_build(Backfill, each) for each in known["backfill"]),
            derived=tuple(_derived(each) for each in known["derived"]),
            notes=tuple(known["notes"]),
            gate=_build(Gate, known["gate"]),
            unmapped=tuple(known.get("unmapped", ())),
            level=known.get("level"),
            groups=tuple(_build(GroupReach, each) for each in known.get("groups", ())),
            completeness=known.get("completeness") or COMPLETE.to_json(),
        )


def _derived(fields: dict[str, Any]) -> DerivedChange:
    return DerivedChange(fields["task_id"], tuple(EdgeChange(**each) for each in fields["edges"]))


def _task(fields: dict[str, Any]) -> TaskImpact:
    edges = tuple(EdgeChange(**each) for each in fields.pop("edges"))
    columns = tuple(ColumnChange(**each) for each in fields.pop("columns"))
    predicted = tuple(SignedEdge(**each) for each in fields.pop("predicted"))
    result: TaskImpact = _build(TaskImpact, fields | {"edges": edges, "columns": columns, "predicted": predicted})
    return result


def _build(kind: Any, fields: Mapping[str, Any]) -> Any:
    return kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()})


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {new if key == old else key: _renamed(inner, old, new) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_renamed(inner, old, new) for inner in value]
    return value
