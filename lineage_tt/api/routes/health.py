"""``/healthz``, ``/readyz``, ``/v1/stats``, ``/metrics``: liveness, readiness and metrics of the service."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response

from lineage_tt.api import metrics
from lineage_tt.api.http import schemas
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.service import Service, service_of
from lineage_tt.read import shapes

router = APIRouter(tags=["service"])


@router.get("/healthz", responses=schemas.responses(200, schemas.Health))
async def healthz(request: Request) -> Response:
    """Return 200 if the service is running. No token is required."""
    return _plain({"status": "ok"})


@router.get("/readyz", responses=schemas.responses(200, schemas.Health, 503))
async def readyz(request: Request) -> Response:
    """Return 200 if the service is up to date and answers everything at full speed, otherwise 503.

    While the service loads, answers come from the files. No token is required.
    """
    service = service_of(request)
    if service.follower.error:
        raise Problem(503, "not-following", "the log cannot be read", headers={"retry-after": "5"})
    if service.loading:
        raise Problem(503, "loading", "loading: answers come from the files", headers={"retry-after": "1"})
    if not service.ready:
        why = "the graph could not be loaded: answers come from the files, without governance"
        hint = "the service retries; GET /v1/stats shows the reason; serve --no-graph runs without the graph"
        raise Problem(503, "loading", why, hint=hint, headers={"retry-after": "5"})
    return _plain({"status": "ready"})


@router.get("/v1/stats", responses=schemas.responses(200, schemas.StatsAnswer))
async def stats(request: Request) -> Response:
    """Return statistics of the store and the service: size, memory, and lag behind the log."""
    service = service_of(request)
    basis = service.follower.reading.basis()
    return _plain(shapes.answer(shapes.known_by(basis), await asyncio.to_thread(_stats, service)))


@router.get("/metrics", responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}})
async def figures(request: Request) -> Response:
    """Return metrics in the Prometheus text format."""
    service = service_of(request)
    measured, gauges = await asyncio.to_thread(_stats, service), service.metrics
    gauges.version.set(service.follower.version)
    gauges.lag.set(measured["tail"]["lag_ms"] / 1000)
    gauges.memory.set(measured["memory"]["resident_bytes"])
    gauges.graph_bytes.set(measured["memory"]["graph_bytes"])
    gauges.ready.set(service.ready)
    return Response(gauges.page(), 200, {"cache-control": "no-store", **PLAIN_DATA}, metrics.CONTENT_TYPE)


def _plain(content: Any) -> Response:
    return Response(orjson.dumps(content), 200, {"cache-control": "no-store", **PLAIN_DATA}, "application/json")


def _stats(service: Service) -> dict[str, Any]:
    follower = service.follower
    graph = follower.graph
    graph_stats = graph.stats()._asdict() if graph is not None else None
    state = f"loading {service.loading}" if service.loading else "ready" if service.ready else "without graph"
    graph_bytes = sum(value for name, value in graph_stats.items() if name.endswith("_bytes")) if graph_stats else 0
    files = follower.reading.frozen.files()
    return {
        "store": {"versions": follower.version, "files": len(files), "bytes": sum(map(_size, files))},
        "engine": "files" if graph is None else "graph",
        "state": state,
        "failures": service.failures,
        "graph": graph_stats,
        "names": {"version": max(service.names.version, 0), "count": service.names.count()},
        "tail": {
            "version": follower.version,
            "behind": follower.behind_since is not None,
            "lag_ms": follower.lag_ms(),
            "advance_ms": round(follower.took * 1000, 3),
            "error": follower.error or None,
        },
        "memory": {"resident_bytes": _resident(), "graph_bytes": graph_bytes, "cache_bytes": service.cache.bytes},
        "streams": service.streams,
        "uptime_s": round(time.monotonic() - service.begun, 1),
    }


def _size(path: Any) -> int:
    try:
        return int(path.stat().st_size)
    except (OSError, AttributeError):
        return 0


def _resident() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as words:
            return int(words.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
