"""What the commands of governance share: the file with their rules, groups of commands, what people state."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from lineage_tt.cli.calls import Call
from lineage_tt.cli.render import objects
from lineage_tt.curation import statements
from lineage_tt.curation.statements import Author

if TYPE_CHECKING:
    from lineage_tt.governance.governance import Governance
    from lineage_tt.store import Store

VARIABLE: Final = "LINEAGE_TT_GOVERNANCE"
DEFAULT: Final = Path("governance.toml")

RulesOption = Annotated[
    str | None,
    typer.Option("--rules", metavar="TOML", help=f"The rules (default: ${VARIABLE}, else ./governance.toml)."),
]


class WithDefault(TyperGroup):
    """A group whose command ``show`` is meant where the first word is none of its commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the word ``show`` before arguments that begin with no command."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


def group(name: str, words: str) -> typer.Typer:
    """Return a group of commands; ``show`` is the one without a word."""
    return typer.Typer(
        name=name, cls=WithDefault, help=words, no_args_is_help=True, add_completion=False, rich_markup_mode=None
    )


def governed(opened: Store, rules: str | None) -> Governance:
    """Return the questions of governance about a store, under the rules of a file."""
    return opened.governance(rules_path(rules))


def rules_path(rules: str | None) -> Path | None:
    """Return the file with the rules: the one given, or where they are looked for; None where there is none."""
    given = rules or os.environ.get(VARIABLE)
    return Path(given) if given else DEFAULT if DEFAULT.exists() else None


def state(
    call: Call, node: str, key: str, values: Sequence[str], words: str, by: Author, at: str, expires: str | None
) -> None:  # fmt: skip
    """State a fact of people, or take it back with no values; say which version holds it."""
    opened = call.open(writing=True)
    version = statements.annotate(opened, node, key, values, by=by, at=at, expires=expires)
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), {"version": version})
    else:
        call.write([f"{call.ink.plain(words)}  (version {version})"])
