"""Metrics for Prometheus: lag, requests and their duration, refusals, messages, memory."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_BUCKETS: Final = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The metrics of one service, in their own registry."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.version = Gauge("lineage_tt_version", "Latest version that the service has reached.", registry=registry)
        self.lag = Gauge(
            "lineage_tt_tail_lag_seconds", "Seconds since the service detected a commit that it has not read yet.",
            registry=registry,
        )  # fmt: skip
        self.advance = Histogram(
            "lineage_tt_tail_advance_seconds", "Time to read new commits.", buckets=_BUCKETS,
            registry=registry,
        )  # fmt: skip
        self.requests = Histogram(
            "lineage_tt_http_seconds", "Time to answer a request.", ["method", "path", "status"], buckets=_BUCKETS,
            registry=registry,
        )  # fmt: skip
        self.refused = Counter(
            "lineage_tt_http_refused", "Requests refused before they were parsed.", ["reason"], registry=registry
        )
        self.messages = Counter("lineage_tt_messages", "Messages received.", ["status"], registry=registry)
        self.bugs = Counter(
            "lineage_tt_messages_refused_by_bugs", "Messages that became dead letters because of a bug in lineage_tt.",
            registry=registry,
        )  # fmt: skip
        self.commits = Counter("lineage_tt_message_commits", "Commits made for messages.", registry=registry)
        self.streams = Gauge("lineage_tt_event_streams", "Event streams that are open.", registry=registry)
        self.dropped = Counter(
            "lineage_tt_event_streams_dropped", "Event streams closed because the client stalled.", registry=registry
        )
        self.cached = Counter("lineage_tt_answers_cached", "Answers given from the cache.", registry=registry)
        self.memory = Gauge("lineage_tt_resident_bytes", "Resident memory of the process.", registry=registry)
        self.graph_bytes = Gauge("lineage_tt_graph_bytes", "Memory of the graph.", registry=registry)
        self.ready = Gauge("lineage_tt_ready", "1 if all questions are answered at full speed.", registry=registry)

    def page(self) -> bytes:
        """Return the metrics in the Prometheus text format."""
        return generate_latest(self.registry)
