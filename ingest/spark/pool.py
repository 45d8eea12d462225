"""Jobs of extraction in tasks of Spark: like a pool of workers, except that the workers run below the executors.

Small rounds are parsed below this process: a Spark job costs some tenths of a second, and a statement three
milliseconds.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Final

from ingest.spark import executor
from ingest.spark.executor import Parsed, ParseSettings, Spent
from ingest.spark.failures import spark_failures
from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import unpack

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ingest.sql import Extraction
    from ingest.workers.pool import ExtractionPool

#: Fewer characters than this are parsed below this process, by this many workers.
LEAST_SQL: Final = 512 * 1024
WORKERS_HERE: Final = 2
#: Each core gets this many tasks of a round, so that no task waits for one long text.
TASKS_A_CORE: Final = 4


@dataclass(slots=True)
class ParseStage:
    """The totals of parsing on Spark: jobs, characters, rounds, the seconds of their tasks."""

    jobs: int = 0
    characters: int = 0
    rounds: int = 0
    here: int = 0  # jobs that were parsed below this process
    tasks: list[list[float]] = field(default_factory=list)  # seconds, by round

    @property
    def skew(self) -> float:
        """How many times as long as the average one the longest task took, in the round that took longest."""
        longest = max(self.tasks, key=sum, default=[])
        return max(longest) * len(longest) / sum(longest) if sum(longest) else 1.0


class SparkPool:
    """Runs extraction jobs on the executors; ``map`` and ``close`` as an ExtractionPool has them."""

    def __init__(self, spark: SparkSession, settings: ParseSettings | None = None, *, least: int = LEAST_SQL) -> None:
        self._context = spark.sparkContext
        self._settings = settings or ParseSettings()
        self._least = least
        self._here: ExtractionPool | None = None
        self.stage = ParseStage()

    @property
    def cores(self) -> int:
        """How many tasks run at once."""
        return int(self._context.defaultParallelism)

    def map(self, jobs: Sequence[ExtractionJob]) -> list[Extraction]:
        """Return the extraction of each job, in order; raises UnavailableError where Spark gives up."""
        self.stage.jobs += len(jobs)
        self.stage.characters += sum(len(job.sql) for job in jobs)
        if sum(len(job.sql) for job in jobs) < self._least:
            self.stage.here += len(jobs)
            return self._pool().map(jobs)
        self.stage.rounds += 1
        self.stage.tasks.append([])
        slices = slices_of(jobs, self.cores * TASKS_A_CORE)
        settings = self._settings
        packed: dict[int, bytes] = {}
        with spark_failures("parse SQL"):
            rows = self._context.parallelize(slices, len(slices))
            for row in rows.mapPartitions(lambda part: executor.extract(part, settings)).collect():
                if isinstance(row, Spent):
                    self.stage.tasks[-1].append(row.seconds)
                elif isinstance(row, Parsed):
                    packed[row.place] = row.packed
        return [unpack(packed[place]) for place in range(len(jobs))]

    def _pool(self) -> ExtractionPool:
        if self._here is None:
            self._here = self._settings.pool(WORKERS_HERE)
        return self._here

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._here is not None:
            self._here.__exit__(kind, error, at)
            self._here = None


def slices_of(jobs: Sequence[ExtractionJob], most: int) -> list[list[tuple[int, ExtractionJob]]]:
    """Return the jobs with their places in at most ``most`` slices of similar weight, the heaviest slice first.

    Equal texts stay together, since a worker that has parsed one answers the next from memory.
    """
    texts: dict[str, list[int]] = {}
    for place, job in enumerate(jobs):
        texts.setdefault(job.sql, []).append(place)
    heap: list[tuple[int, int]] = [(0, number) for number in range(min(most, len(texts)))]
    slices: list[list[tuple[int, ExtractionJob]]] = [[] for _ in heap]
    for text in sorted(texts, key=len, reverse=True):
        weight, number = heapq.heappop(heap)
        slices[number] += [(place, jobs[place]) for place in texts[text]]
        heapq.heappush(heap, (weight + len(text) + 200, number))
    weights: dict[int, int] = {number: weight for weight, number in heap}
    return [slices[number] for number in sorted(weights, key=lambda n: -weights[n])]
