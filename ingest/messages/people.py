"""Messages of what people state, in the native format: aliases of datasets, and edges that they add or reject.

A message whose ``kind`` is ``alias`` or ``edge`` is one of these.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from ingest.messages.fields import Name, check_source_version, instant
from ingest.messages.nodes import FactMessage, NodeMessage, as_node_change
from lineage_tt.curation import messages
from lineage_tt.model.messages import TaskChange
from lineage_tt.model.names import CURATED

Kind = Literal["DIRECT", "INDIRECT"]
Evidence = Annotated[str | None, Field(max_length=2000, description="link to a ticket, a document, a conversation")]


class AliasMessage(NodeMessage):
    """Two datasets are one thing under two names from some moment on, or no longer are."""

    model_config = ConfigDict(extra="allow", title="alias-change", strict=False)

    kind: Literal["alias"]
    dataset: Name = Field(description="namespace:name", examples=["hive:dw.orders"])
    alias: Name = Field(description="another name of it", examples=["s3://lake:dw/orders"])
    op: Literal["add", "remove", "retract"]
    evidence: Evidence = None


class EdgeStatement(NodeMessage):
    """A person adds an edge, rejects those between two nodes, or takes either back."""

    model_config = ConfigDict(extra="allow", title="edge-change", strict=False)

    kind: Literal["edge"]
    source: Name = Field(description="node that it comes from", examples=["hive:ods.orders#amt"])
    target: Name = Field(description="node that it goes to", examples=["hive:dw.orders#amount"])
    op: Literal["add", "reject", "remove", "retract"]
    type: Kind = Field("DIRECT", description="for add")
    subtype: str | None = Field(None, description="for add; default IDENTITY, of INDIRECT edges FILTER")
    expression: str = Field("", description="for add: normalised SQL of the target")
    evidence: Evidence = None


class AnnotationMessage(NodeMessage):
    """A person states the values of a node under a key, beside what tasks and catalogs say, or takes them back."""

    model_config = ConfigDict(extra="allow", title="annotation-change", strict=False)

    kind: Literal["annotation"]
    node: Name = Field(description="a dataset, a column or task:ID", examples=["hive:dw.customers#email"])
    key: Name = Field(description="description, owner, label, or one of your own", examples=["owner"])
    op: Literal["add", "remove", "retract"]
    values: list[str] | None = Field(None, description="for add", examples=[["ana"]])
    evidence: Evidence = None


Statement = AliasMessage | EdgeStatement | AnnotationMessage


def check_task_id(task_id: str) -> None:
    """Raise ValueError for the id of a task change that is reserved for what people state."""
    if messages.is_curated(task_id):
        prefixes = ", ".join(CURATED)
        raise ValueError(f"task_id: {prefixes} begin the ids of what people state; send kind alias or edge")


def names_dataset(model: FactMessage) -> bool:
    """Return whether a fact gives other names of a dataset: walks go over them."""
    return model.key == messages.ALIAS_KEY and "#" not in model.node and not model.node.startswith("task:")


def as_statement(model: Statement, raw: bytes, position: int | None) -> TaskChange:
    """Return a validated message as the store's value; ValueError where its fields contradict one another."""
    about = _about(model, raw, position)
    at = instant(model.effective_at) if model.op != "retract" else None
    if isinstance(model, AliasMessage):
        message = messages.alias_change(model.op, model.dataset, model.alias, model.event_id, at, **about)
    elif isinstance(model, AnnotationMessage):
        if model.op == "add" and not model.values:
            raise ValueError("values: add needs some; send remove for none")
        values = model.values or ()
        message = messages.note_change(model.op, model.node, model.key, values, model.event_id, at, **about)
    else:
        kind = model.type, model.subtype, model.expression
        message = messages.edge_change(model.op, model.source, model.target, kind, model.event_id, at, **about)
    attributes = {**(model.model_extra or {}), **({"evidence": model.evidence} if model.evidence else {})}
    message.attributes = json.dumps(attributes, allow_nan=False, sort_keys=True) if attributes else None
    return message


def as_aliases(model: FactMessage, raw: bytes, position: int | None) -> TaskChange:
    """Return the other names that a fact gives a dataset, as the store's value."""
    checked = as_node_change(model, raw, position)
    values = model.values or () if model.op == "set" else ()
    about = _about(model, raw, position) | {"attributes": checked.attributes}
    if model.op == "retract":
        task = messages.ALIAS_TASK + model.node
        return messages.statement("retract", task, model.event_id, None, **about)
    return messages.aliases_change(model.node, values, model.event_id, instant(model.effective_at), **about)


def _about(model: NodeMessage, raw: bytes, position: int | None) -> dict[str, Any]:
    """Return the fields of TaskChange that all messages about nodes have."""
    check_source_version(model.source_version)
    return {
        "source_version": model.source_version,
        "retracts": model.retracts,
        "actor": model.actor,
        "reason": model.reason,
        "cause": model.cause,
        "produced_at": instant(model.produced_at),
        "recorded_at": instant(model.recorded_at),
        "position": position,
        "raw": raw,
    }
