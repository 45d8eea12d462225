"""What an incomplete text reads and writes without an edge that says so, as problems of its version.

Without them a walk could not know that an opaque task writes the table at which it ended. Each names one dataset as its
subject; ``lineage_tt.model.completeness.gaps`` reads them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lineage_tt.model.completeness.gaps import NO_TARGET, UNTRACED_READ, UNTRACED_WRITE
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.messages import Problem, TaskChange

if TYPE_CHECKING:
    from ingest.sql import Extraction

#: The most datasets of each kind that are named; the rest is counted.
MAX_UNTRACED: Final = 50


def aimed(extraction: Extraction, message: TaskChange) -> Extraction:
    """Return the extraction of a task's text; as partial, with the reason, where it only reads and has no target.

    A platform that runs a bare SELECT puts its rows somewhere. Where the message does not say into what, nothing that
    is asked downstream of its sources may call itself complete.
    """
    writes = extraction.edges or extraction.writes or message.target
    if extraction.coverage != "complete" or writes or not extraction.reads:
        return extraction
    from ingest.sql.result import Problem as Reason

    detail = "the text is a query, and which dataset its rows go to is not said: give it as target"
    return replace(extraction, coverage="partial", problems=(*extraction.problems, Reason(NO_TARGET, detail)))


def untraced(extraction: Extraction, message: TaskChange) -> Iterator[Problem]:
    """Yield a problem for each dataset that an incomplete text touches without an edge."""
    if extraction.coverage == "complete":
        return
    reads, writes = set(extraction.reads), set(extraction.writes)
    if not (reads or writes or extraction.edges) and message.sql:
        from ingest.sql.parser.mentions import mentioned  # sqlglot only where a text could not be read

        reads, writes = mentioned(
            message.sql, message.dialect or "", message.namespace or "", message.default_database or ""
        )
        if message.target and not writes:
            writes = {message.target}
    written = writes - {dataset_of(edge.target) for edge in extraction.edges}
    read = reads - {dataset_of(edge.source) for edge in extraction.edges}
    yield from _problems(UNTRACED_WRITE, written, "{} is written from sources that are not known")
    yield from _problems(UNTRACED_READ, read, "{} is read; what it feeds is not known")


def _problems(code: str, datasets: Iterable[str], words: str) -> Iterator[Problem]:
    listed = sorted(datasets)
    for dataset in listed[:MAX_UNTRACED]:
        yield Problem(code, words.format(dataset), dataset)
    if len(listed) > MAX_UNTRACED:
        yield Problem(code, f"and {len(listed) - MAX_UNTRACED:,} datasets more")
