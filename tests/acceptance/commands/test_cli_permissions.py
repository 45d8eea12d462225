"""``grant``, ``revoke``, ``permissions``, ``extract --as``: what they print and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import call

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.testing import ManualClock, task_change

DAYS = [f"2026-0{month}-01T00:00:00Z" for month in range(1, 6)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A board over two tables, one of which eve may read; zoe owns the other."""
    folder = tmp_path / "s"
    opened = Store.create(folder, clock=ManualClock(DAYS[0]))
    edges = [("hive:dw.a#x", "bi:board#x"), ("hive:dw.b#y", "bi:board#x")]
    opened.append([task_change("board", "online", DAYS[0], edges)])
    assert call("grant", "hive:dw.a", "eve", "read", "--at", DAYS[1], store=folder).status == 0
    assert call("grant", "hive:dw.b", "zoe", "own", "write", "--at", DAYS[1], store=folder).status == 0
    return folder


def test_a_principal_sees_which_sources_of_a_node_are_denied(store: Path) -> None:
    """With whom to ask, and exit status 1; after a grant nothing is denied."""
    found = call("permissions", "bi:board#x", "--as", "eve", "--format", "json", store=store)
    assert (found.status, found.result) == (1, [{"node": "hive:dw.b#y", "owners": ["zoe"]}])
    assert "zoe" in call("permissions", "bi:board#x", "--as", "eve", store=store).out
    assert call("grant", "hive:dw.b#y", "*", "read", "--at", DAYS[2], store=store).status == 0
    assert call("permissions", "bi:board#x", "--as", "eve", store=store).status == 0
    assert call("revoke", "hive:dw.b#y", "*", "--at", DAYS[3], store=store).status == 0
    assert call("permissions", "bi:board#x", "--as", "eve", store=store).status == 1
    assert call("permissions", "--as", "eve", store=store).status == 2


def test_grants_are_listed_as_of_a_point(store: Path) -> None:
    """All, of a node, before they were stated."""
    every = call("permissions", "--format", "json", store=store).result
    assert [(each["node"], each["principal"], each["right"]) for each in every] == [
        ("hive:dw.a", "eve", "read"), ("hive:dw.b", "zoe", "own"), ("hive:dw.b", "zoe", "write"),
    ]  # fmt: skip
    assert "2 grants" in call("permissions", "hive:dw.b", store=store).out
    assert "0 grants" in call("permissions", "--valid-at", DAYS[0], store=store).out
    assert call("grant", "hive:dw.a", "eve", "look", store=store).status == 2


def test_a_list_of_grants_says_what_it_leaves_out(store: Path) -> None:
    """Grants on the columns of a table were left out as if there were none, and a wrong name had no grants."""
    assert call("grant", "hive:dw.b#y", "ana", "read", "--at", DAYS[1], store=store).status == 0

    assert "1 grant is on columns of 'hive:dw.b', and not listed" in call("permissions", "hive:dw.b", store=store).err
    assert call("permissions", "hive:dw.b#y", store=store).err == ""
    assert "nothing names hive:dw.bb so far; did you mean" in call("permissions", "hive:dw.bb", store=store).err
    denied = call("permissions", "bi:board#x", "--as", "zoee", store=store)
    assert "no grant at this point names the principal 'zoee'; did you mean zoe?" in denied.err


def test_a_text_says_which_sources_its_author_may_not_read(store: Path, tmp_path: Path) -> None:
    """Before anybody runs it; without a store there is nothing to ask."""
    both, mine = tmp_path / "both.sql", tmp_path / "mine.sql"
    both.write_text("insert into dw.c select a.x, b.y from dw.a a join dw.b b on a.x = b.x", encoding="utf-8")
    mine.write_text("insert into dw.c select x from dw.a", encoding="utf-8")
    found = call("extract", both, "--as", "eve", "--format", "json", store=store)
    (said,) = found.result
    assert (found.status, [each["node"] for each in said["denied"]]) == (1, ["hive:dw.b#x", "hive:dw.b#y"])
    assert "eve may not read hive:dw.b#y (ask zoe)" in call("extract", both, "--as", "eve", store=store).out
    assert call("extract", mine, "--as", "eve", store=store).status == 0
    assert call("extract", mine, "--as", "eve").status == 2
    before = call("extract", mine, "--as", "eve", "--valid-at", DAYS[0], "--format", "json", store=store)
    assert (before.status, before.json["basis"]["valid_at"]) == (1, DAYS[0])  # the grant came in February
    assert call("extract", mine, "--valid-at", DAYS[0]).status == 2


def test_the_store_of_the_environment_is_asked_for_grants(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """As by all commands; a text without --as is read without a store all the same."""
    mine = tmp_path / "other.sql"
    mine.write_text("insert into dw.c select y from dw.b", encoding="utf-8")
    monkeypatch.setenv("LINEAGE_TT_STORE", str(store))
    assert "eve may not read hive:dw.b#y (ask zoe)" in call("extract", mine, "--as", "eve").out
    assert call("extract", mine, "--valid-at", DAYS[1], "--format", "json").json["basis"]["valid_at"] == DAYS[1]
    monkeypatch.setenv("LINEAGE_TT_STORE", str(tmp_path / "none"))
    assert call("extract", mine).status == 0


def test_retention_and_life_cycle_are_stated_of_a_dataset(store: Path) -> None:
    """And checked along lineage; taken back; refused where they make no sense."""
    assert call("annotate", "hive:dw.a", "--retention", "30", "--life-cycle", "retired", store=store).status == 0
    assert call("annotate", "bi:board", "--retention", "365", store=store).status == 0
    rules = {each["rule"] for each in call("rules", "--format", "json", store=store).result}
    assert {"shorter_retention", "retired_sources"} <= rules
    assert call("annotate", "hive:dw.a", "--retention", "0", "--life-cycle", "", store=store).status == 0
    rules = {each["rule"] for each in call("rules", "--format", "json", store=store).result}
    assert not {"shorter_retention", "retired_sources"} & rules
    assert call("annotate", "hive:dw.a", "--life-cycle", "gone", store=store).status == 2
    assert call("annotate", "hive:dw.a", "--retention", "-1", store=store).status == 2


def test_a_grant_that_cannot_be_read_is_named(store: Path) -> None:
    """A message may state any value; the command says on standard error which grants nobody can read."""
    annotate(Store.open(store), "hive:dw.a", "grant:ana", ["reed"], at=DAYS[1])
    found = call("permissions", store=store)

    assert "3 grants" in found.out
    assert "note: grant:ana of hive:dw.a has no effect: 'reed' is not a right" in found.err
