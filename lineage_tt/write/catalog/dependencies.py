"""What a statement depends on: the columns of the datasets it names, and when it has to be re-resolved.

The lineage of a statement at a valid time is a function of its text and of the columns in force at that time; it does
not depend on the order in which messages arrive. So a row holds, for each dataset whose columns were looked up, a
digest of the answer: of all its columns if a star or a position matters, otherwise of the columns that the text names.
If the columns in force no longer have that digest, the store re-resolves the statement, from that time on, as a new
version whose cause is the event that changed the columns. The new version counts as long as the statement's own message
is in force. If the result is the same as before, no version is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.timeline import StatementSpan
from lineage_tt.write.catalog.catalog import Catalog, columns_digest
from lineage_tt.write.subjects.tasks import Stars, TaskHistory

#: The prefix of a digest that covers only the columns that the text names.
OF_NAMED: Final = "~"
#: Signs of a template, which may compose names; then all columns count.
_TEMPLATES: Final = ("{{", "{%")


class Due(NamedTuple):
    """A statement to re-resolve: that of ``version``, with the columns in force at ``effective_at``.

    ``read`` has the digests of these columns.
    """

    task_id: str
    version: int
    effective_at: int
    read: Stars


class StarIndex:
    """Which tasks ever looked up the columns of a dataset."""

    def __init__(self) -> None:
        self._tasks: dict[str, set[str]] = {}

    def add(self, task_id: str, datasets: Iterable[str]) -> None:
        """Note that a statement of the task depends on the columns of these datasets."""
        for dataset in datasets:
            self._tasks.setdefault(dataset, set()).add(task_id)

    def since(self, touched: Mapping[str, int]) -> dict[str, int]:
        """Return the tasks that depend on datasets whose columns changed, each with the earliest time of a change."""
        result: dict[str, int] = {}
        for dataset, at in touched.items():
            for task in self._tasks.get(dataset, ()):
                result[task] = min(at, result.get(task, at))
        return result


def words_of(statement: TaskChange, edges: Iterable[EdgeTuple] = ()) -> str | None:
    """Return, in lower case, the text in which a statement names columns; None where it may name any column.

    If its text is not kept, the columns that its ``edges`` name are returned.
    """
    if statement.sql is None:
        return "\n".join(sorted({end.partition("#")[2].lower() for edge in edges for end in edge[:2]}))
    if any(sign in statement.sql for sign in _TEMPLATES):
        return None
    return "\n".join((statement.sql, *statement.params.values())).lower()


def stars_of(lineage: Lineage, statement: TaskChange) -> Stars:
    """Return what a statement was resolved with: each dataset that was looked up, with the digest of the answer."""
    if not lineage.lookups:
        return ()
    whole, words = set(lineage.stars), words_of(statement, lineage.edges)
    return tuple(
        (dataset, _digest(columns, None if dataset in whole else words)) for dataset, columns in lineage.lookups
    )


def reads_named(stars: Stars) -> bool:
    """Return whether any digest covers only named columns: to compare it, the statement's text is needed."""
    return any(digest is not None and digest.startswith(OF_NAMED) for _, digest in stars)


def spans_since(history: TaskHistory, since: int, only: int | None = None) -> Iterator[StatementSpan]:
    """Yield the statements in force at some time from ``since`` on that depend on columns; ``only``: one version's."""
    for span in history.spans(since):
        if only in (None, span.version) and history.depends(span.version):
            yield span


def due(
    task_id: str,
    history: TaskHistory,
    span: StatementSpan,
    since: int,
    catalog: Catalog,
    words: Callable[[], str | None] | None = None,
) -> Iterator[Due]:
    """Yield, in order, the valid times at which a statement has to be re-resolved because its columns changed.

    ``words`` returns its text as ``words_of`` does; it is needed where a digest covers only named columns.
    """
    derived = history.derived(span.version)
    start = max(span.valid_from, since)
    in_force: int | None = history.in_force(span.version, start)
    stars = history.stars(in_force or span.version)
    changing = {time for dataset, _ in stars for time in catalog.times(dataset)} | derived.keys()
    named = cache(words) if words is not None else None
    for at in sorted({start, *_inside(changing, start, span.valid_to)}):
        if at in derived:
            in_force = derived[at]
            stars = history.stars(derived[at])
        read = columns_read(catalog, stars, at, span.version, named)
        if read == stars:
            continue
        if in_force is None or not history.is_checked(span.version, at, in_force, read):
            yield Due(task_id, span.version, at, read)
            in_force = None  # not known until it is re-resolved
        stars = read


def _inside(times: Iterable[int], valid_from: int, valid_to: int | None) -> Iterator[int]:
    return (time for time in times if valid_from < time and (valid_to is None or time < valid_to))


def columns_read(
    catalog: Catalog, stars: Stars, at: int, statement: int, named: Callable[[], str | None] | None
) -> Stars:
    """Return the digests of the columns in force at ``at`` for the datasets in ``stars``, computed in the same way.

    What the statement itself (the version that stated it) says about columns is ignored; ``named`` returns its words.
    """
    result = []
    for dataset, digest in stars:
        columns = catalog.columns(dataset, at, statement)
        of_named = digest is not None and digest.startswith(OF_NAMED)
        result.append((dataset, _digest(columns, named() if of_named and named is not None else None)))
    return tuple(result)


def _digest(columns: Shape | None, words: str | None) -> str | None:
    """Return the digest of columns; if ``words`` are given, only of the columns that they name."""
    if columns is None or words is None:
        return columns_digest(columns)
    return f"{OF_NAMED}{columns_digest(tuple(column for column in columns if _is_named(column, words)))}"


def _is_named(column: str | tuple[str, str], words: str) -> bool:
    name = (column if isinstance(column, str) else column[0]).lower()
    return name in words or not name.isidentifier()  # a quoted name may be written in another form
