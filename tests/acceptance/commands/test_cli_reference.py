"""The reference page names all that the command line has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from commandline import ODD, REPORT, SALES, call, make_store

from lineage_tt.cli import failures, interrupts
from lineage_tt.cli.app import NAME, app
from lineage_tt.model.errors import LineageError

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "commands.md"
EVERYWHERE = {"--store", "--format", "--storage-option", "--help", "-h"}


@cache
def sections() -> dict[str, str]:
    """Return the page's text by heading."""
    parts = re.split(r"^#{2,3} (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its name in full."""
    root: Any = typer.main.get_command(app)
    with root.make_context(NAME, ["log"]) as context:
        for name in root.list_commands(context):
            command = root.get_command(context, name)
            yield name, command
            for inner, below in getattr(command, "commands", {}).items():
                yield f"{name} {inner}", below


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_every_command_and_option_is_in_the_reference(name: str) -> None:
    """Each command has a section, and each of its options is in it."""
    assert name in sections(), f"docs/reference/commands.md has no section {name!r}"
    command = dict(commands())[name]
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("-")}

    missing = [option for option in sorted(options - EVERYWHERE) if f"`{option}" not in sections()[name]]
    assert missing == []


def test_the_reference_names_nothing_that_is_gone() -> None:
    """Each option in a command's section is one that it has."""
    have = {name: {o for p in command.params for o in p.opts} for name, command in commands()}
    for name, known in have.items():
        rows = re.findall(r"^\| (`-.+?) \| ", sections()[name], flags=re.MULTILINE)
        written = {option for row in rows for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", row)}
        assert written <= known, name


def test_options_of_every_command_are_in_the_reference() -> None:
    """What every command takes is at the top."""
    assert [o for o in sorted(EVERYWHERE | {"--version"}) if f"`{o}" not in sections()["For every command"]] == []


def test_every_exit_status_is_in_the_reference() -> None:
    """Each status that the code can end with has a row."""
    ours = {value for name, value in vars(failures).items() if name.isupper() and isinstance(value, int)}
    kinds = {kind.exit_status for kind in _all_errors(LineageError)}
    rows = {int(status) for status in re.findall(r"^\| (\d+) \|", sections()["Exit status"], flags=re.MULTILINE)}

    assert rows == ours | kinds | {interrupts.INTERRUPTED}


def test_every_kind_of_error_is_in_the_reference() -> None:
    """Each kind of error is named."""
    assert [kind.kind for kind in _all_errors(LineageError) if f"`{kind.kind}`" not in sections()["Errors"]] == []


def _all_errors(base: type[LineageError]) -> Iterator[type[LineageError]]:
    yield base
    for below in base.__subclasses__():
        yield from _all_errors(below)


@pytest.mark.parametrize(
    ("section", "args"),
    [
        ("lineage", [REPORT]),
        ("history", [SALES]),
        ("blame", [SALES, REPORT]),
        ("log", []),
        ("tasks", ["--sql"]),
        ("dead-letters list", []),
        ("dead-letters show", ["5"]),
        ("sql", [f'SELECT 1 AS "{ODD}"']),
        ("check", []),
    ],
)
def test_every_key_of_a_json_answer_is_in_the_reference(tmp_path: Path, section: str, args: list[str]) -> None:
    """Each key of a command's JSON is in its section, or among those of every edge."""
    store = make_store(tmp_path / "s")
    found = call(*section.split(), *args, "--format", "json", store=store).json
    shared = sections()["JSON"] + sections()["Completeness"] + (sections()["log"] if section == "blame" else "")
    shared += sections()["dead-letters list"] if section == "dead-letters show" else ""

    missing = sorted(key for key in _keys(found) if f"`{key}`" not in sections()[section] + shared)
    assert [key for key in missing if f'"{key}"' not in sections()["JSON"]] == []


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in _keys(inner)}
    return {key for inner in value for key in _keys(inner)} if isinstance(value, list) else set()
