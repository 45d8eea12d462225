"""Events of engines in other formats than OpenLineage's, each as the run event that says the same.

The fields of an event show its format, so every way in takes all formats.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ingest.events.hive import atlas, entities
from ingest.events.hive import converting as hive
from ingest.events.renaming import renamed
from ingest.events.trino import converting as trino
from ingest.events.trino import lifecycles
from ingest.events.trino.sessions import with_session

#: Fields of events, of all formats: a file in a folder that begins with none of them holds no events.
PARTS: Final = frozenset(
    {"run", "job", "dataset", "eventTime", "eventType", "metadata", "eventPayload", "queryId", "vertices", "message",
     "msgCreationTime", "entities", "entityId"}
)  # fmt: skip
_OWN: Final = frozenset({"run", "job", "dataset"})


def as_openlineage(
    event: Mapping[str, Any], namespaces: Mapping[str, str], sessions: Mapping[str, str] | None = None
) -> Mapping[str, Any]:
    """Return an event as an OpenLineage event; an event of no known format is returned as it is.

    ``namespaces`` are those of datasets: by engine where the events name none, else by the one that they name.
    ``sessions`` give, in the same way, a catalog and a schema for events of queries that lack them. ValueError for an
    event of a known format that says nothing about a run.
    """
    if not _OWN.isdisjoint(event):
        return renamed(lifecycles.with_lifecycles(with_session(event, sessions or {})), namespaces)
    if hive.looks_like(event):
        return hive.as_run_event(event, namespaces.get("hive"))
    if entities.looks_like(event):
        return atlas.as_run_event(event, namespaces.get("hive"))
    if "metadata" in event or "eventPayload" in event or "queryId" in event:
        return lifecycles.with_lifecycles(trino.as_run_event(event, namespaces.get("trino")))
    return event
