"""Figures for Prometheus: how far the service lags the log, what it answered, how fast, and what it refused."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BUCKETS: Final = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """One service's figures, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.version = Gauge("lineage_tt_version", "Last version that is answered from.", registry=registry)
        self.lag = Gauge(
            "lineage_tt_tail_lag_seconds", "Seconds for which there has been a commit not answered from.",
            registry=registry,
        )  # fmt: skip
        self.advance = Histogram(
            "lineage_tt_tail_advance_seconds", "Time to take in what was committed.", buckets=_BUCKETS,
            registry=registry,
        )  # fmt: skip
        self.requests = Histogram(
            "lineage_tt_http_seconds", "Time to answer a request.", ["method", "path", "status"], buckets=_BUCKETS,
            registry=registry,
        )  # fmt: skip
        self.refused = Counter(
            "lineage_tt_http_refused", "Requests rejected before they were read.", ["reason"], registry=registry
        )
        self.messages = Counter("lineage_tt_messages", "Messages received.", ["status"], registry=registry)
        self.bugs = Counter(
            "lineage_tt_messages_refused_by_bugs", "Messages that became dead letters because of a bug in lineage_tt.",
            registry=registry,
        )  # fmt: skip
        self.commits = Counter("lineage_tt_message_commits", "Commits made for messages.", registry=registry)
        self.streams = Gauge("lineage_tt_event_streams", "Event streams that are open.", registry=registry)
        self.dropped = Counter(
            "lineage_tt_event_streams_dropped", "Event streams disconnected for not reading.", registry=registry
        )
        self.cached = Counter("lineage_tt_answers_cached", "Answers given from the cache.", registry=registry)
        self.memory = Gauge("lineage_tt_resident_bytes", "Resident memory of the process.", registry=registry)
        self.graph_bytes = Gauge("lineage_tt_graph_bytes", "Memory of the graph.", registry=registry)
        self.ready = Gauge("lineage_tt_ready", "1 once answers come at full speed.", registry=registry)

    def page(self) -> bytes:
        """Return the figures in Prometheus' text form."""
        return generate_latest(self.registry)
