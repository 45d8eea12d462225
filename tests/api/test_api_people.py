"""What people state over HTTP: it is taken in, listed, and walked over; and what the service refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from services import Served, serving

from lineage_tt import Store
from lineage_tt.testing import task_change

HIVE, TRINO, AT = "hive:dw.orders", "trino:lake.dw.orders", "2026-02-01T00:00:00Z"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over a task that writes one name and one that reads the other."""
    folder = tmp_path_factory.mktemp("people") / "s"
    Store.create(folder).append(
        [
            task_change("load", "online", "2026-01-01T00:00:00Z", [("hive:ods.orders#amount", f"{HIVE}#amount")]),
            task_change("board", "online", "2026-01-01T00:00:00Z", [(f"{TRINO}#amount", "bi:board#revenue")]),
        ]
    )
    with serving(folder, "--workers", "1") as found:
        yield found


def test_an_alias_is_stated_listed_walked_over_and_taken_back(served: Served) -> None:
    """Between the two statements lineage reaches the sources of the other name; the list says who and why."""
    said = {"dataset": HIVE, "alias": TRINO, "actor": "ana", "reason": "one table", "evidence": "https://x"}
    added = served.client.post("/v1/aliases", json={"op": "add", "at": AT, **said})
    removed = served.client.post("/v1/aliases", json={"op": "remove", "at": "2026-03-01T00:00:00Z", **said})
    assert [added.status_code, removed.status_code] == [202, 202]

    def reached(at: str) -> set[str]:
        asked = {"node": "bi:board#revenue", "direction": "up", "valid_at": at}
        return {each["node"] for each in served.get("/v1/lineage", params=asked).json()["result"]["nodes"]}

    assert "hive:ods.orders#amount" in reached("2026-02-02T00:00:00Z")
    assert "hive:ods.orders#amount" not in reached("2026-03-02T00:00:00Z")
    (alias,) = served.get("/v1/aliases", params={"valid_at": "2026-02-02T00:00:00Z", "node": TRINO}).json()["result"]
    assert {name: alias[name] for name in said} == said
    assert (alias["valid_from"], alias["valid_to"]) == (AT, "2026-03-01T00:00:00Z")


def test_an_edge_expires(served: Served) -> None:
    """It is in force up to its expiry, and a new statement withdraws an expiry to come."""
    edge = {"op": "add", "source": "hive:ods.fx#rate", "target": "bi:board#revenue", "at": AT}
    first = served.client.post("/v1/edges", json={**edge, "expires": "2999-01-01T00:00:00Z"}).json()["result"]
    assert (first["accepted"], first["rejected"]) == (2, 0)
    (stated,) = served.get("/v1/edges").json()["result"]
    assert stated["valid_to"] == "2999-01-01T00:00:00Z"

    assert served.client.post("/v1/edges", json=edge | {"at": "2026-02-03T00:00:00Z"}).json()["result"]["accepted"] == 2
    (stated,) = served.get("/v1/edges").json()["result"]
    assert (stated["stated"], stated["valid_to"]) == ("added", None)
    again = served.client.post("/v1/edges", json=edge | {"at": "2026-02-03T00:00:00Z"}).json()["result"]
    assert "nothing changes: that was so already" in again["notes"]
    assert "nothing changes: that was so already" not in first["notes"]


def test_a_rejected_edge_is_left_out(served: Served) -> None:
    """Lineage continues without it and says so, from the graph as from the files; taken back, it is there again."""
    edge = {"source": "hive:ods.orders#amount", "target": f"{HIVE}#amount"}
    rejected = {"op": "reject", "at": "2026-05-01T00:00:00Z", "reason": "test data", **edge}
    assert served.client.post("/v1/edges", json=rejected).json()["result"]["accepted"] == 1
    assert served.client.post("/v1/edges", json={"op": "remove", "at": "2026-06-01T00:00:00Z", **edge}).is_success

    def asked(at: str) -> tuple[set[str], int]:
        body = served.get("/v1/lineage", params={"node": f"{HIVE}#amount", "direction": "up", "valid_at": at}).json()
        return {n["node"] for n in body["result"]["nodes"]}, body["completeness"].get("rejected", 0)

    assert asked("2026-05-02T00:00:00Z") == (set(), 1)
    assert asked("2026-06-02T00:00:00Z") == ({edge["source"]}, 0)
    blamed = served.get("/v1/blame", params={**edge, "valid_at": "2026-05-02T00:00:00Z"}).json()["result"]
    assert sorted(each["edge"]["subtype"] for each in blamed) == ["IDENTITY", "REJECTED"]


def test_fields_of_an_edge_have_no_effect_where_none_is_added(served: Served) -> None:
    """A rejection of INDIRECT edges rejected all of them, and did not say so; a message of this kind does."""
    edge = {"source": "hive:ods.orders#amount", "target": f"{HIVE}#amount", "at": "2026-07-01T00:00:00Z"}
    rejected = served.client.post("/v1/edges", json=edge | {"op": "reject", "type": "INDIRECT", "subtype": None})
    removed = {"op": "remove", "at": "2026-07-02T00:00:00Z", "expression": "x", "expires": "2026-07-03T00:00:00Z"}
    ended = served.client.post("/v1/edges", json=edge | removed)
    plain = served.client.post("/v1/edges", json=edge | {"op": "reject", "at": "2026-07-04T00:00:00Z"})

    assert rejected.json()["result"]["notes"][0] == (
        "type has no effect with op reject: every edge between the two nodes is rejected"
    )
    assert ended.json()["result"]["notes"][:2] == [
        "expires has no effect with op remove: what is removed does not begin again",
        "expression has no effect with op remove: whatever is stated about the two nodes ends",
    ]
    assert not any("has no effect" in note for note in plain.json()["result"]["notes"])


def test_lineage_goes_from_task_to_task(served: Served) -> None:
    """Over an alias, too; with and without edges."""
    asked = {"node": "task:load", "level": "task", "direction": "down", "valid_at": "2026-02-02T00:00:00Z"}
    found = served.get("/v1/lineage", params=asked)
    assert found.json()["result"]["nodes"] == [{"node": "task:board", "steps": 1}]
    assert served.get("/v1/lineage", params=asked | {"edges": "false"}).json()["result"]["nodes"] == [
        {"node": "task:board", "steps": 1}
    ]


def test_an_annotation_is_a_fact(served: Served) -> None:
    """It is durable when the service answers, and is taken back by no values."""
    said = {"node": HIVE, "key": "owner", "at": AT}
    assert served.client.post("/v1/annotations", json=said | {"values": ["ana"]}).status_code == 202
    gone = {"at": "2026-04-01T00:00:00Z", "values": []}
    assert served.client.post("/v1/annotations", json=said | gone).json()["result"]["accepted"] == 1


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/aliases", {"op": "merge", "dataset": HIVE, "alias": TRINO}, 400),
        ("/v1/aliases", {"op": "add", "dataset": HIVE}, 400),
        ("/v1/edges", {"op": "add", "source": "n:a", "target": "n:b", "at": "tomorrow"}, 400),
        ("/v1/edges", {"op": "add", "source": "n:a", "target": "n:b", "expires": "2000-01-01T00:00:00Z"}, 409),
        ("/v1/annotations", {"node": HIVE, "key": "owner", "values": [""]}, 400),
    ],
)
def test_a_body_that_does_not_fit_is_refused(served: Served, path: str, body: dict[str, object], status: int) -> None:
    """Nothing is written, and the answer says what is wrong."""
    before = served.get("/v1/policy").headers["lineage-version"]
    answer = served.client.post(path, json=body)

    assert answer.status_code == status, answer.text
    assert served.get("/v1/policy").headers["lineage-version"] == before


def test_a_statement_that_makes_no_sense_is_a_dead_letter(served: Served) -> None:
    """Its receipt says why, as that of any message."""
    answer = served.client.post("/v1/aliases", json={"op": "add", "dataset": HIVE, "alias": HIVE})
    (receipt,) = answer.json()["result"]["receipts"]

    assert answer.status_code == 202
    assert (receipt["status"], "not an alias of itself" in receipt["detail"]) == ("rejected", True)


def test_a_service_that_only_reads_takes_no_statement(tmp_path: Path) -> None:
    """With --read-only the three refuse with 403, and the lists answer."""
    Store.create(tmp_path / "s")
    with serving(tmp_path / "s", "--read-only") as found:
        edge = {"op": "add", "source": "n:a", "target": "n:b"}
        assert found.client.post("/v1/edges", json=edge).status_code == 403
        assert found.get("/v1/edges").json()["result"] == []


def test_a_statement_of_an_unknown_name_is_taken_with_a_note(served: Served) -> None:
    """Notes name what nothing else names; there is none where all is known."""
    unknown = {"node": f"{HIVE}s", "key": "owner", "values": ["ann"]}
    known = unknown | {"node": HIVE}

    notes = served.client.post("/v1/annotations", json=unknown).json()["result"]["notes"]
    assert [note.partition(" so far")[0] for note in notes] == [f"nothing names {HIVE}s"]
    assert served.client.post("/v1/annotations", json=known).json()["result"]["notes"] == []


@pytest.mark.parametrize(
    ("key", "value", "note"),
    [
        ("retention", "-3", "it has no effect as retention: '-3' is not a number of days (give 1 to 1000000"),
        ("life-cycle", "Dead", "it has no effect as life-cycle: 'Dead' is not a state of a life cycle (give active,"),
        ("sla", "8am", "it has no effect as sla: '8am' is not a time of day (write 07:30"),
        ("grant:ana", "reed", "it has no effect as grant:ana: 'reed' is not a right (give read, write, own); the node"),
        (
            "label-decision:pii",
            "rejct",
            "it has no effect as label-decision:pii: 'rejct' is not a decision (give reject",
        ),
        ("label-block:hive:nowhere.t", "*", "nothing names hive:nowhere.t so far"),
        ("asset_type", "tabel", "no asset type is called 'tabel' so far; did you mean table?"),
        ("asset_type", "view", ""),
        ("lable", "pii", "'lable' is kept as a key of its own and has no effect; did you mean label?"),
        ("retention", "30", ""),
        ("colour", "8am", ""),
    ],
)
def test_a_value_that_governance_cannot_read_is_noted(served: Served, key: str, value: str, note: str) -> None:
    """The command refuses it; over HTTP it is a fact as any, and the answer says that it has no effect."""
    answer = served.client.post("/v1/annotations", json={"node": HIVE, "key": key, "values": [value]})

    assert answer.json()["result"]["accepted"] == 1
    assert [each[: len(note)] for each in answer.json()["result"]["notes"]] == [note] * bool(note)


def test_a_block_that_replaces_another_names_what_passes_again(served: Served) -> None:
    """What it stopped passes, and nobody asked for that; values of other keys replace by design."""

    def notes(*values: str, key: str = f"label-block:{HIVE}") -> list[str]:
        body = {"node": TRINO, "key": key, "values": list(values)}
        found = served.client.post("/v1/annotations", json=body).json()["result"]["notes"]
        return [note for note in found if "replaces" in note]

    assert notes("pii") == []
    assert notes("pii", "finance") == []
    assert notes("finance") == ["this replaces the block of pii"]
    assert notes("*") == []
    assert notes("pii") == ["this replaces the block of all labels"]
    assert notes("a", key="owner") == notes("b", key="owner") == []


def test_a_grant_that_cannot_be_read_is_named_where_permissions_are_listed(served: Served) -> None:
    """It was stored without a word, and the node stayed open where what has no grant is open."""
    served.client.post("/v1/annotations", json={"node": TRINO, "key": "grant:ana", "values": ["reed"], "at": AT})
    answer = served.get("/v1/permissions", params={"node": TRINO}).json()

    assert answer["result"] == []
    assert [
        note for note in answer["notes"] if note.startswith(f"grant:ana of {TRINO} has no effect: 'reed' is not a ri")
    ]
