"""``governance.toml``: the rules of labels, checks and figures, with a table for each area.

Each area reads its own table. A file is checked as a whole when it is read, whatever is asked about it afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Self

from lineage_tt.governance.labels.scene import DEFAULT, scene_of, scenes_of
from lineage_tt.governance.permissions.grants import Grants
from lineage_tt.governance.rules.config_tables import AREAS, WITHOUT_KEYS, ConfigTables, refuse_unknown, texts_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.toml_files import parse_toml, read_toml

__all__ = ["AREAS", "Config", "refuse_unknown", "texts_of"]


class Config(ConfigTables):
    """The content of a governance file; without a file every area has its defaults."""

    @classmethod
    def read(cls, path: Path | None) -> Self:
        """Return the content of a file, the defaults for None.

        Raises InvalidRequestError for an invalid file, and for one that is invalid in any table or scene.
        """
        if path is None:
            return cls()
        result = cls(read_toml(path, "the governance file"), str(path))
        result.check()
        return result

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the configuration in a TOML text; its tables are checked when they are used, or by ``check``."""
        return cls(parse_toml(text.encode(), "the governance file"))

    def check(self) -> None:
        """Raise InvalidRequestError for what any area cannot read, and for a scene that nothing can ask for."""
        from lineage_tt.governance.rules.engine import settings_of  # heavy: it imports all rules

        for area in WITHOUT_KEYS:
            refuse_unknown(self.table(area), {}, f"{self.name}: [{area}]")
        scenes = self.table("labels").get("scenes", {})
        if isinstance(scenes, dict) and DEFAULT in scenes:
            raise InvalidRequestError(
                f"{self.name}: the scene {DEFAULT!r} is the table [labels] itself",
                hint=f"write its keys in [labels], or give labels.scenes.{DEFAULT} another name",
            )
        for scene in scenes_of(self):
            scene_of(self, scene)
        settings_of(self)
        Grants((), self)
