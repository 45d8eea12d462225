"""The operator's allow-list: what it permits, and what of it is refused."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import pytest

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.subscriptions.sending.allowed import is_public, location, read_allowed


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the allow-list of this test lies."""
    result = tmp_path / "allow.toml"
    monkeypatch.setenv("LINEAGE_TT_ALLOW", str(result))
    return result


def test_without_a_file_nothing_is_allowed_but_public_addresses(path: Path) -> None:
    """No program, no private address."""
    allowed = read_allowed()

    assert path == allowed.path
    assert not allowed.command(["true"])
    assert not allowed.address("localhost", "127.0.0.1", 80)
    assert allowed.address("example.org", "93.184.216.34", 443)


@pytest.mark.parametrize(
    ("entry", "yes", "no"),
    [
        ("10.1.0.0/16", ("x", "10.1.2.3", 80), ("x", "10.2.2.3", 80)),
        ("10.1.2.3", ("x", "10.1.2.3", 80), ("x", "10.1.2.4", 80)),
        ("127.0.0.1:8080", ("x", "127.0.0.1", 8080), ("x", "127.0.0.1", 8081)),
        ("::1", ("x", "::1", 80), ("x", "::2", 80)),
        ("[::1]:8080", ("x", "::1", 8080), ("x", "::1", 8081)),
        ("fd00::/8", ("x", "fd12::1", 80), ("x", "fe80::1", 80)),
        ("Hooks.Corp.example:443", ("hooks.corp.example", "10.0.0.1", 443), ("hooks.corp.example", "10.0.0.1", 80)),
        ("hooks.corp.example", ("HOOKS.corp.example", "10.0.0.1", 80), ("evil.example", "10.0.0.1", 80)),
    ],
)
def test_an_entry_allows_what_it_names(
    path: Path, entry: str, yes: tuple[str, str, int], no: tuple[str, str, int]
) -> None:
    """A network, an address or a name, with or without a port."""
    path.write_text(f'addresses = ["{entry}"]')

    assert read_allowed().address(*yes)
    assert not read_allowed().address(*no)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("2002:7f00:1::", False),
        ("::127.0.0.1", False),
    ],
)
def test_an_address_is_judged_however_it_is_wrapped(address: str, public: bool) -> None:
    """IPv4 inside IPv6 (mapped, 6to4, NAT64) is judged as what is called in the end."""
    assert public is is_public(ipaddress.ip_address(address))


def test_a_command_is_compared_word_by_word(path: Path) -> None:
    """Neither other words nor more of them."""
    path.write_text("commands = [\"/bin/echo 'a b' c\"]")
    allowed = read_allowed()

    assert allowed.command(["/bin/echo", "a b", "c"])
    assert not allowed.command(["/bin/echo", "a", "b", "c"])
    assert not allowed.command(["/bin/echo", "a b", "c", "d"])
    assert not allowed.command(["/bin/echo"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("commands = 'x'", "not a list of strings"),
        ("addresses = [1]", "not a list of strings"),
        ("addresses = ['127.0.0.1:99999']", "no port from 1 to 65535"),
        ("addresses = ['hooks.corp:0']", "no port from 1 to 65535"),
        ("addresses = ['10.1.2.3/8']", "an address with the prefix of a network"),
        ("addresses = ['[fd12::1/8]:443']", "an address with the prefix of a network"),
        ("addresses = ['a/b']", "not a network, address or name"),
        ("addresses = ['*.corp']", "not a network, address or name"),
        ("commands = ['\"']", "not a command line"),
        ("commands = ['']", "empty entry"),
        ("programs = []", "unknown key 'programs'"),
        ("commands = [", "not TOML"),
        ("commands = " + "[" * 5000 + "]" * 5000, "nested too deep"),
        (".".join(["a"] * 50_000) + " = 1", "nested too deep"),
    ],
)
def test_a_wrong_file_is_refused_in_words(path: Path, content: str, words: str) -> None:
    """It allows nothing, and says what is wrong."""
    path.write_text(content)
    with pytest.raises(InvalidRequestError, match=words):
        read_allowed()


def test_a_file_that_others_can_write_is_refused(path: Path) -> None:
    """Who may write the file may run programs as its owner."""
    path.write_text("commands = ['true']")
    path.chmod(0o666)
    with pytest.raises(InvalidRequestError, match="written by others"):
        read_allowed()


def test_where_the_file_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable, else the user's configuration folder."""
    monkeypatch.delenv("LINEAGE_TT_ALLOW", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "lineage-tt").mkdir()
    (tmp_path / "lineage-tt" / "allow.toml").write_text("")

    assert tmp_path / "lineage-tt" / "allow.toml" == location()
