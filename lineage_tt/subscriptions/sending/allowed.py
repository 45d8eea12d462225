"""What the operator of this machine allows deliveries to do: programs to run, private addresses to call.

The file is local to the machine that delivers and never part of a store, so writers of a store cannot change it.

    # ~/.config/lineage-tt/allow.toml
    commands = ["/usr/local/bin/page-oncall --team data"]     # whole command lines, compared word by word
    addresses = ["10.1.0.0/16", "127.0.0.1:8080", "hooks.corp.example:443"]   # networks or names, with or without port

It is the file that ``LINEAGE_TT_ALLOW`` names; else ``lineage-tt/allow.toml`` in the user's configuration folder; else
``/etc/lineage-tt/allow.toml``. Without one nothing is allowed.
"""

from __future__ import annotations

import ipaddress
import os
import shlex
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.toml_files import read_toml

VARIABLE: Final = "LINEAGE_TT_ALLOW"
SYSTEM_FILE: Final = Path("/etc/lineage-tt/allow.toml")
_KEYS: Final = ("commands", "addresses")
_HINT: Final = "see docs/how-to/subscribe.md"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class Place(NamedTuple):
    """An entry of ``addresses``: a network or a name, and a port (None: any)."""

    network: Network | None
    name: str
    port: int | None


@dataclass(frozen=True)
class Allowed:
    """What one allow-list file permits; ``path`` is the file, even if it does not exist."""

    path: Path
    commands: tuple[tuple[str, ...], ...] = ()
    places: tuple[Place, ...] = ()

    def command(self, words: Iterable[str]) -> bool:
        """Return whether this command line may be run: an entry must have exactly these words."""
        return tuple(words) in self.commands

    def address(self, name: str, address: str, port: int) -> bool:
        """Return whether ``address``, to which ``name`` was resolved, may be called; a public address always may."""
        parsed = ipaddress.ip_address(address.partition("%")[0])
        if is_public(parsed):
            return True
        return any(
            (place.port is None or place.port == port)
            and (place.name == name.lower() if place.network is None else parsed in place.network)
            for place in self.places
        )


def is_public(address: Address) -> bool:
    """Return whether an address is in the public Internet, also if IPv6 embeds it in any form."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if address in _NAT64 or int(address) >> 32 == 0:  # or IPv4-compatible, ::a.b.c.d
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def location() -> Path:
    """Return the path of this machine's allow-list file, whether it exists or not."""
    path = os.environ.get(VARIABLE)
    if path:
        return Path(path)
    home = os.environ.get("XDG_CONFIG_HOME")
    user = (Path(home) if home else Path.home() / ".config") / "lineage-tt" / "allow.toml"
    return SYSTEM_FILE if not user.exists() and SYSTEM_FILE.exists() else user


def read_allowed() -> Allowed:
    """Return what the operator allows; InvalidRequestError where the file is wrong, or other users can write it."""
    path = location()
    if not path.exists():
        return Allowed(path)
    _check_owner(path)
    settings = read_toml(path, "the allow-list")
    unknown = sorted(set(settings) - set(_KEYS))
    if unknown:
        raise InvalidRequestError(f"{path} has the unknown key {unknown[0]!r}", hint=f"use {' or '.join(_KEYS)}")
    commands = tuple(_words(each, path) for each in _texts(settings, "commands", path))
    return Allowed(path, commands, tuple(_place(each, path) for each in _texts(settings, "addresses", path)))


def _check_owner(path: Path) -> None:
    """Raise InvalidRequestError for a file that anyone other than this user and root could have written."""
    status = path.stat()
    if status.st_uid not in (0, os.geteuid()) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise InvalidRequestError(
            f"{path} can be written by others, so it allows nothing", hint=f"chown it to you, then: chmod 600 {path}"
        )


def _texts(settings: dict[str, Any], key: str, path: Path) -> list[str]:
    texts = settings.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise InvalidRequestError(f"{path}: {key} is not a list of strings", hint=_HINT)
    return texts


def _words(text: str, path: Path) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise InvalidRequestError(f"{path}: {text!r} is not a command line: {error}", hint=_HINT) from None
    if not words:
        raise InvalidRequestError(f"{path}: commands has an empty entry", hint=_HINT)
    return words


def _place(text: str, path: Path) -> Place:
    """Return an entry of ``addresses``: NETWORK, ADDRESS or NAME, optionally with :PORT (then IPv6 is in brackets)."""
    name, port = text.strip().lower(), None
    host, colon, last = name.rpartition(":")
    if colon and last.isdecimal() and (":" not in host or host.endswith("]")):
        name, port = host, int(last)
        if not 1 <= port <= 65_535:
            raise InvalidRequestError(
                f"{path}: {text!r} has no port from 1 to 65535", hint=f"write {host} or {host}:443"
            )
    name = name.removeprefix("[").removesuffix("]")
    try:
        network = ipaddress.ip_network(name, strict=False)
    except ValueError:
        network = None
    if network is not None:
        own = ipaddress.ip_interface(name).ip
        if own != network.network_address:  # else a slip in the prefix would allow a whole network
            raise InvalidRequestError(
                f"{path}: {text!r} is an address with the prefix of a network",
                hint=f"write {own} for the address, or {network} for the whole network",
            )
        return Place(network, name, port)
    if not name or "/" in name or ":" in name or "*" in name:
        raise InvalidRequestError(f"{path}: {text!r} is not a network, address or name", hint=_HINT)
    return Place(None, name, port)
