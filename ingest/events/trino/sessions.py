"""The catalog and the schema in which a query ran, for listeners that do not report them.

OpenLineage's listener in Trino leaves both out. They are needed for names that the event does not hold in full: what a
query drops or renames, and which of two tables of one name a text means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ingest.events.openlineage import queries


def with_session(event: Mapping[str, Any], sessions: Mapping[str, str]) -> Mapping[str, Any]:
    """Return a run event of an engine's query with the session that the mapping file gives; others as they are.

    ``sessions`` are texts ``CATALOG.SCHEMA`` by the namespace of the event's job, or by the engine.
    """
    job, run = event.get("job"), event.get("run")
    if not sessions or not isinstance(job, Mapping) or not isinstance(run, Mapping):
        return event
    facets = job.get("facets")
    if not isinstance(facets, Mapping) or not queries.of_engine(facets):
        return event
    engine = str(facets["jobType"].get("integration")).lower()
    session = sessions.get(str(job.get("namespace"))) or sessions.get(engine)
    of_run = run.get("facets") or {}
    context = (of_run.get(queries.CONTEXT) or {}) if isinstance(of_run, Mapping) else None
    if session is None or not isinstance(context, Mapping) or queries.session_of({queries.CONTEXT: context}):
        return event
    catalog, _, schema = session.partition(".")
    whole = {**context, "catalog": catalog, "schema": schema}
    return {**event, "run": {**run, "facets": {**of_run, queries.CONTEXT: whole}}}
