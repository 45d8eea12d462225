"""The interfaces by which the parts of the binder call each other, and the parts that are there."""

from __future__ import annotations

from inspect import getmembers, isfunction, signature
from typing import Any

import pytest
from bound import Bound

from ingest.sql.binder.names.ports import (
    Binder,
    Expressions,
    FromClause,
    FunctionCalls,
    JoinClauses,
    NameLookup,
    SelectList,
    StarExpansion,
)
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.dialects.dialects import Names


def parts() -> dict[type, Any]:
    """Return the part of a binder at work for each port."""
    walk = Bound().walk
    return {
        Binder: walk,
        Expressions: walk.values,
        NameLookup: walk.values.lookup,
        StarExpansion: walk.stars,
        FromClause: walk.sources,
        JoinClauses: walk.joins,
        SelectList: walk.items,
        FunctionCalls: walk.functions,
    }


@pytest.mark.parametrize("port", parts(), ids=lambda port: port.__name__)
def test_a_part_takes_what_its_port_says(port: type) -> None:
    """Under the same names, in the same order and with the same defaults: others call it by its port alone."""
    part = parts()[port]
    for name, promised in getmembers(port, isfunction):
        if name.startswith("_") or name not in vars(port):
            continue
        wanted = list(signature(promised).parameters.values())[1:]
        given = signature(getattr(part, name)).parameters
        assert [(p.name, p.kind, p.default) for p in wanted] == [
            (p.name, p.kind, p.default) for p in list(given.values())[: len(wanted)]
        ]
        assert all(p.default is not p.empty for p in list(given.values())[len(wanted) :])


def test_a_binder_that_cannot_resolve_queries_is_not_made() -> None:
    """Only a whole one: it has the queries, their WITH clauses, and the texts of expressions."""

    class Halfway(Binder):
        def query(self, *given: Any, **more: Any) -> Any:
            raise AssertionError("nobody asks it")

    with pytest.raises(TypeError, match=r"render.*with_clause"):
        Halfway(Names("spark", "n", "d"), Catalog({}))  # type: ignore[abstract]
