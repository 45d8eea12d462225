"""dbt's artifacts as files: manifest.json, catalog.json and run_results.json of a target folder, plain or gzip.

Their schemas are published at schemas.getdbt.com/dbt; manifest v12 is that of dbt 1.8 and later, and of Fusion. Older
ones name a few fields differently; those names are read too. Unknown fields are ignored.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from lineage_tt.model.errors import InvalidRequestError

#: The largest artifact that is read, unpacked: a manifest of some 10,000 models.
MAX_BYTES: Final = 1 << 30
MAX_VALUES: Final = 20_000_000
#: The longest compiled SQL that is read from a file of its own, in bytes.
MAX_TEXT: Final = 4 << 20
_NANOSECONDS: Final = re.compile(r"(\.\d{6})\d+")
_AGAIN: Final = "run dbt docs generate (or dbt compile) again, and give the folder that it writes to"


@dataclass(frozen=True, slots=True)
class Artifacts:
    """What a target folder holds; ``catalog`` and ``results`` are empty where dbt did not write them."""

    manifest: Mapping[str, Any]
    catalog: Mapping[str, Any]
    results: Mapping[str, Any]

    @property
    def project(self) -> str:
        """The name of the project; where an old manifest lacks it, the package of most of its nodes."""
        stated = self.manifest["metadata"].get("project_name")
        packages = Counter(
            str(node.get("package_name")) for node in self.manifest["nodes"].values() if isinstance(node, dict)
        )
        return str(stated or next((name for name, _ in packages.most_common(1)), "dbt"))

    @property
    def target(self) -> str | None:
        """The name of the target (``dev``, ``prod``), None where the run results do not say."""
        args = self.results.get("args")
        name = args.get("target") if isinstance(args, dict) else None
        return name if isinstance(name, str) and name else None

    @property
    def adapter(self) -> str:
        """dbt's name of the adapter."""
        return str(self.manifest["metadata"].get("adapter_type") or "")

    @property
    def generated_at(self) -> str:
        """When the manifest was made, ISO 8601 with a zone."""
        return in_microseconds(str(self.manifest["metadata"]["generated_at"]))

    @property
    def results_at(self) -> str | None:
        """When the run ended, ISO 8601 with a zone; None where the run results do not say, or there are none."""
        metadata = self.results.get("metadata")
        generated_at = metadata.get("generated_at") if isinstance(metadata, dict) else None
        return in_microseconds(generated_at) if isinstance(generated_at, str) and generated_at else None


def in_microseconds(text: str) -> str:
    """Return an instant of an artifact, cut to microseconds: Fusion writes nanoseconds."""
    return _NANOSECONDS.sub(r"\1", text)


def read_target(folder: Path) -> Artifacts:
    """Read the artifacts of a target folder, or of the folder of a project that has one; its manifest names it, too.

    Raises InvalidRequestError where there is no manifest, or where a file is not an artifact of dbt.
    """
    folder = folder.parent if folder.is_file() and folder.name.startswith("manifest.json") else folder
    if not (_file(folder, "manifest") or not _file(folder / "target", "manifest")):
        folder = folder / "target"
    manifest = _read(folder, "manifest")
    if manifest is None:
        raise InvalidRequestError(f"there is no manifest.json in {folder}", hint=_AGAIN)
    _check_manifest(manifest, folder)
    _add_compiled(manifest, folder)
    return Artifacts(manifest, _read(folder, "catalog") or {}, _read(folder, "run_results") or {})


def read_manifest(path: Path) -> dict[str, Any]:
    """Read only a manifest; InvalidRequestError where the file is missing or is not a manifest."""
    if not path.is_file():
        raise InvalidRequestError(f"there is no manifest of dbt at {path}", hint="run dbt compile (or dbt parse) first")
    manifest = _load(path)
    if not isinstance(manifest.get("nodes"), dict):
        raise InvalidRequestError(f"{path.name} is not a dbt manifest: it has no nodes", hint="run dbt compile again")
    return manifest


def _add_compiled(manifest: Mapping[str, Any], folder: Path) -> None:
    """Put the compiled SQL into each node that only names the file with it.

    Files outside of the target folder are not read.
    """
    root = folder.resolve()
    for node in manifest["nodes"].values():
        named = node.get("compiled_path") if isinstance(node, dict) else None
        if not isinstance(named, str) or node.get("compiled_code") or node.get("compiled_sql"):
            continue
        parts = Path(named).parts
        inside = parts[parts.index("compiled") :] if "compiled" in parts else ()
        path = root.joinpath(*inside)
        try:
            if inside and path.resolve().is_relative_to(root) and path.stat().st_size <= MAX_TEXT:
                node["compiled_code"] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue  # the file is missing, or is not text: the model is read as it was written


def _check_manifest(manifest: Mapping[str, Any], folder: Path) -> None:
    metadata = manifest.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(manifest.get("nodes"), dict):
        raise InvalidRequestError(f"manifest.json in {folder} is not a dbt manifest", hint=_AGAIN)
    if not isinstance(metadata.get("generated_at"), str):
        raise InvalidRequestError(f"manifest.json in {folder} does not say when it was made", hint=_AGAIN)


def _file(folder: Path, name: str) -> Path | None:
    return next((path for end in ("", ".gz") if (path := folder / f"{name}.json{end}").is_file()), None)


def _read(folder: Path, name: str) -> dict[str, Any] | None:
    path = _file(folder, name)
    return None if path is None else _load(path)


def _load(path: Path) -> dict[str, Any]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidRequestError(f"{path} cannot be read: {error}", hint=_AGAIN) from None
    if len(data) > MAX_BYTES:
        raise InvalidRequestError(f"{path} has more than {MAX_BYTES} bytes", hint="select fewer models")
    try:
        if sum(map(data.count, b"[{,")) > MAX_VALUES:  # each takes some 100 bytes of memory
            raise InvalidRequestError(f"{path} has more than {MAX_VALUES} values", hint="select fewer models")
        content = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InvalidRequestError(f"{path} is not JSON: {error}", hint=_AGAIN) from None
    if not isinstance(content, dict):
        raise InvalidRequestError(f"{path} is not an artifact of dbt", hint=_AGAIN)
    return content
