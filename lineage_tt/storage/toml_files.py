"""TOML files that a user gives: read within bounds, and rejected with the same messages everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from lineage_tt.model.errors import InvalidRequestError

#: The longest such file in bytes: these are lists of rules, written by hand.
MAX_BYTES: Final = 1024 * 1024
#: The most parts of a dotted key. The parser's time grows with their square; lists fail at its recursion limit.
MAX_DOTS: Final = 256
_BETWEEN_KEYS: Final = re.compile(rb"[\n=\[\]{},]+")


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """Return the content of a TOML file; ``what`` names it in errors (``the mapping``).

    Raises InvalidRequestError for a file that cannot be read, is not TOML, is too long, or is nested too deep.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidRequestError(f"cannot read {what} {path}: {error.strerror}", hint="check the path") from None
    return parse_toml(data, f"{what} {path}")


def parse_toml(data: bytes, what: str) -> dict[str, Any]:
    """Return the content of TOML in UTF-8; see ``read_toml``."""
    if len(data) > MAX_BYTES:
        raise InvalidRequestError(f"{what} has more than {MAX_BYTES} bytes", hint="give a shorter file")
    if any(part.count(b".") > MAX_DOTS for part in _BETWEEN_KEYS.split(data)):
        raise _too_deep(what)
    try:
        return tomllib.loads(data.decode())
    except RecursionError:
        raise _too_deep(what) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidRequestError(f"{what} is not TOML: {error}") from None


def _too_deep(what: str) -> InvalidRequestError:
    return InvalidRequestError(f"{what} is nested too deep", hint="use fewer levels of tables and lists")
