"""The analyst of the impact diff: one pool of worker processes that extracts lineage and compares texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

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


class DefinitionJob(NamedTuple):
    """A text of which is asked what exactly it says."""

    text: Text

    @property
    def sql(self) -> str:
        """The text itself."""
        return self.text.sql


class Answer(NamedTuple):
    """What is answered to another job than an extraction, as the pool carries it: it depends on no look-up."""

    content: TextDifference | Statement | None
    lookups: tuple[Any, ...] = ()


_UNCACHED: Final = (ComparisonJob, DefinitionJob)


def run(job: ExtractionJob | ComparisonJob | DefinitionJob) -> Answer | Extraction:
    """Answer one job; what a worker runs. The edges of single statements, which no caller reads, are left out."""
    if isinstance(job, DefinitionJob):
        from ingest.sql.compare.meaning import define

        own_the_parser()
        return Answer(define(job.text))
    if isinstance(job, ComparisonJob):
        from ingest.sql.compare.compare import compare

        own_the_parser()
        return Answer(compare(job.before, job.after))
    return replace(run_job(job), statements=())


class _TextCache(ExtractionCache):
    """Extractions are cached by text; another job is never repeated."""

    def key(self, job: Any) -> Key:
        if isinstance(job, _UNCACHED):
            return b"", str(id(job)), "", "", None, (), "", b""
        return super().key(job)

    def get(self, key: Key, job: Any) -> Any:
        return None if isinstance(job, _UNCACHED) else super().get(key, job)

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

    def define(self, texts: Sequence[Text]) -> list[Statement | None]:
        """Return exactly what each text says, to find what is computed twice; None: it could not be read whole."""
        found = self._answers(map(DefinitionJob, texts))
        return [cast("Statement | None", each.content) if isinstance(each, Answer) else None for each in found]

    def compare(self, pairs: Sequence[tuple[Side, Side]]) -> list[TextDifference]:
        """Return how the two texts of each pair differ, in order; a pair over which a worker died counts as unread."""
        found = self._answers(ComparisonJob(*pair) for pair in pairs)
        return [
            cast(TextDifference, each.content) if isinstance(each, Answer) else TextDifference(failure=each)
            for each in found
        ]

    def _answers(self, jobs: Iterable[ComparisonJob | DefinitionJob]) -> list[Answer | str]:
        """Return what the workers answer, in order; where one died over a job, in a word why."""
        assert self._pool is not None
        answers = cast(list[Any], self._pool.map(cast(list[ExtractionJob], list(jobs))))
        return [each if isinstance(each, Answer) else _reason(each) for each in answers]


def _reason(failed: Extraction) -> str:
    return failed.problems[0].code if failed.problems else "not read"
