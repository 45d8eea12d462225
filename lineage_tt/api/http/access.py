"""Access control: the token, the session cookie of browsers, and the pages from which a browser may write.

A session is ``ISSUED.SIGNATURE``: the time at which it began (in seconds), and an HMAC of that time with the token as
the key. Every service with the token accepts it, and no service stores it. A new token ends all sessions.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from lineage_tt.api.settings import Settings
from lineage_tt.model.clock import Clock, SystemClock

COOKIE: Final = "lineage-tt-session"
#: Seconds for which a session is valid.
SESSION_SECONDS: Final = 7 * 24 * 3600
SESSION_PATH: Final = "/v1/session"
#: Paths that are answered without the token; compared with the complete routed path.
OPEN: Final = frozenset({"/healthz", "/readyz", "/", SESSION_PATH})
#: The prefix of the files of the pages, which are the same for all callers and contain nothing from the store.
OPEN_FOLDER: Final = "/ui/"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
Headers = Iterable[tuple[bytes, bytes]]


class Refused(Exception):  # noqa: N818
    """Raised for a request that the service refuses."""

    def __init__(self, status: int, code: str, detail: str, hint: str = "", **headers: str) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.hint = status, code, detail, hint
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Access:
    """The token of a service, if it has one, and the check that a caller has it."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self._token = None if settings.token is None else settings.token.encode()
        self._digest = None if self._token is None else _digest(self._token)
        self._clock = clock or SystemClock()

    @property
    def needed(self) -> bool:
        """Whether the service has a token."""
        return self._token is not None

    def check(self, scope: Any, headers: dict[bytes, bytes]) -> None:
        """Refuse a request without the required token, and a write that comes from a page of another site."""
        if self._has_token(headers):
            return
        path = scope["path"]
        is_open = path in OPEN or path.startswith(OPEN_FOLDER)
        if self.needed and not is_open and not self._has_session(scope["headers"]):
            raise Refused(
                401, "unauthorized", "the token is missing or wrong", "send: Authorization: Bearer TOKEN",
                www_authenticate='Bearer realm="lineage-tt"',
            )  # fmt: skip
        if scope["method"] not in _SAFE:
            _same_site(headers, proof=self.needed and not is_open)

    def may_read(self, scope: Any) -> bool:
        """Return whether a request may read the data of the service."""
        return self._token is None or self._has_token(dict(scope["headers"])) or self._has_session(scope["headers"])

    def is_token(self, token: str) -> bool:
        """Return whether a text is the token; the comparison takes constant time."""
        return self._digest is not None and hmac.compare_digest(_digest(token.encode()), self._digest)

    def new_session(self) -> str:
        """Return a session that begins now."""
        issued = self._clock.now() // 1_000_000
        return f"{issued}.{self._signature(issued)}"

    def _has_token(self, headers: dict[bytes, bytes]) -> bool:
        scheme, _, token = headers.get(b"authorization", b"").partition(b" ")
        if self._digest is None or scheme.lower() != b"bearer":
            return False
        return hmac.compare_digest(_digest(token.strip()), self._digest)

    def _has_session(self, fields: Headers) -> bool:
        """Return whether a cookie holds a session of this token that is still valid."""
        name = COOKIE.encode() + b"="
        parts = (part.strip() for key, value in fields if key == b"cookie" for part in value.split(b";"))
        return any(self._holds(part[len(name) :]) for part in parts if part.startswith(name))

    def _holds(self, session: bytes) -> bool:
        words, _, signature = session.partition(b".")
        if not words.isdigit() or len(words) > 12:
            return False
        issued, now = int(words), self._clock.now() // 1_000_000
        signed = hmac.compare_digest(signature, self._signature(issued).encode())
        return signed and now - SESSION_SECONDS <= issued <= now + 300

    def _signature(self, issued: int) -> str:
        assert self._token is not None
        return hmac.new(self._token, f"lineage-tt session {issued}".encode(), hashlib.sha256).hexdigest()


def _same_site(headers: dict[bytes, bytes], *, proof: bool) -> None:
    """Refuse a request from a page of another origin; with ``proof``, also one that does not state its origin.

    Browsers state the origin in ``Sec-Fetch-Site``, older browsers in ``Origin``. Programs send neither.
    """
    site, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
    if site is not None:
        good = site in (b"same-origin", b"none")
    elif origin is not None:
        try:
            host = urlsplit(origin.decode("latin-1")).netloc
        except ValueError:
            host = ""
        good = host != "" and host.lower() == headers.get(b"host", b"").decode("latin-1").lower()
    else:
        good = not proof
    if not good:
        raise Refused(
            403, "cross-site", "the request does not come from a page of this service",
            "from a program send: Authorization: Bearer TOKEN",
        )  # fmt: skip


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
