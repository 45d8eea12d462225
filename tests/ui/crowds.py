"""Stores with more than a page of the browser lists, for tests of what the pages say then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from services import online

#: One more than the pages ask of heat and of falling levels.
TABLES = 1_001
#: Levels of labels, and a function that masks: every column that it makes falls.
RULES = """\
[labels]
levels = ["public", "confidential"]
stop_functions = ["sha2"]

[[rules.layer]]
name = "nowhere"
match = ["nowhere:*"]
"""
HUB = "x:fan.hub"
BEGIN = "2026-01-01T00:00:00Z"
LATER = "2026-02-01T00:00:00Z"


def sql(task: str, text: str, at: str = BEGIN, **more: str) -> dict[str, Any]:
    """Return a message with a text in the namespace x."""
    asked = {"event_id": f"{task} {at}", "task_id": task, "op": "update", "effective_at": at, "sql": text}
    return asked | {"dialect": "hive", "namespace": "x"} | more


def fact(node: str, key: str, value: str) -> dict[str, Any]:
    """Return a message that states a fact."""
    stated = {"kind": "fact", "op": "set", "node": node, "key": key, "values": [value], "effective_at": BEGIN}
    return stated | {"event_id": f"{node} {key}"}


def fan() -> list[dict[str, Any]]:
    """One column that is read into very many tables by a function that masks it, and the task that makes it."""
    edges = [{"source": f"{HUB}#c", "target": f"x:fan.t{n:04}#c", "expression": "sha2(c)"} for n in range(TABLES)]
    readers = {"event_id": "1", "task_id": "fan", "op": "online", "effective_at": BEGIN, "edges": edges}
    made = "INSERT OVERWRITE TABLE fan.hub SELECT c FROM fan.src"
    return [
        readers,
        fact(f"{HUB}#c", "label", "confidential"),
        sql("hub", made),
        sql("hub", made + " ", "2100-01-01T00:00:00Z"),
    ]


def planned() -> list[dict[str, Any]]:
    """One more plan than the first page lists."""
    return [online(f"plan{n}", ("x:plan.s#c", f"x:plan.t{n}#c"), at=f"2099-01-{n:02}T00:00:00Z") for n in range(1, 22)]


def gaps() -> list[dict[str, Any]]:
    """A table of which 21 sources are of unknown origin, and one with seven reasons not to be known."""
    opaque = [sql(f"opaque{n}", "SELEC nothing", target=f"x:gap.t{n}") for n in range(21)]
    joined = " CROSS JOIN ".join(f"gap.u{n}" for n in range(7))
    seven = sql("seven", f"INSERT OVERWRITE TABLE gap.seven SELECT * FROM {joined}")
    return [*opaque, online("gap", *((f"x:gap.t{n}#c", "x:gap.all#c") for n in range(21))), seven]


def texts() -> list[dict[str, Any]]:
    """A text that makes an edge in 21 ways, and its next version, which differs in 2,001 lines."""
    branches = " UNION ALL ".join(f"SELECT a + c{n} AS b FROM text.s" for n in range(21))
    versions = ("\n".join(f"-- {word} {n}" for n in range(2_001)) for word in ("first", "second"))
    first, second = (f"{lines}\nINSERT OVERWRITE TABLE text.t {branches}" for lines in versions)
    return [sql("texts", first), sql("texts", second, LATER)]


def causes() -> list[dict[str, Any]]:
    """A column with 65 checks, which 41 edges feed since an hour ago."""
    ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    checks = [fact("x:check.t#c", f"check:c{n:02}", '{"status": "passed"}') for n in range(65)]
    return [*checks, online("checked", *((f"x:check.s#c{n:02}", "x:check.t#c") for n in range(41)), at=ago)]


def blamed() -> list[dict[str, Any]]:
    """One edge that eleven tasks make, and one that is to be rejected."""
    same = [online(f"same{n}", ("x:same.s#c", "x:same.t#c")) for n in range(11)]
    return [*same, online("wrong", ("x:wrong.s#c", "x:wrong.t#c"))]


def crowd() -> list[dict[str, Any]]:
    """Return all of these messages."""
    return [*fan(), *planned(), *gaps(), *texts(), *causes(), *blamed()]
