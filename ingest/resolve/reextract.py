"""History parsed again: what a newer parser finds becomes a correction, and what was believed before stays.

Each statement in force is resolved again with the columns known at its own point. Where the result differs from the
log, a new version states it, with the statement's own valid time and the present system time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from operator import add
from typing import Final, NamedTuple

from ingest.resolve.resolver import SqlResolver, parser_name
from lineage_tt.log import verify
from lineage_tt.store import Store
from lineage_tt.write.catalog.reresolve import Cause, Corrected
from lineage_tt.write.past import history

#: Statements per commit.
BATCH: Final = 512


class ReExtraction(NamedTuple):
    """The outcome of a history parsed again: statements looked at, versions added, by which parser.

    ``worse`` answers were not taken, since this parser understands less of the statement than before; ``failed``
    statements exceeded a limit, and are taken up by the next run; for ``dropped`` ones the store keeps no text, so they
    stay as they were understood.
    """

    parser: str
    statements: int
    corrections: int
    first_version: int | None
    last_version: int | None
    seconds: float
    worse: int = 0
    failed: int = 0
    dropped: int = 0


def re_extract(
    store: Store,
    *,
    task_id: str | None = None,
    everything: bool = False,
    dry_run: bool = False,
    accept_worse: bool = False,
    workers: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> ReExtraction:
    """Parse again what another parser parsed (or ``everything``), of one task if given, and append the corrections.

    What exceeded a limit the last time is always parsed again. An answer that is worse than the present one is not
    taken, unless ``accept_worse`` is given. ``progress`` is called with (statements done, statements in all). A run
    that is killed has committed what it reported; run again, it continues. Raises as ``Store.append``.
    """
    begun = time.monotonic()
    parser = parser_name()
    log = store.writer.log
    log.refresh()
    resolutions = verify.retried(
        log, lambda: history.resolutions(log, parser=None if everything else parser, task_id=task_id)
    )
    cause = Cause(f"re-extract by {parser}", f"parsed again by {parser}")
    before, corrected = log.version, Corrected(0)
    with SqlResolver(workers) as resolver:
        for start in range(0, len(resolutions), BATCH):
            part = resolutions[start : start + BATCH]
            more = store.writer.correct(part, cause, resolver=resolver, dry_run=dry_run, accept_worse=accept_worse)
            corrected = Corrected(*map(add, corrected, more))
            if progress:
                progress(start + len(part), len(resolutions))
    added = not dry_run and corrected.versions > 0
    return ReExtraction(
        parser=parser,
        statements=len(resolutions),
        corrections=corrected.versions,
        first_version=before + 1 if added else None,
        last_version=log.version if added else None,
        seconds=time.monotonic() - begun,
        worse=corrected.worse,
        failed=corrected.failed,
        dropped=corrected.dropped,
    )
