"""Settings of the service: limits on requests, access, and how often the log is checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineage_tt.governance.config import Config

MIB = 1024 * 1024


@dataclass(frozen=True)
class Settings:
    """Limits of a service; the defaults are those of ``lineage-tt serve``."""

    #: The bearer token that every request must have, None for a service without one. Never printed.
    token: str | None = field(default=None, repr=False)
    #: The names allowed in the Host header; None allows any. Protects a service without a token from DNS rebinding.
    hosts: frozenset[str] | None = None
    #: Longest body in bytes, as sent and as unpacked.
    max_body: int = 16 * MIB
    #: The most bytes of unpacked bodies that all requests together may hold, from the first byte to the sent answer.
    max_open: int = 256 * MIB
    #: Longest URL, and all header fields together, in bytes.
    max_url: int = 32 * 1024
    max_head: int = 64 * 1024
    max_headers: int = 100
    #: Seconds within which a request's body must arrive.
    body_seconds: float = 30.0
    #: Seconds that one answer may take.
    seconds: float = 30.0
    #: Questions (nodes × points) in one call.
    max_nodes: int = 1_000
    max_points: int = 100
    max_questions: int = 5_000
    #: The most edges in one answer; more are cut off, and the answer says so.
    max_edges: int = 100_000
    #: The most rows of a page of history, tasks, versions, changes or names.
    max_rows: int = 10_000
    #: Seconds between two looks at the log.
    poll: float = 0.02
    #: Bytes of answers at fixed points that are cached.
    cache_bytes: int = 64 * MIB
    #: Event streams open at once; seconds without progress after which one is dropped; seconds between its pings.
    max_streams: int = 1_000
    stream_stall: float = 20.0
    stream_ping: float = 15.0
    #: Messages waiting to be committed.
    max_waiting: int = 100_000
    #: The most idempotency keys that are remembered; the oldest are forgotten first.
    max_keys: int = 100_000
    #: Threads that read the files.
    readers: int = 4
    #: Keep the graph in memory (needs the extra ``graph``); without it every answer comes from the files.
    graph: bool = True
    #: The rules of governance, None for the defaults.
    rules: Config | None = None
