"""What is in force for a subject at a time, as bytes with a fingerprint: equal contents make no version.

A task's fingerprint ends in a digest of the words of its problems. Other words do not make another content; they are in
the fingerprint so that a message has the words of the run from which it takes effect, whichever run came first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, cast

import orjson

from ingest.events.openlineage.datasets import Content, Member
from ingest.events.openlineage.statement import Statement
from ingest.events.policy import trimmed
from lineage_tt.curation.messages import ALIAS_KEY, aliases_change, aliases_task
from lineage_tt.model.facts import OWN_KEYS, FactTuple, Field, task_node
from lineage_tt.model.messages import Change, Lineage, NodeChange, NodeOp, Problem, TaskChange

DIGEST: Final = 16
#: Bytes of the digest of its words at the end of a task's fingerprint.
_WORDING: Final = 6
_SEPARATOR: Final = "\x1f"
#: Fields that do not make a content a different one.
_WORDS: Final = frozenset({"parser", "problems"})
#: What differs between runs in the names of the subjects of problems.
_VARYING: Final = ("date", "uuid", "attempt")


def task_subject(task_id: str) -> str:
    """Return the subject of a task's lineage."""
    return f"task{_SEPARATOR}{task_id}"


def facet_subject(facet: str, node: str) -> str:
    """Return the subject of one facet of a dataset."""
    return f"facet{_SEPARATOR}{facet}{_SEPARATOR}{node}"


def member_name(member: Member) -> str:
    """Return a member of a facet as text."""
    return _SEPARATOR.join(member)


def is_task(subject: str) -> bool:
    """Return whether a subject, or a member, is a task."""
    return subject.startswith("task" + _SEPARATOR)


def pack_statement(statement: Statement) -> tuple[bytes, bytes]:
    """Return the fingerprint and the bytes of what a statement says of its task."""
    lineage = statement.lineage
    return _worded(
        {
            "edges": lineage.ordered_edges(),
            "facts": statement.facts,
            "outputs": [[node, list(columns)] for node, columns in lineage.outputs],
            "filled": [[node, list(columns)] for node, columns in lineage.filled],
            "types": [[node, [list(each) for each in types]] for node, types in lineage.types],
            "coverage": lineage.coverage,
            "problems": [list(problem) for problem in lineage.problems],
            "parser": lineage.parser,
        }
    )


def pack_content(content: Content) -> tuple[bytes, bytes]:
    """Return the fingerprint and the bytes of what is stated about a node."""
    fields = [list(field) for field in content.fields]
    return _packed({"op": content.op, "fields": fields, "facts": [list(fact) for fact in content.facts]})


def pack_members(members: Mapping[str, bytes]) -> tuple[bytes, bytes]:
    """Return the fingerprint and the bytes of a facet: the fingerprint of each member's content."""
    return _packed({"members": {name: fp.hex() for name, fp in sorted(members.items())}})


def members_of(packed: bytes) -> dict[str, bytes]:
    """Return what ``pack_members`` was given."""
    return {name: bytes.fromhex(fp) for name, fp in orjson.loads(packed)["members"].items()}


def union(contents: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Return contents of a task, the latest first, as one: all edges, and the rest from the latest."""
    latest, *before = map(orjson.loads, contents)
    edges = {tuple(edge) for each in (latest, *before) for edge in each["edges"]}
    problems = {tuple(problem) for each in (latest, *before) for problem in each["problems"]}
    coverage = "partial" if any(each["coverage"] != "complete" for each in (latest, *before)) else "complete"
    ordered = sorted(problems, key=repr)
    return _worded({**latest, "edges": sorted(edges), "problems": ordered, "coverage": coverage})


def edges_of(packed: bytes) -> set[tuple[str, ...]]:
    """Return the edges of a content of a task."""
    return {tuple(edge) for edge in orjson.loads(packed)["edges"]}


def with_problem(packed: bytes, problem: Problem) -> tuple[bytes, bytes]:
    """Return a content of a task with one more problem, so that it is not complete."""
    content = orjson.loads(packed)
    return _worded({**content, "problems": [*content["problems"], list(problem)], "coverage": "partial"})


def meaning(fingerprint: bytes | None) -> bytes | None:
    """Return the part of a fingerprint that is equal for equal contents, whatever the words."""
    return fingerprint[:DIGEST] if fingerprint is not None else None


def is_same(one: bytes | None, other: bytes | None) -> bool:
    """Return whether two fingerprints are of one content in the same words; earlier releases noted no words."""
    noted = one is not None and other is not None and len(one) == len(other)
    return one == other if noted else meaning(one) == meaning(other)


def task_change(event_id: str, task_id: str, at: int, packed: bytes | None, **origin: Any) -> TaskChange:
    """Return the message that puts a content of a task, or none, into force from ``at`` on."""
    if packed is None:
        return TaskChange(event_id, task_id, "offline", at, **origin)
    document = orjson.loads(packed)
    lineage = Lineage(
        edges=[(s, t, k, u, e) for s, t, k, u, e in document["edges"]],
        ordered=True,
        coverage=document["coverage"],
        problems=[Problem(*problem) for problem in document["problems"]],
        outputs=[(node, tuple(columns)) for node, columns in document["outputs"]],
        filled=[(node, tuple(columns)) for node, columns in document["filled"]],
        types=[(node, tuple((name, kind) for name, kind in types)) for node, types in document["types"]],
        parser=document["parser"],
    )
    facts = _facts(document)
    cleared = _cleared(task_node(task_id), facts)
    return TaskChange(event_id, task_id, "update", at, lineage=lineage, facts=facts, cleared=cleared, **origin)


def node_change(event_id: str, member: str, at: int, packed: bytes | None, **origin: Any) -> Change:
    """Return the message that puts a content of a node, or none, into force from ``at`` on.

    Other names of a dataset are edges, too: walks go over them.
    """
    kind, node, key = member.split(_SEPARATOR, 2)
    if key == ALIAS_KEY:
        facts = _facts(orjson.loads(packed)) if packed is not None else []
        return aliases_change(node, [value for _, _, value in facts], event_id, at, **origin)
    content = orjson.loads(packed) if packed is not None else {"op": "drop" if kind == "dataset" else "clear"}
    fields = [Field(*field) for field in content.get("fields", ())]
    return NodeChange(
        event_id, "dataset" if kind == "dataset" else "fact", node, cast(NodeOp, content["op"]), at,
        fact_key=key or None, fields=fields, facts=_facts(content),
        cleared=_cleared(node, _facts(content)) if kind == "dataset" else (), ids_by_name=True, **origin,
    )  # fmt: skip


def retraction(event_id: str, member: str, retracts: str, **origin: Any) -> Change:
    """Return the message that withdraws what an earlier one, the event ``retracts``, stated of a task or of a node."""
    kind, node, *key = member.split(_SEPARATOR, 2)
    if is_task(member) or key[0] == ALIAS_KEY:
        task_id = member.partition(_SEPARATOR)[2] if is_task(member) else aliases_task(node)
        return TaskChange(event_id, task_id, "retract", retracts=retracts, **origin)
    about = cast(Literal["dataset", "fact"], kind)
    return NodeChange(event_id, about, node, "retract", fact_key=key[0] or None, retracts=retracts, **origin)


def _cleared(node: str, facts: Sequence[FactTuple]) -> list[str]:
    """Return the keys with nothing reported: the store keeps keys that no message states, and events have no order."""
    stated = {key for about, key, _ in facts if about == node}
    return [key for key in OWN_KEYS if key not in stated]


def _facts(content: Mapping[str, Any]) -> list[FactTuple]:
    return [(node, key, value) for node, key, value in content.get("facts", ())]


def _worded(content: Mapping[str, Any]) -> tuple[bytes, bytes]:
    fingerprint, packed = _packed(content)
    words = orjson.dumps([content.get(name) for name in sorted(_WORDS)])
    return fingerprint + hashlib.blake2b(words, digest_size=_WORDING).digest(), packed


def _packed(content: Mapping[str, Any]) -> tuple[bytes, bytes]:
    packed = orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
    counted = {name: value for name, value in content.items() if name not in _WORDS}
    if unknown := {(code, trimmed(about, _VARYING)) for code, _, about, *_ in content.get("problems", ())}:
        counted["unknown"] = sorted(unknown)  # only subjects of problems: words may quote what differs between runs
    digest = hashlib.blake2b(orjson.dumps(counted, option=orjson.OPT_SORT_KEYS), digest_size=DIGEST)
    return digest.digest(), packed
