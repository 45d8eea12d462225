"""A project that dbt really builds in DuckDB: its artifacts, and the events of OpenLineage's wrapper beside them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from real_dbt import run

from lineage_tt import Store

FILES = {
    "dbt_project.yml": "name: shop\nversion: '1.0'\nprofile: shop\nmodels: {shop: {+materialized: table}}\n",
    "profiles.yml": "shop: {target: dev, outputs: {dev: {type: duckdb, path: shop.duckdb, threads: 1}}}\n",
    "openlineage.yml": "transport: {type: file, log_file_path: events.jsonl, append: true}\n",
    "seeds/raw_orders.csv": "id,city,amount\n1,x,10\n2,y,20\n",
    "models/orders.sql": (
        "{{ config(materialized='view') }}\n"
        "select id as order_id, city, amount from {{ ref('raw_orders') }} where amount > 0\n"
    ),
    "models/revenue.sql": "select city, sum(amount) as total from {{ ref('orders') }} group by city\n",
    "models/schema.yml": (
        "models:\n"
        "  - name: orders\n    columns: [{name: order_id, data_tests: [unique, not_null]}]\n"
        "exposures:\n"
        "  - {name: weekly, type: dashboard, owner: {name: Ada}, depends_on: [ref('revenue')]}\n"
    ),
}
PLACE = "duckdb:shop.main"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the project with its events, and make its catalog."""
    folder = written(tmp_path_factory.mktemp("shop"))
    run(folder, "dbt-ol", "build")
    run(folder, "dbt", "docs", "generate")
    return folder


def written(folder: Path) -> Path:
    """Write the project into a folder."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def ingested(store: Path, *words: str) -> str:
    """Ingest by the command line; return what it says."""
    command = [str(Path(sys.executable).with_name("lineage-tt")), "ingest", *words, "--store", str(store)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pairs(store: Path) -> set[tuple[str, str, str]]:
    """Return (source, target, type) of the edges between columns of the project's own tables."""
    return {
        (edge.source.removeprefix(PLACE + "."), edge.target.removeprefix(PLACE + "."), edge.type)
        for edge in Store.open(store).as_of().edges()
        if edge.source.startswith(PLACE) and edge.target.startswith(PLACE) and "#" in edge.target
    }


def test_what_dbt_builds_is_in_the_store_with_its_columns(project: Path, tmp_path: Path) -> None:
    """Every model is complete, tests and exposures are end nodes, and the same artifacts again make no version."""
    check_artifacts(project / "target", tmp_path / "store")


@pytest.mark.slow
def test_a_newer_dbt_gives_the_same(tmp_path: Path) -> None:
    """The same project, built by a later release."""
    folder = written(tmp_path)
    run(folder, "dbt", "build", release="1.11")
    run(folder, "dbt", "docs", "generate", release="1.11")
    check_artifacts(folder / "target", tmp_path / "store")


def check_artifacts(target: Path, store: Path) -> None:
    """Ingest artifacts twice, and compare the edges with those that the project's texts have."""
    ingested(store, "--from", "dbt", str(target))
    opened = Store.open(store)

    assert pairs(store) == {
        ("raw_orders#id", "orders#order_id", "DIRECT"),
        ("raw_orders#city", "orders#city", "DIRECT"),
        ("raw_orders#amount", "orders#amount", "DIRECT"),
        ("orders#city", "revenue#city", "DIRECT"),
        ("orders#amount", "revenue#total", "DIRECT"),
    }
    ends = {(edge.source, edge.target.split(".")[0]) for edge in opened.as_of().edges()}
    assert (f"{PLACE}.orders#order_id", "dbt:test") in ends
    assert (f"{PLACE}.revenue", "dbt:exposure") in ends
    assert {task.coverage for task in opened.as_of().tasks()} == {"complete"}

    before = opened.version
    ingested(store, "--from", "dbt", str(target))
    assert Store.open(store).version == before


def test_events_of_the_same_build_state_the_same_columns(project: Path, tmp_path: Path) -> None:
    """What openlineage-dbt sends of a build gives the column edges that its compiled SQL gives, under mapped names."""
    events, artifacts, mapping = tmp_path / "events", tmp_path / "artifacts", tmp_path / "mapping.toml"
    mapping.write_text('[openlineage.namespaces]\n"duckdb://shop.duckdb" = "duckdb"\n', encoding="utf-8")
    ingested(events, "--from", "openlineage", str(project / "events.jsonl"), "--mapping", str(mapping))
    ingested(artifacts, "--from", "dbt", str(project / "target"))

    assert pairs(events) == pairs(artifacts)
