"""Answers as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.tables import table
from lineage_tt.cli.render.tree import draw, grow
from lineage_tt.log.retention import Horizon, dropped
from lineage_tt.model.answers import (
    Basis,
    Belief,
    Blame,
    ColumnAsOf,
    DeadLetter,
    Difference,
    FactAsOf,
    FeedEntry,
    Lineage,
    LogEntry,
    TaskAsOf,
)
from lineage_tt.model.completeness.sentence import in_words
from lineage_tt.model.times import format_instant

SHORT_HASH = 12


def basis_words(basis: Basis) -> str:
    """Return the point of an answer as text."""
    known = f" (known at {format_instant(basis.system_time)})" if basis.version else ""
    return f"as of {format_instant(basis.valid_at)}, version {basis.version}{known}"


def count(number: int, word: str) -> str:
    """Return ``1 edge``, ``2 edges``."""
    return f"{number:,} {word if number == 1 else word + 's'}"


def interval(start: int | None, end: int | None, open_end: str) -> str:
    """Return a half-open interval as text."""
    return f"{format_instant(start)} → {format_instant(end) or open_end}"


def lineage_page(lineage: Lineage, direction: str, ink: Ink) -> Iterator[str]:
    """Yield a tree for each start node, then the counts and the basis."""
    ways = ("up", "down") if direction == "both" else (direction,)
    trees = {way: grow(lineage, way) for way in ways}
    for i, start in enumerate(lineage.start):
        yield ink.strong(start)
        for way in ways:
            if direction == "both":
                yield ink.faint(f"{way}stream")
            if trees[way][i].below:
                yield from draw(trees[way][i], ink)
            else:
                yield ink.faint(f"└── nothing {way}stream")
        yield ""
    edges = len({step.edge for step in lineage.steps})
    yield ink.faint(f"{count(len(lineage.nodes), 'node')}, {count(edges, 'edge')}, {basis_words(lineage.basis)}")


def diff_page(difference: Difference, ink: Ink) -> Iterator[str]:
    """Yield + and − lines by task."""
    yield ink.bad(f"--- {basis_words(difference.first)}")
    yield ink.good(f"+++ {basis_words(difference.second)}")
    signed = [(edge[0], "-", edge) for edge in difference.removed] + [(edge[0], "+", edge) for edge in difference.added]
    signed.sort(key=lambda item: (item[0], item[2][2], item[2][1], item[2][4], item[1] == "+"))
    for task, group in groupby(signed, key=lambda item: item[0]):
        yield ""
        yield ink.strong(task)
        for _, sign, (_, source, target, kind, subtype, expression) in group:
            paint = ink.good if sign == "+" else ink.bad
            yield paint(f"{sign} {source} -> {target}  {subtype or kind}{_written(expression)}")
    yield ""
    yield ink.faint(f"{count(len(difference.removed), 'edge')} removed, {count(len(difference.added), 'edge')} added")


def _written(expression: str) -> str:
    return f"  {' '.join(expression.split())}" if expression else ""


def horizon_note(horizon: Horizon | None, ink: Ink) -> Iterator[str]:
    """Yield a note on dropped beliefs that the answer does not show; nothing if no horizon is set."""
    if horizon is not None:
        yield ink.faint(dropped(horizon))


def history_page(rectangles: Sequence[Belief], ink: Ink) -> Iterator[str]:
    """Yield, for each edge, what was believed about it and when."""
    ordered = sorted(rectangles, key=lambda b: (b.task_id, b.source, b.target, b.type, b.subtype, b.expression))
    for edge, beliefs in groupby(ordered, key=lambda b: (b.task_id, b[1], b[2], b.subtype or b.type, b.expression)):
        task, source, target, kind, expression = edge
        yield f"{ink.strong(f'{source} -> {target}')}  {ink.kind(kind)}{ink.plain(_written(expression))}  " + ink.faint(
            f"[{task}]"
        )
        for b in beliefs:
            closed = f", closed by v{b.closing_version}" if b.closing_version else ""
            valid = interval(b.valid_from, b.valid_to, "open")
            known = interval(b.system_from, b.system_to, "now")
            yield f"  v{b.version}{closed}: in force {valid}, believed {known}"
    yield ink.faint(count(len(rectangles), "rectangle"))


def blame_page(blamed: Sequence[Blame], basis: Basis, ink: Ink) -> Iterator[str]:
    """Yield, for each edge in force, the message that put it in force."""
    for edge, entry in blamed:
        yield f"{ink.strong(f'{edge.source} -> {edge.target}')}  {ink.kind(edge.subtype or edge.type)}" + ink.plain(
            _written(edge.expression)
        )
        yield f"  in force {interval(edge.valid_from, edge.valid_to, 'open')}"
        yield (
            f"  by version {entry.version}: {ink.plain(entry.op)} of task {ink.plain(entry.task_id)}, event "
            + ink.plain(entry.event_id)
        )
        yield f"  known since {format_instant(entry.system_time)}" + _who(entry.actor, entry.reason, ink)
        if entry.root in ("person", "run"):
            author = entry.actor if entry.root == "person" else entry.cause
            words = f"  stated by a {entry.root}" if not author else f"  stated by a person, {author}"
            words = f"  reported by {author}" if entry.root == "run" else words
            yield ink.plain(words) + (f", see {ink.plain(entry.evidence)}" if entry.evidence else "")
    if not blamed:
        yield "no such edge is in force at this point"
    yield ink.faint(basis_words(basis))


def _who(actor: str | None, reason: str | None, ink: Ink) -> str:
    return (f", by {ink.plain(actor)}" if actor else "") + (f": {ink.plain(reason)}" if reason else "")


def _took_effect(entry: LogEntry) -> str | None:
    """Return the reason of a message, after a note if the message had no effect."""
    if entry.superseded_by is None:
        return entry.reason
    return f"accepted, superseded by version {entry.superseded_by}" + (f"; {entry.reason}" if entry.reason else "")


def log_page(entries: Sequence[LogEntry], ink: Ink) -> Iterator[str]:
    """Yield one line for each message."""
    rows = [
        (
            e.version,
            format_instant(e.system_time),
            e.op if e.status == "accepted" else e.status,
            e.task_id or e.subject,
            format_instant(e.effective_at),
            f"+{e.plus} -{e.minus}" if e.status == "accepted" else "",
            e.actor,
            _took_effect(e) if e.status == "accepted" else f"{e.rejected_code}: {e.rejected_detail}",
        )
        for e in entries
    ]
    headers = ("version", "system time", "op", "task", "effective at", "changes", "actor", "reason")
    return table(headers, rows, ink, {"task": ink.strong, "system time": ink.faint})


def tasks_page(tasks: Sequence[TaskAsOf], sql: dict[str, str | None] | None, basis: Basis, ink: Ink) -> Iterator[str]:
    """Yield one line for each task in force, or with ``sql`` each task and its text; then the basis."""
    headers = ["task", "version", "op", "effective at", "coverage", "edges", "sql sha-256"]
    headers += ["why not complete"] if any(t.reasons for t in tasks) else []
    rows = [
        (
            t.task_id,
            t.version,
            t.op,
            format_instant(t.effective_at),
            t.coverage,
            t.edges,
            t.sql_sha256[:SHORT_HASH] if t.sql_sha256 and ink.colour else t.sql_sha256,
            *((_first_reason(t),) if len(headers) > _TASK_COLUMNS else ()),
        )
        for t in tasks
    ]
    if sql is None:
        yield from table(headers, rows, ink, {"task": ink.strong, "sql sha-256": ink.faint})
    else:
        for row in rows:
            yield from table(headers, [row], ink, {"task": ink.strong, "sql sha-256": ink.faint})
            yield from (f"    {ink.plain(line)}" for line in (sql.get(str(row[0])) or "").splitlines())
            yield ""
    yield ink.faint(f"{count(len(tasks), 'task')} in force {basis_words(basis)}")


#: The number of columns of the page of tasks if all tasks are complete.
_TASK_COLUMNS = 7


def _first_reason(task: TaskAsOf) -> str:
    """Return, in one line, why a task is not complete."""
    if not task.reasons:
        return ""
    more = f" (and {len(task.reasons) - 1} more)" if len(task.reasons) > 1 else ""
    return in_words(task.reasons[0]) + more


def columns_page(columns: Sequence[ColumnAsOf], basis: Basis, ink: Ink) -> Iterator[str]:
    """Yield one line for each column, then the basis."""
    headers = ("dataset", "#", "column", "type", "mode", "field id", "origin", "version")
    rows = [(c.dataset, c.ordinal, c.column, c.type, c.mode, c.field_id, c.origin, c.version) for c in columns]
    yield from table(headers, rows, ink, {"column": ink.strong, "version": ink.faint})
    yield ink.faint(f"{count(len(columns), 'column')} known {basis_words(basis)}")


def facts_page(facts: Sequence[FactAsOf], basis: Basis, ink: Ink) -> Iterator[str]:
    """Yield one line for each fact, then the basis."""
    headers = ("node", "key", "valid from", "version", "value")
    rows = [(f.node, f.key, format_instant(f.valid_from), f.version, f.value) for f in facts]
    yield from table(headers, rows, ink, {"node": ink.strong, "valid from": ink.faint, "version": ink.faint})
    yield ink.faint(f"{count(len(facts), 'fact')} known {basis_words(basis)}")


def feed_page(entry: FeedEntry, ink: Ink) -> Iterator[str]:
    """Yield one version of the feed: a heading and its + and − lines."""
    heading = f"version {entry.version}  {format_instant(entry.system_time)}  {entry.subject}"
    yield ink.strong(heading) + _who(entry.actor, entry.reason, ink)
    for sign, source, target, kind, subtype, expression, valid_from, valid_to in entry.changes:
        mark, paint = ("+", ink.good) if sign > 0 else ("-", ink.bad)
        valid = interval(valid_from, valid_to, "open")
        yield paint(f"{mark} {source} -> {target}  {subtype or kind}{_written(expression)}  in force {valid}")
    for sign, node, key, value, valid_from, valid_to in entry.facts:
        mark, paint = ("+", ink.good) if sign > 0 else ("-", ink.bad)
        yield paint(
            f"{mark} {node}  {key} {' '.join(value.split())}  in force {interval(valid_from, valid_to, 'open')}"
        )


def letters_page(letters: Sequence[DeadLetter], ink: Ink) -> Iterator[str]:
    """Yield one line for each dead letter."""
    rows = [
        (
            d.version,
            format_instant(d.system_time),
            d.task_id,
            d.code,
            f"as version {d.replayed_as}" if d.replayed_as else "dismissed" if d.dismissed else None,
            d.detail,
        )
        for d in letters
    ]
    headers = ("version", "system time", "task", "code", "replayed", "detail")
    yield from table(headers, rows, ink, {"code": ink.bad, "system time": ink.faint})
    waiting, dismissed = sum(d.waits for d in letters), sum(d.dismissed is not None for d in letters)
    ignored = f", {dismissed:,} dismissed" if dismissed else ""
    yield ink.faint(f"{count(len(letters), 'dead letter')}, {waiting:,} not replayed{ignored}")


def letter_page(letter: DeadLetter, ink: Ink) -> Iterator[str]:
    """Yield a complete dead letter."""
    place = "" if letter.source_position is None else f" at {letter.source_position}"
    yield f"{ink.strong(f'version {letter.version}')}  {format_instant(letter.system_time)}"
    yield f"{ink.bad(letter.code)}: {ink.plain(letter.detail)}"
    for name, value in (("task", letter.task_id), ("event", letter.event_id), ("from", letter.source)):
        if value is not None:
            yield f"{name} {ink.plain(value)}{place if name == 'from' else ''}"
    if letter.replayed_as:
        yield f"replayed as version {letter.replayed_as}"
    if letter.dismissed:
        yield f"dismissed: {ink.plain(letter.dismissed)}"
    yield ""
    yield from (ink.plain(line) for line in letter.raw.decode(errors="backslashreplace").splitlines())
