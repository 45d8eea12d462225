"""Which files of a dbt project are read, and what they say of the project as a whole."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ingest.dbt import artifacts
from ingest.dbt.artifacts import Artifacts, in_microseconds, read_manifest, read_target
from lineage_tt.model.errors import InvalidRequestError

METADATA = {"generated_at": "2026-03-01T00:00:00Z", "project_name": "shop"}
MODEL = "model.shop.orders"


def manifest(node: dict[str, Any] | None = None, **metadata: Any) -> dict[str, Any]:
    """A manifest with one model."""
    return {"metadata": METADATA | metadata, "nodes": {MODEL: node or {"package_name": "shop"}}}


def written(path: Path, content: Any) -> Path:
    """Write a file as JSON, its folders too, and return its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path.parent


def project_of(stated: str | None, *packages: str) -> str:
    """The project's name where the manifest states one or not, and has nodes of these packages."""
    nodes = {"odd": None, **{f"n{place}": {"package_name": each} for place, each in enumerate(packages)}}
    return Artifacts({"metadata": {"project_name": stated}, "nodes": nodes}, {}, {}).project


def test_a_project_without_a_name_is_called_like_the_package_of_most_of_its_nodes() -> None:
    """A stated name counts first; a project that has no nodes either is called dbt."""
    assert project_of("shop", "utils", "utils") == "shop"
    assert project_of(None, "utils", "shop", "shop") == "shop"
    assert project_of("") == "dbt"


@pytest.mark.parametrize(
    ("written", "read"),
    [("2026-03-01T00:00:00.123456789Z", "2026-03-01T00:00:00.123456Z"),
     ("2026-03-01T00:00:00.1234567+02:00", "2026-03-01T00:00:00.123456+02:00"),
     ("2026-03-01T00:00:00.123456Z", "2026-03-01T00:00:00.123456Z"),
     ("2026-03-01T00:00:00.5Z", "2026-03-01T00:00:00.5Z"), ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z")],
)  # fmt: skip
def test_what_is_finer_than_a_microsecond_is_cut_off(written: str, read: str) -> None:
    """It is not rounded: an instant never moves to a later microsecond."""
    assert in_microseconds(written) == read


@pytest.mark.parametrize(
    ("results", "target", "at"),
    [({}, None, None), ({"args": None, "metadata": None}, None, None),
     ({"args": {"target": ""}, "metadata": {"generated_at": ""}}, None, None),
     ({"args": {"target": 7}, "metadata": {"generated_at": 7}}, None, None),
     ({"args": {"target": "prod"}, "metadata": {"generated_at": "2026-03-01T01:00:00.1234567Z"}}, "prod",
      "2026-03-01T01:00:00.123456Z")],
)  # fmt: skip
def test_target_and_end_of_a_run_are_those_of_its_results(
    results: dict[str, Any], target: str | None, at: str | None
) -> None:
    """Results that do not say them, or say no text, leave both open."""
    found = Artifacts(manifest(), {}, results)

    assert (found.target, found.results_at) == (target, at)


def test_a_manifest_names_its_adapter_and_its_time() -> None:
    """To the microsecond; the adapter is the empty text where it is not said."""
    found = Artifacts(manifest(adapter_type="duckdb", generated_at="2026-03-01T00:00:00.1234567Z"), {}, {})

    assert (found.adapter, found.generated_at) == ("duckdb", "2026-03-01T00:00:00.123456Z")
    assert Artifacts(manifest(adapter_type=None), {}, {}).adapter == ""


def test_the_folder_of_a_project_is_read_by_its_target(tmp_path: Path) -> None:
    """A manifest in the folder itself counts before one in its folder ``target``; catalog and results may be absent."""
    written(tmp_path / "target" / "manifest.json", manifest(project_name="inner"))
    assert read_target(tmp_path).project == "inner"
    assert read_target(tmp_path).catalog == read_target(tmp_path).results == {}

    written(tmp_path / "manifest.json", manifest(project_name="outer"))
    written(tmp_path / "target" / "catalog.json", {"nodes": {"of": "inner"}})
    assert read_target(tmp_path / "target").catalog == {"nodes": {"of": "inner"}}
    assert (read_target(tmp_path).project, read_target(tmp_path).catalog) == ("outer", {})
    assert read_target(tmp_path / "target" / "manifest.json").catalog == {"nodes": {"of": "inner"}}


def test_artifacts_may_be_packed(tmp_path: Path) -> None:
    """A file packed by gzip is read, and one that is cut off is refused in words."""
    packed = gzip.compress(json.dumps(manifest()).encode())
    (tmp_path / "manifest.json.gz").write_bytes(packed)
    written(tmp_path / "run_results.json", {"args": {"target": "prod"}})
    assert (read_target(tmp_path).project, read_target(tmp_path).target) == ("shop", "prod")

    (tmp_path / "manifest.json.gz").write_bytes(packed[:-9])
    with pytest.raises(InvalidRequestError, match=r"manifest\.json\.gz cannot be read"):
        read_target(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [([], "not an artifact of dbt"), ({"metadata": METADATA}, "not a dbt manifest"),
     ({"nodes": {}}, "not a dbt manifest"), ({"metadata": {}, "nodes": {}}, "does not say when it was made")],
)  # fmt: skip
def test_a_manifest_without_time_or_nodes_is_refused(tmp_path: Path, content: Any, words: str) -> None:
    """What cannot be placed in time says nothing."""
    with pytest.raises(InvalidRequestError, match=words):
        read_target(written(tmp_path / "manifest.json", content))


def test_an_artifact_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its values are counted before it is parsed, for each takes many times its bytes in memory; so are its bytes."""
    folder = written(tmp_path / "manifest.json", manifest(columns=[1] * 100))
    monkeypatch.setattr(artifacts, "MAX_VALUES", 100)
    with pytest.raises(InvalidRequestError, match="more than 100 values"):
        read_target(folder)

    monkeypatch.setattr(artifacts, "MAX_BYTES", 50)
    with pytest.raises(InvalidRequestError, match="more than 50 bytes"):
        read_target(folder)


def compiled_of(folder: Path, path: str, **held: Any) -> Any:
    """The compiled SQL of the model whose manifest names this file."""
    written(folder / "manifest.json", manifest({"compiled_path": path, **held}))
    return read_target(folder).manifest["nodes"][MODEL].get("compiled_code")


def test_compiled_sql_is_read_from_the_file_that_its_node_names(tmp_path: Path) -> None:
    """Whatever precedes the folder ``compiled`` in the name; what the node holds itself counts first."""
    (tmp_path / "compiled" / "shop").mkdir(parents=True)
    (tmp_path / "compiled" / "shop" / "orders.sql").write_text("select 'ü'", encoding="utf-8")
    named = "target/compiled/shop/orders.sql"

    assert compiled_of(tmp_path, named) == "select 'ü'"
    assert compiled_of(tmp_path, named, compiled_code="select 1") == "select 1"
    assert compiled_of(tmp_path, named, compiled_sql="select 1") is None
    assert compiled_of(tmp_path, "target/run/shop/orders.sql") is None


def test_no_compiled_sql_is_read_from_outside_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither through ``..`` nor through a link; a file that is too long or no text is left out, too."""
    (tmp_path / "secret.sql").write_text("secret", encoding="utf-8")
    compiled = tmp_path / "target" / "compiled"
    compiled.mkdir(parents=True)
    (compiled / "link.sql").symlink_to(tmp_path / "secret.sql")
    (compiled / "latin.sql").write_bytes(b"select '\xfc'")
    (compiled / "long.sql").write_text("select 1, 2", encoding="utf-8")
    (compiled / "most.sql").write_text("select 1,2", encoding="utf-8")
    monkeypatch.setattr(artifacts, "MAX_TEXT", 10)

    for path in ("compiled/../../secret.sql", "compiled/link.sql", "compiled/latin.sql", "compiled/long.sql"):
        assert compiled_of(tmp_path / "target", path) is None, path
    assert compiled_of(tmp_path / "target", "compiled/most.sql") == "select 1,2"


def test_a_manifest_alone_needs_no_time(tmp_path: Path) -> None:
    """It is read by its path; a file that is not there or has no nodes is refused."""
    path = tmp_path / "state.json"
    with pytest.raises(InvalidRequestError, match="no manifest of dbt"):
        read_manifest(path)
    written(path, {"metadata": {}})
    with pytest.raises(InvalidRequestError, match=r"state\.json is not a dbt manifest"):
        read_manifest(path)
    written(path, {"nodes": {"model.a.b": {}}})

    assert read_manifest(path) == {"nodes": {"model.a.b": {}}}
