"""Options that commands share (store, format, point), and how a command prints its answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from lineage_tt.cli import interrupts
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.objects import answer, dumps
from lineage_tt.model.completeness import sentence
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage import options
from lineage_tt.storage.location import is_in_bucket

if TYPE_CHECKING:
    from lineage_tt.model.completeness.summary import Completeness
    from lineage_tt.store import Store

DEFAULT_STORE = "./lineage"
#: Seconds that a writing command has to stop after Ctrl-C.
WRITING_GRACE = 2.0
STORE_VARIABLE = "LINEAGE_TT_STORE"

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URI",
        help=f"Store: a folder or s3://bucket/prefix (default: ${STORE_VARIABLE}, else ./lineage).",
    ),
]
StorageOption = Annotated[
    list[str] | None,
    typer.Option(
        "--storage-option", metavar="KEY=VALUE", help="Object store option; overrides AWS_… variables; repeatable."
    ),
]
FormatOption = Annotated[str | None, typer.Option("--format", metavar="NAME", help="Output: text (default) or json.")]
FunctionsOption = Annotated[
    str | None,
    typer.Option(
        "--functions",
        metavar="TOML",
        help="File that describes functions (default: $LINEAGE_TT_FUNCTIONS, else ./functions.toml).",
    ),
]
ValidAt = Annotated[
    str | None,
    typer.Option("--valid-at", metavar="TIME", help="Valid time: ISO 8601 with zone, now, or -7d (default: now)."),
]
SystemAt = Annotated[
    str | None,
    typer.Option("--system-at", metavar="TIME", help="Read as of this system time (default: the latest version)."),
]
VersionAt = Annotated[
    int | None, typer.Option("--version", metavar="N", help="Read as of this version (not with --system-at).")
]


def use_functions(path: str | None) -> None:
    """Load the registered functions from a file, by default from the usual one; raises for an invalid file."""
    from ingest.sql.dialects import function_registry

    if path is not None:
        os.environ[function_registry.VARIABLE] = path
    function_registry.current()


def verb(name: str, command: Callable[..., None]) -> typer.Typer:
    """Return a Typer application that holds one command, for ``VERBS``."""
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(command)
    return alone


class RootOptions(NamedTuple):
    """The options given before the name of the command."""

    store: str | None = None
    output: str | None = None


@dataclass(frozen=True)
class Call:
    """One call of a command: its store, its output format, and its colours."""

    store_uri: str
    output: str
    ink: Ink
    terminal: bool

    @classmethod
    def of(
        cls, ctx: typer.Context, store: str | None, output: str | None, formats: tuple[str, ...] = ("text", "json")
    ) -> Call:
        """Return the call for the options before and after the command's name; those after it take precedence.

        Raises InvalidRequestError for a format that this command does not have.
        """
        before = ctx.find_root().obj or RootOptions()
        format_name = output or before.output or formats[0]
        if format_name not in formats:
            raise InvalidRequestError(
                f"{ctx.info_name} has no format {format_name!r}", hint=f"give --format {' or '.join(formats)}"
            )
        uri = store or before.store or os.environ.get(STORE_VARIABLE) or DEFAULT_STORE
        terminal = sys.stdout.isatty()
        call = cls(uri, format_name, Ink(terminal and has_colour()), terminal)
        if options.are_given() and not is_in_bucket(uri):
            call.note(f"--storage-option has no effect: the store {call.ink.plain(uri)} is not in a bucket")
        return call

    @property
    def asks_server(self) -> bool:
        """Whether the store is given as the URL of a server."""
        return self.store_uri.startswith(("http://", "https://"))

    def open(self, *, writing: bool = False) -> Store:
        """Open the store; UnavailableError if it does not exist. From then on Ctrl-C ends the process."""
        interrupts.end_within(WRITING_GRACE if writing else 0)
        from lineage_tt.store import Store  # slow to import, and not needed to ask a server

        return Store.open(self.store_uri)

    def create(self) -> Store:
        """Open the store for writing; create it if it does not exist."""
        interrupts.end_within(WRITING_GRACE)
        from lineage_tt.store import Store

        return Store.create(self.store_uri)

    def write(self, lines: Iterable[str]) -> None:
        """Print lines."""
        out = sys.stdout
        for line in lines:
            out.write(line + "\n")

    def flush(self) -> None:
        """Flush what was printed."""
        sys.stdout.flush()

    def note(self, words: str) -> None:
        """Print a note about the answer on standard error, in every output format."""
        self.flush()
        sys.stderr.write(f"note: {words}\n")

    def write_answer(self, basis: dict[str, Any], result: Any, completeness: Completeness | None = None) -> None:
        """Print the one JSON object of a command."""
        self.write([dumps(answer(basis, result, completeness))])

    def write_completeness(self, completeness: Completeness, where: str = "on the way") -> None:
        """Print the line that an incomplete answer ends with; see ``model.completeness.sentence.line``."""
        words = sentence.line(completeness, where)
        if words is not None:
            self.write([self.ink.bad(words)])


def refuse_given(options: Mapping[str, object], why: str) -> None:
    """Raise InvalidRequestError for the first of some options that is given, with the reason why it has no effect."""
    for name, value in options.items():
        if value:
            raise InvalidRequestError(f"{name} {why}", hint="leave it out")


def explicit_store(ctx: typer.Context, store: str | None) -> str | None:
    """Return the store given on the command line, None if it is not given there."""
    before: RootOptions = ctx.find_root().obj or RootOptions()
    return store or before.store


def has_colour() -> bool:
    """Return whether the environment allows coloured output."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
