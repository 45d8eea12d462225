"""Which addresses a webhook calls: the one that was judged, public or allowed, and no secret of it in an error."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.sending.addresses import NotResolvedError, judge, permitted, place_of

NAMES = {
    "public.example": ["93.184.216.34"],
    "both.example": ["93.184.216.34", "10.0.0.7"],
    "inside.example": ["10.0.0.7"],
}


@pytest.fixture(autouse=True)
def resolver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Names that resolve as above, and an allow-list that is not there."""

    def look_up(name: str, port: int, **_: Any) -> list[Any]:
        if name not in NAMES:
            raise socket.gaierror(-2, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in NAMES[name]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setenv("LINEAGE_TT_ALLOW", str(tmp_path / "allow.toml"))
    return tmp_path / "allow.toml"


def test_the_address_that_was_judged_is_the_one_to_call() -> None:
    """A second look-up could give another one."""
    assert permitted("https://public.example/hook") == "93.184.216.34"


@pytest.mark.parametrize("name", ["inside.example", "both.example"])
def test_a_name_with_any_private_address_is_refused(name: str) -> None:
    """With the line that its operator would add, and without the path, which is often a key."""
    with pytest.raises(InvalidRequestError, match=r"10\.0\.0\.7") as caught:
        permitted(f"https://{name}:8443/s3cret?token=s3cret")
    assert "s3cret" not in str(caught.value)
    assert "allow.toml" in str(caught.value)


def test_the_operator_allows_a_private_address(resolver: Path) -> None:
    """By network and port: another port stays closed."""
    resolver.write_text('addresses = ["10.0.0.0/8:8443"]')
    resolver.chmod(0o600)

    assert permitted("https://inside.example:8443/x") == "10.0.0.7"
    with pytest.raises(InvalidRequestError):
        permitted("https://inside.example/x")


def test_a_name_that_does_not_resolve_now_is_judged_when_it_does() -> None:
    """When the webhook is made it passes; when it is called it is tried again later."""
    judge("https://later.example/x")
    with pytest.raises(NotResolvedError):
        permitted("https://later.example/x")


@pytest.mark.parametrize("address", ["https:///path", "https://h:notaport/", "not an address", "https://[::1/x"])
def test_what_is_no_address_is_the_callers_to_fix(address: str) -> None:
    """Never a traceback."""
    with pytest.raises(InvalidRequestError):
        judge(address)


def test_an_address_is_shown_without_user_path_and_query() -> None:
    """All three may hold a secret."""
    assert place_of("https://ann:pw@public.example:99/key?x=1") == "https://public.example:99"
    assert place_of("http://public.example/key") == "http://public.example"
