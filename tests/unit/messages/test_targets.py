"""A message's target may be a name alone: it is read as a name in the SQL would be."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.messages.native import parse_message
from ingest.pipeline import Ingester
from ingest.sql.jobs import ExtractionJob
from ingest.workers.work import run_job
from lineage_tt.model.messages import RejectedMessage, TaskChange
from lineage_tt.store import Store


@pytest.mark.parametrize(
    ("target", "database", "node"),
    [
        ("dws.sales", "", "hive:dws.sales"),
        ("dws.sales", "dw", "hive:dws.sales"),
        ("sales", "dw", "hive:dw.sales"),
        ("sales", "", "hive:sales"),
        ("Sales", "dw", "hive:dw.sales"),
        ("presto:dws.sales", "dw", "presto:dws.sales"),
        ("#", "dw", "hive:dw.%23"),
        (".", "dw", "hive:."),
    ],
)
def test_a_target_without_a_namespace_has_that_of_the_message(target: str, database: str, node: str) -> None:
    """A bare SELECT writes the target under the message's namespace and database, and nothing is said to be wrong."""
    job = ExtractionJob("SELECT a FROM dw.s", "hive", "hive", database, target, columns={"hive:dw.s": ("a",)})

    found = run_job(job)

    assert (found.coverage, found.problems) == ("complete", ())
    assert [("hive:dw.s#a", f"{node}#a")] == [(edge.source, edge.target) for edge in found.edges]


@pytest.mark.long
def test_a_target_without_a_namespace_stops_no_statement_after_it(tmp_path: Path) -> None:
    """Messages after one whose target has no namespace are parsed, in the same batch and in the next."""
    line = (
        '{{"event_id":"{0}","task_id":"{0}","op":"online","effective_at":"2024-05-01T00:00:00Z","dialect":"hive",'
        '"namespace":"hive","default_database":"dw","target":"{1}","sql":"SELECT a FROM {2}"}}\n'
    )
    lines = [line.format("t1", "mid", "src"), line.format("t2", "hive:dw.out", "mid")]
    store = Store.create(tmp_path / "store")
    for number, text in enumerate([*lines, line.format("t3", "last", "out")]):
        (tmp_path / f"{number}.jsonl").write_text(text)
        with Ingester(store, workers=1) as ingester:
            ingester.ingest_file(str(tmp_path / f"{number}.jsonl"))

    walk = store.as_of("2024-06-01T00:00:00Z").lineage("hive:dw.last", direction="up")
    assert {"hive:dw.out#a", "hive:dw.mid#a", "hive:dw.src#a"} <= set(walk.nodes)


@pytest.mark.parametrize("field", ["target", "namespace", "default_database", "dialect", "sql"])
@pytest.mark.parametrize(
    "value",
    [
        *("", " ", ":", "#", "a:", ":a", "..", "a.b.c.d.e", "a." * 500, "../x"),
        *("\\u0001", "\\ud83d\\ude00", "{{", "${x}"),
    ],
)
def test_no_value_of_a_field_is_a_fault(field: str, value: str) -> None:
    """Whatever is in the fields beside the SQL, the answer is lineage or a reason, never an error of ours."""
    given = {"sql": "SELECT a FROM s", "dialect": "hive", "namespace": "h", "default_database": "d", "target": "h:t"}
    told = ",".join(f'"{name}":"{text}"' for name, text in (given | {field: value}).items())
    message = parse_message(
        f'{{"event_id":"e","task_id":"t","op":"online","effective_at":"2024-05-01T00:00:00Z",{told}}}'.encode()
    )
    if isinstance(message, RejectedMessage):
        return  # refused, with its reason
    assert isinstance(message, TaskChange)
    found = run_job(
        ExtractionJob(
            message.sql or "", message.dialect or "", message.namespace or "", message.default_database or "",
            message.target,
        )
    )  # fmt: skip

    assert not {"crash", "extractor-fault"} & {problem.code for problem in found.problems}, found.problems
