"""Texts are parsed with the columns that their own batch declares: once, and as if each message had come alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.facts import Field, Shape
from lineage_tt.model.messages import Lineage, Message, NodeChange, TaskChange

NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000


class Counting(SqlResolver):
    """Counts the texts that it is asked for."""

    def __init__(self) -> None:
        super().__init__(0)
        self.texts = 0

    def __call__(
        self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]], *, asks_target: bool = True
    ) -> list[Lineage]:
        """Count, then parse."""
        self.texts += len(waiting)
        return super().__call__(waiting, asks_target=asks_target)


def defined(name: str, *columns: str, hours: int = 0, source_version: int | None = None) -> NodeChange:
    """Return the declaration of a table's columns."""
    event = f"{name}-{hours}-{source_version}-{'-'.join(columns)}"
    fields = tuple(Field(column, "int", None, False) for column in columns)
    return NodeChange(event, "dataset", f"hive:db.{name}", "define", NOON + hours * HOUR, source_version, fields=fields)


def task(name: str, text: str, hours: int = 0) -> TaskChange:
    """Return a task with a text."""
    return TaskChange(name, name, "online", NOON + hours * HOUR, sql=text, dialect="hive", namespace="hive")


STAR = "INSERT OVERWRITE TABLE db.out SELECT * FROM db.a"


@pytest.mark.parametrize(
    ("messages", "texts"),
    [
        ([defined("a", "x", "y"), defined("out", "x", "y"), task("t", STAR)], 1),
        ([defined("a", "x"), defined("a", "x", "y", hours=2), task("t", STAR, hours=1)], 2),
        ([task("t", STAR), defined("a", "x", "y")], 2),
        ([defined("a", "x", "y", source_version=2), defined("a", "x", source_version=1), task("t", STAR)], 1),
        ([defined("a", "x"), task("t", STAR), defined("a", "x", "z"), task("u", STAR.replace("out", "two"))], 3),
    ],
    ids=["before the text", "as of the text", "after the text", "by source version", "declared twice"],
)
def test_a_batch_is_parsed_with_what_it_declares(tmp_path: Path, messages: list[Message], texts: int) -> None:
    """A text whose columns come before it is parsed once for each of them, and rows are those of one at a time."""
    together, alone = Store.create(tmp_path / "together"), Store.create(tmp_path / "alone")
    with Counting() as counting, SqlResolver(0) as resolver:
        together.append(messages, resolver=counting)
        for message in messages:
            alone.append([message], resolver=resolver)
    found, expected = (
        store.fetch("SELECT version, task_id, coverage, edges, changes FROM log ORDER BY version")
        for store in (together, alone)
    )

    assert found == expected
    assert counting.texts == texts
