"""``re-extract``: parses the stored SQL again, and appends the differences as corrections."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, FunctionsOption, StoreOption, use_functions, verb
from lineage_tt.cli.render import objects
from lineage_tt.cli.render.pages import count


def re_extract(
    ctx: typer.Context,
    task: Annotated[str | None, typer.Option(metavar="TASK_ID", help="Only statements of this task.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Parse all statements, also those that this parser parsed before.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show how many versions it would add.")] = False,
    accept_worse: Annotated[
        bool, typer.Option("--accept-worse", help="Also accept results that understand less than before.")
    ] = False,
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Number of processes that parse SQL.")] = 2,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the summary.")] = False,
    functions: FunctionsOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Parse the stored SQL again with the parser of this release.

    Differences are appended as corrections: valid times stay the same, and earlier beliefs stay in the history.
    """
    call = Call.of(ctx, store, output)
    use_functions(functions)
    from ingest.resolve.reextract import re_extract as run
    from lineage_tt.cli.progress import counting

    opened = call.open(writing=True)
    if task is not None:
        opened.log(task_id=task, newest=1)  # raises for an unknown task, and names similar ones
    with counting("statements", quiet=no_progress) as progress:
        outcome = run(opened, task_id=task, everything=everything, dry_run=dry_run, accept_worse=accept_worse,
                    workers=workers, progress=progress)  # fmt: skip
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), objects.record(outcome) | {"dry_run": dry_run})
        return
    would = "would be added" if dry_run else "added"
    call.write([f"{count(outcome.statements, 'statement')} parsed again by {outcome.parser}, "
                f"{count(outcome.corrections, 'version')} {would} ({outcome.seconds:.1f} s)"])  # fmt: skip
    if outcome.worse:
        call.write(
            [f"  {count(outcome.worse, 'answer')} would be worse and were not accepted; to accept them: --accept-worse"]
        )
    if outcome.failed:
        call.write([f"  {count(outcome.failed, 'statement')} exceeded a limit again; the next re-extract retries them"])
    if outcome.dropped:
        unchanged = "stays as it is" if outcome.dropped == 1 else "stay as they are"
        call.write(
            [f"  {count(outcome.dropped, 'statement')} {unchanged}: the store does not keep the text (policy show)"]
        )
    if outcome.first_version is not None:
        call.write([f"  version {outcome.first_version} to {outcome.last_version}"])


VERBS = {"re-extract": verb("re-extract", re_extract)}
