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
    #: The names allowed in the Host header; None allows all. Protects a service without a token from DNS rebinding.
    hosts: frozenset[str] | None = None
    #: Maximum size of a body in bytes, as sent and as unpacked.
    max_body: int = 16 * MIB
    #: Maximum size of the unpacked bodies of all open requests together, in bytes.
    max_open: int = 256 * MIB
    #: Maximum size of the URL, and of all header fields together, in bytes; maximum number of header fields.
    max_url: int = 32 * 1024
    max_head: int = 64 * 1024
    max_headers: int = 100
    #: Seconds within which a request's body must arrive.
    body_seconds: float = 30.0
    #: Maximum seconds for one answer.
    seconds: float = 30.0
    #: Maximum number of questions (nodes × points) in one request.
    max_questions: int = 5_000
    #: Seconds between two checks of the log for new commits.
    poll: float = 0.02
    #: Maximum size of the cache of answers at fixed points, in bytes.
    cache_bytes: int = 64 * MIB
    #: Maximum number of open event streams; seconds without progress before one is closed; seconds between pings.
    max_streams: int = 1_000
    stream_stall: float = 20.0
    stream_ping: float = 15.0
    #: Maximum number of messages that wait to be committed.
    max_waiting: int = 100_000
    #: Maximum number of remembered idempotency keys; the oldest are dropped first.
    max_keys: int = 100_000
    #: Number of threads that read the files.
    readers: int = 4
    #: Keep the graph in memory (requires the extra ``graph``). Without it, all answers come from the files.
    graph: bool = True
    #: The rules of governance; None for the defaults.
    rules: Config | None = None
