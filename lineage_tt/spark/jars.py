"""Where Spark's dependency resolver (Ivy) looks for jars: in its own cache and in Maven's central repository.

By default Spark also looks into the user's local Maven repository (``~/.m2``). Maven leaves poms without their jars
there; Ivy treats such a pom as the module and then fails with ``download failed``.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from pathlib import Path
from typing import Final
from xml.sax.saxutils import quoteattr

#: Spark's own variable for a mirror of the central repository.
MIRROR_VARIABLE: Final = "DEFAULT_ARTIFACT_REPOSITORY"
IVY_SETTINGS: Final = "spark.jars.ivySettings"
_SETTINGS: Final = """\
<ivysettings>
  <settings defaultResolver="lineage-tt"/>
  <resolvers>
    <chain name="lineage-tt">
      <ibiblio name="central" m2compatible="true"{root}/>
    </chain>
  </resolvers>
</ivysettings>
"""


def ivy_settings() -> str:
    """Write resolver settings to a file that lives as long as this process; return its path.

    A mirror named by ``DEFAULT_ARTIFACT_REPOSITORY`` is used in place of the central repository, as Spark does; further
    repositories come from Spark's setting ``spark.jars.repositories``.
    """
    mirror = os.environ.get(MIRROR_VARIABLE)
    descriptor, name = tempfile.mkstemp(prefix="lineage-tt-ivy-", suffix=".xml")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(_SETTINGS.format(root=f" root={quoteattr(mirror)}" if mirror else ""))
    atexit.register(Path(name).unlink, missing_ok=True)
    return name
