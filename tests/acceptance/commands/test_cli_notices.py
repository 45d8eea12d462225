"""``lineage-tt notices``: one message a person, what it is about, and how it is sent."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from commandline import call

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.model.facts import check_value
from lineage_tt.testing import ManualClock, task_change

DAYS = [f"2026-0{month}-01T00:00:00Z" for month in range(1, 6)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Ana owns users, bob the board made of it; in March a second task writes the board, and a check of users fails."""
    folder = tmp_path / "s"
    opened = Store.create(folder, clock=ManualClock(DAYS[4]))
    opened.append([
        task_change("board", "online", DAYS[0], [("db:users#mail", "bi:board#contact")]),
        task_change("other", "online", DAYS[2], [("db:users#mail", "bi:board#contact")]),
    ])  # fmt: skip
    for node, key, value, at in (
        ("db:users", "owner", "ana", DAYS[0]), ("bi:board", "owner", "bob", DAYS[0]),
        ("bi:board", "grant:carl", "own", DAYS[0]), ("db:users#mail", "label", "pii", DAYS[2]),
        ("db:users#mail", "check:not null", check_value("passed"), DAYS[0]),
        ("db:users#mail", "check:not null", check_value("failed"), DAYS[2]),
    ):  # fmt: skip
        annotate(opened, node, key, [value], at=at)
    return folder


def test_each_owner_hears_what_concerns_them_once(store: Path) -> None:
    """The label and the check reach both; the violation only who owns the table; nothing is new since April."""
    found = call("notices", "--since", DAYS[1], "--valid-at", DAYS[3], "--format", "json", store=store).result
    items = {each["person"]: {(i["kind"], i["node"]) for i in each["items"]} for each in found["notices"]}

    assert items["ana"] == {("label", "db:users#mail"), ("check", "db:users#mail")}
    assert items["bob"] == items["carl"]
    assert items["bob"] == {("violation", "bi:board"), ("label", "bi:board#contact"), ("check", "db:users#mail")}
    text = call("notices", "--since", DAYS[1], "--valid-at", DAYS[3], store=store)
    assert (text.status, "3 people to notify" in text.out) == (0, True)
    assert call("notices", "--since", DAYS[3], "--format", "json", store=store).result["notices"] == []


def test_notices_are_sent_where_their_owners_subscribed(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob's program gets one event with all items; others without a delivery are reported, with exit status 1."""
    told = tmp_path / "told.json"
    script = tmp_path / "tell.py"
    script.write_text(
        f"import sys; open({str(told)!r}, 'ab').write(sys.stdin.buffer.read() + b'\\n')", encoding="utf-8"
    )
    allowed = tmp_path / "allow.toml"
    command = f"{sys.executable} {script}"
    allowed.write_text(f'commands = ["{command}"]\n', encoding="utf-8")
    monkeypatch.setenv("LINEAGE_TT_ALLOW", str(allowed))
    made = call("subscribe", "bobs", "--owner", "bob", "--deliver", f"command:{command}", store=store)
    assert made.status == 0, made.err

    found = call("notices", "--since", DAYS[1], "--valid-at", DAYS[3], "--send", "--format", "json", store=store)
    assert found.status == 1
    assert [words.partition(":")[0] for words in found.result["undelivered"]] == ["ana", "carl"]
    (event,) = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()]
    assert (event["type"], event["subject"]) == ("dev.lineage_tt.notice", "bob")
    assert {item["kind"] for item in event["data"]["items"]} == {"violation", "label", "check"}


def test_owners_hear_of_a_release_before_it_is_deployed(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``impact --notify`` sends bob one event of what reaches his board; nothing is written to the store."""
    told, script, allowed = tmp_path / "told.json", tmp_path / "tell.py", tmp_path / "allow.toml"
    script.write_text(
        f"import sys; open({str(told)!r}, 'ab').write(sys.stdin.buffer.read() + b'\\n')", encoding="utf-8"
    )
    command = f"{sys.executable} {script}"
    allowed.write_text(f'commands = ["{command}"]\n', encoding="utf-8")
    monkeypatch.setenv("LINEAGE_TT_ALLOW", str(allowed))
    assert call("subscribe", "bobs", "--owner", "bob", "--deliver", f"command:{command}", store=store).status == 0
    release = tmp_path / "release.json"
    release.write_text(json.dumps([{"event_id": "n", "task_id": "board", "op": "offline", "effective_at": DAYS[4]}]))
    before = Store.open(store).version

    words = ("impact", release, "--effective-at", DAYS[4], "--notify", "--allow", "unknown")
    found = call(*words, "--format", "json", store=store)
    assert found.status == 1  # carl owns the board, too, and subscribed to nothing
    assert "carl: no subscription names this owner" in found.err
    call(*words, store=store)
    events = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()]
    assert [event["subject"] for event in events] == ["bob", "bob"]
    assert len({event["id"] for event in events}) == 1  # the same release is the same event: receivers keep one
    (kind,) = {item["kind"] for item in events[0]["data"]["items"]}
    assert (kind, events[0]["data"]["release"] != "") == ("impact", True)
    assert {item["node"].partition("#")[0] for item in events[0]["data"]["items"]} == {"bi:board"}
    assert Store.open(store).version == before
    assert call(*words[:-3], store=store).status == 0
