"""The files that a browser may have: read once, by their exact names. What is not in the list does not exist.

A wheel has the pages' modules twice: as they are written, and packed as one (``scripts/pack-ui``), which is served.
A checkout has the first alone.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent
PACKED: Final = "packed"
INDEX: Final = "index.html"
#: Set by people who work on the pages: files are read again for each request, as they are written.
RELOAD: Final = "LINEAGE_TT_UI_RELOAD"
#: Another folder of pages, such as one that scripts/pack-ui has written.
OTHER: Final = "LINEAGE_TT_UI"
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
    """A file as it is sent: its bytes, the same gzipped, its media type, and an entity tag made of its SHA-256."""

    body: bytes
    gzipped: bytes
    media_type: str
    tag: str


def static_files() -> Mapping[str, StaticFile]:
    """Return all files by their paths below the folder, with slashes."""
    if os.environ.get(RELOAD) == "1":
        return _read(FOLDER)
    other = os.environ.get(OTHER)
    return _cached(Path(other) if other else FOLDER / PACKED if (FOLDER / PACKED / INDEX).is_file() else FOLDER)


def _read(folder: Path) -> Mapping[str, StaticFile]:
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        media_type = TYPES.get(path.suffix)
        parts = name.split("/")
        if media_type is None or not path.is_file() or parts[0] == PACKED or any(p.startswith(".") for p in parts):
            continue
        body = path.read_bytes()
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        ready = path.with_name(f"{path.name}.gz")
        gzipped = ready.read_bytes() if ready.is_file() else gzip.compress(body, 9, mtime=0)
        files[name] = StaticFile(body, gzipped, media_type, tag)
    return files


_cached = cache(_read)
