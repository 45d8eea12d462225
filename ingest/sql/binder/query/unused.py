"""Queries in WITH that nothing reads: their names are looked up, and they give no lineage."""

from __future__ import annotations

from typing import Final

from ingest.sql.binder.query.query import QueryWalk

#: Problems for which most engines reject a text, wherever its query is.
_FAILING: Final = frozenset(
    ["unknown-column", "ambiguous-column", "column-count", "repeated-column", "misplaced-aggregate", "ungrouped-column"]
)


def look_up_unused(walk: QueryWalk) -> None:
    """Evaluate each query in WITH that the statement does not read; report only what makes the text fail.

    Where the engine does not look at such queries either, nothing is reported. One that changes rows, as Postgres
    has it, changes them.
    """
    if all(entry.relation is not None for entry in walk.named):
        return
    before = dict(walk.problems)
    for entry in walk.named:  # one that is evaluated may bring further ones
        if entry.relation is None and not entry.node.args.get("scalar"):
            walk.sources.cte(entry)
    codes = _FAILING if walk.rules.checks_unused_queries else frozenset()
    found = {problem: None for problem in walk.problems if problem in before or problem.code in codes}
    walk.problems.clear()
    walk.problems.update(found)
