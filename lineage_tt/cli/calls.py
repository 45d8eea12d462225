"""What every command takes: a store, a format, a point in the two times; and how it prints its answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from lineage_tt.cli import interrupts
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.objects import answer, dumps
from lineage_tt.model.completeness import sentence
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from lineage_tt.model.completeness.summary import Completeness
    from lineage_tt.store import Store

DEFAULT_STORE = "./lineage"
#: How long a writing command may take to stop at Ctrl-C, in seconds.
WRITING_GRACE = 2.0
STORE_VARIABLE = "LINEAGE_TT_STORE"

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URI",
        help=f"Folder of the store, or s3://bucket/prefix (default: ${STORE_VARIABLE}, else ./lineage).",
    ),
]
StorageOption = Annotated[
    list[str] | None,
    typer.Option(
        "--storage-option", metavar="KEY=VALUE", help="An option of the object store, before the AWS_… variables."
    ),
]
FormatOption = Annotated[str | None, typer.Option("--format", metavar="NAME", help="text (default) or json.")]
FunctionsOption = Annotated[
    str | None,
    typer.Option(
        "--functions",
        metavar="TOML",
        help="What registered functions do (default: $LINEAGE_TT_FUNCTIONS, else ./functions.toml).",
    ),
]
ValidAt = Annotated[
    str | None,
    typer.Option("--valid-at", metavar="TIME", help="Valid time: ISO 8601 with zone, now, or -7d (default: now)."),
]
SystemAt = Annotated[
    str | None,
    typer.Option("--system-at", metavar="TIME", help="As known at this system time (default: all that is known)."),
]
VersionAt = Annotated[
    int | None, typer.Option("--version", metavar="N", help="As known at this version; instead of --system-at.")
]


def use_functions(path: str | None) -> None:
    """Read the functions that the parser knows from a file, or from the default place; raises for invalid ones."""
    from ingest.sql.dialects import function_registry

    if path is not None:
        os.environ[function_registry.VARIABLE] = path
    function_registry.current()


def verb(name: str, command: Callable[..., None]) -> typer.Typer:
    """Return a command under its name, ready to be added to the command line."""
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(command)
    return alone


class RootOptions(NamedTuple):
    """The options written before the verb."""

    store: str | None = None
    output: str | None = None


@dataclass(frozen=True)
class Call:
    """One call of a command: which store, which format, and the page it writes to."""

    store_uri: str
    output: str
    ink: Ink
    terminal: bool

    @classmethod
    def of(
        cls, ctx: typer.Context, store: str | None, output: str | None, formats: tuple[str, ...] = ("text", "json")
    ) -> Call:
        """Return the call made from the options before and after the verb; those after it win.

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
        return cls(uri, format_name, Ink(terminal and has_colour()), terminal)

    @property
    def asks_server(self) -> bool:
        """Whether a server's URL was given for the store."""
        return self.store_uri.startswith(("http://", "https://"))

    def open(self, *, writing: bool = False) -> Store:
        """Open the store; UnavailableError if it does not exist. From then on Ctrl-C ends the command."""
        interrupts.end_within(WRITING_GRACE if writing else 0)
        from lineage_tt.store import Store  # commands that ask a server need not wait for it

        return Store.open(self.store_uri)

    def create(self) -> Store:
        """Open the store to write, creating it if need be."""
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
        """Print on standard error, in every format, what may surprise a reader of the answer."""
        self.flush()
        sys.stderr.write(f"note: {words}\n")

    def write_answer(self, basis: dict[str, Any], result: Any, completeness: Completeness | None = None) -> None:
        """Print the one JSON object of a command."""
        self.write([dumps(answer(basis, result, completeness))])

    def write_completeness(self, completeness: Completeness, where: str = "on the way") -> None:
        """Print the line that an incomplete answer ends with; see ``completeness_words.line``."""
        words = sentence.line(completeness, where)
        if words is not None:
            self.write([self.ink.bad(words)])


def explicit_store(ctx: typer.Context, store: str | None) -> str | None:
    """Return the store named on the command line, None if only the default is left."""
    before: RootOptions = ctx.find_root().obj or RootOptions()
    return store or before.store


def has_colour() -> bool:
    """Return whether the user's terminal wants colour."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
