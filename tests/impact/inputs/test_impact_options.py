"""Options of ``lineage-tt impact`` that have no effect in a call: refused by name, or said in a note."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import BROKEN, CONTEXT, SALES, impact

FUNCTIONS = '[[function]]\nname = "f"\n'
NO_SERVER = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["sales.sql"], "--verify does not use PATH"),
        (["--fail-on", "any", "--approved-by", "ana"], "--verify does not use --fail-on, --approved-by"),
        (["--write", "html=o.html"], "--verify does not use --write"),
        (["--version", "3"], "--verify does not use --version"),
        (["--functions", "gone.toml"], "--verify does not use --functions"),
        (["--roll-up", "--notify"], "--verify does not use --roll-up, --notify"),
        (["--format", "html"], "--verify has no format 'html'"),
    ],
)
def test_verify_refuses_what_it_does_not_use(work: Path, args: list[str], words: str) -> None:
    """It dropped every other option unread: a gate beside it never tripped."""
    (work / "sales.sql").write_text(SALES)
    (work / "report.json").write_text(impact(work, "sales.sql", "--format", "json").out)

    done = impact(work, "--verify", "report.json", *args)

    assert (done.status, done.out) == (2, "")
    assert words in done.err


def test_verify_takes_a_store_and_its_formats(work: Path) -> None:
    """What it uses is taken as before."""
    (work / "sales.sql").write_text(BROKEN)
    (work / "report.json").write_text(impact(work, "sales.sql", "--format", "json").out)

    done = impact(work, "--verify", "report.json", "--store", str(work.parent / "store"), "--format", "json")

    assert (done.status, done.result["differ"], done.err) == (1, 1, "")


def test_functions_for_a_server_are_refused(work: Path) -> None:
    """A server reads texts with its own functions; a note says that a file here has no effect."""
    (work / "f.toml").write_text(FUNCTIONS)
    given = '[{"task_id": "mirror", "op": "offline"}]'

    refused = impact(work, "-", "--store", NO_SERVER, "--functions", "f.toml", stdin=given)
    plain = impact(work, "-", "--store", NO_SERVER, stdin=given)
    (work / "f.toml").rename(work / "functions.toml")
    noted = impact(work, "-", "--store", NO_SERVER, stdin=given)

    assert (refused.status, refused.out) == (2, "")
    assert "a server uses its own functions" in refused.err
    assert "functions" not in plain.err
    assert (noted.status, "note: a server uses its own functions" in noted.err) == (3, True)


def test_a_level_that_no_format_shows_is_said(work: Path) -> None:
    """html, mermaid, sarif, junit and gitlab do not show groups; it is enough that a written file does."""
    (work / "impact.toml").write_text(CONTEXT)
    (work / "sales.sql").write_text(BROKEN)
    ask = ["sales.sql", "--level", "system", "--format"]

    hidden = [impact(work, *ask, form, "--write", "junit=o.xml") for form in ("html", "mermaid", "sarif", "gitlab")]
    shown = [impact(work, *ask, "text"), impact(work, *ask, "html", "--write", "json=o.json")]

    assert {done.err for done in hidden} == {"note: --level has no effect here: it is shown in text, markdown, json\n"}
    assert {(done.status, done.err) for done in shown} == {(0, "")}
