"""The SQL of a task at one or two points, with the places that make an edge, and the difference of two texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lineage_tt.api.browsing.linediff import MAX_LINES, is_compared, line_diff
from lineage_tt.api.browsing.places import Span, spans
from lineage_tt.api.reads.engine import Engine
from lineage_tt.model.answers import Basis, EdgeAsOf
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.names import clipped
from lineage_tt.model.times import format_instant

_POINT: Final = "make_timestamptz($valid_at), make_timestamptz($system_at)"
_TEXT: Final = f"""
    SELECT version, epoch_us(effective_at), dialect, target, sql, sql_sha256 FROM tasks_as_of({_POINT})
    WHERE task_id = $task"""
_EDGES: Final = f"""
    SELECT task_id, source, target, "type", subtype, expression, version, epoch_us(valid_from), epoch_us(valid_to)
    FROM edges_as_of({_POINT}) WHERE task_id = $task
        AND ($source IS NULL OR $source IN (source, dataset_of(source)))
        AND ($target IS NULL OR $target IN (target, dataset_of(target))) ORDER BY ALL"""
_STARS: Final = f"""
    SELECT task_id, source, target, "type", subtype, expression, version, epoch_us(valid_from), epoch_us(valid_to)
    FROM edges_as_of({_POINT}) WHERE task_id = $task
        AND ($source IS NULL OR $source = dataset_of(source)) AND ($target IS NULL OR $target = dataset_of(target))
        AND is_star(source) ORDER BY ALL"""


def sql_answer(
    engine: Engine, task: str, bases: Sequence[Basis], source: str | None, target: str | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the texts of a task point by point, and their difference if there are two points; and notes on both.

    Raises Problem 404 for an unknown task.
    """
    notes: list[str] = []
    texts = [_text(engine, task, basis, source, target, notes) for basis in bases]
    if not any(texts):
        engine.versions(task)  # raises an error if the task does not exist
    sqls = [each["sql"] for each in texts if each is not None and each["sql"] is not None]
    compared = line_diff(sqls[0], sqls[1]) if len(bases) == 2 and len(sqls) == 2 else None
    if compared is not None and not is_compared(*sqls):
        notes.append(
            f"the texts differ over more than {MAX_LINES:,} lines, which are not compared one by one: all of them "
            "are listed as removed and added"
        )
    return {"task_id": task, "texts": texts, "diff": compared}, list(dict.fromkeys(notes))


def _text(
    engine: Engine, task: str, basis: Basis, source: str | None, target: str | None, notes: list[str]
) -> dict[str, Any] | None:  # fmt: skip
    """Return the text in force at a point, None without one, and add notes on its places."""
    at: dict[str, Any] = {"valid_at": basis.valid_at, "system_at": basis.system_time, "task": task}
    rows = engine.reading.fetch(_TEXT, **at)
    if not rows or rows[0][4:] == (None, None):
        return None
    version, effective_at, dialect, into, sql, digest = rows[0]
    edge_named = source is not None or target is not None
    places: list[Span] = []
    if edge_named and sql is not None:
        edges = [EdgeAsOf(*row) for row in engine.reading.fetch(_EDGES, **at, source=source, target=target)]
        if not edges:  # a column that a star passes on
            near = {"source": source and dataset_of(source), "target": target and dataset_of(target)}
            edges = [EdgeAsOf(*row) for row in engine.reading.fetch(_STARS, **at, **near)]
        if not edges:
            ends = " ".join(f"{word} {clipped(node)}" for word, node in (("from", source), ("to", target)) if node)
            notes.append(f"the task has no edge {ends} at {format_instant(basis.valid_at)}: no place is searched for")
        places, left_out = spans(sql, edges)
        if left_out:
            notes.append(f"the text of version {version}: {left_out}")
    return {
        "version": version, "effective_at": format_instant(effective_at), "dialect": dialect, "target": into,
        "kept": sql is not None, "policy": engine.reading.texts.at(version).value, "sha256": digest, "sql": sql,
        "spans": _in_code_units(sql or "", places), "spans_known": bool(places),
    }  # fmt: skip


def _in_code_units(text: str, places: Sequence[Span]) -> list[dict[str, Any]]:
    """Return places with offsets in UTF-16 code units, as in JavaScript."""
    if text.isascii():
        return [span._asdict() for span in places]
    counted = {at: len(text[:at].encode("utf-16-le", "surrogatepass")) // 2 for span in places for at in span[:2]}
    return [{"start": counted[span.start], "end": counted[span.end], "what": span.what} for span in places]
