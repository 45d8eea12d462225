"""Options that would have no effect are refused or noted, and what is blocked is not opened in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import call

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.testing import ManualClock, task_change

DAY = "2026-01-01T00:00:00Z"
USERS, BOARD = "db:users#mail", "bi:board#contact"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A board made of a column with two labels."""
    folder = tmp_path / "s"
    opened = Store.create(folder, clock=ManualClock("2026-02-01T00:00:00Z"))
    opened.append([task_change("board", "online", DAY, [(USERS, BOARD)])])
    annotate(opened, USERS, "label", ["finance", "pii"], at=DAY)
    return folder


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ("policy", "set", "mask-literals", "--reason", "x", "--state", "."),
            "--state and --workers are for --history",
        ),
        (("policy", "set", "mask-literals", "--reason", "x", "--workers", "3"), "are for --history"),
        (
            ("policy", "set", "mask-literals", "--reason", "x", "--history", "--state", "no.sqlite"),
            "no state at no.sqlite",
        ),
        (("policy", "set", "mask-literals", "--reason", "x", "--history", "--state", "/"), "no state at /"),
        (("ingest", "m.jsonl", "--group", "g"), "--group is for a topic"),
        (("ingest", "m.jsonl", "--until-end"), "--until-end is for a topic"),
        (("ingest", "m", "--from", "openlineage", "--accept-loss"), "--accept-loss is for a topic"),
        (("ingest", "m", "--from", "dbt", "--kafka-option", "a=b"), "--kafka-option is for a topic"),
        (("ingest", "m.jsonl", "--state", "x"), "--state is for events"),
        (("ingest", "m", "--from", "dbt", "--state", "x"), "--state is for events"),
        (("ingest", "m", "--from", "dbt", "--mapping", "x.toml"), "need no --mapping"),
        (("export", "violations", "--to", "v.csv", "--scene", "x"), "--scene is for labels"),
        (("export", "edges", "--to", "e.parquet", "--raw-cells"), "--raw-cells has no effect in parquet"),
        (("sql", "SELECT 1", "--raw-cells"), "--raw-cells has no effect in text"),
        (("sql", "SELECT 1", "--print-setup"), "--print-setup runs no query"),
        (("sql", ""), "no query is given"),
        (("changes", "--interval", "5"), "--interval is for --follow"),
        (("compact", "--dry-run", "--grace", "5"), "--grace has no effect with --dry-run"),
        (("compact", "--dry-run", "--master", "local[1]"), "--master has no effect with --dry-run"),
        (("compact", "--dry-run", "--conf", "a=b"), "--conf has no effect with --dry-run"),
        (("stream", ".", "--kafka-option", "a=b"), "--kafka-option is for a topic"),
        (("stream", ".", "--until-end", "--every", "3"), "--every has no effect with --until-end"),
        (("import", __file__, "--order-by", "a"), "--order-by is for tables and Parquet"),
        (("import", __file__, "--option", "a=b"), "--option is for tables"),
        (("import", "hive:a.b", "--option", "a=b"), "--option is for tables"),
        (
            ("import", "--reconcile", __file__, "--system-time-from", "recorded_at"),
            "--system-time-from has no effect with --reconcile",
        ),
        (("subscriptions", "run", "--kafka-option", "a=b"), "--kafka-option is for a topic"),
        (("labels", "reject", BOARD, "pii", "--end", "--expires", "2027-01-01T00:00:00Z"), "--expires has no effect"),
        (("labels", "block", USERS, BOARD, "--end", "--expires", "2027-01-01T00:00:00Z"), "--expires has no effect"),
        (("annotate", BOARD, "--description", "", "--expires", "2027-01-01T00:00:00Z"), "--expires has no effect"),
        (("core", "mark", BOARD, "--sla", "", "--expires", "2027-01-01T00:00:00Z"), "--expires has no effect"),
        (("--storage-option", "rejion=x", "tasks"), "unknown storage option 'rejion'"),
        (("tasks", "--storage-option", "rejion=x"), "unknown storage option 'rejion'"),
        (("observations", "bord"), "unknown task 'bord'"),
        (("agreement", "bord"), "did you mean board"),
        (
            ("impact", __file__, "--write", "json=a.json", "--write", "text=./a.json"),
            "two --write name a.json, and the second would replace the first",
        ),
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(store: Path, words: tuple[str, ...], reason: str) -> None:
    """The exit status is 2, the message says what it is for, and nothing is written."""
    before = Store.open(store).version
    found = call(*words, store=store)
    assert found.status == 2
    assert reason in found.err
    assert Store.open(store).version == before


def test_a_topic_takes_no_state_of_deliveries(store: Path) -> None:
    """Its position is in the topic: the file was never made."""
    assert call("subscribe", "t", "--deliver", "kafka://localhost:1/t", store=store).status == 0
    for option in ("--state", "--scene", "--rules"):
        found = call("subscriptions", "run", "t", option, "x", "--until-end", store=store)
        assert (found.status, f"{option} has no effect for a topic" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (("core", "mark", "bi:bord", "--sla", "07:00"), "nothing names bi:bord so far; did you mean bi:board?"),
        (
            ("core", "mark", "task:bord", "--duration", "1h"),
            "no message of task bord has come so far; did you mean board",
        ),
        (("labels", "reject", BOARD, "pi"), "no node states the label 'pi' at this point; did you mean pii?"),
        (("labels", "block", USERS, BOARD, "--label", "pi"), "the decision has no effect so far: no node states"),
        (("facts", "--key", "lable"), "no fact ever had the key lable; did you mean label?"),
        (("--storage-option", "region=x", "tasks"), "--storage-option has no effect: the store "),
        (("tasks", "--storage-option", "region=x"), "is not in a bucket"),
        (("check", "--from-log"), "--from-log has no effect: the snapshot is not damaged, or there is none"),
        (("lineage", "db:raw#mail", "--direction", "down", "--depth", "1"), "further edges in the next step: 1"),
        (("lineage", "db:raw#mail", "--direction", "down", "--depth", "0"), "further edges in the next step: 1"),
        (("lineage", "db:raw", "--level", "table", "--depth", "1", "--format", "json"), "--depth 1 cut the walk"),
    ],
)
def test_an_input_without_effect_has_a_note(store: Path, words: tuple[str, ...], note: str) -> None:
    """The command does what can be done, with exit status 0."""
    Store.open(store).append([task_change("users", "online", DAY, [("db:raw#mail", USERS)])])
    found = call(*words, store=store)

    assert found.status == 0, found.err
    assert note in found.err


@pytest.mark.parametrize(
    "words",
    [
        ("core", "mark", "bi:board", "--sla", "07:00"), ("labels", "reject", BOARD, "pii"),
        ("labels", "reject", BOARD, "gone", "--end"), ("facts", "--key", "label", BOARD),
        ("lineage", USERS, "--depth", "1"), ("lineage", USERS, "--depth", "7"), ("observations", "board"),
    ],
)  # fmt: skip
def test_an_input_with_its_effect_has_none(store: Path, words: tuple[str, ...]) -> None:
    """Known names without a row, and a walk that ended by itself."""
    found = call(*words, store=store)

    assert found.status == 0, found.err
    assert found.err.replace("note: nothing changes: that was so already\n", "") == ""


@pytest.mark.parametrize("producer", [(), ("--from", "openlineage")])
def test_a_linked_folder_that_is_not_read_has_a_note(store: Path, tmp_path: Path, producer: tuple[str, ...]) -> None:
    """Its messages were missing without a word."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text("")
    (tmp_path / "in" / "more").symlink_to(tmp_path)
    found = call("ingest", str(tmp_path / "in"), *producer, store=store)

    assert found.status == 0
    assert f"note: 1 linked folder ({tmp_path / 'in' / 'more'}) not followed: give a linked folder by name" in found.err


def test_a_column_has_no_columns(store: Path) -> None:
    """Those of its dataset are listed, with a note."""
    found = call("columns", USERS, store=store)
    assert (found.status, "db:users with all its columns" in found.err) == (0, True)


def labels_of_board(store: Path) -> str:
    """Return what is printed of the board's labels."""
    return call("labels", "show", BOARD, store=store).out


def test_a_block_ends_for_one_label_and_stays_for_the_other(store: Path) -> None:
    """A label that the block does not name is refused."""
    block = ("labels", "block", "db:users", "bi:board")
    call(*block, "--label", "pii", "--label", "finance", store=store)

    ended = call(*block, "--label", "pii", "--end", store=store)
    again = call(*block, "--label", "pii", "--end", store=store)

    assert "still blocked for finance" in ended.out
    assert ("pii" in labels_of_board(store), "finance" in labels_of_board(store)) == (True, False)
    assert (again.status, "no block of 'pii'" in again.err) == (2, True)
    assert "no longer blocked" in call(*block, "--end", store=store).out
    assert "finance" in labels_of_board(store)


def test_a_block_that_replaces_another_names_what_passes_again(store: Path) -> None:
    """A block of all labels replaces one of some without a note: nothing passes that was stopped."""
    block = ("labels", "block", "db:users", "bi:board")
    call(*block, "--label", "pii", store=store)

    assert "note: this replaces the block of pii" in call(*block, "--label", "finance", store=store).err
    assert "replaces" not in call(*block, store=store).err
    assert "note: this replaces the block of all labels" in call(*block, "--label", "pii", store=store).err
