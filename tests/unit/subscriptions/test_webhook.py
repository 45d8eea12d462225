"""Signed POSTs and messages in Slack's shape, as values."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any

import pytest

from lineage_tt.events import CHANGED, Event, event_of
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.model import RefusedError, Subscription
from lineage_tt.subscriptions.sending.webhook import SHOWN, Webhook, signature, slack_message


def entry(count: int, **more: Any) -> FeedEntry:
    """A version with so many changes of edges, and a fact."""
    changes = tuple((1, f"n:a#c{number}", "n:b#y", "DIRECT", "IDENTITY", "", 0, None) for number in range(count))
    said: dict[str, Any] = {"facts": ((1, "n:a", "label", "pii", 0, None),)} | more
    return FeedEntry(3, 1_000_000, "t<b>&`x`", "e", "ann", None, None, changes, **said)


def event(count: int) -> Event:
    """The event of such a version."""
    return event_of(entry(count), "store")


def text_of(message: dict[str, Any]) -> str:
    """The words of a message's first block."""
    return str(message["blocks"][0]["text"]["text"])


def test_a_delivery_is_signed_as_the_specification_says() -> None:
    """Over the id, the time and the body; without a secret it is only identified."""
    headers = signature(b"secret", "s.3", 17, b"body")
    signed = hmac.new(b"secret", b"s.3.17.body", hashlib.sha256).digest()

    assert headers == {
        "webhook-id": "s.3", "webhook-timestamp": "17", "webhook-signature": "v1," + base64.b64encode(signed).decode(),
    }  # fmt: skip
    assert "webhook-signature" not in signature(None, "s.3", 17, b"body")


def test_slack_sees_no_markup_in_names() -> None:
    """A name may hold any character."""
    message = slack_message(event(1), "<s>")

    assert message["text"].startswith("*t&lt;b&gt;&amp;'x'*")
    assert "by ann" in message["text"]
    assert "&lt;s&gt;" in message["blocks"][1]["elements"][0]["text"]
    assert text_of(message).splitlines()[1] == "+ `n:a#c0` → `n:b#y` IDENTITY"


def test_a_long_version_is_shown_in_part() -> None:
    """The rest is a number; facts come where edges leave room."""
    short, long = text_of(slack_message(event(1), "s")), text_of(slack_message(event(SHOWN + 5), "s"))

    assert "• `n:a` label" in short
    assert "more" not in short
    assert long.splitlines()[-1] == "… and 6 more"
    assert len(long.splitlines()) == SHOWN + 2


def test_a_secret_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is needed before the first event; base64 after its prefix."""
    hook = Subscription("s", deliver="https://h.example/x", secret_env="MY_SECRET")
    monkeypatch.delenv("MY_SECRET", raising=False)
    with pytest.raises(InvalidRequestError, match="no secret under MY_SECRET"):
        Webhook(hook)
    monkeypatch.setenv("MY_SECRET", "whsec_x")
    with pytest.raises(InvalidRequestError, match="is not base64"):
        Webhook(hook)
    monkeypatch.setenv("MY_SECRET", "whsec_" + base64.b64encode(b"k").decode())
    Webhook(hook)


def test_a_private_address_is_not_called(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Unless the operator of this machine allows it: asked at each event."""
    monkeypatch.setenv("LINEAGE_TT_ALLOW", f"{tmp_path}/none.toml")
    send = Webhook(Subscription("s", deliver="http://127.0.0.1:9/x"))
    sent = event(1)
    assert sent["type"] == CHANGED

    with pytest.raises(RefusedError):
        send(sent)
