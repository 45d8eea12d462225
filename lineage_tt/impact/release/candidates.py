"""A candidate: what a task would do from a given time on, if the release were deployed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from lineage_tt.impact.base.names import did_you_mean
from lineage_tt.impact.release.dataset_messages import dataset_of_message, lineage_of
from lineage_tt.model.edges import SUBTYPES, EdgeTuple
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.model.names import clipped

Op = Literal["update", "offline"]
#: Operations of messages, and the operation that each becomes in a candidate: the base shows whether a task is new.
_OPS: Final = {"online": "update", "update": "update", "offline": "offline"}
#: The fields of candidates: of tasks, of datasets, of edges and of columns. Others are those of messages.
_TASK: Final = frozenset([
    "kind", "task_id", "op", "sql", "edges", "dialect", "namespace", "default_database", "target", "params", "path",
    "earlier",
])  # fmt: skip
_DATASET: Final = frozenset(["kind", "dataset", "op", "columns", "path"])
_EDGE: Final = frozenset(["source", "target", "type", "subtype", "expression"])
_COLUMN: Final = frozenset(["name", "type", "mode", "renamed_from", "fields"])
#: The field of messages that says when they take effect; candidates take effect when their release does.
TIME: Final = "effective_at"
#: Fields of messages that a candidate may have, and that say nothing about lineage.
_OF_MESSAGES: Final = frozenset([
    "event_id", TIME, "source_version", "retracts", "actor", "reason", "cause", "produced_at", "recorded_at",
    "owners", "labels", "description", "priority", "line", "field_id",
])  # fmt: skip
#: Fields that say how a text is read: they have no effect where there is no text.
_CONTEXT: Final = ("dialect", "namespace", "default_database", "target", "params")
#: A field this similar to one that a candidate lacks is taken for a misspelling of it.
_MISSPELT: Final = 0.75


@dataclass(frozen=True, slots=True)
class Candidate:
    """One task of a release: its new text (or its edges), or that it goes offline.

    ``path`` is the file it comes from and ``line`` where its text begins there, for reports. ``earlier`` is the task at
    the base revision: the candidate is compared with it if the store never saw the task. If ``dataset`` is set, the
    candidate is a change of that dataset itself: ``fields`` are its columns, None if nobody declares them any more
    (``offline``). ``original`` is the file as written, if ``sql`` is only a part of it; findings are located in it.
    ``unused`` are the fields that were given although they have no effect, see ``fields_without_effect``.
    """

    task_id: str
    op: Op = "update"
    sql: str | None = None
    edges: tuple[EdgeTuple, ...] | None = None
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    target: str | None = None
    params: Mapping[str, str] = field(default_factory=dict)
    path: str | None = None
    line: int = 1
    earlier: Candidate | None = None
    dataset: str | None = None
    fields: tuple[Field, ...] | None = None
    original: str | None = None
    unused: tuple[str, ...] = ()

    @classmethod
    def of_dataset(cls, message: Mapping[str, Any], path: str | None = None, line: int = 1) -> Candidate:
        """Return the candidate in a dataset message: its columns, or that they are no longer declared."""
        dataset, fields = dataset_of_message(message)
        op: Op = "offline" if fields is None else "update"
        unused = (TIME,) if message.get(TIME) is not None else ()
        return cls(f"dataset:{dataset}", op, path=path, line=line, dataset=dataset, fields=fields, unused=unused)

    def message(self, effective_at: int) -> TaskChange:
        """Return the candidate as the message that a deployment would send."""
        lineage = Lineage() if self.op == "offline" else Lineage.of(self.edges) if self.edges is not None else None
        if self.dataset is not None and self.fields is not None:
            lineage = lineage_of(self.dataset, self.fields)
        return TaskChange(
            event_id="candidate",
            task_id=self.task_id,
            op=self.op,
            effective_at=effective_at,
            lineage=lineage,
            sql=self.sql,
            dialect=self.dialect,
            namespace=self.namespace,
            default_database=self.default_database,
            target=self.target,
            params=self.params,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the candidate in the form in which it is sent to a server."""
        if self.dataset is not None:
            op = "drop" if self.fields is None else "define"
            sent: dict[str, Any] = {"kind": "dataset", "dataset": self.dataset, "op": op}
            if self.fields is not None:
                sent["columns"] = _columns_json([f for f in self.fields if not f.nested], self.fields)
            return sent | ({"path": self.path} if self.path is not None else {})
        result: dict[str, Any] = {"task_id": self.task_id, "op": self.op}
        for name in ("sql", "dialect", "namespace", "default_database", "target", "path"):
            if (value := getattr(self, name)) is not None:
                result[name] = value
        if self.edges is not None:
            names = ("source", "target", "type", "subtype", "expression")
            result["edges"] = [dict(zip(names, edge, strict=True)) for edge in self.edges]
        if self.params:
            result["params"] = dict(self.params)
        if self.earlier is not None:
            result["earlier"] = self.earlier.to_json()
        return result


def read_candidate(message: Any, defaults: Mapping[str, Any] | None = None) -> Candidate:
    """Return the candidate in a JSON object; InvalidRequestError, with the field, if it is not a candidate.

    A message in the native format is also accepted; fields that only messages have (event_id, effective_at, …) are
    ignored, as unknown ones are, unless they resemble a field that the candidate lacks.
    """
    if not isinstance(message, Mapping):
        raise InvalidRequestError("a candidate is a JSON object", hint='for example {"task_id": …, "sql": …}')
    check_names(message)
    check_agreement(message)
    if message.get("kind") == "dataset":
        path = message.get("path")
        return Candidate.of_dataset(message, path if isinstance(path, str) else None)
    task_id = message.get("task_id")
    if not isinstance(task_id, str) or not task_id:
        raise InvalidRequestError("a candidate has no task_id", hint="give each candidate the id of its task")
    about = f"the candidate {task_id!r}"
    op = message.get("op", "update")
    if op not in _OPS:
        raise InvalidRequestError(f"{about} has op {op!r}", hint="give update (default), online or offline")
    fields: dict[str, Any] = {key: value for key, value in (defaults or {}).items() if value is not None}
    for name in ("sql", "dialect", "namespace", "default_database", "target", "path"):
        value = message.get(name)
        if value is not None and not isinstance(value, str):
            raise InvalidRequestError(f"{name} of {about} is not a text")
        if value is not None:
            fields[name] = value
    edges = _edges(message.get("edges"), about)
    earlier = _earlier(message.get("earlier"), task_id, defaults)
    unused = fields_without_effect(message)
    if _OPS[op] == "offline":
        return Candidate(task_id, "offline", path=fields.get("path"), earlier=earlier, unused=unused)
    if (fields.get("sql") is None) == (edges is None):
        raise InvalidRequestError(f"{about} needs either sql or edges", hint="or op offline")
    if edges is None and not fields.get("dialect"):
        raise InvalidRequestError(f"{about} has no dialect", hint="give --dialect, or dialect in impact.toml")
    if edges is None:
        fields.setdefault("namespace", fields["dialect"])
    params = _params(message.get("params"), about)
    return Candidate(task_id, "update", edges=edges, params=params, earlier=earlier, unused=unused, **fields)


def fields_without_effect(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields of a task's candidate that say nothing: its text if it ends, how to read one if it has none."""
    if message.get("op") == "offline":
        unused: tuple[str, ...] = ("sql", "edges", *_CONTEXT, TIME)
    else:
        unused = (*_CONTEXT, TIME) if message.get("edges") is not None else (TIME,)
    return tuple(name for name in unused if message.get(name) not in (None, "", {}))


def check_names(message: Mapping[str, Any]) -> None:
    """Refuse a candidate with a misspelt field, which would be ignored: InvalidRequestError with the name meant."""
    of_dataset = message.get("kind") == "dataset"
    about = _about(message)
    _check_names(message, _DATASET if of_dataset else _TASK, about)
    for edge in _objects(message.get("edges")):
        _check_names(edge, _EDGE, f"an edge of {about}")
    columns = _objects(message.get("columns"))
    while columns:
        column = columns.pop()
        _check_names(column, _COLUMN, f"a column of {about}")
        columns += _objects(column.get("fields"))
    if isinstance(earlier := message.get("earlier"), Mapping):
        check_names({"task_id": message.get("task_id"), **earlier, "earlier": None})


def check_agreement(message: Mapping[str, Any]) -> None:
    """Refuse a candidate whose fields exclude each other, so that one would be ignored: InvalidRequestError."""
    about, kind = _about(message), message.get("kind", "task")
    given = {name for name, value in message.items() if value is not None}
    if kind not in ("task", "dataset"):
        raise InvalidRequestError(
            f"a candidate has kind {clipped(str(kind))}", hint="tasks and datasets change, facts are not judged"
        )
    if other := given & ({"task_id", "sql", "edges"} if kind == "dataset" else {"dataset", "columns"}):
        raise InvalidRequestError(
            f"{about} has kind {kind}, and also {' and '.join(sorted(other))}",
            hint='send a candidate for the task, and one for the dataset, with "kind": "dataset"',
        )
    if {"sql", "edges"} <= given and message.get("op") != "offline":
        raise InvalidRequestError(f"{about} needs either sql or edges", hint="it has both: leave one out")
    if kind == "dataset" and message.get("op") == "drop" and message.get("columns"):
        raise InvalidRequestError(f"{about} has op 'drop', and also columns", hint="give define with columns, or drop")
    if isinstance(earlier := message.get("earlier"), Mapping):
        check_agreement({"task_id": message.get("task_id"), **earlier, "earlier": None})


def _about(message: Mapping[str, Any]) -> str:
    name = message.get("dataset" if message.get("kind") == "dataset" else "task_id")
    return f"the candidate {clipped(name)}" if isinstance(name, str) and name else "a candidate"


def _objects(listed: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list that may be anything: what it must be is checked where it is read."""
    return [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []


def _check_names(given: Mapping[str, Any], known: frozenset[str], about: str) -> None:
    unknown = given.keys() - known - _OF_MESSAGES
    missing = known - given.keys()
    for name in sorted(unknown):
        if near := did_you_mean(name.lower(), missing, _MISSPELT):
            raise InvalidRequestError(
                f"{about} has a field {clipped(name)}, which is not known{near}",
                hint="correct its name, or leave it out",
            )


def _columns_json(columns: Sequence[Field], every: Sequence[Field]) -> list[dict[str, Any]]:
    result = []
    for one in columns:
        below = [each for each in every if each.nested and each.name.rpartition(".")[0] == one.name]
        known = {"type": one.type, "mode": one.mode, "renamed_from": one.renamed_from}
        column: dict[str, Any] = {"name": one.name.rpartition(".")[2] if one.nested else one.name}
        column |= {name: value for name, value in known.items() if value is not None}
        result.append(column | ({"fields": _columns_json(below, every)} if below else {}))
    return result


def _earlier(message: Any, task_id: str, defaults: Mapping[str, Any] | None) -> Candidate | None:
    if message is None:
        return None
    if not isinstance(message, Mapping):
        raise InvalidRequestError(f"earlier of the candidate {task_id!r} is not a JSON object")
    return read_candidate({**message, "task_id": task_id, "earlier": None}, defaults)


def _params(params: Any, about: str) -> dict[str, str]:
    if params is None:
        return {}
    if not isinstance(params, Mapping) or not all(isinstance(value, str) for value in params.values()):
        raise InvalidRequestError(f"params of {about} is not an object of texts")
    return dict(params)


def _edges(listed: Any, about: str) -> tuple[EdgeTuple, ...] | None:
    if listed is None:
        return None
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise InvalidRequestError(f"edges of {about} is not a list")
    edges = set()
    for edge in listed:
        source, target = (edge.get("source"), edge.get("target")) if isinstance(edge, Mapping) else (None, None)
        if not (isinstance(source, str) and isinstance(target, str) and ":" in source and ":" in target):
            raise InvalidRequestError(
                f"an edge of {about} has no source and target", hint="write nodes as namespace:name#column"
            )
        kind = edge.get("type", "DIRECT")
        subtype = edge.get("subtype", "IDENTITY" if kind == "DIRECT" else "FILTER")
        if subtype not in SUBTYPES.get(kind, ()):
            raise InvalidRequestError(f"an edge of {about} has type {kind!r} and subtype {subtype!r}")
        edges.add((source, target, kind, subtype, str(edge.get("expression", ""))))
    return tuple(sorted(edges))


def distinct(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates; InvalidRequestError if two are for the same task."""
    seen: dict[str, Candidate] = {}
    for candidate in candidates:
        if candidate.task_id in seen:
            places = [item.path or "standard input" for item in (seen[candidate.task_id], candidate)]
            raise InvalidRequestError(
                f"the task {candidate.task_id!r} is mapped twice: {places[0]} and {places[1]}",
                hint="give each task one file, or fix the paths in impact.toml",
            )
        seen[candidate.task_id] = candidate
    return candidates
