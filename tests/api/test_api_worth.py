"""Heat, clean-up and quality over HTTP: the answers of the commands, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from services import Served, serving

from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.testing import task_change

AT = "2024-03-01T00:00:00Z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two tasks."""
    path = tmp_path_factory.mktemp("worth") / "s"
    Store.create(path).append(
        [
            task_change("copy", "online", "2024-01-01T00:00:00Z", [("hive:src#id", "hive:a#id")]),
            task_change("report", "online", "2024-02-01T00:00:00Z", [("hive:a#id", "bi:r#id")]),
        ]
    )
    return path


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    """A service over it."""
    with serving(folder, "--workers", "1") as found:
        yield found


@pytest.mark.parametrize(
    ("words", "path", "parameters"),
    [
        (["heat"], "/v1/heat", {}),
        (["heat", "--level", "column", "--of", "bi:r", "--sort", "personal"], "/v1/heat",
         {"level": "column", "of": "bi:r", "sort": "personal"}),
        (["quality", "--by", "namespace"], "/v1/quality", {"by": "namespace"}),
        (["quality", "--compare-to", "2024-01-02T00:00:00Z"], "/v1/quality", {"since": "2024-01-02T00:00:00Z"}),
        (["redundancy", "--days", "20"], "/v1/redundancy", {"days": "20"}),
        (["heat", "--compare-to", "2024-01-02T00:00:00Z"], "/v1/heat", {"since": "2024-01-02T00:00:00Z"}),
    ],
)  # fmt: skip
def test_the_service_answers_as_the_command(
    capsys: pytest.CaptureFixture[str], folder: Path, served: Served, words: list[str], path: str,
    parameters: dict[str, str],
) -> None:  # fmt: skip
    """Both give one object: basis, completeness and result; over HTTP the notes are in it, too."""
    assert run([*words, "--valid-at", AT, "--store", str(folder), "--format", "json"]) == 0

    answer = served.get(path, params={"valid_at": AT, **parameters})

    assert answer.status_code == 200, answer.text
    given = answer.json()
    assert given.pop("notes") == []
    assert given == json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("path", "parameters", "status"),
    [("/v1/heat", {"of": "hive:nobody"}, 404), ("/v1/heat", {"sort": "personal"}, 409),
     ("/v1/heat", {"sort": "reads"}, 409), ("/v1/heat", {"days": "0"}, 400),
     ("/v1/quality", {"by": "colour"}, 400), ("/v1/quality", {"valid_at": "0001-01-01T00:00:00Z"}, 200),
     ("/v1/redundancy", {"days": "0"}, 400), ("/v1/redundancy", {"valid_at": "0001-01-01T00:00:00Z"}, 200),
     ("/v1/heat", {"since": "yesterday"}, 400), ("/v1/heat", {"valid_at": "0001-01-01T00:00:00Z"}, 200)],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused(served: Served, path: str, parameters: dict[str, str], status: int) -> None:
    """A wrong parameter is 400, an unknown node 404, what fits the schema and cannot be answered 409, never 5xx."""
    assert served.get(path, params=parameters).status_code == status
