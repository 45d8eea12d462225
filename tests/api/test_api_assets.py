"""``/v1/assets`` and ``/v1/asset-types``: the same as the command line, page by page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from services import serving

from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.assets import listing

START = 1_767_225_600_000_000
FILE = b"[types.board]\nparent = 'dashboard'\nidentity = ['bi:board/*']\nfed_by = ['table']\n"
EDGES = [{"source": "hive:a#x", "target": "bi:board/1#x"}, {"source": "kafka:b#x", "target": "bi:board/1#x"}]


@pytest.mark.parametrize("graph", ["--graph", "--no-graph"])
def test_assets_over_http(tmp_path: Path, graph: str) -> None:
    """Filters, pages, types and disallowed edges; an earlier version answers as it did."""
    line = {"event_id": "1", "task_id": "t", "op": "online", "effective_at": "2026-01-01T00:00:00Z", "edges": EDGES}
    (tmp_path / "lines.jsonl").write_text(json.dumps(line))
    store = Store.create(tmp_path / "store")
    with Ingester(store, workers=1) as ingester:
        ingester.ingest_file(str(tmp_path / "lines.jsonl"))
    listing.set_types(store, FILE, reason="boards", at=START)
    listing.register(store, "glue", {"hive:a": "-", "hive:gone": "lake"}, at=START)
    with serving(tmp_path / "store", *(["--no-graph"] if graph == "--no-graph" else []), "--workers", "1") as served:
        got = served.get("/v1/assets").json()
        expected = listing.assets_of(store, store.basis()).assets
        assert [row["node"] for row in got["result"]] == [asset.node for asset in expected]
        assert {row["node"]: row["status"] for row in got["result"]} == {asset.node: asset.status for asset in expected}
        page = served.get("/v1/assets", params={"limit": 2, "offset": 2}).json()
        assert (page["result"], page["next_offset"]) == (got["result"][2:4], 4)
        unknown = served.get("/v1/assets", params={"unknown": True}).json()["result"]
        assert [row["type"] for row in unknown] == ["lake"]
        boards = served.get("/v1/assets", params={"type": "dashboard", "status": "unregistered"}).json()["result"]
        assert [row["node"] for row in boards] == ["bi:board/1"]
        types = served.get("/v1/asset-types").json()["result"]
        assert [each["source"] for each in types["disallowed"]] == ["kafka:b"]
        assert types["types"][-1]["name"] == "lake"
        before = served.get("/v1/asset-types", params={"version": 1}).json()["result"]
        assert (before["disallowed"], "board" in {each["name"] for each in before["types"]}) == ([], False)
        assert served.get("/v1/assets", params={"status": "lost"}).status_code == 400
