"""What ``lineage-tt impact`` says of a call, a configuration or a file that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import SALES, git, impact


@pytest.mark.parametrize(
    ("args", "stdin", "status", "words"),
    [
        ([], "", 2, "no candidates are given"),
        (["gone.sql"], "", 2, "there is no file or folder gone.sql"),
        (["-"], "[{]", 2, "standard input is not JSON"),
        (["-"], '{"candidates": 1}', 2, "not a JSON list of candidates"),
        (["-"], '[{"sql": "SELECT 1"}]', 2, "a candidate has no task_id"),
        (["-"], '[{"task_id": "a"}]', 2, "the candidate 'a' needs either sql or edges"),
        (["-"], '[{"task_id": "a", "op": "x"}]', 2, "has op 'x'"),
        (["-"], '[{"task_id": "a", "edges": [{"source": "x"}]}]', 2, "has no source and target"),
        (["-"], '[{"task_id": "a", "op": "offline"}, {"task_id": "a", "op": "offline"}]', 2, "is mapped twice"),
        (["--git-base", "nowhere"], "", 2, "git"),
        (["-", "--fail-on", "all"], "[]", 2, "there is no gate 'all'"),
        (["-", "--format", "pdf"], "[]", 2, "has no format 'pdf'"),
        (["-", "--write", "pdf=x"], "[]", 2, "is not FORMAT=FILE"),
        (["-", "--config", "none.toml"], "[]", 2, "there is no file none.toml"),
        (["-", "--effective-at", "soon"], '[{"task_id": "a", "op": "offline"}]', 2, "soon"),
        (["-", "--store", "nowhere"], '[{"task_id": "a", "op": "offline"}]', 3, "nowhere"),
        (["-", "--store", "http://127.0.0.1:9"], '[{"task_id": "a", "op": "offline"}]', 3, "does not answer"),
        (["-", "--version", "9999"], '[{"task_id": "a", "op": "offline"}]', 3, "version 9999 does not exist"),
        (["--verify", "gone.json"], "", 2, "cannot read gone.json"),
    ],
)
def test_a_wrong_call_is_told_in_words(work: Path, args: list[str], stdin: str, status: int, words: str) -> None:
    """Each wrong call has its status, and words that say what is wrong and what to do."""
    done = impact(work, *args, stdin=stdin)

    assert done.status == status, done
    assert words in done.err
    assert "error: " in done.err
    assert "Traceback" not in done.err


def test_json_that_is_nested_too_deep_is_no_fault_of_ours(work: Path) -> None:
    """On standard input, as a file, as a report; in a branch it is one of the files that hold no messages."""
    deep = "[" * 200_000
    (work / "deep.json").write_text(deep)
    git(work, "init", "-q", "-b", "main")
    git(work, "add", ".")
    git(work, "commit", "-qm", "base")
    (work / "deep.json").write_text(f'["kind", "dataset", {deep}')
    calls = impact(work, "-", stdin=deep), impact(work, "deep.json"), impact(work, "--verify", "deep.json")

    assert [done.status for done in calls] == [2, 2, 2]
    for done, words in zip(calls, ("input is not JSON", "deep.json is not JSON", "is not a report"), strict=True):
        assert words in done.err
    assert "this is a bug" not in impact(work, "--git-base", "main").err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a =", "impact.toml is not TOML"),
        ("surprise = 1", "surprise"),
        ('[policy]\nfail_on = ["x"]', "there is no gate 'x'"),
        ('[[policy.allow]]\nreason = "r"', "until"),
        ('[dbt]\nmanifest = "gone.json"', "run dbt compile"),
        ('dialect = "spark"\n[[paths]]\nmatch = "*.sql"\ntask_id = "{nobody}"', "is not a part of a path"),
    ],
)
def test_a_wrong_configuration_is_told_in_words(work: Path, text: str, words: str) -> None:
    """An impact.toml that is wrong is refused with the place, before anything is asked."""
    (work / "sales.sql").write_text(SALES)
    (work / "impact.toml").write_text(text)

    done = impact(work, "sales.sql")

    assert done.status == 2, done
    assert words in done.err + done.out


def test_two_files_of_one_task_are_refused(work: Path) -> None:
    """Two files that come to one task are reported, both by their names."""
    for name in ("a", "b"):
        (work / name).mkdir()
        (work / name / "sales.sql").write_text(SALES)

    done = impact(work, ".")

    assert done.status == 2
    assert "mapped twice: a/sales.sql and b/sales.sql" in done.err


def test_a_file_that_is_no_text_is_refused(work: Path) -> None:
    """Bytes that are not UTF-8 are reported with their place."""
    (work / "sales.sql").write_bytes(b"SELECT '\xff'")

    done = impact(work, "sales.sql")

    assert done.status == 2
    assert "sales.sql is not UTF-8: invalid start byte at byte 8" in done.err
