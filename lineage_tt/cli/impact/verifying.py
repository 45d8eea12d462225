"""``impact --verify``: whether what was deployed did what a report predicted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lineage_tt.cli.calls import Call
from lineage_tt.cli.failures import NEGATIVE
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    import typer

    from lineage_tt.model.format import ChangeTuple
    from lineage_tt.store import Store


#: The parameters that ``--verify`` uses.
_USED: Final = frozenset(["verify", "store", "output"])
_FORMATS: Final = ("text", "json")


def check_alone(ctx: typer.Context, output: str) -> None:
    """Raise InvalidRequestError for arguments beside ``--verify``, which only reads a report and the store."""
    given = []
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and parameter.name not in _USED:
            given.append(parameter.opts[0] if parameter.param_type_name == "option" else "PATH")
    if given:
        raise InvalidRequestError(
            f"--verify does not use {', '.join(given)}",
            hint="leave them out: it compares a report with the store, and judges nothing",
        )
    if output not in _FORMATS:
        raise InvalidRequestError(f"--verify has no format {output!r}", hint=f"give --format {' or '.join(_FORMATS)}")


def verified(call: Call, name: str) -> int:
    """Print how the log differs from the prediction in a report; return the exit status."""
    from lineage_tt.impact.report import Report
    from lineage_tt.impact.verify import verify

    try:
        document = json.loads(Path(name).read_bytes())
        report = Report.from_answer(document)
    except OSError as error:
        raise InvalidRequestError(
            f"cannot read {name}: {error.strerror}", hint="give a report of --format json"
        ) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidRequestError(
            f"{name} is not a report", hint="make one with: lineage-tt impact --format json"
        ) from None
    store = call.open()
    outcomes = verify(report, lambda task, version: _first_since(store, task, version))
    wrong = [each for each in outcomes if each.status != "as predicted"]
    if call.output == "json":
        from dataclasses import asdict

        call.write_answer(store.basis().to_json(), {"tasks": [asdict(each) for each in outcomes], "differ": len(wrong)})
        return NEGATIVE if wrong else 0
    for each in outcomes:
        at = f" (version {each.version})" if each.version is not None else ""
        paint = call.ink.good if each.status == "as predicted" else call.ink.bad
        call.write([f"{call.ink.plain(each.task_id)}: {paint(each.status)}{at}"])
        for mark, edges in (("predicted only", each.missing), ("not predicted", each.unexpected)):
            call.write(
                f"  {mark}: {'+' if e.sign > 0 else '-'} {call.ink.plain(f'{e.source} → {e.target}')}" for e in edges
            )
    return NEGATIVE if wrong else 0


def _first_since(store: Store, task: str, version: int) -> tuple[int, Sequence[ChangeTuple]] | None:
    rows = store.fetch(
        """SELECT version, changes.list_transform(lambda c: (c.sign, c.source, c.target, c.type, c.subtype,
            c.expression, epoch_us(c.valid_from), epoch_us(c.valid_to))) FROM log
        WHERE task_id = $task AND version > $version AND status = 'accepted' AND derived_from IS NULL
        ORDER BY version LIMIT 1""",
        task=task,
        version=version,
    )
    return rows[0] if rows else None
