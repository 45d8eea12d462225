"""Points and edges as people write them in one argument, on a command line or in a URL."""

from __future__ import annotations

import re
from typing import Final, Protocol

from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError

_VERSION_POINT: Final = re.compile(r"v(\d{1,18})")


class Pins(Protocol):
    """A store, as far as it turns a point into a basis."""

    def basis(self, valid_at: str | None, system_at: str | None, version: int | None) -> Basis:
        """Return the basis of a point: its two times as instants, and the version to which they refer."""
        ...


def split_point(text: str) -> tuple[str | None, str | None, int | None]:
    """Return (valid time, system time, version) of ``VALID_AT``, ``VALID_AT@SYSTEM_AT`` or ``VALID_AT@vVERSION``.

    Raises InvalidRequestError where nothing follows the ``@``.
    """
    valid, mark, system = text.partition("@")
    if mark and not system.strip():
        raise InvalidRequestError(
            f"nothing follows the @ of the point {text!r}", hint="write VALID_AT@SYSTEM_AT or VALID_AT@vVERSION"
        )
    version = _VERSION_POINT.fullmatch(system.strip())
    if version:
        return valid.strip() or None, None, int(version.group(1))
    return valid.strip() or None, system.strip() or None, None


def read_point(store: Pins, text: str) -> Basis:
    """Return the point written as ``VALID_AT``, ``VALID_AT@SYSTEM_AT`` or ``VALID_AT@vVERSION``.

    An empty ``VALID_AT`` is now. Raises InvalidRequestError for a time that cannot be read.
    """
    valid_at, system_at, version = split_point(text)
    return store.basis(valid_at, system_at, version)


def read_edge(text: str) -> tuple[str, str] | None:
    """Return (source, target) of ``SOURCE -> TARGET``, None where ``text`` is a single node."""
    source, arrow, target = text.partition(" -> ")
    if not arrow:
        return None
    if not source.strip() or not target.strip():
        raise InvalidRequestError(f"{text!r} is half an edge", hint="write 'SOURCE -> TARGET'")
    return source.strip(), target.strip()
