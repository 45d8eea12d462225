"""The OpenAPI document: its examples run, its schemas hold, and Schemathesis finds nothing."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rounds import rounds
from services import Served, serving

#: ``scripts/faults http`` lets Schemathesis call the service for so long.
SECONDS = int(os.environ.get("LINEAGE_TT_SCHEMATHESIS_SECONDS", "0"))
#: Draws the paths that Schemathesis calls with all forms of their parameters.
SEED = int(os.environ.get("LINEAGE_TT_SEED", random.randrange(2**32)))
#: Operations whose parameters take all forms in the short run: a walk, a list, a difference, and what takes messages.
COVERED = "^/v1/(lineage|tasks|messages|diff)"


@pytest.fixture(scope="module")
def open_service(sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over a copy of the sample, which takes messages."""
    folder = Path(shutil.copytree(sample_store, tmp_path_factory.mktemp("openapi") / "store"))
    with serving(folder, "--workers", "1") as served:
        yield served


@pytest.fixture(scope="module")
def document(open_service: Served) -> dict[str, Any]:
    """The document."""
    body: dict[str, Any] = open_service.get("/openapi.json").json()
    return body


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every path, method and operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def example(given: dict[str, Any]) -> Any:
    """The first example of a parameter, None where it has none."""
    for held in (given, given["schema"], *given["schema"].get("anyOf", [])):
        if "examples" in held:
            return held["examples"][0]
        if "example" in held:
            return held["example"]
    return None


def test_every_example_runs(open_service: Served, document: dict[str, Any]) -> None:
    """Each operation, called with its own examples, answers as documented: 200 or 202 and what it promises."""
    called = 0
    for path, method, operation in operations(document):
        filled, asked = path, {}
        for parameter in operation.get("parameters", []):
            value = example(parameter)
            assert value is not None or not parameter["required"], f"{path}: {parameter['name']} has no example"
            if value is not None and parameter["in"] == "path":
                filled = filled.replace("{" + parameter["name"] + "}", value)
            elif value is not None and parameter["in"] == "query":
                asked[parameter["name"]] = value
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        given = body.get("example") or document_example(document, body["schema"]) if body else None
        answer = open_service.client.request(method, filled, params=asked, json=given)
        # nothing is promised in the sample; tests/api/test_api_running.py asks where something is
        expected = (409,) if path == "/v1/core/late" else (200, 202)
        assert answer.status_code in expected, (method, path, answer.text)
        assert str(answer.status_code) in operation["responses"]
        called += 1

    assert called >= 14


def document_example(document: dict[str, Any], schema: dict[str, Any]) -> Any:
    """The example of a schema that may stand elsewhere."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema["example"]


def test_points_are_described_as_they_are_accepted(document: dict[str, Any]) -> None:
    """The points of a picture have their pattern in the schema; without one, what fitted was refused."""
    for path, _, operation in operations(document):
        for parameter in operation.get("parameters", []):
            if parameter["name"] in ("at", "also"):
                form = parameter["schema"]
                texts = [each for each in form.get("anyOf", [form]) if each["type"] == "string"]
                assert all("pattern" in each and "maxLength" in each for each in texts), (path, parameter["name"])


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    """Summary, description, tag, refusals; every parameter says what it is."""
    for path, _, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path
        assert operation["tags"], path
        for parameter in operation.get("parameters", []):
            assert parameter.get("description") or parameter["schema"].get("description"), (path, parameter["name"])
        assert "422" not in operation["responses"]


def schemathesis(service: Served, folder: Path, *options: str, limit: float) -> None:
    """Let Schemathesis call the service, with all its checks; it finds nothing, and the service is still there."""
    command = [
        str(Path(sys.executable).with_name("st")), "run", f"{service.base}/openapi.json", "--no-color",
        "--request-timeout", "60", *options,
    ]  # fmt: skip
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=limit, cwd=folder, env=os.environ | {"PYTHONWARNINGS": ""}
    )
    said = "\n".join(line[:400] for line in done.stdout.splitlines()[-80:])

    assert done.returncode == 0, said + done.stderr[-2000:]
    assert "Tested: " in done.stdout
    assert service.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "options",
    [
        ["--phases", "examples,fuzzing", "--max-examples", "1"],
        ["--phases", "coverage", "--include-path-regex", COVERED],
    ],
    ids=["every operation", "every form of some"],
)
def test_schemathesis_finds_nothing_in_short(open_service: Served, tmp_path: Path, options: list[str]) -> None:
    """Each operation with its examples and one case of any, and all forms of the parameters of a few."""
    schemathesis(open_service, tmp_path, "--generation-deterministic", *options, limit=280)


@pytest.mark.slow
@pytest.mark.timeout(1200 + 2 * SECONDS)
def test_schemathesis_finds_nothing(open_service: Served, document: dict[str, Any], tmp_path: Path) -> None:
    """Examples, coverage, fuzzing and stateful calls, with all checks, of paths drawn at random; ``--long``: of all.

    For as many seconds as are given, all paths are called.
    """
    paths = sorted(document["paths"])
    drawn = paths if SECONDS else random.Random(SEED).sample(paths, rounds(len(paths)))
    options = [f"--include-path={path}" for path in drawn] if len(drawn) < len(paths) else []
    options += ["--max-examples", "5", "--generation-deterministic"]
    if SECONDS:
        options = ["--max-time", str(SECONDS), "--seed", str(SEED)]
    print(f"LINEAGE_TT_SEED={SEED}: {', '.join(drawn)}")

    phases = ["--phases", "examples,coverage,fuzzing,stateful"]
    schemathesis(open_service, tmp_path, *phases, *options, limit=900 + 2 * SECONDS)
