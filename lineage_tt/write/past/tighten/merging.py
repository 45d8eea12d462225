"""Edges and facts that become equal under a policy: the timelines of their subjects are placed again.

Two edges of a task that differ only in a literal become one edge once it is masked. If a message replaced one by the
other, that is no longer a change, and their rectangles become one. So the messages of such a subject are placed again,
in order, with what the policy keeps. All other subjects keep their changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from lineage_tt.model.messages import Subject
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.rows import Items
from lineage_tt.model.redaction.texts import looks_like_sql, mask_text
from lineage_tt.read.macros.database import reading_files
from lineage_tt.write.past import history
from lineage_tt.write.subjects.tasks import Item, ItemChange, PastMessage, TaskHistory

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.log.log import Log

_EXPRESSIONS: Final = """
    SELECT DISTINCT e.expression FROM (
        SELECT unnest(edges) AS e FROM read_parquet($files)
        WHERE status = 'accepted' AND kind = 'task' AND parser IS NULL)
    WHERE e.expression <> ''
"""
_VALUES: Final = """
    SELECT DISTINCT f."value" FROM (SELECT unnest(facts) AS f FROM read_parquet($files) WHERE status = 'accepted')
    WHERE f."key" <> 'column'
"""
_MERGED: Final = """
    WITH items AS (SELECT DISTINCT subject, i.* FROM (
            SELECT {subject} AS subject, unnest({column}) AS i FROM read_parquet($files) WHERE status = 'accepted')),
        touched AS (SELECT DISTINCT subject FROM items SEMI JOIN masks ON {text} = original)
    SELECT DISTINCT subject FROM items SEMI JOIN touched USING (subject) LEFT JOIN masks ON {text} = original
    GROUP BY subject, {others}, coalesce(masked, {text}) HAVING count(*) > 1
"""
_FACT_SUBJECT: Final = "CASE WHEN task_id IS NULL THEN [kind, subject, coalesce(fact_key, '')] ELSE [task_id] END"


def items_of(log: Log, policy: TextPolicy) -> Items:
    """Return the policy's effect on the edges and facts that a log holds."""
    with reading_files() as con:
        return Items(
            policy, {text for (text,) in con.execute(_EXPRESSIONS, _files(log)).fetchall()} if log.files() else ()
        )


def merged_subjects(log: Log, items: Items, policy: TextPolicy) -> list[Subject]:
    """Return the subjects in which two or more items become equal under a policy."""
    if not log.files():
        return []
    subjects: list[Subject] = []
    with reading_files() as con:
        files = _files(log)
        expressions = [text for (text,) in con.execute(_EXPRESSIONS, files).fetchall()]
        if _note(con, [(text, mask_text(text)) for text in expressions]):
            query = _MERGED.format(subject="task_id", column="edges", text="expression",
                                   others='source, target, "type", subtype')  # fmt: skip
            subjects += [task for (task,) in con.execute(query, files).fetchall()]
        values = [text for (text,) in con.execute(_VALUES, files).fetchall() if looks_like_sql(text)]
        if _note(con, [(text, masked) for text in values if (masked := items.value(text)) != text]):
            query = _MERGED.format(subject=_FACT_SUBJECT, column="facts", text='"value"', others='node, "key"')
            subjects += [tuple(subject) if len(subject) > 1 else subject[0]
                      for (subject,) in con.execute(query, files).fetchall()]  # fmt: skip
    return list(dict.fromkeys(subjects))


def _files(log: Log) -> dict[str, Any]:
    from lineage_tt.log.verify import verified_files

    return {"files": [str(path) for path in verified_files(log)]}


def _note(con: duckdb.DuckDBPyConnection, masks: Sequence[tuple[str, str]]) -> bool:
    """Create the table of masked texts; return whether any text changes."""
    import pyarrow as pa

    changed = [pair for pair in masks if pair[0] != pair[1]]
    if changed:
        originals, masked = zip(*changed, strict=True)
        table = pa.table({"original": pa.array(originals), "masked": pa.array(masked)})
        con.register("masks", table)
    return bool(changed)


def placed_again(log: Log, subjects: Iterable[Subject], items: Items) -> dict[int, list[ItemChange]]:
    """Return, by version, what the messages of these subjects change once a policy is applied to them."""
    result: dict[int, list[ItemChange]] = {}
    horizon = log.horizon.version if log.horizon else 0
    for _, messages in history.messages_of(log, subjects):
        changes = _placed(messages, items)
        _drop_ended(changes, horizon)
        result |= changes
    return result


def _placed(messages: Iterable[PastMessage], items: Items) -> dict[int, list[ItemChange]]:
    known, result = TaskHistory(), {}
    for each in messages:
        if each.op == "retract":
            result[each.version] = known.withdraw(each.version, each.retracts or "")
        else:
            stated: list[Item] = [*items.edges(list(each.edges)), *items.facts(list(each.facts))]  # type: ignore[arg-type]
            at = each.effective_at or 0
            result[each.version] = known.place(each.version, at, each.source_version, stated, each.derived_from)
        known.events[each.event_id] = (each.version, b"")
    return result


def _drop_ended(changes: Mapping[int, list[ItemChange]], horizon: int) -> None:
    """Remove the changes of rectangles that ended at or before a horizon, as a compaction with it does."""
    last: dict[tuple[Any, ...], int] = {}
    old = [version for version in sorted(changes) if version <= horizon]
    for version in old:
        last |= {change[1:]: version for change in changes[version]}
    for version in old:
        changes[version][:] = [c for c in changes[version] if c[0] > 0 and last[c[1:]] == version]
