"""What people state, as a user of the command meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import ORDERS, REPORT, SALES, call, make_store, spawn

from lineage_tt import Store
from lineage_tt.testing import task_change

TRINO = "trino:lake.dw.sales"
AT = ("--at", "2024-02-01T00:00:00Z", "--actor", "ana")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The small store, and a reader of a table under another name."""
    path = make_store(tmp_path / "s")
    reader = task_change("trino_job", "online", "2024-01-01T00:00:00Z", [(f"{TRINO}#revenue", "bi:trino#revenue")])
    Store.open(path).append([reader])
    return path


def reached(store: Path, node: str, *options: str) -> set[str]:
    """Return the nodes that lineage reaches."""
    return {each["node"] for each in call("lineage", node, *options, "--format", "json", store=store).result["nodes"]}


def test_lineage_goes_over_an_alias_while_it_holds(store: Path) -> None:
    """From the reader of one name to the sources of the other, in the time of the alias alone; nothing is assumed."""
    version = call("alias", "add", SALES, TRINO, *AT, "--reason", "one table", "--format", "json", store=store).result
    call("alias", "remove", TRINO, SALES, "--at", "2024-03-01T00:00:00Z", store=store)

    inside = call("lineage", "bi:trino#revenue", "--direction", "up", "--valid-at", "2024-02-02T00:00:00Z",
                  "--format", "json", store=store).json  # fmt: skip
    assert version == {"version": 8}
    assert f"{ORDERS}#amount" in {node["node"] for node in inside["result"]["nodes"]}
    assert inside["completeness"]["complete"]
    for at in ("2024-01-15T00:00:00Z", "2024-03-02T00:00:00Z"):
        assert reached(store, "bi:trino#revenue", "--direction", "up", "--valid-at", at) == {f"{TRINO}#revenue"}
    assert reached(store, SALES, "--level", "table", "--valid-at", "2024-02-02T00:00:00Z") >= {"bi:trino", REPORT}


def test_lists_say_who_and_why(store: Path) -> None:
    """The author, the reason and the evidence of what is in force at the point."""
    said = ("--reason", "why", "--evidence", "https://x")
    assert call("alias", "add", SALES, TRINO, *AT, *said, store=store).status == 0
    assert call("edge", "add", f"{ORDERS}#id", REPORT, *AT, *said, store=store).status == 0

    (alias,) = call("alias", "list", "--format", "json", store=store).result
    (edge,) = call("edge", "list", "--format", "json", store=store).result
    for found in (alias, edge):
        assert (found["actor"], found["reason"], found["evidence"]) == ("ana", "why", "https://x")
        assert found["valid_from"] == "2024-02-01T00:00:00Z"
    assert (edge["stated"], edge["source"], edge["target"]) == ("added", f"{ORDERS}#id", REPORT)
    assert call("alias", "list", "--valid-at", "2024-01-01T00:00:00Z", "--format", "json", store=store).result == []


def test_the_author_is_the_user_where_nothing_else_says_so(store: Path) -> None:
    """In a container or a scheduled job $USER is missing: what was stated there had no author."""
    (types := store.parent / "assets.toml").write_text('[types.board]\nparent = "dashboard"\n')
    assert spawn("alias", "add", SALES, TRINO, store=store, USER="", LOGNAME="robot").status == 0
    assert spawn("assets", "set", types, "--reason", "boards", store=store, USER="", LOGNAME="robot").status == 0

    (alias,) = call("alias", "list", "--format", "json", store=store).result
    assert (alias["actor"], Store.open(store).log()[-1].actor) == ("robot", "robot")


def test_an_edge_of_a_person_outlives_the_tasks(store: Path) -> None:
    """Whatever tasks say of the same nodes later, the edge stays until its author takes it back, or it expires."""
    call("edge", "add", f"{ORDERS}#id", f"{SALES}#revenue", *AT, "--expires", "2024-06-01T00:00:00Z", store=store)
    Store.open(store).append(
        [task_change("sales", "update", "2024-03-01T00:00:00Z", [(f"{ORDERS}#id", f"{SALES}#id")])]
    )

    def sources(at: str) -> set[str]:
        return reached(store, f"{SALES}#revenue", "--direction", "up", "--direct-only", "--valid-at", at)

    assert sources("2024-03-02T00:00:00Z") == {f"{ORDERS}#id"}
    assert sources("2024-06-02T00:00:00Z") == set()
    blamed = call("blame", f"{ORDERS}#id", f"{SALES}#revenue", "--valid-at", "2024-03-02T00:00:00Z", "--format", "json",
                  store=store).result  # fmt: skip
    assert [(each["message"]["root"], each["message"]["actor"]) for each in blamed] == [("person", "ana")]

    call("edge", "remove", f"{ORDERS}#id", f"{SALES}#revenue", "--at", "2024-04-01T00:00:00Z", store=store)
    assert sources("2024-04-02T00:00:00Z") == set()


def test_a_new_statement_withdraws_an_expiry_to_come(store: Path) -> None:
    """An edge stated again without an end does not end when the first statement would have expired."""
    ends = (f"{ORDERS}#id", f"{SALES}#revenue")
    call("edge", "add", *ends, *AT, "--expires", "2998-01-01T00:00:00Z", store=store)
    call("edge", "add", *ends, "--at", "2024-05-01T00:00:00Z", store=store)

    (edge,) = call("edge", "list", "--format", "json", store=store).result
    assert edge["valid_to"] is None


def test_a_rejected_edge_is_left_out_and_answerable(store: Path) -> None:
    """Walks leave it out although a task states it again, say so, and blame shows both; before, it is there."""
    ends = (f"{ORDERS}#amount", f"{SALES}#revenue")
    assert call("edge", "reject", *ends, "--at", "2024-02-15T00:00:00Z", "--reason", "test", store=store).status == 0
    again = task_change("sales", "update", "2024-03-01T00:00:00Z", [(*ends, "DIRECT", "AGGREGATION", "SUM(amount)")])
    Store.open(store).append([again])

    def asked(at: str) -> tuple[set[str], int]:
        found = call("lineage", ends[1], "--direction", "up", "--direct-only", "--valid-at", at, "--format", "json",
                     store=store).json  # fmt: skip
        return {n["node"] for n in found["result"]["nodes"]}, found["completeness"].get("rejected", 0)

    assert asked("2024-02-10T00:00:00Z") == ({ends[0]}, 0)
    assert asked("2024-03-02T00:00:00Z") == (set(), 1)
    blamed = call("blame", *ends, "--valid-at", "2024-03-02T00:00:00Z", "--format", "json", store=store).result
    assert sorted(each["edge"]["subtype"] for each in blamed) == ["AGGREGATION", "REJECTED"]
    (listed,) = call("edge", "list", "--format", "json", store=store).result
    assert (listed["stated"], listed["reason"]) == ("rejected", "test")

    call("edge", "remove", *ends, "--at", "2024-03-05T00:00:00Z", store=store)
    assert asked("2024-03-06T00:00:00Z") == ({ends[0]}, 0)


def test_lineage_from_task_to_task(store: Path) -> None:
    """A task comes after the one whose table it reads, under whatever name; an unknown task is refused."""
    call("alias", "add", SALES, TRINO, *AT, store=store)
    asked = ("--level", "task", "--direction", "down", "--valid-at", "2024-02-02T00:00:00Z", "--format", "json")
    found = call("lineage", "task:sales", *asked, store=store).result

    assert found["nodes"] == [{"node": "task:board", "steps": 1}, {"node": "task:trino_job", "steps": 1}]
    assert {(e["source"], e["target"], e["expression"]) for e in found["edges"]} == {
        ("task:sales", "task:board", SALES), ("task:sales", "task:trino_job", TRINO),
    }  # fmt: skip
    refused = call("lineage", "task:nobody", "--level", "task", store=store)
    assert (refused.status, "has no edges at that point" in refused.err) == (2, True)
    assert "one that only starts others has their edges with --roll-up" in refused.err
    columns = call("lineage", "task:sales", store=store)
    assert (columns.status, "lineage between tasks with --level task" in columns.err) == (2, True)


def test_rejecting_datasets_rejects_their_columns(store: Path) -> None:
    """At column and at table level nothing goes from one to the other any more."""
    call("edge", "reject", ORDERS, SALES, "--at", "2024-02-15T00:00:00Z", store=store)

    for level in ("column", "table"):
        found = reached(store, SALES, "--direction", "up", "--level", level, "--valid-at", "2024-02-16T00:00:00Z")
        assert found == set()


def test_annotations_stay_beside_what_catalogs_say(store: Path) -> None:
    """A description by hand is answered whatever messages say later, and goes when it is taken back."""
    assert call("annotate", SALES, "--owner", "ana", "--label", "gold", *AT, store=store).status == 0
    assert call("annotate", SALES, "--label", "", "--at", "2024-05-01T00:00:00Z", store=store).status == 0

    facts = call("facts", SALES, "--format", "json", store=store).result
    assert [(fact["key"], fact["value"]) for fact in facts] == [("owner", "ana")]
    tasks = call("tasks", "--format", "json", store=store).result
    assert {task["task_id"] for task in tasks} == {"board", "odd", "sales", "trino_job"}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("alias", "add", SALES, SALES), "not an alias of itself"),
        (("alias", "add", f"{SALES}#id", TRINO), "is a column"),
        (("alias", "remove", SALES, TRINO), "nobody stated"),
        (("edge", "remove", SALES, TRINO), "nobody stated"),
        (("edge", "add", SALES, "nowhere"), "has no namespace"),
        (("edge", "add", SALES, TRINO, "--subtype", "ALIAS"), "not a subtype"),
        (
            ("edge", "add", SALES, "hive:new", "--type", "indirect"),
            "'indirect' is not a type of an edge: use DIRECT or",
        ),
        (("edge", "add", SALES, TRINO, "--subtype", "JOIN"), "JOIN is not a subtype of DIRECT: use one of"),
        (("edge", "add", SALES, TRINO, "--subtype", "JOIN"), "; it is one of INDIRECT"),
        (("alias", "add", SALES, "task:trino_job"), "'task:trino_job' is a task: an alias is between datasets"),
        (("alias", "add", SALES, TRINO, "--expires", "2001-01-01T00:00:00Z"), "expires before it begins"),
        (("annotate", SALES), "give --description"),
    ],
)
def test_a_wrong_statement_is_refused_and_nothing_is_written(
    store: Path, words: tuple[str, ...], problem: str
) -> None:  # fmt: skip
    """The command ends with status 2 and says what is wrong."""
    before = Store.open(store).version
    found = call(*words, store=store)

    assert found.status == 2
    assert problem in found.err
    assert "note:" not in found.err
    assert Store.open(store).version == before


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("alias", "add", SALES, "trino:lake.dw.sale"), "nothing names trino:lake.dw.sale so far; did you mean"),
        (("edge", "add", f"{ORDERS}#idd", REPORT), f"nothing names {ORDERS}#idd so far; did you mean"),
        (("edge", "reject", REPORT, ORDERS), f"no edge goes from {REPORT} to {ORDERS} so far"),
        (("annotate", f"{ORDERS}x", "--owner", "ann"), f"nothing names {ORDERS}x so far; did you mean {ORDERS}"),
        (("annotate", "task:salez", "--owner", "ann"), "no message of task salez has come so far"),
        (("grant", f"{ORDERS}x", "ann", "read"), f"nothing names {ORDERS}x so far"),
        (("annotate", ORDERS, "--owner", "ann"), ""),
        (("alias", "list", f"{ORDERS}x"), f"nothing names {ORDERS}x so far; did you mean {ORDERS}"),
        (("edge", "list", f"{ORDERS}x"), f"nothing names {ORDERS}x so far; did you mean {ORDERS}"),
        (("facts", f"{ORDERS}x"), f"nothing names {ORDERS}x so far; did you mean {ORDERS}"),
        (("facts", ORDERS), ""),
        (
            ("assets", "list", "--type", "dashbord"),
            "there is no type 'dashbord' here; did you mean dashboard? (lineage-tt assets types lists them)",
        ),
    ],
)
def test_an_unknown_name_is_noted(store: Path, args: tuple[str, ...], words: str) -> None:
    """It may be meant for later, or be a slip: the note says which name nothing else names, and the nearest ones."""
    done = call(*args, store=store)

    assert done.status == 0
    assert words in done.err if words else done.err == ""


def test_an_alias_that_is_rejected_one_way_says_so(store: Path) -> None:
    """Walks of the other direction still go over it, until that is rejected, too."""
    call("alias", "add", SALES, TRINO, *AT, store=store)
    first = call("edge", "reject", SALES, TRINO, *AT, store=store)
    second = call("edge", "reject", TRINO, SALES, *AT, store=store)

    assert f"{SALES} and {TRINO} are names of one thing: reject {TRINO} -> {SALES}, too" in first.err
    assert second.err == ""


@pytest.mark.parametrize(
    "args",
    [
        ("alias", "add", "hive:dw.orders", "trino:lake.dw.orders"),
        ("edge", "add", "hive:ods.fx#rate", "bi:board#revenue"),
        ("edge", "reject", f"{ORDERS}#amount", f"{SALES}#revenue"),
        ("annotate", "hive:dw.orders", "--owner", "zoe", "--description", "orders"),
        ("grant", "hive:dw.orders", "eve", "read"),
        ("core", "mark", "hive:dw.orders", "--sla", "09:00"),
    ],
)
def test_a_statement_that_changes_nothing_says_so(store: Path, args: tuple[str, ...]) -> None:
    """Of what is in force already; the first one, and one that sets an end, change something."""
    note = "nothing changes: that was so already"
    assert note not in call(*args, store=store).err
    assert note in call(*args, store=store).err
    assert note not in call(*args, "--expires", "2999-01-01T00:00:00Z", store=store).err


def test_taking_back_what_is_over_changes_nothing(store: Path) -> None:
    """The second time it says so."""
    pair = "hive:dw.orders", "trino:lake.dw.orders"
    call("alias", "add", *pair, store=store)
    assert "nothing changes" not in call("alias", "remove", *pair, store=store).err
    assert "nothing changes" in call("alias", "remove", *pair, store=store).err
