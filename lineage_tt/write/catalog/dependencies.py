"""What a statement depends on: the columns of the datasets it names, and when it has to be resolved again.

The lineage of a statement at a valid time is a function of its text and of the columns in force at that time, whatever
the order in which messages arrive. So a row holds, for each dataset whose columns were looked up, a digest of the
answer: of all its columns where a star or a position decides, else of those that the text names. Where the columns in
force no longer have that digest, the store resolves the statement again, from that time on, as a new version whose
cause is the event that changed the columns; it counts as long as the statement's own message is in force. A result
that says the same makes no version.
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

#: How a digest begins that is of the columns alone which the text names.
OF_NAMED: Final = "~"
#: Signs of a template that may put names together: all columns count then.
_TEMPLATES: Final = ("{{", "{%")


class Due(NamedTuple):
    """What is to be resolved again: the statement of ``version``, as of the columns in force at ``effective_at``.

    ``read`` says what the columns are.
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
    """Return, in lower case, the text in which a statement names columns; None where it may name any.

    Where its text is not kept, the columns count that its ``edges`` name.
    """
    if statement.sql is None:
        return "\n".join(sorted({end.partition("#")[2].lower() for edge in edges for end in edge[:2]}))
    if any(sign in statement.sql for sign in _TEMPLATES):
        return None
    return "\n".join((statement.sql, *statement.params.values())).lower()


def stars_of(lineage: Lineage, statement: TaskChange) -> Stars:
    """Return what a statement was resolved with: each dataset looked up, with the digest of the answer."""
    if not lineage.lookups:
        return ()
    whole, words = set(lineage.stars), words_of(statement, lineage.edges)
    return tuple(
        (dataset, _digest(columns, None if dataset in whole else words)) for dataset, columns in lineage.lookups
    )


def reads_named(stars: Stars) -> bool:
    """Whether some digest is of named columns alone: to compare it, the statement's text is needed."""
    return any(digest is not None and digest.startswith(OF_NAMED) for _, digest in stars)


def spans_since(history: TaskHistory, since: int, only: int | None = None) -> Iterator[StatementSpan]:
    """Yield the statements in force somewhere from ``since`` on that depend on columns; ``only`` that of a version."""
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
    """Yield, in order, from where on a statement in force was resolved with other columns than are known now.

    ``words`` gives its text as ``words_of`` does; it is needed where it reads named columns alone.
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
            in_force = None  # whatever comes of it
        stars = read


def _inside(times: Iterable[int], valid_from: int, valid_to: int | None) -> Iterator[int]:
    return (time for time in times if valid_from < time and (valid_to is None or time < valid_to))


def columns_read(
    catalog: Catalog, stars: Stars, at: int, statement: int, named: Callable[[], str | None] | None
) -> Stars:
    """Return the digests of the columns in force at ``at``, of the datasets in ``stars`` and in their way.

    What the statement (the version that stated it) says of columns itself is left aside; ``named`` gives its words.
    """
    result = []
    for dataset, digest in stars:
        columns = catalog.columns(dataset, at, statement)
        of_named = digest is not None and digest.startswith(OF_NAMED)
        result.append((dataset, _digest(columns, named() if of_named and named is not None else None)))
    return tuple(result)


def _digest(columns: Shape | None, words: str | None) -> str | None:
    """Return the digest of columns, of those alone that the words hold where there are words."""
    if columns is None or words is None:
        return columns_digest(columns)
    return f"{OF_NAMED}{columns_digest(tuple(column for column in columns if _is_named(column, words)))}"


def _is_named(column: str | tuple[str, str], words: str) -> bool:
    name = (column if isinstance(column, str) else column[0]).lower()
    return name in words or not name.isidentifier()  # a name in quotes may be written in another way
