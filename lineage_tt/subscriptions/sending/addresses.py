"""Which addresses a webhook may call: public ones, and private ones that the operator of this machine allows.

A name is resolved here, and exactly the address that was checked is called: a second look-up could return another one.
"""

from __future__ import annotations

import socket
from urllib.parse import SplitResult, urlsplit

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.sending.allowed import read_allowed


class NotResolvedError(Exception):
    """A name currently has no address."""


def parts_of(address: str) -> tuple[SplitResult, str, int]:
    """Return the parts of a URL, its host and its port; InvalidRequestError for one without a host."""
    try:
        parts = urlsplit(address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise InvalidRequestError(f"this is not an address: {error}") from None
    if not parts.hostname:
        raise InvalidRequestError("the address names no host", hint="https://HOST/PATH")
    return parts, parts.hostname, port


def place_of(address: str) -> str:
    """Return an address without parts that may be secret: its path often contains a key."""
    parts, name, _ = parts_of(address)
    return f"{parts.scheme}://{name}" + (f":{parts.port}" if parts.port else "")


def permitted(address: str) -> str:
    """Return the numeric address to call for a URL.

    Raises NotResolvedError where the name currently has no address, InvalidRequestError where any of its addresses is
    private and not allowed, even if another one is public.
    """
    _, name, port = parts_of(address)
    try:
        resolved = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotResolvedError(f"{place_of(address)}: {error}") from None
    numbers = list(dict.fromkeys(str(each[4][0]) for each in resolved))
    allowed = read_allowed()
    for number in numbers:
        if not allowed.address(name, number, port):
            raise InvalidRequestError(
                f"{place_of(address)} is an address inside a network ({number}), which this machine does not allow",
                hint=f"its operator adds {number} or {name} to addresses in {allowed.path}",
            )
    return numbers[0]


def judge(address: str) -> None:
    """Raise InvalidRequestError where a URL may not be called from here; a name that does not resolve passes."""
    try:
        permitted(address)
    except NotResolvedError:
        return
