"""``assets``: asset types, registers, and the edges that the types allow."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt
from lineage_tt.cli.render import objects
from lineage_tt.cli.render.tables import table
from lineage_tt.curation.statements import user_of_machine
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import shown

if TYPE_CHECKING:
    from lineage_tt.assets.listing import Assets

assets = typer.Typer(
    name="assets",
    help="Set and list asset types and registers; check lineage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


class Status(StrEnum):
    """Where an asset is known: in lineage and a register, only in lineage, only in registers."""

    MATCHED = "matched"
    UNREGISTERED = "unregistered"
    UNNAMED = "unnamed"


Reason = Annotated[str, typer.Option(metavar="WHY", help="Reason; kept in the log.")]
Actor = Annotated[str | None, typer.Option(metavar="NAME", help="Author (default: the current user).")]
At = Annotated[str, typer.Option(metavar="TIME", help="Valid time of the change.")]


@assets.command("set")
def set_types(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Path of assets.toml.")],
    reason: Reason,
    actor: Actor = None,
    at: At = "now",
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Replace the asset types with those in assets.toml."""
    from lineage_tt.assets.listing import set_types as stated

    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    version = stated(opened, _read(file), reason=reason, actor=actor or user_of_machine(), at=at, name=file.name)
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), {"version": version})
    else:
        call.write([f"asset types of {file.name} stated (version {version})"])


@assets.command("register")
def register(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the register, such as glue.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One asset per line: a node, or JSON (node, type).")],
    reason: Annotated[str | None, typer.Option(metavar="WHY", help="Reason; kept in the log.")] = None,
    actor: Actor = None,
    at: At = "now",
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Replace the content of a register with a list from a file.

    Assets that the register lists already add no version.
    """
    from lineage_tt.assets.listing import register as stated
    from lineage_tt.assets.registers import listed

    call = Call.of(ctx, store, output)
    entries = listed(_read(file).split(b"\n"), file.name)
    opened = call.create()
    came, went, other = stated(opened, name, entries, at=at, actor=actor or user_of_machine(), reason=reason)
    if call.output == "json":
        result = {"register": name, "assets": len(entries), "came": came, "went": went, "changed": other}
        call.write_answer(objects.known_by(opened.basis()), result)
    else:
        call.write([f"{shown(name)}: {len(entries):,} assets, {came:,} added, {went:,} removed, {other:,} changed"])


@assets.command("types")
def types(
    ctx: typer.Context,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List the asset types at a point, and count their assets.

    Types that are not declared come last.
    """
    call, known = _assets_at(ctx, store, output, valid_at, system_at, version)
    rows = known.type_objects()
    if call.output == "json":
        call.write_answer(known.basis.to_json(), rows)
    else:
        cells = [
            [row["name"] + ("" if row["known"] else " (unknown)"), row["parent"], row["assets"],
             " ".join(row["identity"])]
            for row in rows
        ]  # fmt: skip
        call.write(table(["type", "parent", "assets", "identity"], cells, call.ink))


@assets.command("list")
def list_assets(
    ctx: typer.Context,
    type_: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="Only this type and its subtypes.")
    ] = None,
    status: Annotated[
        Status | None, typer.Option(help="Only assets known to both, only to lineage, or only to registers.")
    ] = None,
    unknown: Annotated[bool, typer.Option("--unknown", help="Only assets of undeclared types.")] = False,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List the assets of lineage and of registers at a point."""
    from lineage_tt.assets.listing import selected

    call, known = _assets_at(ctx, store, output, valid_at, system_at, version)
    selection = selected(known.assets, type_=type_, status=status.value if status else None, unknown=unknown)
    for words in known.not_a_type(type_):
        call.note(f"{shown(words)} (lineage-tt assets types lists them)")
    if call.output == "json":
        call.write_answer(known.basis.to_json(), [objects.record(asset) for asset in selection])
        return
    rows = [
        [asset.node, asset.type + ("" if asset.type_known else " (unknown)"), asset.status,
         ", ".join(asset.registers), ", ".join(asset.like)]
        for asset in selection
    ]  # fmt: skip
    call.write(table(["asset", "type", "status", "registers", "differs in case"], rows, call.ink))


@assets.command("check")
def check(
    ctx: typer.Context,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List edges that asset types do not allow, and undeclared types.

    The exit status is 1 if such edges exist.
    """
    call, known = _assets_at(ctx, store, output, valid_at, system_at, version)
    if call.output == "json":
        result = {
            "disallowed": [objects.record(each) for each in known.disallowed], "unknown_types": known.unknown_types,
        }  # fmt: skip
        call.write_answer(known.basis.to_json(), result)
    else:
        call.write(
            f"{shown(each.source)} ({shown(each.source_type)}) → {shown(each.target)} ({shown(each.target_type)})"
            for each in known.disallowed
        )
        call.write([f"unknown type: {shown(name)}" for name in known.unknown_types])
        count = len(known.disallowed)
        call.write([f"{count:,} edge{'' if count == 1 else 's'} that asset types do not allow"])
    if known.disallowed:
        raise typer.Exit(1)


def _assets_at(
    ctx: typer.Context, store: str | None, output: Any, valid_at: Any, system_at: Any, version: int | None
) -> tuple[Call, Assets]:
    from lineage_tt.assets.listing import assets_of

    call = Call.of(ctx, store, output)
    opened = call.open()
    return call, assets_of(opened, opened.as_of(valid_at, system_at, version=version).basis)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidRequestError(f"cannot read {file}: {error.strerror}", hint="check the path") from None


VERBS = {"assets": assets}
