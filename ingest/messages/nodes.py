"""Messages about nodes: the columns of a dataset, and single facts such as labels and owners, in the native format.

A message whose ``kind`` is ``dataset`` or ``fact`` is one of these; a task change has no ``kind``, or ``task``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from ingest.messages.fields import Instant, Integer, Name, check_source_version, instant
from lineage_tt.model.edges import column_node, dataset_of, split_dataset
from lineage_tt.model.facts import DESCRIPTION, LABEL, OWNER, PRIORITY, FactTuple
from lineage_tt.model.facts import Field as DatasetField
from lineage_tt.model.messages import NodeChange, content_digest
from lineage_tt.model.names import MAX_INTEGER

#: Fields of structs in structs are read down to this level; platforms allow fifteen.
MAX_LEVELS = 32
#: The most characters of the nodes of a dataset's columns together.
MAX_PATHS = 32 * 1024 * 1024


class ColumnMessage(TypedDict):
    """A column of a dataset, or a field of a struct."""

    name: Name
    type: NotRequired[Annotated[str | None, Field(description="as the platform writes it", examples=["BIGINT"])]]
    mode: NotRequired[
        Annotated[str | None, Field(description="as the platform writes it", examples=["REPEATED", "REQUIRED"])]
    ]
    fields: NotRequired[Annotated[list[ColumnMessage] | None, Field(description="the fields of a struct")]]
    field_id: NotRequired[
        Annotated[
            Integer | None, Field(description="the platform's own id (Iceberg, Parquet); else the store gives one")
        ]
    ]
    renamed_from: NotRequired[Annotated[str | None, Field(description="its name before: it keeps its id and history")]]
    description: NotRequired[str | None]
    labels: NotRequired[list[str] | None]


#: The fields of a column.
COLUMN_FIELDS: Final = frozenset(ColumnMessage.__annotations__)


class NodeMessage(BaseModel):
    """What messages about nodes have in common."""

    model_config = ConfigDict(extra="allow", strict=False)

    event_id: Name = Field(description="unique within the node; a message sent again with the same content counts once")
    effective_at: Instant | None = Field(None, description="valid time from which it holds; not for retract")
    source_version: Integer | None = Field(
        None, description="the platform's own counter: the greatest wins at one time"
    )
    retracts: str | None = Field(None, description="event_id about this node that a retract withdraws")
    actor: str | None = Field(None, description="who made the change")
    reason: str | None = Field(None, description="why")
    cause: str | None = Field(None, description="the event or process that led to it")
    produced_at: Instant | None = Field(None, description="when the platform made the message")
    recorded_at: Instant | None = Field(None, description="when the change entered the platform's records")


class DatasetMessage(NodeMessage):
    """A dataset has these columns from some moment on, or they are no longer declared."""

    model_config = ConfigDict(extra="allow", title="dataset-change", strict=False)

    kind: Literal["dataset"]
    dataset: Name = Field(description="namespace:name", examples=["hive:dw.orders"])
    op: Literal["define", "drop", "retract"]
    columns: list[ColumnMessage] | None = Field(None, description="all columns, in order; for define")
    description: str | None = None
    labels: list[str] | None = None
    owners: list[str] | None = None
    priority: str | None = None


class FactMessage(NodeMessage):
    """A node has these values under a key from some moment on, in place of those that it had."""

    model_config = ConfigDict(extra="allow", title="fact-change", strict=False)

    kind: Literal["fact"]
    node: Name = Field(description="a dataset, a column or task:ID", examples=["hive:dw.customers#email"])
    key: Name = Field(description="label, owner, description, priority, or one of your own", examples=["label"])
    op: Literal["set", "clear", "retract"]
    values: list[str] | None = Field(None, description="for set", examples=[["pii"]])


def as_node_change(model: DatasetMessage | FactMessage, raw: bytes, position: int | None) -> NodeChange:
    """Return a validated message as the store's value; ValueError where its fields contradict one another."""
    node = model.dataset if isinstance(model, DatasetMessage) else model.node
    _check(model, node)
    if isinstance(model, DatasetMessage):
        _bound_paths(model.columns or (), node)
    message = NodeChange(
        event_id=model.event_id,
        kind=model.kind,
        node=node,
        op=model.op,
        effective_at=instant(model.effective_at) if model.op != "retract" else None,
        source_version=model.source_version,
        fact_key=model.key if isinstance(model, FactMessage) else None,
        fields=list(_fields(model.columns or ())) if isinstance(model, DatasetMessage) else (),
        facts=sorted(set(_facts(model, node))),
        cleared=_cleared(model),
        retracts=model.retracts if model.op == "retract" else None,
        actor=model.actor,
        reason=model.reason,
        cause=model.cause,
        produced_at=instant(model.produced_at),
        recorded_at=instant(model.recorded_at),
        attributes=json.dumps(model.model_extra, allow_nan=False, sort_keys=True) if model.model_extra else None,
        position=position,
        raw=raw,
    )
    _check_fields(message.fields)
    message.digest = content_digest(message)
    return message


def _check(model: DatasetMessage | FactMessage, node: str) -> None:
    if not node.startswith("task:"):
        split_dataset(dataset_of(node))
    if isinstance(model, DatasetMessage) and "#" in node:
        raise ValueError(f"dataset: {node!r} is a column; give the dataset and its columns")
    if model.op == "retract":
        if not model.retracts:
            raise ValueError("retracts: a retract names the event_id that it withdraws")
        return
    if model.effective_at is None:
        raise ValueError("effective_at: missing; give the time from which the change applies")
    check_source_version(model.source_version)
    items = model.columns if isinstance(model, DatasetMessage) else model.values
    name = "columns" if isinstance(model, DatasetMessage) else "values"
    if model.op in ("define", "set") and not items:
        raise ValueError(f"{name}: {model.op} needs some; send {'drop' if model.op == 'define' else 'clear'} for none")
    if model.op in ("drop", "clear") and items:
        raise ValueError(f"{name}: {model.op} says that there are none, but some are given")


def _fields(columns: Sequence[ColumnMessage], above: str = "", level: int = 0) -> Iterator[DatasetField]:
    """Yield the columns and, after each, the fields inside it, named by their paths."""
    for column in columns:
        name, former = above + column["name"], column.get("renamed_from")
        field_id = column.get("field_id")
        yield DatasetField(
            name, column.get("type"), column.get("mode"), level > 0, field_id, above + former if former else None
        )
        yield from _fields(column.get("fields") or (), f"{name}.", level + 1)


def _bound_paths(columns: Sequence[ColumnMessage], node: str) -> None:
    """Raise ValueError where the nodes of all columns are too long together: each repeats the names above it."""
    total = 0
    waiting = [(columns, len(node) + 1, 0)]
    while waiting:
        inside, above, level = waiting.pop()
        if level > MAX_LEVELS:
            raise ValueError(f"columns: structs are nested more than {MAX_LEVELS} levels deep")
        for column in inside:
            length = above + len(column["name"])
            total += length
            if column.get("fields"):
                waiting.append((column["fields"] or (), length + 1, level + 1))
        if total > MAX_PATHS:
            raise ValueError(f"columns: their paths have more than {MAX_PATHS} characters together")


def _check_fields(fields: Sequence[DatasetField]) -> None:
    names = Counter(field.name for field in fields)
    ids = Counter(field.field_id for field in fields if field.field_id is not None)
    for what, (twice, times) in (("name", _most(names)), ("field_id", _most(ids))):
        if times > 1:
            raise ValueError(f"columns: the {what} {twice!r} occurs more than once")
    if any(field.field_id is not None and not 1 <= field.field_id <= MAX_INTEGER for field in fields):
        raise ValueError(f"columns: a field_id is a number from 1 on, and at most {MAX_INTEGER}")


def _most(counted: Counter[Any]) -> tuple[Any, int]:
    return next(iter(counted.most_common(1)), (None, 0))


def _facts(model: DatasetMessage | FactMessage, node: str) -> Iterator[FactTuple]:
    if isinstance(model, FactMessage):
        yield from ((node, model.key, value) for value in model.values or ())
        return
    for key, values in (
        (LABEL, model.labels or ()),
        (OWNER, model.owners or ()),
        (DESCRIPTION, [model.description] if model.description else ()),
        (PRIORITY, [model.priority] if model.priority else ()),
    ):
        yield from ((node, key, value) for value in values)
    yield from _column_facts(model.columns or (), node, "")


def _cleared(model: DatasetMessage | FactMessage) -> Sequence[str]:
    """Return the keys of the dataset's own that a definition says to be empty; those it does not have stay."""
    if not isinstance(model, DatasetMessage) or model.op != "define":
        return ()
    stated = (LABEL, model.labels), (OWNER, model.owners), (DESCRIPTION, model.description), (PRIORITY, model.priority)
    return [key for key, values in stated if values in ([], "")]


def _column_facts(columns: Sequence[ColumnMessage], dataset: str, above: str) -> Iterator[FactTuple]:
    for column in columns:
        path = above + column["name"]
        node = column_node(dataset, path)
        yield from ((node, LABEL, value) for value in column.get("labels") or ())
        description: Any = column.get("description")
        if description:
            yield node, DESCRIPTION, description
        yield from _column_facts(column.get("fields") or (), dataset, f"{path}.")
