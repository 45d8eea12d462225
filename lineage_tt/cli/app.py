"""``lineage-tt``: the list of its commands, and the code that runs one of them."""

from __future__ import annotations

import atexit
import copy
import os
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup

from lineage_tt.cli import failures, interrupts
from lineage_tt.cli.calls import FormatOption, RootOptions, StorageOption, StoreOption
from lineage_tt.model.errors import LineageError
from lineage_tt.model.os_errors import MEMORY_HINT
from lineage_tt.storage import options

NAME = "lineage-tt"
#: Each command, in the order of the help, and the module of ``commands`` that holds it.
VERBS: Final = {
    "ingest": "ingest",
    "import": "bulk_import",
    "stream": "stream",
    "lineage": "lineage",
    "diff": "diff",
    "history": "diff",
    "blame": "diff",
    "log": "log",
    "tasks": "log",
    "changes": "log",
    "observations": "observations",
    "agreement": "agreement",
    "heat": "governance.heat",
    "core": "governance.core",
    "root-cause": "governance.root_cause",
    "backfill": "governance.backfill",
    "redundancy": "governance.redundancy",
    "quality": "governance.quality",
    "export": "governance.export",
    "relay": "relay",
    "columns": "columns",
    "facts": "columns",
    "alias": "people",
    "edge": "people",
    "annotate": "people",
    "labels": "governance.labels",
    "rules": "governance.rules",
    "grant": "governance.permissions",
    "revoke": "governance.permissions",
    "permissions": "governance.permissions",
    "notices": "governance.notices",
    "subscribe": "subscriptions",
    "unsubscribe": "subscriptions",
    "subscriptions": "subscriptions",
    "sql": "sql",
    "extract": "extract",
    "re-extract": "re_extract",
    "impact": "impact",
    "check": "check",
    "clock": "clock",
    "policy": "policy",
    "assets": "assets",
    "compact": "compact",
    "stats": "compact",
    "dead-letters": "dead_letters",
    "schema": "ingest",
    "serve": "serve",
    "ui": "serve",
}


class Verbs(TyperGroup):
    """The group of all commands. Each one is imported and built at first use, because building all of them is slow."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = dict.fromkeys(VERBS)  # type: ignore[assignment]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by name, None for an unknown name."""
        if cmd_name not in VERBS:
            return None
        module = import_module(f"lineage_tt.cli.commands.{VERBS[cmd_name]}")
        command: Any = typer.main.get_command(module.VERBS[cmd_name])
        option: Any = next(parameter for parameter in self.params if parameter.name == "storage_option")
        for each in (command, *getattr(command, "commands", {}).values()):
            each.params.append(_as_of_command(option))
        return command


def _as_of_command(option: Any) -> Any:
    """Return a copy of a root option for a command; its callback applies the values, so no parameter is needed."""
    taken = copy.copy(option)
    taken.expose_value = False
    taken.callback = lambda _ctx, _option, values: options.use(values or [])
    return taken


app = typer.Typer(
    name=NAME,
    cls=Verbs,
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(show: bool) -> None:
    """Print the release and exit, if ``--version`` was given."""
    if show:
        import lineage_tt

        print(f"{NAME} {lineage_tt.__version__}")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    store: StoreOption = None,
    output: FormatOption = None,
    storage_option: StorageOption = None,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the release and exit."),
    ] = False,
) -> None:
    """Store column lineage and query it as of any valid time and system time.

    --store, --format and --storage-option can be given before or after the command.
    """
    options.use(storage_option or [], afresh=True)
    ctx.obj = RootOptions(store, output)


class _WithoutPandas(MetaPathFinder):
    """Hides pandas, which PyArrow imports for its first array in 0.13 s, until pyspark is imported, which needs it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if fullname == "pandas" and "pyspark" not in sys.modules:
            raise ModuleNotFoundError("commands do without pandas", name=fullname)
        return None


def main() -> NoReturn:
    """Run the command line of this process and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    interrupts.install()
    sys.meta_path.insert(0, _WithoutPandas())
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Redirect standard output: otherwise Python reports an error when it flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = failures.PIPE_CLOSED
    except KeyboardInterrupt:
        status = interrupts.INTERRUPTED
    _leave(status)


def _leave(status: int) -> NoReturn:
    """Exit with a status, after running the registered exit functions.

    A regular exit frees all Python objects one by one, which takes 0.05 s for half a million edges; the operating
    system frees the memory at once. If other non-daemon threads run, the exit is a regular one, which waits for them.
    """
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        sys.exit(status)
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(status)


def run(args: Sequence[str]) -> int:
    """Run one command line; print errors; return the exit status."""
    command: Any = typer.main.get_command(app)
    try:
        with command.make_context(NAME, list(args)) as ctx:
            command.invoke(ctx)
    except typer.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        raise
    except Exception as error:
        if interrupts.seen():
            return interrupts.INTERRUPTED
        return _report(error, args)
    return failures.DONE


def _report(error: Any, args: Sequence[str]) -> int:
    """Print an error of any kind; return its exit status."""
    if isinstance(error, LineageError):
        failures.report(error.kind, error.message, error.hint, args)
        return error.exit_status
    if hasattr(error, "format_message"):  # how typer marks a usage error
        return _report_usage(error, args)
    if isinstance(error, MemoryError):
        failures.report("unavailable", "out of memory", MEMORY_HINT, args)
        return failures.NO_ANSWER
    if isinstance(error, OSError):
        failures.report("unavailable", f"{type(error).__name__}: {error}", "", args)
        return failures.NO_ANSWER
    import traceback

    traceback.print_exception(error)
    hint = "this is a bug in lineage_tt: please report it with the lines above"
    failures.report("error", f"{type(error).__name__}: {error}", hint, args)
    return failures.NO_ANSWER


def _report_usage(error: Any, args: Sequence[str]) -> int:
    """Print what is wrong with the command line, or the help if no command was given."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error, file=sys.stderr)
        return failures.WRONG_CALL
    command = context.command_path if context else NAME
    failures.report("invalid request", error.format_message(), f"see: {command} --help", args)
    return failures.WRONG_CALL
