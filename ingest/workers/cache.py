"""Results kept by text, so that a history that is parsed again, or the same text again, costs next to nothing."""

from __future__ import annotations

import hashlib
import pickle
import zlib
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from ingest.sql import Extraction
    from ingest.sql.jobs import ExtractionJob, Lookups
    from lineage_tt.model.facts import Shape

Key = tuple[bytes, str, str, str, str | None, tuple[tuple[str, str], ...], str, bytes]

_MAX_VARIANTS: Final = 4
_ENTRY: Final = 400  # what an entry costs beside its packed result, roughly, in bytes


def pack(extraction: Extraction) -> bytes:
    """Return an extraction as compressed bytes: a fifth to a fortieth of what the objects take."""
    return zlib.compress(pickle.dumps(extraction, pickle.HIGHEST_PROTOCOL), 1)


def unpack(packed: bytes) -> Extraction:
    """Return the extraction that :func:`pack` was given; only for bytes of this program's own making."""
    extraction: Extraction = pickle.loads(zlib.decompress(packed))  # noqa: S301
    return extraction


class _Entry(NamedTuple):
    lookups: Lookups
    packed: bytes

    @property
    def size(self) -> int:
        names = sum(len(columns or ()) for _, columns in self.lookups)
        return _ENTRY + len(self.packed) + 64 * names


class ExtractionCache:
    """The most recently used extractions, packed, in at most ``max_bytes`` (about) of memory.

    A text's answer also depends on the columns that it looked up. An entry holds the answers for up to four sets of
    columns; one counts only if every one of its recorded lookups has the same answer in the new job's columns.
    """

    def __init__(self, max_bytes: int = 64 << 20) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[Key, list[_Entry]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def key(self, job: ExtractionJob) -> Key:
        """Return what identifies a job, except for its columns."""
        digest = hashlib.sha256(job.sql.encode("utf-8", "surrogatepass")).digest()
        params = tuple(sorted(job.params.items()))
        masking = job.masking.digest if job.masking is not None else b""
        return digest, job.dialect, job.namespace, job.default_database, job.target, params, job.functions, masking

    def get(self, key: Key, job: ExtractionJob) -> Extraction | None:
        """Return the cached extraction of ``job`` whose lookups the job's columns answer in the same way, if any."""
        for entry in self._entries.get(key, ()):
            if all(answer == _answer(job, dataset) for dataset, answer in entry.lookups):
                self._entries.move_to_end(key)
                self.hits += 1
                return unpack(entry.packed)
        self.misses += 1
        return None

    def put(self, key: Key, lookups: Lookups, packed: bytes) -> None:
        """Keep a packed extraction with its lookups, dropping the least recently used texts."""
        entry = _Entry(lookups, packed)
        variants = self._entries.setdefault(key, [])
        variants.insert(0, entry)
        self._bytes += entry.size - sum(dropped.size for dropped in variants[_MAX_VARIANTS:])
        del variants[_MAX_VARIANTS:]
        self._entries.move_to_end(key)
        while self._bytes > self._max_bytes and len(self._entries) > 1:
            _, oldest = self._entries.popitem(last=False)
            self._bytes -= sum(dropped.size for dropped in oldest)


def _answer(job: ExtractionJob, dataset: str) -> Shape | None:
    columns = job.columns.get(dataset)
    return None if columns is None else tuple(columns)
