"""Options of an object store: who goes before whom, which are refused, and secrets that are never shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage import options

SECRET = "wJalrXUtnFEMI"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An environment that says nothing, and a command line that gave nothing."""
    import os

    for name in [name for name in os.environ if name.startswith("AWS_") or name == options.VARIABLE]:
        monkeypatch.delenv(name)
    yield
    options.use([], afresh=True)


def test_what_is_nearer_to_the_call_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The call, the command line, our variable, the standard ones; each taken away shows the next."""
    monkeypatch.setenv("AWS_REGION", "one")
    assert options.gather().values["region"] == "one"
    monkeypatch.setenv(options.VARIABLE, "region=two,timeout=3s")
    assert options.gather().values["region"] == "two"
    options.use(["AWS_REGION=three"])
    assert options.gather().values["region"] == "three"
    assert options.gather({"aws_region": "four"}).values["region"] == "four"
    assert options.gather().values["timeout"] == "3s"


@pytest.mark.parametrize("text", ["region=x, timeout=1s", '{"region": "x", "AWS_TIMEOUT": "1s"}'])
def test_our_variable_is_pairs_or_json(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """The same options in both forms."""
    monkeypatch.setenv(options.VARIABLE, text)
    found = options.gather().values

    assert (found["region"], found["timeout"]) == ("x", "1s")


@pytest.mark.parametrize(
    "name", ["conditional_put", "aws_s3_allow_unsafe_rename", "copy_if_not_exists", "s3_locking_provider"]
)
def test_options_with_which_commits_could_be_lost_are_rejected(name: str) -> None:
    """Two writers must never both succeed."""
    with pytest.raises(InvalidRequestError, match="rejected"):
        options.gather({name: "dynamo"})
    options.gather({"aws_conditional_put": "ETag"})


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    """A typing error would silently leave out what was meant."""
    with pytest.raises(InvalidRequestError, match=r"unknown storage option 'regoin' in storage_options .*region"):
        options.gather({"regoin": "x"})


@pytest.mark.parametrize(
    "endpoint", ["minio:9000", "ftp://h", "http://", f"https://ann:{SECRET}@h", f"https://h?key={SECRET}"]
)
def test_an_endpoint_is_a_plain_address(endpoint: str) -> None:
    """Neither user nor query, which would be shown in errors; the refusal itself does not show them."""
    with pytest.raises(InvalidRequestError) as caught:
        options.gather({"endpoint_url": endpoint, "allow_http": "true"})
    assert SECRET not in str(caught.value)


def test_an_address_without_encryption_must_be_allowed() -> None:
    """Credentials are not sent in the clear by mistake."""
    with pytest.raises(InvalidRequestError, match="not encrypted"):
        options.gather({"endpoint": "http://h:9000"})
    assert options.gather({"endpoint": "http://h:9000", "allow_http": "TRUE"}).delta()["aws_allow_http"] == "TRUE"


@pytest.mark.parametrize("seconds", ["soon", "-1", "nan"])
def test_seconds_are_a_number(seconds: str) -> None:
    """How long a dead writer counts as alive decides about waiting: a word would be taken for some default."""
    with pytest.raises(InvalidRequestError, match="settle_seconds"):
        options.gather({"settle_seconds": seconds})
    assert options.gather().settle_seconds == 60


def test_secrets_are_shown_nowhere() -> None:
    """Neither in what an object prints nor in errors of the object store; a pair without '=' is not repeated."""
    found = options.gather({"secret_access_key": SECRET, "access_key_id": "AKIA"})

    assert SECRET not in repr(found)
    assert "AKIA" not in repr(found)
    assert found.scrub(f"denied: {SECRET} X-Amz-Signature=abc&x=1") == "denied: *** X-Amz-Signature=***&x=1"
    with pytest.raises(InvalidRequestError) as caught:
        options.use([SECRET])
    assert SECRET not in str(caught.value)


def test_both_libraries_put_commits_on_condition() -> None:
    """Whatever else is given."""
    found = options.gather({"region": "x", "server_side_encryption": "aws:kms"})

    assert found.store_config()["config"] | {"conditional_put": "etag"} == found.store_config()["config"]
    assert found.delta()["aws_conditional_put"] == "etag"
    assert found.delta()["aws_server_side_encryption"] == "aws:kms"
