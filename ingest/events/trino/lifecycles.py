"""DROP and RENAME in the text of an engine's query, as ``lifecycleStateChange`` says them.

Trino and Presto send an event for such a statement, but it names neither what is dropped nor what is renamed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ingest.events.openlineage import queries
from ingest.events.openlineage.queries import UNRESOLVED_NAME
from ingest.events.openlineage.unread import UNREAD

_PART: Final = r'(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)'
_NAME: Final = rf"{_PART}(?:\s*\.\s*{_PART}){{0,2}}"
_KIND: Final = r"(?:table|view|materialized\s+view)"
_EXISTS: Final = r"(?:\s+if\s+exists)?"
_DROP: Final = re.compile(rf"\s*drop\s+{_KIND}{_EXISTS}\s+({_NAME})\s*;?\s*", re.IGNORECASE)
_RENAME: Final = re.compile(
    rf"\s*alter\s+{_KIND}{_EXISTS}\s+({_NAME})\s+rename\s+to\s+({_NAME})\s*;?\s*", re.IGNORECASE
)
#: Changes that are not taken up, each with why.
_WITHOUT_EFFECT: Final = (
    (re.compile(rf"\s*drop\s+schema{_EXISTS}\s+{_NAME}\s+cascade\s*;?\s*", re.IGNORECASE),
     "DROP SCHEMA CASCADE has no effect: the event does not name the tables that it drops"),
    (re.compile(rf"\s*alter\s+schema\s+{_NAME}\s+rename\s+to\s+{_NAME}\s*;?\s*", re.IGNORECASE),
     "the new name of a schema has no effect: the event does not name the tables in it"),
    (re.compile(rf"\s*alter\s+table{_EXISTS}\s+{_NAME}\s+(?:rename|drop)\s+column\s.*", re.IGNORECASE | re.DOTALL),
     "the column that ALTER TABLE renames or drops stays as it was until the table is written again"),
)  # fmt: skip
_COMMENTS: Final = re.compile(r'("(?:[^"]|"")*")|--[^\n]*|/\*.*?\*/', re.DOTALL)
#: Statements like these are short; longer texts are not looked at.
_LONGEST: Final = 4096


def with_lifecycles(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a run event of an engine's query with what its text drops or renames as output; others as they are.

    A change that is not taken up is noted in the event, as what could not be read of it.
    """
    job, run = event.get("job"), event.get("run")
    if event.get("inputs") or event.get("outputs") or not isinstance(job, Mapping) or not isinstance(run, Mapping):
        return event
    facets, namespace = job.get("facets"), job.get("namespace")
    sql = facets.get("sql") if isinstance(facets, Mapping) and queries.of_engine(facets) else None
    text = sql.get("query") if isinstance(sql, Mapping) else None
    if not isinstance(text, str) or len(text) > _LONGEST or not isinstance(namespace, str):
        return event
    of_run = run.get("facets")
    session = queries.session_of(of_run) if isinstance(of_run, Mapping) else ()
    text = _COMMENTS.sub(lambda match: match[1] or " ", text)
    change = _change(text, session, namespace)
    if isinstance(change, Unresolved):
        return {**event, "job": {**job, "facets": {**(facets or {}), queries.UNRESOLVED: change._asdict()}}}
    if change is not None:
        return {**event, "outputs": [change]}
    words = next((why for form, why in _WITHOUT_EFFECT if form.fullmatch(text)), None)
    if words is None or event.get("eventType") != "COMPLETE":
        return event
    before = event.get(UNREAD)
    return {**event, UNREAD: (*(before if isinstance(before, tuple) else ()), (UNRESOLVED_NAME, words))}


class Unresolved(NamedTuple):
    """What is done, and the name of its object, where the catalog and the schema of the name are not known."""

    change: str
    name: str


def _change(text: str, session: tuple[str, ...], namespace: str) -> dict[str, Any] | Unresolved | None:
    """Return the dataset that a text drops or renames, with what happens to it; None for other texts."""
    if match := _DROP.fullmatch(text):
        parts = _parts(match[1])
        name = _full(parts, session)
        return _dataset(namespace, name, {"lifecycleStateChange": "DROP"}) if name else _unresolved("DROP", parts)
    if match := _RENAME.fullmatch(text):
        parts = _parts(match[1])
        former = _full(parts, session)
        name = _full(_parts(match[2]), former[:-1]) if former else ()
        if not former or not name:
            return _unresolved("RENAME", parts)
        before = {"namespace": namespace, "name": ".".join(former)}
        return _dataset(namespace, name, {"lifecycleStateChange": "RENAME", "previousIdentifier": before})
    return None


def _unresolved(change: str, parts: tuple[str, ...]) -> Unresolved:
    return Unresolved(change, ".".join(parts))


def _dataset(namespace: str, name: tuple[str, ...], change: Mapping[str, Any]) -> dict[str, Any]:
    return {"namespace": namespace, "name": ".".join(name), "facets": {"lifecycleStateChange": change}}


def _full(name: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    """Return a name with the parts that it leaves out; nothing where these are not known."""
    lacking = 3 - len(name)
    return (*before[:lacking], *name) if len(before) >= lacking else ()


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a name, in lower case, as the engine has them."""
    return tuple(each.strip('"').replace('""', '"').lower() for each in re.findall(_PART, name))
