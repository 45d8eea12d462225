"""Items of a subject's timeline: edges of a task, facts of a node; and the rows from which a timeline is rebuilt."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import orjson

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import FactChangeTuple, FactTuple
from lineage_tt.model.format import ChangeTuple
from lineage_tt.model.messages import Subject

Item = EdgeTuple | FactTuple
ItemChange = ChangeTuple | FactChangeTuple
#: The number of parts of a fact, which distinguishes it from an edge, which has five.
FACT_PARTS: Final = 3
#: The datasets whose columns a statement depends on, each with the digest of those columns (None: not known).
Stars = tuple[tuple[str, str | None], ...]


class PastMessage(NamedTuple):
    """The columns of an accepted row from which a task's history is rebuilt."""

    version: int
    task_id: Subject
    event_id: str
    op: str
    effective_at: int | None
    source_version: int | None
    retracts: str | None
    content_sha256: bytes
    edges: Iterable[Item]
    facts: Iterable[Item] = ()
    derived_from: int | None = None
    stars: Iterable[tuple[str, str | None]] = ()
    beside: tuple[Any, ...] | None = None


def beside_digest(beside: tuple[Any, ...] | None) -> bytes:
    """Return a short digest of what a version says apart from its edges."""
    return hashlib.blake2b(orjson.dumps(beside), digest_size=8).digest()
