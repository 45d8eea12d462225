"""What a worker and its parent send each other: a setup, requests and replies, each a pickle after its length."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any, Final

LENGTH: Final = struct.Struct("<Q")
#: The kinds of replies.
READY: Final = "ready"
UNUSABLE: Final = "unusable"
DONE: Final = "done"
CRASH: Final = "crash"


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker receives once: the function by dotted name, further arguments, limits of CPU time and memory.

    ``time_limit`` is in seconds of CPU time for a job, and as many again for each MiB of its text; ``memory_limit`` is
    in bytes of address space.
    """

    function: str
    arguments: tuple[Any, ...]
    time_limit: float
    memory_limit: int | None

    def seconds(self, characters: int, factor: float = 1.0) -> float:
        """Return how many seconds of CPU time a text of this many characters may take, ``factor`` times the usual."""
        return self.time_limit * (1 + characters / (1 << 20)) * factor


def framed(message: object) -> bytes:
    """Return a message as it goes through a pipe."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body
