"""Spark sessions in one process: one after another, and where their jars are looked for."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from sparks import need_spark

from lineage_tt.spark.jars import MIRROR_VARIABLE, ivy_settings

#: A session that called back into Python leaves a thread that reads from its JVM until that JVM ends.
AFTER_A_CALLBACK = """
import pathlib, sys
from lineage_tt.spark.session import spark_session
folder = pathlib.Path(sys.argv[1])
(folder / "in").mkdir()
(folder / "in" / "a.txt").write_text("x\\n")
first = spark_session("local[1]")
counts = []
lines = first.readStream.text(str(folder / "in"))
query = lines.writeStream.foreachBatch(lambda frame, _: counts.append(frame.count()))
query.trigger(availableNow=True).option("checkpointLocation", str(folder / "checkpoint")).start().awaitTermination()
second = spark_session("local[2]")
print(counts, second.range(3).count(), second.sparkContext.master)
"""
WITH_DELTA = """
import sys
from lineage_tt.spark.session import spark_session
home = f"-Duser.home={sys.argv[1]}"
session = spark_session("local[1]", delta=True, settings={"spark.driver.extraJavaOptions": home})
print(session.range(3).count())
"""
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>{0}</groupId><artifactId>{1}</artifactId>
<version>{2}</version></project>"""


def run(code: str, folder: Path) -> str:
    """Run Python code in a process of its own; a hang is a failure."""
    need_spark()
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, timeout=240, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_second_session_starts_after_a_stream_called_back_into_python(tmp_path: Path) -> None:
    """A session with another master replaces one whose stream called Python; this hung for ever."""
    assert run(AFTER_A_CALLBACK, tmp_path) == "[1] 3 local[2]"


@pytest.mark.slow
def test_poms_without_jars_in_the_users_maven_repository_do_not_matter(tmp_path: Path) -> None:
    """Delta's jars are fetched although ~/.m2 holds poms of them without the jars, as Maven leaves them."""
    for group, artifact, version in (
        ("io.delta", "delta-spark_2.13", "4.4.0"),
        ("io.delta", "delta-storage", "4.4.0"),
        ("org.slf4j", "slf4j-api", "2.0.13"),
    ):
        folder = tmp_path / ".m2" / "repository" / group.replace(".", "/") / artifact / version
        folder.mkdir(parents=True)
        (folder / f"{artifact}-{version}.pom").write_text(POM.format(group, artifact, version))

    assert run(WITH_DELTA, tmp_path) == "3"


def test_a_mirror_takes_the_place_of_the_central_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mirror that Spark's own variable names is written into the resolver's settings, escaped."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # the files live as long as the process
    monkeypatch.delenv(MIRROR_VARIABLE, raising=False)
    assert "root=" not in Path(ivy_settings()).read_text()

    monkeypatch.setenv(MIRROR_VARIABLE, "https://mirror.example/maven?a=1&b=2")
    assert 'root="https://mirror.example/maven?a=1&amp;b=2"' in Path(ivy_settings()).read_text()
