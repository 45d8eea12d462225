"""Pages of a walk: nodes in an order that is the same in every process, and a cursor to the next page."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Any, NamedTuple

import orjson

from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError


class Page(NamedTuple):
    """The nodes from position ``first`` up to ``end`` of the walk whose request has this digest."""

    first: int
    end: int
    digest: str

    def next_cursor(self, basis: Basis) -> str:
        """Return the cursor of the page after this one."""
        text = orjson.dumps([self.end, self.digest, *basis])
        return base64.urlsafe_b64encode(text).decode().rstrip("=")


def request_digest(basis: Basis, *parts: Any) -> str:
    """Return a short digest of everything that determines the result of a walk."""
    text = orjson.dumps([list(basis), *parts], default=list)
    return hashlib.sha256(text).hexdigest()[:16]


def page_of(cursor: str | None, limit: int | None, digest: str, basis: Basis) -> Page:
    """Return the requested page; InvalidRequestError for a malformed cursor, or one from another question."""
    first = 0
    if cursor is not None:
        first, asked_digest, _ = _read(cursor)
        if asked_digest != digest:
            raise InvalidRequestError(
                "the cursor belongs to another question",
                hint="ask as of the same basis with the same nodes and options, or without the cursor",
            )
    return Page(first, 2**62 if limit is None else first + limit, digest)


def basis_of(cursor: str) -> Basis:
    """Return the basis of a cursor's walk; InvalidRequestError where the text is not a cursor."""
    return _read(cursor)[2]


def _read(cursor: str) -> tuple[int, str, Basis]:
    try:
        values = orjson.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True))
        first, digest, *basis = values
        if not all(type(value) is int for value in (first, *basis)) or first < 1 or first >= 2**53:
            raise ValueError
        return first, str(digest), Basis(*basis)
    except (ValueError, TypeError, binascii.Error):
        raise InvalidRequestError("this is not a cursor", hint="give the cursor of an answer, as it came") from None
