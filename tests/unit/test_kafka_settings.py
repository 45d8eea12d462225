"""Addresses of topics and client options, read without a broker."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt.kafka.settings import read_topic
from lineage_tt.model.errors import InvalidRequestError


@pytest.mark.parametrize(
    ("uri", "servers", "name"),
    [
        ("kafka://h:1/t", ("h:1",), "t"),
        ("kafka://h/t", ("h:9092",), "t"),
        ("kafka://a:1,b,c:3/some.topic_1-x", ("a:1", "b:9092", "c:3"), "some.topic_1-x"),
        ("kafka://[::1]:9092/t/", ("[::1]:9092",), "t"),
    ],
)
def test_addresses(uri: str, servers: tuple[str, ...], name: str) -> None:
    """An address names brokers, with ports or without, and one topic."""
    found = read_topic(uri)

    assert (found.servers, found.name) == (servers, name)


@pytest.mark.parametrize(
    "uri",
    ["kafka://h:1", "kafka://h:1/", "kafka:///t", "kafka://h:1/a/b", "http://h/t", "kafka://h:x/t", "kafka://h:99999/t",
     "kafka://u:p@h:1/t", "kafka://h/t?x=1", "kafka://h/t t", "kafka://h/é", "kafka://h/" + "t" * 250],
)  # fmt: skip
def test_addresses_that_are_none(uri: str) -> None:
    """What is not the address of one topic is refused with a hint."""
    with pytest.raises(InvalidRequestError) as raised:
        read_topic(uri)
    assert raised.value.hint


def test_options_in_both_spellings_with_their_types() -> None:
    """Kafka's dotted names and kafka-python's are the same option; flags and numbers are read as such."""
    found = read_topic("kafka://h/t", ["session.timeout.ms=5000", "check_crcs=false", "security.protocol=SSL"])

    assert found.options == {"session_timeout_ms": 5000, "check_crcs": False, "security_protocol": "SSL"}
    assert found.client(["check_crcs"], group_id="g") == {
        "bootstrap_servers": ["h:9092"], "check_crcs": False, "group_id": "g", "reconnect_backoff_max_ms": 1000,
        "bootstrap_timeout_ms": 5000,
    }  # fmt: skip


@pytest.mark.parametrize(
    "option",
    ["x", "=1", "no.such.option=1", "check_crcs=maybe", "session.timeout.ms=soon", "enable.auto.commit=true",
     "isolation.level=read_uncommitted", "group.id=g", "transactional.id=x", "acks=0", "sasl.password=plain",
     "sasl.password=env:THERE_IS_NO_SUCH", "ssl.key.password=file:/there/is/none"],
)  # fmt: skip
def test_options_that_cannot_be_meant(option: str) -> None:
    """An unknown option, a value of the wrong kind, what exactly-once rests on, and a bare secret are refused."""
    with pytest.raises(InvalidRequestError) as raised:
        read_topic("kafka://h/t", [option])
    assert raised.value.hint
    assert "plain" not in str(raised.value)


def test_secrets_come_from_the_environment_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret is read from where it is named, without the line's end, and does not show in the topic's words."""
    monkeypatch.setenv("LINEAGE_TT_TEST_SECRET", "from-env")
    (tmp_path / "secret").write_text("from-file\n")
    found = read_topic(
        "kafka://h/t", ["sasl.password=env:LINEAGE_TT_TEST_SECRET", f"ssl.key.password=file:{tmp_path / 'secret'}"]
    )

    assert found.options == {"sasl_plain_password": "from-env", "ssl_password": "from-file"}
    assert "from-" not in repr(found)
