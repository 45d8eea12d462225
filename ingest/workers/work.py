"""One job to its extraction: what a worker runs, or a caller without workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.workers.serving import is_worker

if TYPE_CHECKING:
    from ingest.sql import Extraction
    from ingest.sql.jobs import ExtractionJob
    from ingest.sql.text.limits import Limits


def run_job(job: ExtractionJob, limits: Limits | None = None) -> Extraction:
    """Return the extraction of one job: guard, templates, extractor; of its masked text where it asks for that.

    Usable in any process.
    """
    from ingest.sql.masked import extract_masked
    from ingest.sql.statements.templated import extract_guarded

    own_the_parser()
    return extract_guarded(job, limits) if job.masking is None else extract_masked(job, limits)


def own_the_parser() -> None:
    """Set sqlglot up for this process, if it is a worker: elsewhere another library may parse with it."""
    if is_worker():
        from ingest.sql.parser.before.unnests import left_to_us

        left_to_us()
