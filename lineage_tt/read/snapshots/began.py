"""The messages that began the edges of an answer, read only for the edges' tasks: see ``read.macros.statements``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any, Final

from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.gaps import resolved
from lineage_tt.read import gap_rows
from lineage_tt.timeline import state_at

#: (task id, the first instant of an interval): determines the message to which an edge in force is attributed
Begin = tuple[str, int]

#: For each task and instant, the message that counts if nothing was derived or withdrawn, and whether that is the case.
_STATED: Final = """
    SELECT task_id, epoch_us(effective_at),
        max_by(version, (coalesce(source_version, -9223372036854775808), version)),
        bool_and(op <> 'retract' AND derived_from IS NULL)
    FROM log
    WHERE status = 'accepted' AND version <= $version AND task_id IN (SELECT unnest($tasks))
        AND (op = 'retract' OR effective_at IN (SELECT make_timestamptz(unnest($instants))))
    GROUP BY ALL"""


def began(fetch: Callable[..., list[tuple[Any, ...]]], begins: Collection[Begin], basis: Basis) -> dict[Begin, int]:
    """Return the version of the message in force for a task at each of these instants, as known at the basis.

    ``fetch`` queries the view ``log``. All messages of a task are read only if some were withdrawn or derived.
    """
    instants_of: dict[str, set[int]] = defaultdict(set)
    for task, at in begins:
        if at <= basis.valid_at:
            instants_of[task].add(at)
    if not instants_of:
        return {}
    instants = sorted(set().union(*instants_of.values()))
    result: dict[Begin, int] = {}
    unclear = set()
    for task, at, version, clear in fetch(_STATED, tasks=list(instants_of), instants=instants, version=basis.version):
        if not clear:
            unclear.add(task)
        elif at in instants_of[task]:
            result[task, at] = version
    for task, rows in gap_rows.coverage_rows(fetch, unclear, 0, basis.version).items() if unclear else ():
        steps = resolved(rows)
        for at in instants_of[task]:
            result.pop((task, at), None)
            step = state_at(steps, at)
            if step is not None and step.at == at:
                result[task, at] = step.version
    return result
