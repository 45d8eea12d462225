"""One job to its extraction: what a worker runs, and whoever wants no worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.worker_process import is_worker

if TYPE_CHECKING:
    from ingest.jobs import ExtractionJob
    from ingest.sql import Extraction
    from ingest.sql.guard import Limits


def run_job(job: ExtractionJob, limits: Limits | None = None) -> Extraction:
    """Return the extraction of one job: guard, templates, extractor. Usable in any process."""
    from ingest.sql.templated import extract_guarded

    own_the_parser()
    return extract_guarded(job, limits)


def own_the_parser() -> None:
    """Set sqlglot up for this process, if it is a worker: elsewhere somebody else may parse with it."""
    if is_worker():
        from ingest.sql.unnests import left_to_us

        left_to_us()
