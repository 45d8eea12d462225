"""Implicit unnests are made explicit by us, in a worker, exactly as sqlglot's parser does elsewhere."""

from __future__ import annotations

import pytest

from ingest.sql.jobs import ExtractionJob
from ingest.sql.statements.templated import extract_guarded
from ingest.workers.pool import ExtractionPool

COLUMNS = {"p:d.T": ("id", "items", "Tags"), "p:d.u": ("id", "x"), "p:other.d.T": ("id", "y")}
TEXTS = (
    "SELECT T.id, item.price FROM d.T, T.items AS item",
    "SELECT t.id, i.price, tag FROM d.T AS t, t.items i, t.Tags tag",
    "SELECT t.id, i.price FROM d.T AS t CROSS JOIN t.items AS i WHERE i.kind = 1",
    "SELECT t.id, j.deep FROM d.T t, t.items i, i.inner_items j",
    "SELECT t.id, i.v FROM d.T t LEFT JOIN t.items i",
    "SELECT t.id, u.x FROM d.T t JOIN d.u u ON t.id = u.id",
    "SELECT t.id, u.x FROM d.T t, d.u u",
    "SELECT s.id, i.v FROM (SELECT id, items FROM d.T) s, s.items i",
    "SELECT s.id, i.v FROM (SELECT id, items FROM d.T) AS S, s.items i, (SELECT x FROM d.u) q",
    "WITH c AS (SELECT id, items FROM d.T) SELECT C.id, i.v FROM c, C.items i",
    "SELECT id, (SELECT MAX(i.v) FROM d.u u, u.x i) AS m FROM d.T",
    "SELECT `t`.id, i.v FROM d.T AS `t`, `t`.items AS i",
    "SELECT items, T.id FROM d.T, T.items",
    "SELECT d.id FROM d.T, d.u",
)


@pytest.mark.parametrize("dialect", ["bigquery", "redshift"])
def test_a_worker_answers_as_any_other_process_does(dialect: str) -> None:
    """Whoever made the unnests explicit, edges, problems, sources and outputs are the same."""
    jobs = [ExtractionJob(text, dialect, "p", "", "p:out", columns=COLUMNS) for text in TEXTS]
    with ExtractionPool(1) as pool:
        worked = pool.map(jobs)
    here = [extract_guarded(job) for job in jobs]
    for job, theirs, ours in zip(jobs, here, worked, strict=True):
        assert ours.edges == theirs.edges, job.sql
        assert ours.problems == theirs.problems, job.sql
        assert (ours.reads, ours.outputs) == (theirs.reads, theirs.outputs), job.sql


def test_the_items_of_an_array_come_from_its_column() -> None:
    """A source's field beside it in FROM is not a dataset, in whatever case its source is named."""
    with ExtractionPool(1) as pool:
        (found,) = pool.map([ExtractionJob(TEXTS[0], "bigquery", "p", "", "p:out", columns=COLUMNS)])
    assert ("p:d.T#items.price", "p:out#price") in {edge[:2] for edge in found.edges}
    assert found.reads == ("p:d.T",)
