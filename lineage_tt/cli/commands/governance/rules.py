"""``rules``: violations of the rules of lineage at a point, or since an earlier point."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

import lineage_tt
from lineage_tt.cli import failures
from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import (
    MasterOption,
    OnOption,
    RulesOption,
    governed,
    is_on_spark,
    note_empty,
    rules_path,
    whole_point,
)
from lineage_tt.cli.render.objects import dumps
from lineage_tt.cli.render.pages import basis_words, count
from lineage_tt.cli.render.tables import table
from lineage_tt.model.completeness.summary import Completeness, summed
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.points import read_point

if TYPE_CHECKING:
    from lineage_tt.governance.rules.engine import Checked
    from lineage_tt.model.answers import Basis
    from lineage_tt.store import Store


def rules(
    ctx: typer.Context,
    since: Annotated[
        str | None, typer.Option("--since", metavar="POINT", help="Only violations that are new since this point.")
    ] = None,
    fail_on: Annotated[
        str, typer.Option("--fail-on", metavar="SEVERITY", help="Minimum severity that fails: error, warning or info.")
    ] = "error",
    allowed: Annotated[bool, typer.Option("--allowed", help="In text: also list allowed violations.")] = False,
    rules: RulesOption = None, on: OnOption = "here", master: MasterOption = None, valid_at: ValidAt = None,
    system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """List the violations of the rules of lineage at a point.

    The rules are about layers, cycles, writers, sources, degrees, names and more. The exit status is 1 if a violation
    counts (--fail-on). --format sarif is for other tools.
    """
    from lineage_tt.governance.rules.sarif import sarif
    from lineage_tt.governance.rules.violation import SEVERITIES
    from lineage_tt.governance.upkeep.notes import of_rules, of_since

    call = Call.of(ctx, store, output, ("text", "json", "sarif"))
    if fail_on not in SEVERITIES:
        raise InvalidRequestError(f"--fail-on is {fail_on!r}", hint=f"give {', '.join(SEVERITIES)}")
    opened = call.open()
    on_spark = is_on_spark(on, master)
    basis = opened.basis(valid_at, system_at, version)
    before = None if since is None else read_point(opened, since)
    note_empty(call, opened, before or basis, basis)
    for words in of_since(before or basis, basis):
        call.note(words)
    if on_spark:
        checked, completeness = _from_spark(opened, basis, before, rules, master)
    else:
        governance = governed(opened, rules)
        checked = governance.rules(basis, before)
        completeness = governance.completeness_of(before or basis, basis)
    for words in of_rules(checked):
        call.note(words)
    shown = checked.violations if allowed or call.output != "text" else checked.counting
    if call.output == "sarif":
        call.write([dumps(sarif(checked.violations, basis, lineage_tt.__version__))])
    elif call.output == "json":
        call.write_answer(basis.to_json(), checked.to_json(), completeness)
    else:
        rows = [
            (each.severity, each.rule, each.subject,
             each.detail + (f" [allowed: {each.allowed}]" if each.allowed else "")
             + (f" [no longer allowed: {each.expired}]" if each.expired and not each.allowed else ""),
             ", ".join(each.others), ", ".join(each.owners))
            for each in shown
        ]  # fmt: skip
        headers = ("severity", "rule", "subject", "detail", "others", "owners")
        call.write(table(headers, rows, call.ink, {"subject": call.ink.strong, "severity": call.ink.bad}))
        covered = len(checked.violations) - len(checked.counting)
        more = f", {covered:,} allowed" if covered else ""
        new = "new " if since is not None else ""
        call.write([call.ink.faint(f"{count(len(checked.counting), f'{new}violation')}{more} {basis_words(basis)}")])
        call.write_completeness(completeness)
    if checked.at_least(fail_on):
        raise typer.Exit(failures.NEGATIVE)


def _from_spark(
    opened: Store, basis: Basis, before: Basis | None, rules: str | None, master: str | None
) -> tuple[Checked, Completeness]:
    from lineage_tt.governance.config import Config

    config = Config.read(rules_path(rules))
    with ExitStack() as open_points:
        whole = open_points.enter_context(whole_point(opened, basis, master))
        since = None if before is None else open_points.enter_context(whole_point(opened, before, master))
        from lineage_tt.spark.whole.folding import rules_on_spark

        gaps = opened.as_of(basis.valid_at, version=basis.version).gaps
        return rules_on_spark(whole, config, since), summed(gaps.all())


VERBS = {"rules": verb("rules", rules)}
