"""A bucket in memory: the ``MemoryStore`` of obstore, with conditional puts, ETags and listings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from obstore.store import MemoryStore

from lineage_tt.storage.objects import Bucket, ObjectPath
from lineage_tt.storage.options import Options


@dataclass(frozen=True, eq=False)
class MemoryBucket(Bucket):
    """A bucket without a server."""

    memory: MemoryStore = field(default_factory=MemoryStore)

    @property
    def store(self) -> Any:
        """The store, which exists as long as the bucket."""
        return self.memory


def memory_place(key: str = "log", **options: str) -> ObjectPath:
    """Return a folder in a new, empty bucket."""
    return ObjectPath(MemoryBucket("memory", Options(options)), key)
