"""Facts about nodes: columns with their types, labels, owners, descriptions, priorities, results of checks.

A fact is ``(node, key, value)``. It is asserted by a message and kept with two times, by the same signed changes as an
edge. A dataset's columns are facts, one per column (or field of a struct), under the key ``column``; the value is JSON
with ``ordinal`` (from 1), ``type`` and ``mode`` as the message wrote them, ``field_id``, and ``nested`` for a field
inside another.

A dataset never uses a field id twice. A renamed column keeps its id and so its history; a column that is dropped and
added again gets a new id (as in Apache Iceberg and Parquet). The exception is a dataset whose messages come in any
order, as events of runs do: there each column name has one id, computed from the name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from lineage_tt.model.edges import column_node
from lineage_tt.model.names import MAX_INTEGER

COLUMN: Final = "column"
LABEL: Final = "label"
OWNER: Final = "owner"
DESCRIPTION: Final = "description"
PRIORITY: Final = "priority"
#: The prefix of the key of a check's result; the name of the check follows.
CHECK: Final = "check:"
#: How a check may end; ``error`` means that the check itself could not run, so it says nothing about the data.
CHECK_STATUSES: Final = ("passed", "warned", "failed", "error")

_WORD: Final = re.compile(r"[\w.:-]{1,200}")

#: How the text of a type begins if the type has parts that a statement may name: fields, elements, keys.
WITH_PARTS: Final = ("struct", "array", "map", "row", "record", "nested", "tuple", "object")

#: The columns of a dataset as a statement is resolved against them: a name, or a name and a type if that has parts.
Shape = tuple["str | tuple[str, str]", ...]
#: Bytes of an id that is computed from a column's name: any JSON reader represents such a number exactly.
_NAMED_ID: Final = 6
#: Columns' names, each with the text of its type.
Types = tuple[tuple[str, str], ...]
#: node, key, value
FactTuple = tuple[str, str, str]
#: sign, node, key, value, valid_from, valid_to
FactChangeTuple = tuple[int, str, str, str, int, int | None]


class FieldIdsSpentError(ValueError):
    """A dataset has used the greatest possible field id and can assign no more."""


class Field(NamedTuple):
    """A column of a dataset, or a field of a struct in it: its path, and what was stated about it.

    ``field_id`` is None where the message gives none; the store then assigns one. ``renamed_from`` is its former path.
    """

    name: str
    type: str | None = None
    mode: str | None = None
    nested: bool = False
    field_id: int | None = None
    renamed_from: str | None = None


#: Keys of facts whose values are nodes: another name of a dataset, its former name, a column that a column shows
#: masked, and the datasets that a task only reads or only writes.
NAMING_KEYS: Final = frozenset({"alias", "renamed_from", "masked", "reads", "writes"})

#: What a message may say about its own task or dataset besides edges or columns; what it leaves out does not change.
OWN_KEYS: Final = (OWNER, LABEL, DESCRIPTION, PRIORITY)


def task_node(task_id: str) -> str:
    """Return the node of facts about a task."""
    return f"task:{task_id}"


def check_key(name: str) -> str:
    """Return the key of facts about the check of this name: each check of a node has a timeline of its own."""
    return CHECK + name


def check_name(key: str) -> str | None:
    """Return the name of the check that a key belongs to; None for a key of anything else."""
    return key[len(CHECK) :] if key.startswith(CHECK) and len(key) > len(CHECK) else None


def check_value(status: str, kind: str | None = None, severity: str | None = None) -> str:
    """Return the value of a check's result: a JSON object, the same text for the same result.

    ``kind`` is the sort of check (``not_null``), ``severity`` what a failure does (``error``, ``warn``). The value has
    nothing that differs from run to run, so that an equal result is not a change. A ``kind`` that is free text may
    quote data, and is left out. ValueError for an unknown status.
    """
    if status not in CHECK_STATUSES:
        raise ValueError(f"{status!r} is not a result of a check: use one of {', '.join(CHECK_STATUSES)}")
    word = kind if kind and _WORD.fullmatch(kind) else None
    fields = {"kind": word, "severity": severity, "status": status}
    return orjson.dumps({name: value for name, value in fields.items() if value}).decode()


def check_status(value: str) -> str | None:
    """Return the status in a check's value; None for a value that people or tools wrote in another form."""
    try:
        document: Any = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    status = document.get("status") if isinstance(document, dict) else None
    return status if isinstance(status, str) and status in CHECK_STATUSES else None


def with_ids(
    fields: Iterable[Field], before: Sequence[Field], greatest: int, after: Sequence[Field] = ()
) -> list[Field]:
    """Return the fields, each with its id: its own, that of the same or the former name in ``before``, or a new one.

    ``before`` are the dataset's fields, with ids, just before these take effect. ``after`` are those of the next
    declaration, which may have arrived earlier: a column that begins here and is also in ``after`` gets its id from
    there. ``greatest`` is the greatest id that the dataset ever had. Raises FieldIdsSpentError where a column needs a
    new id and no greater one is left.
    """
    fields = list(fields)
    former = _ids(before or after)
    retained = {former[name] for field in fields if (name := field.renamed_from or field.name) in former}
    known = {name: number for name, number in _ids(after).items() if number not in retained} | former
    taken = {field.field_id for field in fields if field.field_id is not None}
    moved = {field.renamed_from for field in fields if field.renamed_from is not None}
    following = max([greatest, *taken])
    ids = []
    for field in fields:
        number = field.field_id
        if number is None and field.renamed_from is not None:
            number = former.get(field.renamed_from)
        elif number is None and field.name not in moved:
            number = known.get(field.name)
        if number is None or (field.field_id is None and number in taken):
            following += 1
            number = following
            if number > MAX_INTEGER:
                raise FieldIdsSpentError(
                    f"columns: the dataset has used the field id {MAX_INTEGER}, so {field.name!r} cannot be given one; "
                    "send field_id with each column"
                )
        taken.add(number)
        ids.append(field._replace(field_id=number, renamed_from=None))
    return ids


def with_named_ids(fields: Iterable[Field], ever: Mapping[str, int]) -> list[Field]:
    """Return the fields, each with its own id, the id that a column of its name once had, or one made from its name.

    So the ids do not depend on the order in which fields arrive. ``ever`` are all ids that columns of the dataset had.
    """
    taken: set[int] = set()
    ids = []
    for field in fields:
        number = field.field_id or ever.get(field.name)
        seed = field.name
        while number is None or number in taken:
            number = 1 + int.from_bytes(hashlib.blake2b(seed.encode(), digest_size=_NAMED_ID).digest())
            seed += "\0"
        taken.add(number)
        ids.append(field._replace(field_id=number, renamed_from=None))
    return ids


def _ids(fields: Iterable[Field]) -> dict[str, int]:
    return {f.name: f.field_id for f in fields if f.field_id is not None and f.field_id <= MAX_INTEGER}


def column_facts(dataset: str, fields: Iterable[Field]) -> list[FactTuple]:
    """Return the fields of a dataset, which have ids, as facts."""
    return [
        (column_node(dataset, field.name), COLUMN, _value(ordinal, field)) for ordinal, field in enumerate(fields, 1)
    ]


def fields_of(facts: Iterable[FactTuple]) -> tuple[Field, ...]:
    """Return the fields of one dataset from its facts, in their order."""
    fields: list[tuple[int, Field]] = []
    for node, key, value in facts:
        if key == COLUMN:
            document: dict[str, Any] = orjson.loads(value)
            name = node.partition("#")[2]
            field = Field(name, document.get("type"), document.get("mode"), "nested" in document, document["field_id"])
            fields.append((document["ordinal"], field))
    return tuple(field for _, field in sorted(fields))


def shape_of(fields: Iterable[Field]) -> Shape:
    """Return the columns as a statement is resolved against them, with nested fields put into the columns' types.

    A type is as it was declared, or composed of its fields in BigQuery's syntax. A type without parts is left out,
    since it has no effect on edges.
    """
    fields = list(fields)
    below: dict[str, list[Field]] = {}
    for field in fields:
        if field.nested:
            below.setdefault(field.name.rpartition(".")[0], []).append(field)
    return tuple(
        (field.name, kind) if (kind := _kind(field, below)) else field.name for field in fields if not field.nested
    )


def names_of(shape: Shape) -> tuple[str, ...]:
    """Return the names of the columns."""
    return tuple(column if isinstance(column, str) else column[0] for column in shape)


def retyped(columns: Iterable[str], shape: Shape | None) -> Shape:
    """Return columns with the types that columns of the same names have in a shape."""
    types = dict(column for column in shape or () if not isinstance(column, str))
    return tuple((name, types[name]) if name in types else name for name in columns)


def stated_types(facts: Iterable[FactTuple]) -> dict[str, dict[str, str]]:
    """Return the types of columns that the facts of a task's message state, by dataset and column name."""
    types: dict[str, dict[str, str]] = {}
    for node, key, value in facts:
        if key == COLUMN and "type" in (document := orjson.loads(value)):
            dataset, _, name = node.partition("#")
            types.setdefault(dataset, {})[name] = document["type"]
    return types


def with_types(columns: Iterable[str], types: Mapping[str, str]) -> Shape:
    """Return columns, each with its type if the type has parts."""
    return tuple((name, types[name]) if has_parts(types.get(name)) else name for name in columns)


def has_parts(kind: str | None) -> bool:
    """Whether the text of a type has parts that a statement may name."""
    text = (kind or "").lower()
    return text.startswith(WITH_PARTS) and not text.isalnum()


def type_facts(columns: Mapping[str, Sequence[str]], types: Iterable[tuple[str, Types]]) -> list[FactTuple]:
    """Return the types that a statement declares for the columns that it writes, as facts without field ids."""
    facts = []
    for dataset, stated in types:
        places = {name: place for place, name in enumerate(columns.get(dataset, ()), 1)}
        for name, kind in stated:
            if name in places:
                value = orjson.dumps({"ordinal": places[name], "type": kind}).decode()
                facts.append((column_node(dataset, name), COLUMN, value))
    return facts


def _kind(field: Field, below: Mapping[str, Sequence[Field]]) -> str | None:
    """Return the text of a field's type where it has parts, None for a plain one."""
    inside = below.get(field.name, ())
    if inside:
        named = [(each.name.rpartition(".")[2], _kind(each, below) or "STRING") for each in inside]
        kind = ", ".join(f"`{name}` {kind}" for name, kind in named if "`" not in name)
        return f"ARRAY<STRUCT<{kind}>>" if (field.mode or "").upper() == "REPEATED" else f"STRUCT<{kind}>"
    return field.type if has_parts(field.type) else None


def _value(ordinal: int, field: Field) -> str:
    fields: dict[str, Any] = {"ordinal": ordinal, "type": field.type, "mode": field.mode, "field_id": field.field_id}
    if field.nested:
        fields["nested"] = True
    return orjson.dumps({name: value for name, value in fields.items() if value is not None}).decode()
