"""Lists that are cut: the answer says what it leaves out."""

from __future__ import annotations

from services import Served, online


def test_targets_of_a_reader_beyond_twenty_are_counted(taking: Served) -> None:
    """They were the first twenty, as if the task wrote no more."""
    few = online("few", *((f"cut:a#{number}", f"cut:c{number}#x") for number in range(20)))
    many = online("many", *((f"cut:a#{number}", f"cut:b{number}#x") for number in range(25)))
    assert taking.send(few, many).json()["result"]["rejected"] == 0

    readers = taking.get("/v1/nodes", params={"node": "cut:a"}).json()["result"]["readers"]

    assert [(each["task_id"], len(each["targets"]), each.get("targets_omitted")) for each in readers] == [
        ("few", 20, None),
        ("many", 20, 5),
    ]


def test_texts_that_are_not_compared_line_by_line_are_noted(taking: Served) -> None:
    """A difference over many lines came as one block, as if no line were in both texts."""
    for event, name in enumerate("ab"):
        columns = ",\n".join(f"x{number} AS {name}{number}" for number in range(2_100))
        sent = {"event_id": f"{event}", "task_id": "wide", "op": "update", "dialect": "spark", "namespace": "cut",
                "effective_at": f"2024-0{event + 1}-01T00:00:00Z",
                "sql": f"INSERT INTO t SELECT\n{columns}\nFROM s"}  # fmt: skip
        answer = taking.send(sent)
        assert answer.json()["result"]["rejected"] == 0, answer.text
    asked = {"task": "wide", "at": "2024-01-15T00:00:00Z,2024-02-15T00:00:00Z"}

    whole = taking.get("/v1/sql", params=asked).json()
    alone = taking.get("/v1/sql", params=asked | {"at": "2024-01-15T00:00:00Z"}).json()

    assert whole["notes"] == [
        "the texts differ over more than 2,000 lines, which are not compared one by one: all of them are listed as "
        "removed and added"
    ]
    assert "notes" not in alone
