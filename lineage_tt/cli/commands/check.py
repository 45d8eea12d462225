"""``check``: verifies the files of a store, and its snapshot against the log."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, verb
from lineage_tt.cli.failures import NEGATIVE


def check(
    ctx: typer.Context,
    from_log: Annotated[
        bool, typer.Option("--from-log", help="Rebuild a damaged snapshot from the log (needs Spark).")
    ] = False,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Verify the whole store.

    The command only reads, except with --from-log. The exit status is 1 if something is damaged.
    """
    from lineage_tt.maintenance.check import check as verify
    from lineage_tt.storage.location import place

    call = Call.of(ctx, store, output)
    findings = verify(place(call.store_uri))
    damage = {finding.path for finding in findings if finding.kind == "damage"}
    if from_log and damage != {"snapshot"}:
        call.note(f"--from-log has no effect: {_why_not(damage)}")
    if from_log and damage == {"snapshot"}:
        from lineage_tt.spark.compact import compact
        from lineage_tt.spark.session import require, spark_session

        require()
        compact(place(call.store_uri), spark_session, rebuild=True)
        findings = verify(place(call.store_uri))
    damaged = sum(1 for finding in findings if finding.kind == "damage")
    if call.output == "json":
        names = ("kind", "path", "message", "first_version", "last_version")
        listed = [{name: _plain(getattr(finding, name)) for name in names} for finding in findings]
        call.write_answer(
            {"valid_at": None, "version": None, "system_time": None}, {"damage": damaged, "findings": listed}
        )
    else:
        ink = call.ink
        for finding in findings:
            paint = ink.bad if finding.kind == "damage" else ink.faint
            call.write([f"{paint(finding.kind)}: {ink.plain(finding.path)}: {ink.plain(finding.message)}"])
        garbage = len(findings) - damaged
        rest = f"; unused files: {garbage}" if garbage else ""
        call.write([(ink.bad(f"{damaged} damaged") if damaged else ink.good("clean")) + rest])
    if damaged:
        raise typer.Exit(NEGATIVE)


def _why_not(damage: set[str]) -> str:
    if not damage:
        return "the snapshot is not damaged, or there is none"
    return "the log is damaged, too" if "snapshot" in damage else "the log is damaged, and the snapshot is not"


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, int) else str(value)


VERBS = {"check": verb("check", check)}
