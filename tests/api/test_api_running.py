"""Core links, root cause and backfill over HTTP: the answers of the commands, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from services import Served, serving

from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.testing import task_change

AT = "2024-03-01T00:00:00Z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two tasks, one of which changed, with a promise."""
    path = tmp_path_factory.mktemp("running") / "s"
    Store.create(path).append(
        [
            task_change("copy", "online", "2024-01-01T00:00:00Z", [("hive:src#id", "hive:a#id")]),
            task_change("report", "online", "2024-02-01T00:00:00Z", [("hive:a#id", "bi:r#id")]),
            task_change("copy", "update", "2024-02-25T00:00:00Z", [("hive:src#no", "hive:a#id")]),
        ]
    )
    at = ["--at", "2024-01-01T00:00:00Z", "--store", str(path)]
    assert run(["core", "mark", "bi:r", "--sla", "07:00", *at]) == 0
    assert run(["core", "mark", "task:copy", "--duration", "6h30m", *at]) == 0
    return path


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    """A service over it."""
    with serving(folder, "--workers", "1") as found:
        yield found


@pytest.mark.parametrize(
    ("words", "path", "parameters"),
    [
        (["core", "list"], "/v1/core", {}),
        (["core", "chain", "bi:r"], "/v1/core", {"node": "bi:r"}),
        (["core", "chain", "bi:r", "--since", "2024-01-15T00:00:00Z"], "/v1/core",
         {"node": "bi:r", "since": "2024-01-15T00:00:00Z"}),
        (["core", "late", "copy", "--by", "1h"], "/v1/core/late", {"task": "copy", "by": "1h"}),
        (["root-cause", "bi:r#id"], "/v1/root-cause", {"node": "bi:r#id"}),
        (["root-cause", "bi:r#id", "--no-parse", "--since", "-2d"], "/v1/root-cause",
         {"node": "bi:r#id", "texts": "words", "since": "-2d"}),
        (["backfill", "task:copy", "--from", "2024-02-20T00:00:00Z", "--to", "2024-02-27T00:00:00Z"],
         "/v1/backfill",
         {"node": "task:copy", "from": "2024-02-20T00:00:00Z", "to": "2024-02-27T00:00:00Z"}),
    ],
)  # fmt: skip
def test_the_service_answers_as_the_command(
    capsys: pytest.CaptureFixture[str], folder: Path, served: Served, words: list[str], path: str,
    parameters: dict[str, str],
) -> None:  # fmt: skip
    """Both give one object: basis, completeness and result."""
    assert run([*words, "--valid-at", AT, "--store", str(folder), "--format", "json"]) == 0

    answer = served.get(path, params={"valid_at": AT, **parameters})

    assert answer.status_code == 200, answer.text
    assert answer.json() == json.loads(capsys.readouterr().out)


def test_the_answers_say_what_happened(served: Served) -> None:
    """The change that is to blame, the promise that breaks, the runs to repeat."""

    def result(path: str, **parameters: str) -> Any:
        return served.get(path, params={"valid_at": AT, **parameters}).json()["result"]

    (suspect,) = result("/v1/root-cause", node="bi:r#id")["suspects"]
    assert (suspect["subject"], suspect["class"]) == ("copy", "sources")
    (kept,) = result("/v1/core/late", task="copy", by="1h")["promises"]
    assert (kept["node"], kept["breaks"], kept["late_finish"]) == ("bi:r", True, "07:30:00")
    span = {"from": "2024-02-24T00:00:00Z", "to": "2024-02-26T00:00:00Z"}
    steps = result("/v1/backfill", node="hive:a", **span)["steps"]
    told = [(step["task_id"], step["version"], len(step["partitions"])) for step in steps]  # type: ignore[attr-defined]
    assert told == [("copy", 3, 2), ("report", 2, 2)]


@pytest.mark.parametrize(
    ("path", "parameters", "status"),
    [
        ("/v1/core", {"node": "hive:nobody"}, 404),
        ("/v1/core", {"node": "task:nobody"}, 404),
        ("/v1/core", {"since": "yesterday"}, 400),
        ("/v1/core/late", {"task": "nobody", "by": "1h"}, 409),
        ("/v1/core/late", {"task": "copy", "by": "soon"}, 400),
        ("/v1/core/late", {"task": "copy"}, 400),
        ("/v1/core/late", {"task": "copy", "by": "0m"}, 409),
        ("/v1/core/late", {"task": "copy", "by": "5s5s"}, 409),
        ("/v1/root-cause", {"node": "hive:nobody"}, 404),
        ("/v1/root-cause", {"node": "bi:r#id", "since": "now"}, 409),
        ("/v1/root-cause", {"node": "bi:r#id", "valid_at": "0001-01-01T00:00:00Z"}, 409),
        ("/v1/root-cause", {"node": "bi:r#id", "limit": "0"}, 400),
        ("/v1/backfill", {"node": "hive:nobody", "from": "-2d"}, 404),
        ("/v1/backfill", {"node": "task:nobody", "from": "-2d"}, 409),
        ("/v1/backfill", {"node": "hive:a", "from": "now", "to": "-2d"}, 409),
        ("/v1/backfill", {"node": "hive:a", "from": "-2d", "grain": "week"}, 400),
        ("/v1/backfill", {"node": "hive:a", "from": "0001-01-01T00:00:00Z", "to": "9999-12-31T23:59:59Z"}, 409),
        ("/v1/backfill", {"node": "hive:a", "from": "1500-01-01T00:00:00Z", "to": "8500-12-31T23:59:59Z",
                          "grain": "month", "valid_at": "9999-12-31T23:59:59Z"}, 409),
        ("/v1/backfill", {"from": "-2d"}, 400),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused(served: Served, path: str, parameters: dict[str, str], status: int) -> None:
    """A wrong parameter is 400, an unknown node 404, what cannot be at the point 409; never 5xx."""
    answer = served.get(path, params={"valid_at": AT, **parameters})

    assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    "words",
    [
        ["core", "mark", "bi:r", "--sla", "soon"], ["core", "mark", "bi:r", "--duration", "5m"],
        ["core", "mark", "task:copy", "--partition", "week"], ["core", "mark", "bi:r"], ["root-cause"],
        ["root-cause", "bi:r", "--failed"], ["root-cause", "bi:r", "--limit", "0"],
    ],
)  # fmt: skip
def test_the_command_refuses_what_cannot_be(capsys: pytest.CaptureFixture[str], folder: Path, words: list[str]) -> None:
    """With what to do, and without a traceback; nothing is written."""
    before = Store.open(folder).version

    assert run([*words, "--store", str(folder)]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "hint" in said
    assert Store.open(folder).version == before


def test_a_failed_check_is_asked_about_without_naming_a_node(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    """Each node whose check fails has its suspects; where none fails the answer says so."""
    arguments = ["--at", AT, "--store", str(folder), "--no-parse"]
    assert run(["root-cause", "--failed", *arguments]) == 0
    assert "no check fails" in capsys.readouterr().out
    fact = {"kind": "fact", "event_id": "c1", "op": "set", "node": "bi:r#id", "key": "check:unique",
            "values": ['{"status":"failed"}'], "effective_at": "2024-02-26T00:00:00Z"}  # fmt: skip
    (tmp_path / "check.jsonl").write_text(json.dumps(fact) + "\n")
    assert run(["ingest", str(tmp_path / "check.jsonl"), "--store", str(folder), "--no-progress"]) == 0
    capsys.readouterr()

    assert run(["root-cause", "--failed", *arguments]) == 0
    said = capsys.readouterr().out
    assert "bi:r#id: what changed upstream" in said
    assert "the check unique of bi:r#id fails since then" in said
