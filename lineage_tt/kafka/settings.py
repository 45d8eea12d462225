"""Where a topic is, and how to reach it: ``kafka://host:port,host:port/topic`` and ``--kafka-option name=value``.

Options have kafka-python's names, or Kafka's own names with dots. A secret is in the environment or in a file, never on
the command line: ``sasl.password=env:KAFKA_PASSWORD``, ``ssl.password=file:/run/secrets/key``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lineage_tt.model.errors import InvalidRequestError

SCHEME: Final = "kafka://"
DEFAULT_PORT: Final = 9092
#: Kafka's names that differ in kafka-python.
_OTHER_NAMES: Final = {
    "sasl_username": "sasl_plain_username",
    "sasl_password": "sasl_plain_password",
    "ssl_ca_location": "ssl_cafile",
    "ssl_certificate_location": "ssl_certfile",
    "ssl_key_location": "ssl_keyfile",
    "ssl_key_password": "ssl_password",
    "compression_codec": "compression_type",
}
_SECRET: Final = frozenset({"sasl_plain_password", "ssl_password"})
#: Defaults other than kafka-python's: a broker that is back should be found at once, not after half a minute.
_DEFAULTS: Final = {"reconnect_backoff_max_ms": 1_000, "bootstrap_timeout_ms": 5_000}
#: Options that lineage_tt sets itself, since exactly-once delivery depends on them.
_OURS: Final = frozenset(
    {
        *("bootstrap_servers", "group_id", "enable_auto_commit", "isolation_level", "enable_idempotence", "acks"),
        *("transactional_id", "key_deserializer", "value_deserializer", "key_serializer", "value_serializer"),
        *("retries", "consumer_timeout_ms", "kafka_client", "selector", "metric_reporters", "ssl_context"),
    }
)


@dataclass(frozen=True)
class Topic:
    """A topic on a cluster, and the client settings to reach it; secrets are not shown in its ``repr``."""

    servers: tuple[str, ...]
    name: str
    options: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def uri(self) -> str:
        """The topic as it was named, without options."""
        return f"{SCHEME}{','.join(self.servers)}/{self.name}"

    def with_name(self, name: str) -> Topic:
        """Return another topic of the same cluster."""
        return Topic(self.servers, name, self.options)

    def client(self, known: Iterable[str], **ours: Any) -> dict[str, Any]:
        """Return the settings for one kind of client: the options that it knows, and ours."""
        known = set(known)
        known_options = {name: value for name, value in self.options.items() if name in known}
        return _DEFAULTS | known_options | ours | {"bootstrap_servers": list(self.servers)}


def read_topic(uri: str, options: Iterable[str] = ()) -> Topic:
    """Return the topic that a ``kafka://`` address names, with options written ``name=value``.

    Raises InvalidRequestError for an address or an option that is not valid.
    """
    servers, slash, name = uri.removeprefix(SCHEME).rstrip("/").partition("/")
    if not uri.startswith(SCHEME) or not servers or not slash or not name or "/" in name:
        raise InvalidRequestError(f"{uri!r} is not the address of a topic", hint="write kafka://host:port/topic")
    if "@" in servers:
        raise InvalidRequestError(
            "an address holds no user and password", hint="give them with --kafka-option sasl.password=env:NAME"
        )
    if "?" in name or len(name) > 249 or not all(c.isalnum() or c in "._-" for c in name) or not name.isascii():
        raise InvalidRequestError(f"{name!r} is not the name of a topic", hint="Kafka allows a-z, 0-9, '.', '_', '-'")
    return Topic(tuple(map(_server, servers.split(","))), name, dict(map(_option, options)))


def _server(text: str) -> str:
    host, colon, port = text.strip().rpartition(":")
    if not colon:
        return f"{text.strip()}:{DEFAULT_PORT}"
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise InvalidRequestError(f"{text!r} is not host:port", hint="write kafka://host:port/topic")
    return f"{host}:{port}"


def _option(text: str) -> tuple[str, Any]:
    written, equals, value = text.partition("=")
    name = written.strip().lower().replace(".", "_").replace("-", "_")
    name = _OTHER_NAMES.get(name, name)
    if not equals or not name:
        raise InvalidRequestError(f"the option {written!r} has no value", hint="write --kafka-option name=value")
    if name in _OURS:
        raise InvalidRequestError(
            f"the option {written} cannot be set: exactly-once depends on it", hint="leave it out"
        )
    known = _known()
    if name not in known:
        raise InvalidRequestError(
            f"there is no option {written}", hint="the options are those of kafka-python's consumer and producer"
        )
    if name in _SECRET:
        return name, _secret(written, value)
    return name, _typed(written, value, known[name])


def _known() -> dict[str, Any]:
    """Return every option that a consumer or a producer has, with its default."""
    from lineage_tt.kafka.library import load

    kafka = load()
    return {**kafka.KafkaAdminClient.DEFAULT_CONFIG, **kafka.KafkaProducer.DEFAULT_CONFIG,
            **kafka.KafkaConsumer.DEFAULT_CONFIG}  # fmt: skip


def _secret(written: str, value: str) -> str:
    """Return a secret from where the option says it is; a secret in the option would show in the process list."""
    kind, colon, place = value.partition(":")
    if colon and kind == "env":
        if place in os.environ:
            return os.environ[place]
        raise InvalidRequestError(f"{written}: there is no environment variable {place}", hint="set it")
    if colon and kind == "file":
        try:
            return Path(place).read_text(encoding="utf-8").rstrip("\r\n")
        except OSError as error:
            raise InvalidRequestError(
                f"{written}: {place} cannot be read: {error.strerror}", hint="check the path"
            ) from None
    raise InvalidRequestError(
        f"{written}: a secret must not be on the command line",
        hint=f"write {written}=env:NAME or {written}=file:PATH",
    )


def _typed(written: str, value: str, default: Any) -> Any:
    """Return a value with the type of the option's default: a flag, a number or a text."""
    if isinstance(default, bool):
        if value.lower() not in ("true", "false"):
            raise InvalidRequestError(f"{written} is true or false, not {value!r}", hint="fix the option")
        return value.lower() == "true"
    number = value.lstrip("-").isdigit()
    if isinstance(default, (int, float)) and not number:
        raise InvalidRequestError(f"{written} is a number, not {value!r}", hint="fix the option")
    return int(value) if number else value
