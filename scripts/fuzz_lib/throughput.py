"""Good statements beside nested ones: how much of their rate they keep."""

from __future__ import annotations

import time

from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import ExtractionCache
from ingest.workers.pool import ExtractionPool
from scripts.fuzz_lib.nested import nested_text
from scripts.fuzz_lib.texts import Text


def rate_beside(seed: int, workers: int, good: int = 2_000, rounds: int = 5) -> float:
    """Return which part of their rate good statements keep with one nested text beside a hundred of them, by turns.

    A nested text within the limits is a statement like others and takes its time; none may take more.
    """

    def seconds(jobs: list[ExtractionJob]) -> float:
        with ExtractionPool(workers, cache=ExtractionCache(0)) as pool:
            pool.map([ExtractionJob("SELECT 1 FROM s", "hive", "fuzz")] * workers)
            begun = time.monotonic()
            pool.map(jobs)
            return time.monotonic() - begun

    rates = []
    for round_ in range(rounds):
        alone = [
            ExtractionJob(
                f"INSERT INTO d.o SELECT a, sum(b) AS b, CASE WHEN c > {number} THEN d ELSE lower(e) END AS f "
                "FROM d.s JOIN d.t ON s.k = t.k WHERE s.dt = '2024-05-01' GROUP BY 1, 3",
                "hive", "fuzz", "d", columns={"fuzz:d.s": tuple("abk"), "fuzz:d.t": tuple("cdek")},
            )
            for number in range(good)
        ]  # fmt: skip
        nested = [_job(nested_text(seed, round_ * good + number)) for number in range(good // 100)]
        mixed = [
            job
            for place, job in enumerate(alone)
            for job in ([job, nested[place // 100]] if place % 100 == 0 else [job])
        ]
        first = seconds(alone)
        rates.append(first / seconds(mixed))
    return sorted(rates)[rounds // 2]


def _job(text: Text) -> ExtractionJob:
    return ExtractionJob(text.sql, text.dialect, "fuzz", "d", "fuzz:d.out", columns=text.columns)
