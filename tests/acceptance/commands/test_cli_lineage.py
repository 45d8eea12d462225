"""``lineage-tt lineage``: trees, objects and graphs."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from commandline import ODD, ORDERS, REPORT, SALES, call, make_store, spawn


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small store."""
    return make_store(tmp_path_factory.mktemp("lineage") / "store")


def test_tree_shows_edges_rows_and_basis(store: Path) -> None:
    """Upstream text is a tree: values first, what decides about rows in a branch of its own, the basis last."""
    said = spawn("lineage", f"{SALES}#revenue", "--direction", "up", "--valid-at", "2024-02-10T00:00:00Z", store=store)

    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [
        "hive:dw.sales#revenue",
        "├── hive:ods.orders#amount  AGGREGATION  SUM(amount) / 100  [sales v3]",
        "└── rows of hive:dw.sales",
        "    └── hive:ods.orders#status  FILTER  [sales v1]",
        "",
        "2 nodes, 2 edges, as of 2024-02-10T00:00:00Z, version 6 (known at 2024-03-01T00:05:00Z)",
    ]


def test_both_directions_have_a_branch_each(store: Path) -> None:
    """Without a direction the tree shows what feeds the node and what the node feeds."""
    said = call("lineage", f"{SALES}#revenue", store=store).out.splitlines()

    assert "upstream" in said
    assert said.index("downstream") + 1 == said.index(f"└── {REPORT}  IDENTITY  [board v2]")


def test_json_holds_basis_nodes_and_edges(store: Path) -> None:
    """JSON is one object with the basis, the nodes with their distance, and the edges with their valid interval."""
    args = ("--valid-at", "2024-02-10T00:00:00Z", "--version", 2, "--direction", "down", "--format", "json")

    said = spawn("lineage", f"{ORDERS}#amount", *args, store=store).json

    basis = {"valid_at": "2024-02-10T00:00:00Z", "version": 2, "system_time": "2024-03-01T00:01:00Z"}
    assert basis == said["basis"]
    assert [{"node": f"{SALES}#revenue", "steps": 1}, {"node": REPORT, "steps": 2}] == said["result"]["nodes"]
    first = {
        "direction": "down",
        "steps": 1,
        "task_id": "sales",
        "source": f"{ORDERS}#amount",
        "target": f"{SALES}#revenue",
        "type": "DIRECT",
        "subtype": "AGGREGATION",
        "expression": "SUM(amount)",
        "version": 1,
        "valid_from": "2024-01-01T00:00:00Z",
        "valid_to": None,
        "by_star": False,
    }
    assert first == said["result"]["edges"][0]


def test_level_depth_and_direct_only_reach_the_walk(store: Path) -> None:
    """Tables instead of columns, fewer steps and only values that flow each give the smaller answer."""
    table = call("lineage", f"{ORDERS}#id", "--level", "table", "--format", "json", store=store).result
    near = call("lineage", f"{ORDERS}#amount", "--depth", 1, "--format", "json", store=store).result
    flowing = call("lineage", f"{SALES}#revenue", "--direct-only", "--format", "json", store=store).result

    assert table["start"] == [ORDERS]
    assert [node["node"] for node in table["nodes"]] == [SALES, REPORT]
    assert [f"{SALES}#revenue"] == [node["node"] for node in near["nodes"]]
    assert {"DIRECT"} == {edge["type"] for edge in flowing["edges"]}


def test_several_nodes_start_one_walk(store: Path) -> None:
    """Two nodes give two trees and one count; an edge is in one of them only."""
    said = call("lineage", f"{ORDERS}#amount", f"{SALES}#revenue", "--direction", "down", store=store).out

    assert [f"{ORDERS}#amount", f"{SALES}#revenue"] == [line for line in said.splitlines() if line.startswith("hive:")]
    assert said.count("[board v2]") == 1
    assert "1 node, 2 edges" in said


def test_odd_names_are_spelled_out(store: Path) -> None:
    """A name that would turn or colour the terminal's text, or be taken for markup, is written out in every format."""
    text = call("lineage", REPORT, store=store).out
    object_ = call("lineage", REPORT, "--format", "json", store=store)
    dot = call("lineage", REPORT, "--format", "dot", store=store).out
    mermaid = call("lineage", REPORT, "--format", "mermaid", store=store).out

    assert "hive:odd.t#a\\u202eb\\u001b[31m[red]" in text
    assert ODD in [node["node"] for node in object_.result["nodes"]]
    svg = call("lineage", REPORT, "--format", "svg", store=store).out
    html = call("lineage", REPORT, "--format", "html", store=store).out
    for said in (text, object_.out, dot, mermaid, svg, html):
        assert not {"\u202e", "\x1b"} & set(said)


def test_graphs_name_every_dataset_and_dash_indirect_edges(store: Path) -> None:
    """Graphviz and Mermaid get a box a dataset; an edge that decides about rows is dashed."""
    dot = call("lineage", SALES, "--format", "dot", store=store).out
    mermaid = call("lineage", SALES, "--format", "mermaid", store=store).out

    for dataset in (ORDERS, SALES, REPORT):
        assert f'label="{dataset}"' in dot
        assert f'["{dataset}"]' in mermaid
    assert 'label="FILTER", style=dashed' in dot
    assert '-.->|"FILTER"|' in mermaid
    assert mermaid.splitlines()[0] == "flowchart LR"


def test_pictures_have_a_line_for_each_pair_of_nodes(store: Path) -> None:
    """SVG draws what JSON lists, and the page has it as a table too; both say as of when."""
    edges = call("lineage", SALES, "--format", "json", store=store).result["edges"]
    svg = call("lineage", SALES, "--format", "svg", store=store).out
    html = call("lineage", SALES, "--format", "html", store=store).out
    pairs = {(edge["source"], edge["target"]) for edge in edges}

    drawn = ElementTree.fromstring(svg)
    titles = [path.findtext("{*}title") or "" for path in drawn.iter("{http://www.w3.org/2000/svg}path")]
    assert {tuple(title.split("\n")[0].split(" → ")) for title in titles if title} == pairs
    assert "valid at " in (drawn.findtext("{*}desc") or "")
    assert html.startswith("<!doctype html>")
    assert html.count("<tr>") == len(pairs) + 1


def test_two_points_in_one_picture(store: Path) -> None:
    """Against a time before anything was online every line is new; text has no room for two points and says so."""
    compared = ("lineage", SALES, "--compare-to", "2001-01-01T00:00:00Z")
    html = call(*compared, "--format", "html", store=store).out
    refused = call(*compared, store=store)

    assert html.count("<td>added</td>") == html.count("<tr>") - 1 > 0
    assert "valid at 2001-01-01T00:00:00Z" in html
    assert refused.status == 2
    assert "lineage-tt diff" in refused.err
