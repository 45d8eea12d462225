"""``lineage-tt``: the list of its commands, and how one of them is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer

from lineage_tt.cli import failures
from lineage_tt.cli.calls import FormatOption, Given, StoreOption
from lineage_tt.cli.checking import check
from lineage_tt.cli.intake import ingest, schema
from lineage_tt.cli.letters import letters_app
from lineage_tt.cli.linting import extract
from lineage_tt.cli.overtime import blame, diff, history
from lineage_tt.cli.query import sql
from lineage_tt.cli.records import changes, log, tasks
from lineage_tt.cli.walks import lineage
from lineage_tt.errors import LineageError

NAME = "lineage-tt"

app = typer.Typer(
    name=NAME,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for verb in (ingest, lineage, diff, history, blame, log, tasks, changes, sql, extract, check, schema):
    app.command()(verb)
app.add_typer(letters_app, name="dead-letters")


@app.callback()
def root(
    ctx: typer.Context,
    store: StoreOption = None,
    output: FormatOption = None,
    version: Annotated[bool, typer.Option("--version", help="Print the release of lineage_tt and exit.")] = False,
) -> None:
    """Column lineage as of any valid time and any system time.

    --store and --format may stand before or after the command.
    """
    ctx.obj = Given(store, output)
    if version:
        raise typer.Exit(_print_version())


def _print_version() -> int:
    import lineage_tt

    print(f"lineage-tt {lineage_tt.__version__}")
    return failures.DONE


def main() -> NoReturn:
    """Run the command line of this process and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    args = sys.argv[1:]
    if len(args) == 1 and args[0] == "--version":
        sys.exit(_print_version())
    try:
        status = run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # Point standard output elsewhere, or Python complains while it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = failures.PIPE_CLOSED
    except KeyboardInterrupt:
        status = failures.INTERRUPTED
    sys.exit(status)


def run(args: Sequence[str]) -> int:
    """Run one command line; print errors; return the exit status."""
    command: Any = typer.main.get_command(app)
    try:
        with command.make_context(NAME, list(args)) as ctx:
            command.invoke(ctx)
    except typer.Exit as done:
        return done.exit_code
    except LineageError as error:
        return failures.report_error(error, args)
    except BrokenPipeError:
        raise
    except OSError as error:
        failures.report("unavailable", f"{type(error).__name__}: {error}", "", args)
        return failures.NO_ANSWER
    except Exception as error:
        if hasattr(error, "format_message"):  # typer's word for a usage error
            return _report_usage(error, args)
        import traceback

        traceback.print_exc()
        hint = "this is a bug in lineage_tt: please report it with the lines above"
        failures.report("error", f"{type(error).__name__}: {error}", hint, args)
        return failures.NO_ANSWER
    return failures.DONE


def _report_usage(error: Any, args: Sequence[str]) -> int:
    """Print what is wrong with the command line, or the help where nothing was asked."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error, file=sys.stderr)
        return failures.WRONG_CALL
    command = context.command_path if context else NAME
    failures.report("invalid request", error.format_message(), f"see: {command} --help", args)
    return failures.WRONG_CALL
