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


@pytest.fixture(scope="module")
def gap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over a task whose lineage is not complete in January, and complete from February on."""
    folder = tmp_path_factory.mktemp("gap") / "s"
    edges = [("hive:src#id", "hive:a#id")]
    partial = task_change("copy", "online", "2024-01-01T00:00:00Z", edges)
    assert partial.lineage is not None
    partial.lineage.coverage = "partial"
    Store.create(folder).append([partial, task_change("copy", "online", "2024-02-01T00:00:00Z", edges)])
    with serving(folder, "--workers", "1") as found:
        yield found


@pytest.mark.parametrize("path", ["/v1/heat", "/v1/quality", "/v1/rules"])
def test_an_answer_about_two_points_is_incomplete_where_one_of_them_is(gap: Served, path: str) -> None:
    """The completeness was that of one side only; so were the notes."""
    then, now = "2024-01-15T00:00:00Z", "2024-03-01T00:00:00Z"
    assert gap.get(path, params={"valid_at": now}).json()["completeness"]["complete"]
    for valid_at, since in ((now, then), (then, now)):
        answer = gap.get(path, params={"valid_at": valid_at, "since": since}).json()
        assert [task["task_id"] for task in answer["completeness"]["tasks"]] == ["copy"]
    empty = gap.get(path, params={"valid_at": "2023-01-01T00:00:00Z", "since": now}).json()
    assert [note for note in empty["notes"] if note.startswith("the store holds nothing at this point")]


def test_labels_of_two_points_are_incomplete_in_both_directions(gap: Served) -> None:
    """From the complete point to the other, and back."""
    ends = ("2024-01-15T00:00:00Z", "2024-03-01T00:00:00Z")
    for first, second in (ends, ends[::-1]):
        answer = gap.get("/v1/labels/diff", params={"from": first, "to": second}).json()
        assert not answer["completeness"]["complete"]


def test_parameters_of_heat_without_effect_on_a_trend_have_a_note(served: Served) -> None:
    """A trend is ordered by the change of rank, and is seen from no node."""
    asked = {"since": "2024-01-02T00:00:00Z", "valid_at": AT, "of": "bi:r", "sort": "references"}
    notes = served.get("/v1/heat", params=asked).json()["notes"]
    assert [note.partition(":")[0] for note in notes] == [f"{n} has no effect with since" for n in ("of", "sort")]


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
