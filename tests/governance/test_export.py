"""Exports: what is read back is what was in force, in each format; hostile names stay texts; roll-ups count right."""

from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import networkx as nx
import pytest
from deltalake import DeltaTable

from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.curation.statements import annotate
from lineage_tt.export import files, tables
from lineage_tt.levels.groups import rolled_up
from lineage_tt.levels.names import LEVELS
from lineage_tt.model.answers import Basis, EdgeAsOf
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.testing import ManualClock, task_change

AT = "2024-03-01T00:00:00Z"
#: Rules that every table of a plain store breaks.
OFF = '[rules]\noff = ["undocumented_models", "undocumented_sources", "untested_models"]\n'
EVIL = '=HYPERLINK("http://x","y")', "<b>&\"'\x01\x1b[31m", "+1", "https://x.example/"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of three tasks, with names that somebody chose to do harm."""
    path = tmp_path_factory.mktemp("export") / "store"
    store = Store.create(path, clock=ManualClock(AT))
    odd = [(f"hive:ods.s#{name}", f"hive:dw.t#{name}") for name in EVIL]
    store.append(
        [
            task_change("load", "online", "2024-01-01T00:00:00Z", [("kafka:in#a", "hive:ods.s#a"), *odd]),
            task_change("mart", "online", "2024-02-01T00:00:00Z", [("hive:ods.s#a", "hive:dw.t#a")]),
            task_change("board", "online", "2024-02-01T00:00:00Z", [("hive:dw.t#a", "bi:board/1#a")]),
        ]
    )
    return path


def exported(folder: Path, to: Path, *words: str) -> Path:
    """Export, and return where to."""
    assert run(["export", *words, "--to", str(to), "--valid-at", AT, "--store", str(folder)]) == 0
    return to


@pytest.mark.parametrize(("form", "read"), [("csv", "read_csv('{}', all_varchar = true)"), ("jsonl", "read_json('{}')"),
                                            ("parquet", "read_parquet('{}')")])  # fmt: skip
def test_what_is_read_back_is_what_is_in_force(folder: Path, tmp_path: Path, form: str, read: str) -> None:
    """DuckDB reads the edges of the view, hostile names and all."""
    path = exported(folder, tmp_path / f"edges.{form}", "edges", "--format", form)

    rows = duckdb.execute(f"SELECT task_id, source, target FROM {read.format(path)}").fetchall()

    view = Store.open(folder).as_of(AT)
    assert sorted(rows) == sorted(edge[:3] for edge in view.edges())


@pytest.mark.parametrize(
    ("name", "begins"),
    [("e.xlsx", b"PK"), ("e.PARQUET", b"PAR1"), ("e.jsonl", b"{"), ("e.graphml", b"<?xml"), ("e.txt", b'"day"')],
)
def test_the_format_is_what_the_name_ends_in(folder: Path, tmp_path: Path, name: str, begins: bytes) -> None:
    """Without --format a report.xlsx was a CSV under the name of a workbook, which no spreadsheet opens."""
    assert exported(folder, tmp_path / name, "edges").read_bytes().startswith(begins)


def test_excel_holds_texts_alone_and_splits_at_the_limit(folder: Path, tmp_path: Path) -> None:
    """No formula and no link in any sheet, whatever a column is called; each sheet has a head and its rows."""
    view = Store.open(folder).as_of(AT)
    table = tables.edges_table(view.basis, view.edges())

    files.write(table, tmp_path / "edges.xlsx", "xlsx", sheet_rows=4)

    with zipfile.ZipFile(tmp_path / "edges.xlsx") as book:
        sheets = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        texts = [book.read(name).decode() for name in sheets]
        assert not [name for name in book.namelist() if "hyperlink" in name.lower()]
    assert len(sheets) == 3
    assert not any("<f>" in text or "<hyperlink" in text for text in texts)
    assert [text.count("<row ") for text in texts] == [4, 4, 2]
    assert "=HYPERLINK(" in "".join(texts)


def test_a_spreadsheet_runs_nothing_of_a_csv(tmp_path: Path) -> None:
    """Once =HYPERLINK(...) as a task's name was a formula in the file that ``export`` writes without a format."""
    names = ["=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1", "plain"]
    store = Store.create(tmp_path / "store", clock=ManualClock(AT))
    store.append([task_change(name, "online", "2024-01-01T00:00:00Z", [("=a:b#x", "n:c#y")]) for name in names])
    harmless = exported(tmp_path / "store", tmp_path / "edges.csv", "edges")
    raw = exported(tmp_path / "store", tmp_path / "raw.csv", "edges", "--raw-cells")
    changed = exported(tmp_path / "store", tmp_path / "c.csv", "changes", "--from", "2023-01-15T00:00:00Z")

    def cells(path: Path, columns: str) -> list[tuple[str, ...]]:
        return duckdb.execute(f"SELECT {columns} FROM read_csv('{path}', all_varchar = true)").fetchall()

    assert sorted(cells(harmless, "task_id")) == sorted((f"'{name}" if name != "plain" else name,) for name in names)
    assert set(cells(harmless, "source, source_dataset, target")) == {("'=a:b#x", "'=a:b", "n:c#y")}
    assert sorted(cells(raw, "task_id")) == sorted((name,) for name in names)
    assert set(cells(changed, "op, source")) == {("+", "'=a:b#x")}


def test_graphml_is_what_networkx_reads(folder: Path, tmp_path: Path) -> None:
    """Nodes and edges with their attributes; what XML cannot hold is left out of names."""
    path = exported(folder, tmp_path / "edges.graphml", "edges", "--format", "graphml")

    ElementTree.parse(path)
    graph = nx.read_graphml(path)
    names = nx.get_node_attributes(graph, "name")

    assert graph.number_of_edges() == 7
    assert any(name.endswith('=HYPERLINK("http://x","y")') for name in names.values())
    assert {data["task_id"] for _, _, data in graph.edges(data=True)} == {"load", "mart", "board"}


def test_a_day_of_a_delta_table_is_replaced_and_others_stay(folder: Path, tmp_path: Path) -> None:
    """The same day written twice is there once."""
    to = tmp_path / "edges"
    for at in (AT, AT, "2024-01-15T00:00:00Z"):
        words = ["export", "edges", "--format", "delta", "--to", str(to), "--valid-at", at, "--store", str(folder)]
        assert run(words) == 0

    counted: dict[str, int] = {}
    for day in DeltaTable(to).to_pyarrow_table().column("day").to_pylist():
        counted[day] = counted.get(day, 0) + 1
    assert counted == {"2024-01-15": 5, "2024-03-01": 7}


def test_closures_and_changes_are_those_of_the_questions(folder: Path, tmp_path: Path) -> None:
    """A closure is a walk, changes are a diff."""
    closure = exported(folder, tmp_path / "c.jsonl", "closure", "bi:board/1#a", "--format", "jsonl")
    changes = exported(folder, tmp_path / "d.jsonl", "changes", "--from", "2024-01-15T00:00:00Z", "--format", "jsonl")

    steps = [json.loads(line) for line in closure.read_text().splitlines()]
    ops = [json.loads(line) for line in changes.read_text().splitlines()]
    assert [(step["direction"], step["steps"], step["task_id"]) for step in steps] == [
        ("up", 1, "board"), ("up", 2, "mart"), ("up", 3, "load"),
    ]  # fmt: skip
    assert [(row["op"], row["task_id"]) for row in ops] == [("+", "board"), ("+", "mart")]


@pytest.mark.parametrize("seed", range(10))
def test_a_roll_up_counts_what_lies_between_groups(seed: int) -> None:
    """At dataset and namespace level a plain count over random edges gives the same; inside of a group is nothing."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    nodes = [f"{system}:l{layer}.t{table}#c" for system in "ab" for layer in range(2) for table in range(3)]
    drawn = [(f"t{chance.randrange(5)}", chance.choice(nodes), chance.choice(nodes)) for _ in range(40)]
    edges = [EdgeAsOf(*ends, "DIRECT", "IDENTITY", "", 1, 0, None) for ends in sorted(set(drawn))]
    for level, of in (("dataset", dataset_of), ("namespace", lambda node: node[0]), ("layer", lambda node: node[2:4])):
        expected: dict[tuple[str, str], int] = {}
        for edge in edges:
            pair = of(edge.source), of(edge.target)
            if pair[0] != pair[1]:
                expected[pair] = expected.get(pair, 0) + 1
        found = rolled_up(edges, level)  # type: ignore[arg-type]
        assert {(each.source, each.target): each.edges for each in found} == expected
    assert all(rolled_up(edges, level) is not None for level in LEVELS)


@pytest.mark.parametrize(
    "words",
    [["rows", "--to", "x"], ["closure", "--to", "x"], ["changes", "--to", "x"], ["edges"],
     ["edges", "--to", "x", "--level", "no"],
     ["edges", "--to", "x", "--format", "pdf"], ["edges", "--to", "no/such/folder/x.csv"]],
)  # fmt: skip
def test_wrong_calls_are_refused(capsys: pytest.CaptureFixture[str], folder: Path, words: list[str]) -> None:
    """Each says what to give, and writes no file."""
    assert run(["export", *words, "--store", str(folder)]) != 0
    assert "Traceback" not in capsys.readouterr().err
    assert not Path("x").exists()


def test_a_file_is_overwritten_only_when_told(folder: Path, tmp_path: Path) -> None:
    """What is there stays, and nothing half-written is left."""
    path = tmp_path / "e.csv"
    path.write_text("mine")
    table = tables.edges_table(Basis(0, 0, 0), [])

    with pytest.raises(InvalidRequestError, match="already exists"):
        files.write(table, path, "csv")

    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]
    files.write(table, path, "csv", overwrite=True)
    assert path.read_text().startswith('"day"')


def test_labels_and_violations_are_exported(folder: Path, tmp_path: Path) -> None:
    """A row for each label of each node, and for each violation; GraphML, which holds edges, rejects them."""
    store = Store.create(tmp_path / "s", clock=ManualClock(AT))
    store.append([task_change("load", "online", "2024-01-01T00:00:00Z", [("db:ods.u#mail", "db:dw.p#mail")])])
    annotate(store, "db:ods.u#mail", "label", ["pii", "gdpr"], at="2024-01-01T00:00:00Z")
    rules = tmp_path / "rules.toml"
    rules.write_text(OFF + '[labels.scenes.few]\nonly = ["pii"]\n', encoding="utf-8")
    at = ["--store", str(tmp_path / "s"), "--valid-at", AT, "--rules", str(rules)]

    run(["export", "labels", "--to", str(tmp_path / "l.parquet"), "--format", "parquet", "--scene", "few", *at])
    run(["export", "violations", "--to", str(tmp_path / "v.jsonl"), "--format", "jsonl", *at])

    rows = duckdb.execute(f"SELECT node, dataset, label, scene FROM '{tmp_path / 'l.parquet'}' ORDER BY ALL").fetchall()
    assert rows == [
        ("db:dw.p#mail", "db:dw.p", "pii", "few"),
        ("db:ods.u#mail", "db:ods.u", "pii", "few"),
    ]
    violations = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text().splitlines()]
    assert {each["rule"] for each in violations} == {"models_without_owner", "unused_models"}
    assert [json.loads(each["tasks"]) for each in violations] == [["load"], ["load"]]
    assert run(["export", "labels", "--to", str(tmp_path / "l.xml"), "--format", "graphml", *at]) == 2


@pytest.mark.parametrize("level", ["system", "cluster", "namespace", "layer", "domain", "owner", "dataset"])
def test_a_walk_is_summed_up_by_groups(capsys: pytest.CaptureFixture[str], folder: Path, level: str) -> None:
    """``lineage --level`` gives what a roll-up of the walk's own edges gives; a drawing of groups is rejected."""
    asked = ["lineage", "bi:board/1", "--direction", "up", "--valid-at", AT, "--level", level, "--store", str(folder)]
    assert run([*asked, "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["result"]

    view = Store.open(folder).as_of(AT)
    steps = view.lineage("bi:board/1", direction="up").steps
    expected = rolled_up((step.edge for step in steps), level, view.facts())  # type: ignore[arg-type]
    assert result["groups"] == [each._asdict() for each in expected]
    assert run([*asked, "--format", "svg"]) == 2


def test_a_cluster_is_the_address_of_a_namespace() -> None:
    """Databases of one server are one cluster, whatever the system; a namespace without an address is its own."""
    ends = [("pg://h:1:a.t#c", "hive:x.y#c"), ("mysql://h:1:b.t#c", "hive:x.y#c"), ("pg://h:2:a.t#c", "hive:x.y#c")]
    edges = [EdgeAsOf("t", *pair, "DIRECT", "IDENTITY", "", 1, 0, None) for pair in ends]

    assert [(each.source, each.edges) for each in rolled_up(edges, "cluster")] == [("h:1", 2), ("h:2", 1)]
    assert [(each.source, each.edges) for each in rolled_up(edges, "system")] == [("mysql", 1), ("pg", 2)]
