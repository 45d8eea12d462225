"""Events of derived labels for ``/v1/changes?labels=true``, by the service's rules."""

from __future__ import annotations

import orjson

from lineage_tt.api.live.feed import Event
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.service import Service
from lineage_tt.events import entry_in


async def beside(service: Service, events: list[Event], scene: str | None) -> list[Event]:
    """Return the events, each followed by an event of the derived labels that its version changed, if any."""

    def make(engine: Engine) -> list[Event]:
        feed = governance_of(service, engine, scene).label_feed(service.feed.store_id, scene)
        result = []
        for event in events:
            result.append(event)
            labels = feed.event(entry_in(orjson.loads(event.data)))
            if labels is not None:
                result.append(Event(event.version, orjson.dumps(labels), "lineage.labels.changed"))
        return result

    return await service.run(make)
