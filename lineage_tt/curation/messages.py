"""Messages of what people state: aliases, edges, annotations. Pure.

Each statement is a task of its own, named after its subject: its timeline holds who stated what from when on, and no
parser or run writes to it. So what people state does not change when the tasks of the platform change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, get_args

import orjson

from lineage_tt.model.edges import (
    DIRECT,
    REJECTED,
    SUBTYPES,
    EdgeTuple,
    alias_edges,
    dataset_of,
    split_dataset,
    star_of,
)
from lineage_tt.model.facts import task_node
from lineage_tt.model.messages import Lineage, TaskChange, content_digest
from lineage_tt.model.names import CURATED

ALIAS_TASK, EDGE_TASK, NOTE_TASK = CURATED
#: The key of facts that give other names of a dataset.
ALIAS_KEY: Final = "alias"
#: The cause of a message that ends a statement at the time that its author gave.
EXPIRY: Final = "expiry"
#: The prefix of a task's node.
_TASK: Final = task_node("")

Op = Literal["add", "remove", "retract"]
EdgeOp = Literal["add", "reject", "remove", "retract"]


def is_curated(task_id: str) -> bool:
    """Return whether a task id belongs to a statement of people, or an alias, rather than a task on the platform."""
    return task_id.startswith(CURATED)


def alias_task(one: str, other: str) -> str:
    """Return the task that states that two datasets are one thing, in either order."""
    first, second = sorted((one, other))
    return f"{ALIAS_TASK}{first} = {second}"


def edge_task(source: str, target: str) -> str:
    """Return the task that holds what people state about an edge."""
    return f"{EDGE_TASK}{source} -> {target}"


def note_task(node: str, key: str) -> str:
    """Return the task that holds what people state about a node under a key."""
    return f"{NOTE_TASK}{key} {node}"


def alias_change(
    op: Op, dataset: str, alias: str, event_id: str, at: int | None, evidence: str | None = None, **about: Any
) -> TaskChange:
    """Return the message that two datasets are one thing from ``at`` on (UTC microseconds), or no longer are.

    ``about`` are fields of TaskChange. Raises ValueError for a column, for a task, for a dataset without a namespace,
    and for a dataset that would be an alias of itself. An alias of a task, from an older store, can still be removed.
    """
    for name in (dataset, alias):
        if name.startswith(_TASK) and op == "add":
            raise ValueError(f"{name!r} is a task: an alias is between datasets")
        if "#" in name:
            raise ValueError(f"{name!r} is a column: an alias is between datasets, for example {dataset_of(name)}")
        split_dataset(name)
    if dataset == alias:
        raise ValueError(f"{dataset!r} is not an alias of itself: give another name of it")
    return statement(
        op, alias_task(dataset, alias), event_id, at, evidence,
        edges=alias_edges(dataset, alias), facts=[(dataset, ALIAS_KEY, alias)], **about,
    )  # fmt: skip


def aliases_task(node: str) -> str:
    """Return the task that states all other names that producers give a dataset."""
    return f"{ALIAS_TASK}{node}"


def aliases_change(node: str, others: Sequence[str], event_id: str, at: int | None, **about: Any) -> TaskChange:
    """Return the message that a producer gives a dataset these other names from ``at`` on; ``others`` lists all."""
    names = sorted({other for other in others if other != node and "#" not in other})
    edges = [edge for other in names for edge in alias_edges(node, other)]
    facts = [(node, ALIAS_KEY, other) for other in names]
    return statement("add" if names else "remove", aliases_task(node), event_id, at, edges=edges, facts=facts, **about)


def edge_change(
    op: EdgeOp, source: str, target: str, kind: tuple[str, str | None, str], event_id: str, at: int | None,
    evidence: str | None = None, **about: Any,
) -> TaskChange:  # fmt: skip
    """Return a person's message that adds an edge from ``at`` on, rejects those between two nodes, or takes it back.

    ``kind`` is type, subtype (None: the first one of the type) and expression of an edge that is added. Raises
    ValueError for a node without a namespace, and for a subtype that the type does not have.
    """
    if op not in get_args(EdgeOp):
        raise ValueError(f"{op!r} is not an operation on an edge: use {' or '.join(get_args(EdgeOp))}")
    for node in (source, target):
        split_dataset(dataset_of(node))
    edges: list[EdgeTuple] = [(source, target, DIRECT, REJECTED, "")]
    if (source, target) == (dataset_of(source), dataset_of(target)):  # walks meet it at each column
        edges.append((star_of(source), star_of(target), DIRECT, REJECTED, ""))
    if op == "add":
        type_, subtype, expression = kind
        if type_ not in SUBTYPES:
            raise ValueError(f"{type_!r} is not a type of an edge: use {' or '.join(SUBTYPES)}")
        subtype = subtype or ("IDENTITY" if type_ == DIRECT else "FILTER")
        if subtype not in SUBTYPES[type_]:
            of = next((f"; it is one of {other}" for other, names in SUBTYPES.items() if subtype in names), "")
            raise ValueError(f"{subtype} is not a subtype of {type_}: use one of {', '.join(SUBTYPES[type_])}{of}")
        edges = [(source, target, type_, subtype, expression)]
    operation: Op = "add" if op == "reject" else op
    return statement(operation, edge_task(source, target), event_id, at, evidence, edges=edges, **about)


def note_change(
    op: Op, node: str, key: str, values: Sequence[str], event_id: str, at: int | None, evidence: str | None = None,
    **about: Any,
) -> TaskChange:  # fmt: skip
    """Return the message that a person states, or takes back, these values of a node under a key from ``at`` on."""
    if not node.startswith(_TASK):
        split_dataset(dataset_of(node))
    facts = [(node, key, value) for value in dict.fromkeys(values)]
    return statement(op, note_task(node, key), event_id, at, evidence, facts=facts, **about)


def statement(
    op: Op,
    task_id: str,
    event_id: str,
    at: int | None,
    evidence: str | None = None,
    *,
    edges: Sequence[EdgeTuple] = (),
    facts: Sequence[tuple[str, str, str]] = (),
    retracts: str | None = None,
    **about: Any,
) -> TaskChange:
    """Return a message for a task of people: from ``at`` on, it states these edges and facts (``add``), or nothing."""
    if op == "retract":
        if not retracts:
            raise ValueError("retracts: a retract names the event_id that it withdraws")
        message = TaskChange(event_id, task_id, "retract", retracts=retracts, **about)
    elif at is None:
        raise ValueError("effective_at: missing; give the time from which the change applies")
    elif op == "remove":
        message = TaskChange(event_id, task_id, "offline", at, **about)
    else:
        message = TaskChange(event_id, task_id, "update", at, lineage=Lineage.of(edges), facts=sorted(facts), **about)
    if evidence:
        message.attributes = orjson.dumps({"evidence": evidence}).decode()
    message.digest = content_digest(message)
    return message
