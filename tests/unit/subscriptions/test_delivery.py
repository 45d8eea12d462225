"""Sending an event on: to standard output, or to a program that the operator allows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from lineage_tt.events import event_of
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.delivery import Command, checked_words, judged, sender
from lineage_tt.subscriptions.model import NotDeliveredError, RefusedError, Subscription
from lineage_tt.subscriptions.sending.webhook import Webhook

EVENT = event_of(FeedEntry(3, 1_000_000, "t", "e", None, None, None, ()), "store")


@pytest.fixture
def allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write the operator's allow-list."""
    path = tmp_path / "allow.toml"
    monkeypatch.setenv("LINEAGE_TT_ALLOW", str(path))

    def write(*commands: str) -> None:
        path.write_text(f"commands = {orjson.dumps(list(commands)).decode()}\n", encoding="utf-8")
        path.chmod(0o600)

    return write


def python(code: str) -> str:
    """A command line that runs code."""
    return f"{sys.executable} -c '{code}'"


def test_the_stream_prints_a_line(allow: Callable[..., None]) -> None:
    """The event as it is."""
    lines: list[str] = []
    sender(Subscription("s"), lines.append)(EVENT)

    assert [orjson.loads(line) for line in lines] == [EVENT]
    assert isinstance(sender(Subscription("s", deliver="https://h.example/x"), lines.append), Webhook)


def test_a_program_gets_the_event_and_little_else(allow: Callable[..., None], tmp_path: Path) -> None:
    """No shell, and none of our environment but what is harmless."""
    code = f'import os,sys; open("{tmp_path}/out", "w").write(sys.stdin.read() + repr(sorted(os.environ)))'
    allow(python(code))
    sender(Subscription("s", deliver=f"command:{python(code)}"), print)(EVENT)
    said = (tmp_path / "out").read_text()

    assert said.startswith(orjson.dumps(EVENT).decode()[:20])
    assert "LINEAGE_TT_SUBSCRIPTION" in said
    assert "LINEAGE_TT_ALLOW" not in said


@pytest.mark.parametrize(
    ("code", "error", "words"),
    [("import sys; sys.exit(3)", NotDeliveredError, "ended with 3"),
     ('raise SystemExit("full")', NotDeliveredError, "ended with 1: full")],
)  # fmt: skip
def test_a_program_that_fails_did_not_take_the_event(
    allow: Callable[..., None], code: str, error: type[Exception], words: str
) -> None:
    """With the last line that it said."""
    allow(python(code))
    with pytest.raises(error, match=words):
        Command(f"command:{python(code)}", "s")(EVENT)


def test_a_program_that_is_not_there_never_takes_it(allow: Callable[..., None]) -> None:
    """Trying again does not help."""
    allow("/no/such/program x")
    with pytest.raises(RefusedError, match="no program"):
        Command("command:/no/such/program x", "s")(EVENT)


def test_what_the_operator_does_not_allow_is_not_run(allow: Callable[..., None]) -> None:
    """Asked when it is made, and once more at each event; whole command lines are compared."""
    allow("page oncall")
    assert checked_words("command:page  'oncall'") == ["page", "oncall"]
    for other in ("page oncall x", "page", "page ' oncall'"):
        with pytest.raises(InvalidRequestError, match="does not allow the command"):
            judged(Subscription("s", deliver=f"command:{other}"))
    with pytest.raises(InvalidRequestError, match="is not a command line"):
        checked_words("command:page 'oncall")
    command = Command("command:page oncall", "s")
    allow()

    with pytest.raises(RefusedError):
        command(EVENT)


def test_a_private_address_is_judged_when_it_is_made(allow: Callable[..., None]) -> None:
    """A stream has nothing to judge."""
    allow()
    judged(Subscription("s"))
    with pytest.raises(InvalidRequestError):
        judged(Subscription("s", deliver="slack+http://127.0.0.1/x"))
