"""Signed POSTs, as the Standard Webhooks specification says, and messages in Slack's shape.

The headers ``webhook-id``, ``webhook-timestamp`` and ``webhook-signature`` let the receiver tell that the event is
ours, fresh, and sent again (the id stays). No address inside a private network is called unless the subscription allows
it: the name is resolved here, and the very address that was looked at is called. Redirects are not followed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import os
import socket
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from lineage_tt.clock import SystemClock
from lineage_tt.errors import InvalidRequestError
from lineage_tt.events import Event, encode
from lineage_tt.subscriptions.delivery import NotDeliveredError, RefusedError
from lineage_tt.subscriptions.model import Subscription, delivery_kind

SECONDS: Final = 15.0
#: Answers after which it is worth trying again: too early, too many, and the receiver's own faults.
_AGAIN: Final = frozenset({408, 409, 425, 429})
SHOWN: Final = 8


class Webhook:
    """Sends events to one address."""

    def __init__(self, subscription: Subscription) -> None:
        self._httpx = _library()
        self._slack = delivery_kind(subscription.deliver) == "slack"
        self._address = subscription.deliver.removeprefix("slack+")
        self._name = subscription.name
        self._allow_private = subscription.allow_private
        self._secret = _secret(subscription.secret_env)
        self._client = self._httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=False)

    def __call__(self, event: Event) -> None:
        """Send an event; any answer in the two hundreds means that it was taken."""
        body = orjson.dumps(slack_message(event, self._name)) if self._slack else encode(event)
        identity = f"{self._name}.{event['data']['version']}"
        headers = {"content-type": "application/json" if self._slack else "application/cloudevents+json; charset=UTF-8"}
        if not self._slack:
            headers |= signature(self._secret, identity, SystemClock().now() // 1_000_000, body)
        url, extensions, host = self._resolved()
        try:
            answer = self._client.post(url, content=body, headers=headers | {"host": host}, extensions=extensions)
        except self._httpx.HTTPError as error:
            raise NotDeliveredError(f"{_place(self._address)}: {type(error).__name__} {error}"[:500]) from None
        if answer.is_success:
            return
        words = f"{_place(self._address)} answered {answer.status_code}"
        if answer.status_code in _AGAIN or answer.status_code >= 500:
            raise NotDeliveredError(words)
        raise RefusedError(words)

    def _resolved(self) -> tuple[str, dict[str, Any], str]:
        """Return the address to call by number, what the connection needs to know of its name, and the Host header."""
        parts = urlsplit(self._address)
        name, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        try:
            found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise NotDeliveredError(f"{_place(self._address)}: {error}") from None
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        if not self._allow_private:
            inside = [address for address in addresses if not ipaddress.ip_address(address.split("%")[0]).is_global]
            if inside:
                raise RefusedError(
                    f"{_place(self._address)} is an address inside a network ({inside[0]}): --allow-private"
                )
        number = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
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
    """Return an event in the shape that Slack's incoming webhooks take: a line, then the changes in short."""
    data = event["data"]
    who = f" by {data['actor']}" if data["actor"] else ""
    headline = f"*{_plain(event['subject'])}*: {', '.join(data['classes'])} (version {data['version']}{_plain(who)})"
    lines = []
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


def _plain(text: str) -> str:
    """Return text in which Slack sees no markup, as its documentation says."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("`", "'")


def _place(address: str) -> str:
    """Return an address without what may be secret in it: its path is often a key."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")


def _secret(name: str | None) -> bytes | None:
    if name is None:
        return None
    value = os.environ.get(name)
    if not value:
        raise InvalidRequestError(f"the environment holds no secret under {name}", hint=f"export {name}=…")
    if value.startswith("whsec_"):
        return base64.b64decode(value.removeprefix("whsec_"))
    return value.encode()


def _library() -> Any:
    try:
        import httpx
    except ImportError:
        raise InvalidRequestError("webhooks need httpx", hint="pip install 'lineage-tt[server]'") from None
    return httpx
