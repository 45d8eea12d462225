"""The analyst of the impact diff: one pool of worker processes that extracts lineage and compares texts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ingest.resolve.resolver import SqlResolver
from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import ExtractionCache, Key
from ingest.workers.pool import ExtractionPool
from ingest.workers.waiting import workers_worth
from ingest.workers.work import own_the_parser, run_job
from lineage_tt.impact.texts import Side, TextDifference

if TYPE_CHECKING:
    from ingest.sql import Extraction
    from lineage_tt.governance.upkeep.redundancy.statements import Statement, Text


class ComparisonJob(NamedTuple):
    """Two texts to be read side by side."""

    before: Side
    after: Side

    @property
    def sql(self) -> str:
        """Both texts: what the pool measures work by."""
        return self.before.sql + self.after.sql


class Comparison(NamedTuple):
    """A difference as the pool carries it: an answer that depends on no look-up."""

    difference: TextDifference
    lookups: tuple[Any, ...] = ()


def run(job: ExtractionJob | ComparisonJob) -> Comparison | Extraction:
    """Answer one job; what a worker runs. The edges of single statements, which no caller reads, are left out."""
    if isinstance(job, ComparisonJob):
        from ingest.sql.compare.compare import compare

        own_the_parser()
        return Comparison(compare(job.before, job.after))
    return replace(run_job(job), statements=())


class _TextCache(ExtractionCache):
    """Extractions are cached by text; a comparison is never repeated."""

    def key(self, job: Any) -> Key:
        if isinstance(job, ComparisonJob):
            return b"", str(id(job)), "", "", None, (), "", b""
        return super().key(job)

    def get(self, key: Key, job: Any) -> Any:
        return None if isinstance(job, ComparisonJob) else super().get(key, job)

    def put(self, key: Key, lookups: Any, packed: bytes) -> None:
        if key[0]:
            super().put(key, lookups, packed)


class SqlAnalyst(SqlResolver):
    """Reads SQL in worker processes: lineage as ``ingest`` does, and what differs between two texts."""

    def __init__(self, workers: int | None = None) -> None:
        count = workers if workers is not None else max(1, min(2, os.cpu_count() or 1))
        super().__init__(count)
        self._pool = ExtractionPool(count, function="ingest.resolve.comparing:run", cache=_TextCache())

    def start(self, texts: Sequence[str]) -> None:
        """Start what these texts will keep busy, while the caller does something else."""
        assert self._pool is not None
        self._pool.start(workers_worth(len(texts), sum(map(len, texts))))

    @staticmethod
    def define(text: Text) -> Statement | None:
        """Return exactly what a text says, to find what is computed twice (``governance.redundancy``)."""
        from ingest.sql.compare.meaning import define  # sqlglot only where a text is read

        return define(text)

    def compare(self, pairs: Sequence[tuple[Side, Side]]) -> list[TextDifference]:
        """Return how the two texts of each pair differ, in order; a pair over which a worker died counts as unread."""
        assert self._pool is not None
        jobs = cast(list[ExtractionJob], [ComparisonJob(*pair) for pair in pairs])
        answers = cast(list[Any], self._pool.map(jobs))
        return [_difference(answer) for answer in answers]


def _difference(answer: Any) -> TextDifference:
    if isinstance(answer, Comparison):
        return answer.difference
    reason = answer.problems[0].code if answer.problems else "not read"
    return TextDifference(failure=reason)
