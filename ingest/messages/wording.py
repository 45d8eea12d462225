"""What is wrong with a message or a mapping, in our own words: pydantic's name its classes, not what to do.

Also fields that have no effect: unknown ones that resemble a known one, and known ones that say nothing with the op.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from lineage_tt.model.names import clipped, meaning, near_names

_WORDS: Final = {
    "missing": "is missing",
    "extra_forbidden": "there is no such key here",
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
}
#: Words that other tools use for our fields.
_SYNONYMS: Final[Mapping[str, str]] = {
    "database": "default_database", "db": "default_database", "default_schema": "default_database",
    "default_namespace": "namespace", "expr": "expression", "fields": "columns", "owner": "owners", "query": "sql",
    "schema": "columns",
    "sql_dialect": "dialect", "sql_text": "sql", "statement": "sql", "tags": "labels", "value": "values",
    "valid_from": "effective_at",
}  # fmt: skip
_FACTS: Final = frozenset({"owners", "labels", "description", "priority"})
_RETRACTS: Final = frozenset({"retracts"})
_EDGE: Final = frozenset({"type", "subtype", "expression"})
#: The fields that have no effect, by the kind of a message and its op; of a task with edges, ``edges`` in its place.
_UNUSED: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("task", "online"): _RETRACTS,
    ("task", "update"): _RETRACTS,
    ("task", "edges"): _RETRACTS | {"dialect", "default_database", "target", "params"},
    ("task", "offline"): _RETRACTS | _FACTS,
    ("task", "retract"): _FACTS | {"sql", "edges"},
    ("dataset", "define"): _RETRACTS,
    ("dataset", "drop"): _RETRACTS,
    ("dataset", "retract"): _FACTS | {"columns"},
    ("fact", "set"): _RETRACTS,
    ("fact", "clear"): _RETRACTS,
    ("fact", "retract"): frozenset({"values"}),
    ("alias", "add"): _RETRACTS,
    ("alias", "remove"): _RETRACTS,
    ("annotation", "add"): _RETRACTS,
    ("annotation", "remove"): _RETRACTS | {"values"},
    ("annotation", "retract"): frozenset({"values"}),
    ("edge", "add"): _RETRACTS,
    ("edge", "reject"): _RETRACTS | _EDGE,
    ("edge", "remove"): _RETRACTS | _EDGE,
    ("edge", "retract"): _EDGE,
}
_WITH: Final[Mapping[tuple[str, str], str]] = {
    ("task", "edges"): "with edges: it is about sql",
    ("edge", "reject"): "with op reject: every edge between the two nodes is rejected",
    ("edge", "remove"): "with op remove: whatever is stated about the two nodes ends",
}
#: A variable of a template: ${dt}, ${hivevar:dt}, {{ ds }}, {{ params.dt }}, $dt, @dt, :dt.
_VARIABLE: Final = re.compile(r"\$\{\s*(?:\w+:)?(\w+)|\{\{-?\s*(?:\w+\.)*(\w+)|[$@:](\w+)")
#: How alike two names must be to be confused, from 0 to 1.
_ALIKE: Final = 0.75
#: Longer names resemble none, and are not compared.
_MAX_LENGTH: Final = 60


class Message(Protocol):
    """A validated message."""

    kind: Any
    op: Any

    @property
    def model_fields_set(self) -> set[str]:
        """The names of its fields that were given."""
        ...


def problem_of(error: Mapping[str, Any], names: Iterable[str] = ()) -> str:
    """Return one error of pydantic as ``where: what``; ``names`` are the keys that may have been meant."""
    kind, where = error["type"], ".".join(map(str, error["loc"]))
    words = _WORDS.get(kind)
    if words is None and kind == "literal_error":
        words = f"must be {error['ctx']['expected']}"
    if words is None:
        words = str(error["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    if kind == "extra_forbidden" and error["loc"]:
        words += nearest(str(error["loc"][-1]), names)
    return f"{where}: {words}" if where else words


def nearest(name: str, names: Iterable[str]) -> str:
    """Return ``; did you mean x?`` where a name is like one of others, else nothing."""
    return meaning(near_names(name, names))


def misspelled(unknown: Collection[str], known: Collection[str], present: Collection[str]) -> Sequence[tuple[str, str]]:
    """Return each unknown field that resembles a known field which the message lacks, with the known field."""
    if not unknown:
        return ()
    missing = frozenset(known) - frozenset(present)
    pairs = ((name, _nearest(name, missing)) for name in sorted(unknown))
    return [(name, near) for name, near in pairs if near is not None]


def misspelled_inside(
    place: str, items: Any, known: frozenset[str], meant: frozenset[str] | None = None, *, inner: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield each unknown key of a list's objects that resembles one they lack: where it comes first, and the other one.

    ``meant`` are the keys that it may resemble (those known); ``inner`` is the key of lists in the objects that are of
    the same form.
    """
    if _all_known(items, known, inner):
        return
    shapes: set[tuple[str, ...]] = set()
    named: set[str] = set()
    waiting = [(place, items)]
    while waiting:
        above, inside = waiting.pop()
        for number, item in enumerate(inside):
            if inner and item.get(inner):
                waiting.append((f"{above}.{number}.{inner}", item[inner]))
            shape = tuple(item)
            if shape in shapes:  # of many objects, few differ in their keys
                continue
            shapes.add(shape)
            for name, near in misspelled(item.keys() - known, known if meant is None else meant, item.keys() & known):
                if name not in named:
                    named.add(name)
                    yield clipped(f"{above}.{number}.{name}"), near


def _all_known(items: Any, known: frozenset[str], inner: str) -> bool:
    """Return whether all keys of a list's objects are known, as nearly always; it must be quick."""
    waiting = [items]
    while waiting:
        inside = waiting.pop()
        keys: set[str] = set().union(*inside)
        if not keys <= known:
            return False
        if inner in keys:
            waiting += [item[inner] for item in inside if item.get(inner)]
    return True


def unused_fields(message: Message, op: str) -> Iterator[str]:
    """Yield words for each field of a message that is given, not empty, and without effect with its op."""
    unused = _UNUSED.get((message.kind, op), frozenset())
    if unused.isdisjoint(message.model_fields_set):
        return
    for name in sorted(unused & message.model_fields_set):
        if getattr(message, name) not in (None, "", [], {}):
            why = None if name == "retracts" else _WITH.get((message.kind, op))
            yield f"{name} has no effect {why or f'with op {message.op}'}"


def unused_parameters(parameters: Collection[str], sql: str) -> Iterator[str]:
    """Yield words for each parameter that a text does not use and that resembles a variable which has no value."""
    unused = [name for name in parameters if name not in sql]
    if unused:
        variables = {next(filter(None, found)) for found in _VARIABLE.findall(sql)}
        for name, near in misspelled(unused, variables, parameters):
            yield f"{clipped(f'params.{name}')} has no effect: the SQL does not use it{meaning(near)}"


#: Fields that only the events of other producers have, what such an event is, and the form that reads it.
_EVENTS: Final = (
    (frozenset(["eventTime", "job"]), "an OpenLineage event", "openlineage"),
    (frozenset(["eventTime", "dataset"]), "an OpenLineage event", "openlineage"),
    (frozenset(["metadata", "ioMetadata"]), "a query event of Trino", "trino"),
)


def advice(raw: bytes, known: Collection[str]) -> str:
    """Return, for a rejected message, which door is meant, or which of its fields resemble known ones; or nothing."""
    try:
        fields: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(fields, Mapping):
        return ""
    for names, what, form in _EVENTS:
        if names <= fields.keys():
            return f"; this is {what}: read it with --from {form}, or send it to /v1/{form}"
    pairs = misspelled(fields.keys() - set(known), known, fields.keys())
    return "".join(f"; the field {clipped(name)} is not known{meaning(near)}" for name, near in pairs[:3])


@lru_cache(4096)
def _nearest(name: str, known: frozenset[str]) -> str | None:
    if len(name) > _MAX_LENGTH:
        return None
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-\s.]+", "_", name).lower()
    meant = _SYNONYMS.get(plain)
    if meant in known:
        return meant
    return next(iter(near_names(plain, known, _ALIKE)), None)
