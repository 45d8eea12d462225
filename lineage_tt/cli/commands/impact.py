"""``impact``: what a change breaks, before it is deployed; afterwards, whether the prediction was right."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FunctionsOption, StoreOption, SystemAt, VersionAt, use_functions, verb
from lineage_tt.cli.commands.governance.shared import RulesOption, SceneOption, governed, rules_path
from lineage_tt.cli.failures import NEGATIVE
from lineage_tt.levels.names import AnyLevel
from lineage_tt.log import verify
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineage_tt.impact.base.from_store import StoreBase
    from lineage_tt.impact.policy import Policy
    from lineage_tt.impact.release.candidates import Candidate
    from lineage_tt.impact.report import Report
    from lineage_tt.store import Store

FORMATS = ("text", "markdown", "json", "sarif", "junit", "mermaid", "html", "gitlab")


def impact(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="SQL files, folders, .json messages; -: JSON from standard input."),
    ] = None,
    git_base: Annotated[
        str | None, typer.Option("--git-base", metavar="REVISION", help="Check files changed since the merge base.")
    ] = None,
    config: Annotated[
        str | None, typer.Option("--config", metavar="FILE", help="Paths and policy (default: ./impact.toml).")
    ] = None,
    effective_at: Annotated[
        str | None, typer.Option("--effective-at", metavar="TIME", help="Time of the deployment (default: now).")
    ] = None,
    dialect: Annotated[str | None, typer.Option(metavar="NAME", help="Dialect of the SQL texts.")] = None,
    namespace: Annotated[
        str | None, typer.Option(metavar="NAME", help="Namespace of the datasets (default: the dialect).")
    ] = None,
    default_database: Annotated[
        str | None, typer.Option(metavar="NAME", help="Default database, for unqualified names.")
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="GATE",
            help="Fail on: none (default), any, breaking, potentially_breaking, labels, rules, permissions, unknown.",
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="WHAT", help="unknown: do not fail on changes that cannot be judged."),
    ] = None,
    approved_by: Annotated[
        list[str] | None, typer.Option("--approved-by", metavar="OWNER", help="Owner who approved; repeatable.")
    ] = None,
    write: Annotated[
        list[str] | None, typer.Option("--write", metavar="FORMAT=FILE", help="Also write to a file; repeatable.")
    ] = None,
    verify: Annotated[
        str | None, typer.Option("--verify", metavar="REPORT", help="Compare a JSON report with later messages.")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="PRINCIPAL", help="Also report sources PRINCIPAL may not read.")
    ] = None,
    level: Annotated[
        AnyLevel | None,
        typer.Option(help="Also group what is downstream by system, namespace, domain, owner, task, …"),
    ] = None,
    roll_up: Annotated[
        bool, typer.Option("--roll-up", help="With --level task: count sub-tasks as the task that starts them.")
    ] = False,
    notify: Annotated[
        bool, typer.Option("--notify", help="Notify owners of affected nodes by the subscriptions with --owner PERSON.")
    ] = False,
    rules: RulesOption = None,
    scene: SceneOption = None,
    functions: FunctionsOption = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help=f"{', '.join(FORMATS)} (default text).")
    ] = None,
) -> None:
    """Show what changed tasks break, before they are deployed.

    Nothing is written to the store. The exit status is 1 if a gate trips (--fail-on, the policy of impact.toml, or
    something unknown without --allow unknown), if --verify reports a difference, or if --notify cannot notify an owner.
    --store can be the URL of a server.
    """
    call = Call.of(ctx, store, output, FORMATS)
    if verify is not None:
        from lineage_tt.cli.impact.verifying import check_alone, verified

        check_alone(ctx, call.output)
        raise typer.Exit(verified(call, verify))
    _use_functions(call, functions)
    if roll_up and level != "task":
        raise InvalidRequestError("--roll-up works only with tasks", hint="give --level task, too")
    if notify and call.asks_server:
        raise InvalidRequestError("--notify needs the store itself, not a server", hint="give --store FOLDER")
    question = {"effective_at": effective_at, "system_at": system_at, "version": version}
    begun = _begun(call, question)  # reads edges in the background while the candidates are read
    from lineage_tt.cli.impact.config import check_dialect
    from lineage_tt.cli.impact.embedded import relocated
    from lineage_tt.cli.impact.files import unused_rules
    from lineage_tt.cli.impact.gather import gather
    from lineage_tt.cli.impact.locate_config import read_config
    from lineage_tt.cli.impact.outputs import LEVELLED, forms_of, read_targets, write_all
    from lineage_tt.impact.notes import unused_allowances, unused_approvals, unused_fields

    targets = read_targets(write or ())
    if level is not None and forms_of(call.output, targets).isdisjoint(LEVELLED):
        call.note(f"--level has no effect here: it is shown in {', '.join(LEVELLED)}")
    known = read_config(config, Path.cwd())
    context = known.defaults(dialect, namespace, default_database)
    check_dialect(dialect, "--dialect")
    policy = known.policy(fail_on, approved_by, _today(), allow)  # rejects an invalid gate before any candidate is read
    gathered = gather(paths or [], git_base, known, context)
    candidates, policy = gathered.candidates, _with_owners(policy, gathered.owners)
    for words in gathered.notes:
        call.note(call.ink.plain(words))
    if begun is None:
        options = _server_question(policy, rules, scene, as_) | ({"level": level, "roll_up": roll_up} if level else {})
        report = _remote(call, candidates, policy, question | options)
    else:
        report = _governed(call, _assessed(begun, candidates, policy), policy, rules, scene, as_)
        report = report if level is None else _by_level(call, report, level, roll_up)
    report = relocated(report, candidates).with_unmapped(gathered.unmapped)
    unused = [
        *gathered.reported,
        *unused_fields(candidates),
        *unused_rules(known, candidates),
        *unused_allowances(report, policy),
        *unused_approvals(policy),
    ]
    report = report.with_notes(unused)
    write_all(report, targets)
    from lineage_tt.impact.render import rendered

    call.write(rendered(report, call.output).removesuffix("\n").split("\n"))
    untold = _notify(call, report) if notify else []
    if untold or not report.gate.passed:
        raise typer.Exit(NEGATIVE)


def _use_functions(call: Call, path: str | None) -> None:
    """Load the registered functions; a server reads texts with its own ones."""
    if not call.asks_server:
        use_functions(path)
        return
    from ingest.sql.dialects import function_registry

    if path is not None:
        raise InvalidRequestError(
            "a server uses its own functions", hint="give --store FOLDER, or leave --functions out"
        )
    if os.environ.get(function_registry.VARIABLE) or Path(function_registry.FILE_NAME).is_file():
        named = f"${function_registry.VARIABLE} or {function_registry.FILE_NAME}"
        call.note(f"a server uses its own functions: {named} has no effect")


def _governed(
    call: Call, report: Report, policy: Policy, rules: str | None, scene: str | None, principal: str | None
) -> Report:  # fmt: skip
    """Return the report with labels, rules and rights by governance.toml, if that exists or an option needs it."""
    governed_by_option = principal is not None or rules is not None or scene is not None
    governed_by_option = governed_by_option or bool({"rules", "permissions"} & set(policy.fail_on))
    if not governed_by_option and rules_path(None) is None:
        return report
    _check_principal(policy, principal)
    from lineage_tt.impact.governing import as_principal, under_rules

    governance = governed(call.open(), rules)
    report = under_rules(report, governance, policy, scene)
    return report if principal is None else as_principal(report, governance, policy, principal)


def _with_owners(policy: Policy, more: Mapping[str, tuple[str, ...]]) -> Policy:
    """Return the policy with the owners that files state of their tasks, after those of impact.toml."""
    known = policy.owners or {}
    added = {node: tuple(dict.fromkeys((*known.get(node, ()), *owners))) for node, owners in more.items()}
    return replace(policy, owners={**known, **added}) if more else policy


def _check_principal(policy: Policy, principal: str | None) -> None:
    if principal is None and "permissions" in policy.fail_on:
        raise InvalidRequestError("--fail-on permissions needs a principal", hint="add --as PRINCIPAL")


def _server_question(
    policy: Policy, rules: str | None, scene: str | None, principal: str | None
) -> dict[str, Any]:  # fmt: skip
    """Return the parameters for a server, which uses its own rules."""
    if rules is not None:
        raise InvalidRequestError("a server uses its own rules", hint="give --store FOLDER, or leave --rules out")
    _check_principal(policy, principal)
    values = {"as": principal, "scene": scene, "rules": bool({"rules", "permissions"} & set(policy.fail_on)) or None}
    return {name: value for name, value in values.items() if value is not None}


def _by_level(call: Call, report: Report, level: AnyLevel, roll_up: bool) -> Report:
    from lineage_tt.impact.downstream.groups import by_level

    view = call.open().as_of(report.basis["valid_at"], version=report.basis["version"])
    return by_level(report, level, view.facts(), roll_up=roll_up)


def _notify(call: Call, report: Report) -> list[str]:
    """Notify the owners of what a release reaches; report and return the notices that were not delivered."""
    from lineage_tt.events import store_urn
    from lineage_tt.governance.permissions.notices import event_of
    from lineage_tt.impact.downstream.notices import notices_of, release_id
    from lineage_tt.subscriptions.runner import deliver_notices

    store = call.open()
    basis = store.basis(report.effective_at, version=report.basis["version"])
    notices, unowned = notices_of(report, store.as_of(basis.valid_at, version=basis.version).facts())
    urn, release = store_urn(store.id), release_id(report)
    failed = deliver_notices(store, [event_of(notice, basis, urn, release) for notice in notices])
    call.note(f"notified {len({n.person for n in notices})} owners of the release, {unowned} items have no owner")
    for words in failed:
        call.note(f"not delivered: {call.ink.plain(words)}")
    return failed


def _today() -> str:
    from lineage_tt.model.clock import SystemClock
    from lineage_tt.model.times import format_instant

    return (format_instant(SystemClock().now()) or "")[:10]


def _begun(call: Call, question: Mapping[str, Any]) -> tuple[Store, StoreBase] | None:
    """Open the store, and start to read its base; None where the base is a server."""
    if call.asks_server:
        return None
    from lineage_tt.impact.base.from_store import StoreBase

    opened = call.open()
    base = StoreBase(opened, opened.basis(question["effective_at"], question["system_at"], question["version"]))
    base.prepare()
    return opened, base


def _assessed(begun: tuple[Store, StoreBase], candidates: Sequence[Candidate], policy: Policy) -> Report:
    from ingest.resolve.comparing import SqlAnalyst
    from lineage_tt.governance.upkeep.notes import of_point
    from lineage_tt.impact.assess import assess
    from lineage_tt.impact.base.from_store import StoreBase

    opened, first = begun
    bases = iter([first])  # a retry uses a new base: files of the first may be gone

    def assessed() -> Report:
        base = next(bases, None) or StoreBase(opened, first.basis)
        report = assess(candidates, base, analyst, policy)
        return report if base.is_empty() else report.with_notes(of_point(opened, base.basis))

    with SqlAnalyst() as analyst:
        analyst.start([candidate.sql for candidate in candidates if candidate.sql is not None])
        return verify.retried(opened.opened_log, assessed)


def _remote(call: Call, candidates: Sequence[Candidate], policy: Policy, question: Mapping[str, Any]) -> Report:
    from lineage_tt.cli.impact.remote import ask
    from lineage_tt.impact.policy import judge

    values = {name: value for name, value in question.items() if value is not None}
    facts = {"owners": policy.owners, "labels": policy.labels, "layers": policy.layers, "protected": policy.protected}
    values["policy"] = {name: value for name, value in facts.items() if value}
    return judge(ask(call.store_uri, candidates, values), policy)


VERBS = {"impact": verb("impact", impact)}
