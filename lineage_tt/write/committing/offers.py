"""An offer: the rows of a small append that waits, as its ticket in the queue holds them.

The writer whose turn it is commits them after its own rows (``riding``). Only rows that depend on nothing but the
history of their subjects are offered. So the writer that commits them only has to know whether anyone wrote about these
subjects since the rows were planned. An offer is JSON; a writer leaves an offer in another release's form to its owner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from lineage_tt.log.commit_file import is_plain
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Problem, Subject
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.write.planning.plan import Plan

#: Larger offers are neither made nor read.
MAX_BYTES: Final = 128 << 10
#: Must change whenever the content of an offer changes, or how messages are placed.
_FORM: Final = [1, *LogRow._fields]
_TUPLES: Final = ("edges", "changes", "facts", "fact_changes")
_EMPTY: Final = {"outputs": (), "stars": (), "rejected_bytes": None, "checksum": b""}


class Offer(NamedTuple):
    """The rows of another writer's append, planned after ``version``, under the name of its ticket."""

    name: str
    version: int
    rows: list[LogRow]

    @property
    def subjects(self) -> set[Subject]:
        """The subjects of its rows."""
        return set(map(subject_of, self.rows))


def subject_of(row: LogRow) -> Subject:
    """Return the subject of an accepted message's row."""
    return row.task_id or (row.kind or "", row.subject or "", row.fact_key or "")


def offer_bytes(plan: Plan) -> bytes | None:
    """Return a plan as an offer; None where it depends on more than the histories of its subjects, or is too large."""
    if not plan.rows or plan.order is not None or plan.looked_up or plan.followed or plan.cites_itself:
        return None
    if not all(map(is_plain, plan.rows)) or any(history.star_datasets() for history in plan.histories.values()):
        return None
    offered = {
        "form": _FORM,
        "version": plan.version,
        "texts": plan.texts.to_meta(),
        "rows": [_values(row) for row in plan.rows],
    }
    data = orjson.dumps(offered, default=list)  # problems and edges may be named tuples
    return data if len(data) <= MAX_BYTES else None


def offer_of(name: str, data: bytes, texts: TextState) -> Offer | None:
    """Return a ticket's offer; None where it has another form, or was made under another policy for texts."""
    try:
        offered = orjson.loads(data)
        if offered["form"] != _FORM or offered["texts"] != texts.to_meta():
            return None
        rows = [_row(values) for values in offered["rows"]]
        if not rows or not all(map(is_plain, rows)):
            return None
        return Offer(name, int(offered["version"]), rows)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _values(row: LogRow) -> dict[str, Any]:
    """Return the values of a row, without empty values and those that are known only when it is committed."""
    values = {name: value for name, value in zip(row._fields, row, strict=True) if value is not None and value != ()}
    del values["version"], values["checksum"]
    return values | {"content_sha256": row.content_sha256.hex()}


def _row(values: Mapping[str, Any]) -> LogRow:
    known = {**values, "version": 0, **_EMPTY}
    for name in _TUPLES:
        known[name] = _tuples(known.get(name, ()))
    known["problems"] = [Problem(*each) for each in known.get("problems", ())]
    known["content_sha256"] = bytes.fromhex(known["content_sha256"])
    return LogRow(**known)


def _tuples(items: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    return [tuple(item) for item in items]
