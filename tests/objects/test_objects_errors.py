"""What is wrong with the way to an object store is reported, with a way out, in bounded time, and without secrets."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from gateway import Gateway, running
from objectstores import BUILD_TIMEOUT

from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError, LineageError, UnavailableError
from lineage_tt.storage.location import place
from lineage_tt.storage.options import gather
from lineage_tt.testing import task_change
from scripts.object_store_lib.server import ObjectStore
from scripts.server_lib.process import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]
COMMAND = str(Path(sys.executable).with_name("lineage-tt"))
CANARY = "canary7f3a9c"
CHANGE = task_change("t", "online", "2024-05-01T12:00:00Z", [("n:a#c", "n:b#x")])


def fails(uri: str, words: str, **options: str) -> LineageError:
    """Return the error of creating and of opening a store there; it says these words and no secret."""
    for attempt in (Store.create, Store.open):
        with pytest.raises(UnavailableError, match=words) as raised:
            attempt(uri, storage_options=options)
        assert raised.value.hint
        for secret in (CANARY, os.environ["AWS_SECRET_ACCESS_KEY"]):
            assert secret not in str(raised.value)
            assert secret not in repr(raised.value.__cause__ or "")
    return raised.value


def test_the_bucket_is_not_there(bucket: str) -> None:
    """A missing bucket is named."""
    assert "create it" in fails("s3://nobody-made-this/store", "NoSuchBucket").hint


def test_the_credentials_are_wrong(bucket: str) -> None:
    """A wrong key, a wrong secret, and a secret that is used up are distinguished from a missing store."""
    uri = f"s3://{bucket}/store"
    assert "credentials" in fails(uri, "InvalidAccessKeyId", access_key_id=CANARY).hint
    assert "credentials" in fails(uri, "SignatureDoesNotMatch", secret_access_key=CANARY).hint
    assert "credentials" in fails(uri, "InvalidToken", session_token=CANARY).hint


def test_nobody_answers(bucket: str) -> None:
    """Where nothing listens the error comes within half a minute and names the address."""
    begun = time.monotonic()
    error = fails(f"s3://{bucket}/store", "cannot", endpoint=f"http://127.0.0.1:{free_port()}")

    assert "does not answer" in error.hint
    assert time.monotonic() - begun < 60  # two attempts


def test_a_server_that_hangs(bucket: str, own_object_store: ObjectStore) -> None:
    """A server that accepts connections and says nothing is given up, too."""
    own_object_store.make_bucket("hangs")
    own_object_store.pause()
    try:
        with pytest.raises(UnavailableError, match="cannot") as raised:
            Store.open("s3://hangs/store", storage_options=own_object_store.environment() | {"timeout": "1s"})
    finally:
        own_object_store.resume()
    assert "does not answer" in raised.value.hint


def test_throttling_is_waited_for_in_bounds(
    bucket: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few answers 503 SlowDown delay an append; a server that gives no other is given up with a hint."""
    with running(object_store) as gateway:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gateway.address}")
        store = Store.create(f"s3://{bucket}/store")
        left = [6]

        def slow(_method: str, _path: str, _gateway: Gateway) -> tuple[int, bytes] | None:
            """Refuse the first few."""
            left[0] -= 1
            return (503, b"<Error><Code>SlowDown</Code><Message>Reduce</Message></Error>") if left[0] >= 0 else None

        gateway.fault = slow
        assert store.append([CHANGE])[0].version == 1
        assert left[0] < 0

        left[0] = 1_000_000
        begun = time.monotonic()
        with pytest.raises(UnavailableError, match="SlowDown") as raised:
            store.refresh()
        assert "fewer requests" in raised.value.hint
        assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"endpoint": "http://127.0.0.1:9", "allow_http": "false"}, "not encrypted"),
        ({"endpoint": "ftp://127.0.0.1:9"}, "not an http"),
        ({"endpoint": f"https://user:{CANARY}@127.0.0.1:9"}, "not an http"),
        ({"AWS_S3_ALLOW_UNSAFE_RENAME": "true"}, "rejected"),
        ({"aws_conditional_put": "disabled"}, "rejected"),
        ({"copy_if_not_exists": "multipart"}, "rejected"),
        ({"no_such_option": CANARY}, "unknown storage option 'no_such_option'"),
        ({"settle_seconds": "soon"}, "settle_seconds"),
    ],
)
def test_options_that_cannot_be(monkeypatch: pytest.MonkeyPatch, options: dict[str, str], words: str) -> None:
    """Options that are unknown, send secrets in the clear, or would lose commits are refused before any request."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with pytest.raises(InvalidRequestError, match=words) as raised:
        Store.open("s3://bucket/store", storage_options=options)

    assert CANARY not in str(raised.value)


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a place nor its options, nor what an object store says about them, shows a secret."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", CANARY)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key-" + CANARY[::-1])
    there = place("s3://bucket/store")

    assert CANARY not in repr(there) + str(there) + repr(gather())
    assert CANARY not in repr(there.bucket)  # type: ignore[union-attr]
    assert gather().scrub(f"a {CANARY} and key-{CANARY[::-1]}.") == "a *** and ***."


def test_the_command_line_keeps_secrets(bucket: str) -> None:
    """No command prints a secret: not where the call is wrong, not where the server refuses it."""
    uri = f"s3://{bucket}/store"
    for args in (
        ["log", "--store", uri, "--storage-option", f"secret_access_key={CANARY}"],
        ["log", "--store", uri, "--storage-option", f"access_key_id={CANARY}", "--format", "json"],
        ["log", "--store", uri, "--storage-option", CANARY],
        ["check", "--store", uri, "--storage-option", f"session_token={CANARY}"],
    ):
        done = subprocess.run([COMMAND, *args], capture_output=True, text=True, timeout=60)
        assert done.returncode in (2, 3)
        assert "error: " in done.stderr
        assert "hint: " in done.stderr
        assert CANARY not in done.stdout + done.stderr
