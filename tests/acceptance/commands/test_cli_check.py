"""``lineage-tt check``."""

from __future__ import annotations

from pathlib import Path

from commandline import call, make_store, spawn


def test_a_sound_store_is_clean(tmp_path: Path) -> None:
    """A store that nobody touched is clean; files left over by a crash are named and do no harm."""
    store = make_store(tmp_path / "s")
    (store / "log" / "left-over.parquet").write_bytes(b"half")

    said = spawn("check", store=store)
    found = call("check", "--format", "json", store=store).result

    assert said.status == 0
    assert "garbage: left-over.parquet" in said.out
    assert [finding["kind"] for finding in found["findings"]] == ["garbage"]


def test_damage_is_named_with_status_one(tmp_path: Path) -> None:
    """One altered byte of a data file gives exit status 1, the file's name and the versions it holds."""
    store = make_store(tmp_path / "s")
    file = sorted((store / "log").glob("*.parquet"))[2]
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)

    said = spawn("check", "--format", "json", store=store)

    assert said.status == 1
    [finding] = said.result["findings"]
    assert (finding["kind"], finding["path"], finding["first_version"]) == ("damage", file.name, 3)
    assert "1 damaged" in call("check", store=store).out


def test_a_damaged_store_gives_no_answer(tmp_path: Path) -> None:
    """A question to a damaged store ends with status 3 and the way to find out more, not with an answer."""
    store = make_store(tmp_path / "s")
    file = sorted((store / "log").glob("*.parquet"))[0]
    file.write_bytes(file.read_bytes()[:-1])

    said = call("tasks", store=store)

    assert (said.status, said.out) == (3, "")
    assert "hint: run: lineage-tt check" in said.err
