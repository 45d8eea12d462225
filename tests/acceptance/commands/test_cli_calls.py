"""What holds for every command: options before or after the verb, exit statuses, errors, streams, signals, start."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import COMMAND, ODD, REPORT, SALES, call, environment, make_store, spawn
from waiting import until, until_busy

import lineage_tt
from lineage_tt.cli.app import VERBS


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small store."""
    return make_store(tmp_path_factory.mktemp("calls") / "store")


def test_store_and_format_stand_before_or_after_the_verb(store: Path) -> None:
    """Both places mean the same, and the one after the verb wins."""
    before = call("--store", store, "--format", "json", "log")
    after = call("log", "--store", store, "--format", "json")
    both = call("--store", "nowhere", "--format", "text", "log", "--store", store, "--format=json")

    assert before.status == 0
    assert before == after == both
    assert before.result[0]["version"] == 1


def test_the_store_is_found_by_environment_or_folder(store: Path) -> None:
    """Without --store it is $LINEAGE_TT_STORE, and without that ./lineage."""
    by_variable = spawn("log", LINEAGE_TT_STORE=str(store))
    (store.parent / "lineage").symlink_to(store)
    by_folder = spawn("log", cwd=store.parent)

    assert by_variable.status == 0
    assert by_variable == by_folder


@pytest.mark.parametrize(
    ("status", "args"),
    [
        (2, ["lineage", "hive:dw.sale#revenue"]),
        (2, ["lineage", SALES, "--valid-at", "2024-01-01"]),
        (2, ["lineage", SALES, "--system-at", "now", "--version", "1"]),
        (2, ["lineage", SALES, "--direction", "sideways"]),
        (2, ["lineage", SALES, "--depth", "-1"]),
        (2, ["lineage"]),
        (2, ["tasks", "--format", "dot"]),
        (2, ["tasks", "--no-such-option"]),
        (2, ["no-such-verb"]),
        (2, []),
        (2, ["log", "-n", "many"]),
        (3, ["lineage", SALES, "--version", "7"]),
    ],
)
def test_exit_statuses_of_errors(store: Path, status: int, args: list[str]) -> None:
    """A wrong call is 2, a store that cannot answer 3; the answer's stream stays empty."""
    said = call("--store", store, *args)

    assert (said.status, said.out) == (status, "")
    assert "Traceback" not in said.err
    assert not args or said.err.startswith("error: ")


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    """No store at the place given is status 3, with the way to make one; reading makes none."""
    said = spawn("tasks", store=tmp_path / "none")

    assert said.status == 3
    assert said.err.splitlines() == [
        f"error: there is no store at {tmp_path / 'none'}",
        "hint: create one with: lineage-tt ingest FILE",
    ]
    assert not (tmp_path / "none").exists()


def test_errors_are_objects_where_json_is_asked_for(store: Path) -> None:
    """The last line of standard error is an object with kind, message and hint, for usage errors too."""
    unknown = spawn("--format", "json", "lineage", "hive:dw.sale#revenue", store=store)
    usage = call("log", "--format", "json", "--newest", "x", store=store)

    assert unknown.error.keys() == {"kind", "message", "hint"}
    assert unknown.error["message"] == "unknown node 'hive:dw.sale#revenue'"
    assert unknown.error["hint"].startswith("did you mean hive:dw.sales#revenue or ")
    assert (usage.error["kind"], usage.error["hint"]) == ("invalid request", "see: lineage-tt log --help")


def test_relative_times_need_no_quoting(store: Path) -> None:
    """-7d is a time, not an option."""
    said = call("tasks", "--valid-at", "-7d", "--format", "json", store=store)

    assert [task["task_id"] for task in said.result] == ["board", "odd", "sales"]


def test_version_is_printed() -> None:
    """--version prints the release."""
    assert spawn("--version").out == f"lineage-tt {lineage_tt.__version__}\n"
    assert call("--version").out == f"lineage-tt {lineage_tt.__version__}\n"


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    """Cut off by head, the command ends quietly."""
    store = make_store(tmp_path / "s")
    many = "SELECT range AS n, repeat('x', 1000) AS x FROM range(2000)"
    with subprocess.Popen(
        [COMMAND, "sql", many, "--store", str(store)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()

        assert (process.stderr.read(), process.wait(20)) == (b"", 141)


def test_interrupted_in_a_query_it_ends_quietly(store: Path) -> None:
    """Ctrl-C while DuckDB works ends with status 130 and no traceback."""
    endless = "SELECT count(*) FROM range(1000000000000) AS a"
    with subprocess.Popen(
        [COMMAND, "sql", endless, "--store", str(store)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    ) as process:  # fmt: skip
        until(lambda: "duckdb" in Path(f"/proc/{process.pid}/maps").read_text(), "DuckDB is loaded")
        until_busy(process.pid, 1.0)  # opening a store takes some tenths of it
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)

    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_terminal_gets_colour_unless_it_wants_none(store: Path) -> None:
    """On a terminal names are still spelled out, the page has colour, and NO_COLOR turns it off."""
    coloured = on_terminal(["lineage", REPORT, "--store", str(store)])
    plain = on_terminal(["lineage", REPORT, "--store", str(store)], NO_COLOR="1")

    assert f"\x1b[1m{REPORT}\x1b[0m" in coloured
    assert "\x1b" not in plain
    for said in (coloured, plain):
        assert "hive:odd.t#a\\u202eb\\u001b[31m[red]" in said
        assert ODD not in said


def on_terminal(args: list[str], **env: str) -> str:
    """Return what the command prints on a terminal."""
    own, its = pty.openpty()
    with subprocess.Popen([COMMAND, *args], stdout=its, stderr=its, env=environment(TERM="xterm", **env)) as process:
        os.close(its)
        said = b""
        while True:
            try:
                part = os.read(own, 65536)
            except OSError:  # Linux's word for the end of a terminal
                break
            if not part:
                break
            said += part
        os.close(own)
        assert process.wait(20) == 0
    return said.decode().replace("\r\n", "\n")


def test_output_that_cannot_be_encoded_is_spelled_out(store: Path) -> None:
    """Where standard output is ASCII, the tree is printed all the same."""
    said = spawn("lineage", f"{SALES}#revenue", store=store, PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert (said.status, said.err) == (0, "")
    assert REPORT in said.out


def modules_after(code: str) -> set[str]:
    """Return the modules that a fresh Python has loaded after some code, which may print."""
    script = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60, env=environment()
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_package_loads_nothing_heavy() -> None:
    """import lineage_tt loads none of Spark, Kafka, FastAPI, sqlglot, DuckDB, pyarrow, pydantic, rich."""
    loaded = modules_after("import lineage_tt")

    assert not loaded & {"pyspark", "kafka", "fastapi", "sqlglot", "duckdb", "pyarrow", "pydantic", "rich", "typer"}


def test_the_help_loads_no_more_than_the_commands() -> None:
    """``--help`` imports every command, and none of the heavy packages that a command imports when it runs."""
    loaded = modules_after("from lineage_tt.cli.app import run; run(['--help'])")

    assert {f"lineage_tt.cli.commands.{module}" for module in VERBS.values()} <= loaded
    assert not loaded & {"deltalake", "duckdb", "fastapi", "kafka", "numba", "numpy", "pyarrow", "pyspark", "sqlglot"}


def test_a_service_listens_before_it_loads_a_graph() -> None:
    """Its first answers come from the files meanwhile; SQL's parser, and what compiles, load when they are needed."""
    needed = "import lineage_tt.api.server, ingest.events.policy, ingest.resolve.comparing"
    answering = modules_after(needed)
    receiving = modules_after(f"{needed}, lineage_tt.cli.receiving")

    assert "lineage_tt.api.routes.governance.heat" in answering
    assert not answering & {"numba", "numpy", "pandas", "pyarrow", "sqlglot"}
    assert not receiving & {"numba", "numpy", "pandas", "pyarrow", "sqlglot"}


def test_a_question_loads_only_what_it_needs(store: Path) -> None:
    """A question loads neither the ingest side nor what it parses with."""
    args = ["lineage", REPORT, "--store", str(store)]

    loaded = modules_after(f"from lineage_tt.cli.app import run; run({args!r})")

    assert "duckdb" in loaded
    assert not loaded & {"pyspark", "kafka", "fastapi", "sqlglot", "pyarrow", "rich", "ingest"}


def test_a_mode_that_openlineage_events_do_not_have_is_refused(store: Path) -> None:
    """Where it was ignored, a consumer waited for headers that never came."""
    refused = call("relay", "kafka://localhost:1/changes", "--openlineage", "--binary", store=store)

    assert refused.status == 2
    assert "--binary is for CloudEvents" in refused.err
