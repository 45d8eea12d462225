"""The command as its users call it: a process of its own, its two streams and its exit status; and a small store."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import forked

from lineage_tt import RejectedMessage, Store
from lineage_tt.cli.app import run
from lineage_tt.model.messages import Message
from lineage_tt.testing import ManualClock, task_change

COMMAND = str(Path(sys.executable).with_name("lineage-tt"))
ORDERS, SALES, REPORT = "hive:ods.orders", "hive:dw.sales", "bi:board/42"
#: A name somebody chose: it would turn the text around, colour it, and look like markup of rich.
ODD = "hive:odd.t#a\u202eb\x1b[31m[red]"
FILTER = ("INDIRECT", "FILTER", "status = 'paid'")


class Outcome(NamedTuple):
    """What a call of the command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)

    @property
    def result(self) -> Any:
        """The result in it."""
        return self.json["result"]

    @property
    def error(self) -> Any:
        """The JSON object in the last line of standard error."""
        return json.loads(self.err.splitlines()[-1])["error"]


def environment(**changed: str) -> dict[str, str]:
    """Return a plain environment: no store, no colour of the caller's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE_TT", "PYTEST"))}
    return kept | {"PYTHONWARNINGS": "error", "COLUMNS": "80"} | changed


def spawn(
    *args: object, store: Path | None = None, stdin: str | bytes = b"", cwd: Path | None = None, **env: str
) -> Outcome:
    """Run ``lineage-tt`` with these arguments in a process of its own."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    done = forked.run(_words(args, store), given=given, timeout=60, cwd=cwd, env=environment(**env))
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def call(*args: object, store: Path | None = None) -> Outcome:
    """Run the same command line in this process, which spares the start of Python: for the many small questions."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(_words(args, store))
    return Outcome(status, out.getvalue(), err.getvalue())


def _words(args: tuple[object, ...], store: Path | None) -> list[str]:
    return [*map(str, args), *(["--store", str(store)] if store else [])]


def store_of_texts(folder: Path, texts: dict[str, str], dialect: str) -> Path:
    """Make a store of tasks that go online with these texts on one day; nobody declares any columns."""
    lines = [
        {"event_id": f"e-{task}", "task_id": task, "op": "online", "effective_at": "2026-01-05T00:00:00Z", "sql": text}
        | {"dialect": dialect, "namespace": "hive"}
        for task, text in texts.items()
    ]
    (folder / "tasks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert call("ingest", folder / "tasks.jsonl", store=folder / "store").status == 0
    return folder / "store"


def make_store(path: Path) -> Path:
    """Make a store of six versions, one minute apart: an edit, a late correction, a refusal, an offline in 2999."""
    clock = ManualClock("2024-03-01T00:00:00Z")
    store = Store.create(path, clock=clock)
    amount = (f"{ORDERS}#amount", f"{SALES}#revenue", "DIRECT", "AGGREGATION")
    sales = [(f"{ORDERS}#id", f"{SALES}#id"), (f"{ORDERS}#status", SALES, *FILTER)]
    messages: list[Message] = [
        task_change("sales", "online", "2024-01-01T00:00:00Z", [*sales, (*amount, "SUM(amount)")]),
        task_change("board", "online", "2024-01-02T00:00:00Z", [(f"{SALES}#revenue", REPORT)]),
        task_change("sales", "update", "2024-02-01T00:00:00Z", [*sales, (*amount, "SUM(amount) / 100")]),
        task_change("odd", "online", "2024-02-01T00:00:00Z", [(ODD, REPORT)]),
        RejectedMessage(b'{"event_id": "cut off \xff', "not-json", "ends too early"),
        task_change("odd", "offline", "2999-01-01T00:00:00Z"),
    ]
    for message in messages:
        store.append([message])
        clock.advance(60_000_000)
    return path
