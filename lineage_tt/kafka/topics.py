"""The description of a topic: its partitions, its cluster, its retention, and the largest record that it accepts."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

from lineage_tt.kafka.library import load
from lineage_tt.kafka.settings import Topic
from lineage_tt.model.errors import InvalidRequestError, LineageError, UnavailableError


@dataclass(frozen=True)
class Described:
    """A topic as its cluster describes it. ``identity`` is unique: a later topic of the same name has another one."""

    identity: str
    cluster: str
    partitions: tuple[int, ...]
    compacted: bool
    max_bytes: int


def describe(topic: Topic) -> Described:
    """Return the cluster's description of a topic.

    Raises InvalidRequestError where there is no such topic, UnavailableError where the cluster cannot be reached.
    """
    kafka = load()
    try:
        with closing(kafka.KafkaAdminClient(**_settings(topic))) as admin:
            return _described(kafka, admin, topic)
    except kafka.errors.KafkaError as error:
        raise unavailable(topic, error) from error


def create(topic: Topic, partitions: int, config: dict[str, str]) -> bool:
    """Create a topic if none of its name exists; return whether it was created."""
    kafka = load()
    try:
        with closing(kafka.KafkaAdminClient(**_settings(topic))) as admin:
            admin.create_topics([kafka.admin.NewTopic(topic.name, partitions, -1, topic_configs=config)])
    except kafka.errors.TopicAlreadyExistsError:
        return False
    except kafka.errors.KafkaError as error:
        raise unavailable(topic, error) from error
    return True


def unavailable(topic: Topic, error: Exception) -> LineageError:
    """Return our error for an error of the client, in one line and without settings."""
    words = " ".join(str(error).split()) or type(error).__name__
    if type(error).__name__ == "KafkaConfigurationError":
        return InvalidRequestError(f"the options contradict one another: {words[:300]}", hint="fix --kafka-option")
    return UnavailableError(
        f"{','.join(topic.servers)} does not answer as it should: {words[:300]}",
        hint="check that the brokers run, their address, and the security settings",
    )


def _settings(topic: Topic) -> dict[str, Any]:
    known = load().KafkaAdminClient.DEFAULT_CONFIG
    return topic.client(known, client_id="lineage-tt")


def _described(kafka: Any, admin: Any, topic: Topic) -> Described:
    descriptions = [t for t in admin.describe_topics([topic.name]) if not t.get("error_code")]
    if not descriptions or not descriptions[0]["partitions"]:
        raise InvalidRequestError(
            f"there is no topic {topic.name} at {','.join(topic.servers)}", hint="create it, or fix the name"
        )
    partitions = tuple(sorted(p.get("partition_index", p.get("partition")) for p in descriptions[0]["partitions"]))
    resource = kafka.admin.ConfigResource(kafka.admin.ConfigResourceType.TOPIC, topic.name)
    configs = admin.describe_configs([resource], config_filter="all")
    values = _values(configs, topic.name)
    return Described(
        str(descriptions[0].get("topic_id") or ""),
        str(admin.describe_cluster().get("cluster_id") or ""),
        partitions,
        "compact" in values.get("cleanup.policy", "delete"),
        int(values.get("max.message.bytes", 1_048_588)),
    )


def _values(configs: Any, name: str) -> dict[str, str]:
    """Return a topic's settings by name."""
    for kind in configs.values() if isinstance(configs, dict) else configs:
        if name in kind:
            return {key: str(item["value"]) for key, item in kind[name].items()}
    return {}
