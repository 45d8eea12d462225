"""Signed POSTs, as specified by Standard Webhooks, and messages in Slack's format.

With the headers ``webhook-id``, ``webhook-timestamp`` and ``webhook-signature`` the receiver can check that the event
is ours and fresh, and whether it was sent before (then the id is the same). An address in a private network is called
only if the operator of this machine allows it (``addresses``). Redirects are not followed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from typing import Any, Final

import orjson

from lineage_tt.events import CHANGED, LABELS_CHANGED, Event, encode
from lineage_tt.model.clock import SystemClock
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.model import NotDeliveredError, RefusedError, Subscription, delivery_kind
from lineage_tt.subscriptions.sending.addresses import NotResolvedError, parts_of, permitted, place_of

SECONDS: Final = 15.0
#: Statuses after which a retry is worthwhile: too early, too many requests, and errors of the receiver.
_AGAIN: Final = frozenset({408, 409, 425, 429})
SHOWN: Final = 8


class Webhook:
    """Sends events to one address."""

    def __init__(self, subscription: Subscription) -> None:
        self._httpx = _library()
        self._slack = delivery_kind(subscription.deliver) == "slack"
        self._address = subscription.deliver.removeprefix("slack+")
        self._name = subscription.name
        self._secret = _secret(subscription.secret_env)
        self._client = self._httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=False)

    def __call__(self, event: Event) -> None:
        """Send an event; any 2xx status means that it was accepted."""
        body = orjson.dumps(slack_message(event, self._name)) if self._slack else encode(event)
        # One version has one event of changes; other events of the version must not look like a repetition of it.
        of_changes = event["type"] == CHANGED
        identity = f"{self._name}.{event['data']['version'] if of_changes else event['id']}"
        headers = {"content-type": "application/json" if self._slack else "application/cloudevents+json; charset=UTF-8"}
        if not self._slack:
            headers |= signature(self._secret, identity, SystemClock().now() // 1_000_000, body)
        url, extensions, host = self._resolved()
        try:
            answer = self._client.post(url, content=body, headers=headers | {"host": host}, extensions=extensions)
        except self._httpx.HTTPError as error:
            raise NotDeliveredError(f"{place_of(self._address)}: {type(error).__name__} {error}"[:500]) from None
        if answer.is_success:
            return
        words = f"{place_of(self._address)} answered {answer.status_code}"
        if answer.status_code in _AGAIN or answer.status_code >= 500:
            raise NotDeliveredError(words)
        raise RefusedError(words)

    def _resolved(self) -> tuple[str, dict[str, Any], str]:
        """Return the URL with a numeric address, the extensions that carry its name, and the Host header."""
        parts, name, port = parts_of(self._address)
        try:
            address = permitted(self._address)
        except NotResolvedError as error:
            raise NotDeliveredError(str(error)) from None
        except InvalidRequestError as error:
            raise RefusedError(str(error)) from None
        number = f"[{address}]" if ":" in address else address
        path = parts.path or "/"
        url = f"{parts.scheme}://{number}:{port}{path}" + (f"?{parts.query}" if parts.query else "")
        host = name if parts.port is None else f"{name}:{parts.port}"
        return url, {"sni_hostname": name} if parts.scheme == "https" else {}, host


def signature(secret: bytes | None, identity: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that identify a delivery, signed where there is a secret (HMAC-SHA256, base64, ``v1,``)."""
    headers = {"webhook-id": identity, "webhook-timestamp": str(timestamp)}
    if secret is not None:
        signed = hmac.new(secret, f"{identity}.{timestamp}.".encode() + body, hashlib.sha256).digest()
        headers["webhook-signature"] = "v1," + base64.b64encode(signed).decode()
    return headers


def slack_message(event: Event, name: str) -> dict[str, Any]:
    """Return an event in the format of Slack's incoming webhooks: a line, then a summary of the changes."""
    data = event["data"]
    who = f" by {data['actor']}" if data["actor"] else ""
    headline = f"*{_plain(event['subject'])}*: {', '.join(data['classes'])} (version {data['version']}{_plain(who)})"
    lines = []
    if event["type"] == LABELS_CHANGED:
        data = data | {"changes": [], "facts": [_as_fact(change) for change in data["changes"]]}
    for change in data["changes"][:SHOWN]:
        edge = change["after"] or change["before"]
        sign = {"insert": "+", "delete": "-"}.get(change["op"], "~")
        lines.append(f"{sign} `{_plain(edge['source'])}` → `{_plain(edge['target'])}` {edge['subtype']}")
    for change in data["facts"][: max(0, SHOWN - len(lines))]:
        lines.append(f"• `{_plain(change['node'])}` {_plain(change['key'])}: {_plain(str(change['after']))}")
    left = len(data["changes"]) + len(data["facts"]) - len(lines)
    lines += [f"… and {left} more"] if left > 0 else []
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "\n".join([headline, *lines])[:3000]}}
    context = {"type": "mrkdwn", "text": f"subscription {_plain(name)}, in force from {data['effective_at']}"}
    return {"text": headline, "blocks": [section, {"type": "context", "elements": [context]}]}


def _as_fact(change: dict[str, Any]) -> dict[str, Any]:
    words = [f"+{label}" for label in change["gained"]] + [f"-{label}" for label in change["lost"]]
    return {"node": change["node"], "key": "labels", "after": " ".join(words)}


def _plain(text: str) -> str:
    """Return text escaped as Slack's documentation says, so that Slack sees no markup in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("`", "'")


def _secret(name: str | None) -> bytes | None:
    if name is None:
        return None
    value = os.environ.get(name)
    if not value:
        raise InvalidRequestError(f"the environment holds no secret under {name}", hint=f"export {name}=…")
    if value.startswith("whsec_"):
        try:
            return base64.b64decode(value.removeprefix("whsec_"))
        except ValueError:
            raise InvalidRequestError(f"the secret under {name} is not base64 after whsec_") from None
    return value.encode()


def _library() -> Any:
    try:
        import httpx
    except ImportError:
        raise InvalidRequestError("webhooks need httpx", hint="pip install 'lineage-tt[server]'") from None
    return httpx
