"""The files that a browser may have: read once, by their exact names. What is not in the list does not exist."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent
INDEX: Final = "index.html"
#: Set by people who work on the pages: files are read again for each request.
RELOAD: Final = "LINEAGE_TT_UI_RELOAD"
#: What is served, by the ending of its name. No other file of the folder leaves it.
TYPES: Final[Mapping[str, str]] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}


class StaticFile(NamedTuple):
    """A file as it is sent: its bytes, its media type, and an entity tag made of its SHA-256."""

    body: bytes
    media_type: str
    tag: str


def static_files() -> Mapping[str, StaticFile]:
    """Return all files by their paths below this folder, with slashes."""
    return _read() if os.environ.get(RELOAD) == "1" else _kept()


def _read() -> Mapping[str, StaticFile]:
    found = {}
    for path in sorted(FOLDER.rglob("*")):
        name = path.relative_to(FOLDER).as_posix()
        media_type = TYPES.get(path.suffix)
        if media_type is None or not path.is_file() or any(part.startswith(".") for part in name.split("/")):
            continue
        body = path.read_bytes()
        found[name] = StaticFile(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:32]}"')
    return found


_kept = cache(_read)
