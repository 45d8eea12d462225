"""Finds ``impact.toml``: the file that the command line names, or the one in the working folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lineage_tt.cli.impact.config import Config
from lineage_tt.model.errors import InvalidRequestError

CONFIG_NAME: Final = "impact.toml"


def read_config(path: str | None, folder: Path) -> Config:
    """Return the configuration in a file, or in the folder's ``impact.toml`` if it exists; else an empty one."""
    file = Path(path) if path else folder / CONFIG_NAME
    if not file.exists():
        if path is None:
            return Config(folder.resolve())
        raise InvalidRequestError(f"there is no file {path}", hint="give --config the path of an impact.toml")
    from lineage_tt.cli.impact.config_file import load  # load pydantic only if the file exists

    return load(file)
