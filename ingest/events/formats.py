"""Events of engines that are not OpenLineage's, each as the run event that says the same.

An event shows by its fields what it is, so that every way in takes all of them.
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

#: What events of all formats have: a file in a folder that begins with none of it holds no events.
PARTS: Final = frozenset(
    {"run", "job", "dataset", "eventTime", "eventType", "metadata", "eventPayload", "queryId", "vertices", "message",
     "msgCreationTime", "entities", "entityId"}
)  # fmt: skip
_OWN: Final = frozenset({"run", "job", "dataset"})


def as_openlineage(
    event: Mapping[str, Any], namespaces: Mapping[str, str], sessions: Mapping[str, str] | None = None
) -> Mapping[str, Any]:
    """Return an event as an event of OpenLineage; one that is none of the known formats as it is.

    ``namespaces`` are those of datasets: by engine where the events do not say them, else by the one that they say.
    ``sessions`` are a catalog and a schema, likewise, for events of queries that do not say theirs.
    ValueError for one of a known format that says nothing of a run.
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
