"""Results kept by text, so that a history that is parsed again, or the same text again, costs next to nothing."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ingest.sql import Extraction
    from ingest.workers import ExtractionJob

Key = tuple[bytes, str, str, str, str | None, tuple[tuple[str, str], ...]]

_MOST_VARIANTS: Final = 4


class ExtractionCache:
    """The latest used extractions, at most ``most_edges`` edges of them together.

    A text's answer also depends on the columns it asked for. An entry holds the answers for up to four sets of columns;
    one counts only if every one of its recorded lookups has the same answer in the new job's columns.
    """

    def __init__(self, most_edges: int = 100_000) -> None:
        self._most_edges = most_edges
        self._edges = 0
        self._entries: OrderedDict[Key, list[Extraction]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def key(self, job: ExtractionJob) -> Key:
        """Return what identifies a job but for its columns."""
        digest = hashlib.sha256(job.sql.encode("utf-8", "surrogatepass")).digest()
        params = tuple(sorted(job.params.items()))
        return digest, job.dialect, job.namespace, job.default_database, job.target, params

    def get(self, key: Key, job: ExtractionJob) -> Extraction | None:
        """Return the extraction of ``job`` if one is kept whose lookups its columns answer alike."""
        for extraction in self._entries.get(key, ()):
            if all(answer == _answer(job, dataset) for dataset, answer in extraction.lookups):
                self._entries.move_to_end(key)
                self.hits += 1
                return extraction
        self.misses += 1
        return None

    def put(self, key: Key, extraction: Extraction) -> None:
        """Keep an extraction, dropping the texts that were not asked for longest."""
        variants = self._entries.setdefault(key, [])
        variants.insert(0, extraction)
        self._edges += _weight(extraction)
        for dropped in variants[_MOST_VARIANTS:]:
            self._edges -= _weight(dropped)
        del variants[_MOST_VARIANTS:]
        self._entries.move_to_end(key)
        while self._edges > self._most_edges and len(self._entries) > 1:
            _, dropped_variants = self._entries.popitem(last=False)
            self._edges -= sum(map(_weight, dropped_variants))


def _answer(job: ExtractionJob, dataset: str) -> tuple[str, ...] | None:
    columns = job.columns.get(dataset)
    return None if columns is None else tuple(columns)


def _weight(extraction: Extraction) -> int:
    return len(extraction.edges) + len(extraction.lookups) + 10
