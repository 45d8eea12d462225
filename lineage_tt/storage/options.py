"""The options and credentials that open an object store, from the environment or from the caller; never shown again.

Each of these takes precedence over the next: what a call gives (``Store.open(…, storage_options=…)``), what the command
line gives (``--storage-option KEY=VALUE``), ``$LINEAGE_TT_STORAGE_OPTIONS``, and the standard ``AWS_…`` variables. Keys
are named like the variables, in upper or lower case, with or without ``AWS_``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

import orjson

from lineage_tt.model.errors import InvalidRequestError

VARIABLE: Final = "LINEAGE_TT_STORAGE_OPTIONS"
#: Options whose values are never shown.
SECRETS: Final = frozenset(
    {"access_key_id", "secret_access_key", "session_token", "sse_customer_key_base64", "proxy_url"}
)
_ALIASES: Final = {
    "endpoint_url": "endpoint",
    "endpoint_url_s3": "endpoint",
    "default_region": "region",
    "token": "session_token",
}
_STORE: Final = frozenset(
    {
        "access_key_id", "secret_access_key", "session_token", "region", "endpoint", "virtual_hosted_style_request",
        "unsigned_payload", "checksum_algorithm", "skip_signature", "server_side_encryption", "sse_kms_key_id",
        "sse_bucket_key_enabled", "sse_customer_key_base64", "request_payer", "disable_tagging", "s3_express",
        "metadata_endpoint", "imdsv1_fallback", "container_credentials_relative_uri",
        "container_credentials_full_uri", "container_authorization_token_file", "web_identity_token_file", "role_arn",
        "role_session_name", "sts_endpoint",
    }
)  # fmt: skip
_CLIENT: Final = frozenset(
    {"allow_http", "allow_invalid_certificates", "connect_timeout", "proxy_url", "root_certificate", "timeout"}
)
#: Options of the store itself.
_OURS: Final = frozenset({"settle_seconds"})
#: Options that are refused: a commit that is put without a condition overwrites the commit of another writer.
_REFUSED: Final = frozenset({"s3_allow_unsafe_rename", "copy_if_not_exists", "s3_locking_provider"})
_TIMEOUT: Final = "10s"
#: A request is retried this often, for at most this many seconds: a server that restarts is back by then.
RETRIES: Final = 8
RETRY_SECONDS: Final = 20
#: The same for deltalake's requests: its attempt to commit must end long before ``settle_seconds``.
COMMIT_RETRY_SECONDS: Final = 10

_process_options: dict[str, str] = {}


@dataclass(frozen=True)
class Options:
    """The checked options of one object store. Its text form does not show the values of secrets."""

    values: dict[str, str] = field(repr=False)

    def __repr__(self) -> str:
        shown = {name: "***" if name in SECRETS else value for name, value in self.values.items()}
        return f"Options({shown})"

    def store_config(self) -> dict[str, Any]:
        """Return the options for obstore's ``S3Store``: (config, client options, retries)."""
        config: dict[str, Any] = {k: v for k, v in self.values.items() if k in _STORE}
        client: dict[str, Any] = {k: v for k, v in self.values.items() if k in _CLIENT}
        if "root_certificate" in client:
            with open(client["root_certificate"], "rb") as file:
                client["root_certificate"] = file.read()
        backoff = {"init_backoff": timedelta(seconds=0.2), "max_backoff": timedelta(seconds=3), "base": 2}
        retry = {"max_retries": RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS), "backoff": backoff}
        config |= {"conditional_put": "etag", "disable_bulk_delete": "true"}
        return {"config": config, "client_options": client, "retry_config": retry}

    def delta(self) -> dict[str, str]:
        """Return the options for deltalake, which also reads the variables: so every option that matters is given."""
        named = {f"aws_{k}" if k in _STORE else k: v for k, v in self.values.items() if k in _STORE | _CLIENT}
        named["aws_conditional_put"] = "etag"
        if "allow_http" in named:
            named["aws_allow_http"] = named["allow_http"]
        return named | {
            "max_retries": str(RETRIES),
            "retry_timeout": f"{COMMIT_RETRY_SECONDS}s",
            "backoff_config.init_backoff": "200ms",
            "backoff_config.max_backoff": "3s",
        }

    @property
    def settle_seconds(self) -> float:
        """The seconds after which a writer that announced a commit, and gave no further sign, counts as dead."""
        return float(self.values.get("settle_seconds", "60"))

    def scrub(self, text: str) -> str:
        """Return ``text`` without the values of secrets."""
        for name in SECRETS:
            value = self.values.get(name)
            if value:
                text = text.replace(value, "***")
        return re.sub(r"(X-Amz-(?:Credential|Signature|Security-Token)=)[^&\s]+", r"\1***", text)


def use(pairs: Iterable[str], *, afresh: bool = False) -> None:
    """Take options given as ``KEY=VALUE`` for every store that this process opens from now on.

    Raises InvalidRequestError for an unknown option, also where the store is on a disk and needs none.
    """
    if afresh:
        _process_options.clear()
    given = _pairs(list(pairs), "--storage-option")
    _named(given, "--storage-option")
    _process_options.update(given)


def are_given() -> bool:
    """Return whether the command line gives options, see ``use``."""
    return bool(_process_options)


def gather(options: Mapping[str, str] | None = None) -> Options:
    """Return the options in force; InvalidRequestError for an unknown option, or one that would lose commits."""
    values = _environment()
    values |= _named(_variable(os.environ.get(VARIABLE, "")), f"${VARIABLE}")
    values |= _named(_process_options, "--storage-option")
    values |= _named(options or {}, "storage_options")
    values.setdefault("region", "us-east-1")
    values.setdefault("timeout", _TIMEOUT)
    values.setdefault("connect_timeout", "5s")
    _check_endpoint(values)
    _check_seconds(values)
    return Options(values)


def _environment() -> dict[str, str]:
    """Return what the standard variables say; those that do not concern an object store are ignored."""
    result: dict[str, str] = {}
    for name, value in os.environ.items():
        if name.startswith("AWS_") and value:
            key = name.removeprefix("AWS_").lower()
            if key in _ALIASES:
                result.setdefault(_ALIASES[key], value)
            elif key in _STORE | _CLIENT:
                result[key] = value
    return result


def _named(options: Mapping[str, str], origin: str) -> dict[str, str]:
    result = {}
    for name, value in options.items():
        key = name.lower().removeprefix("aws_")
        key = _ALIASES.get(key, key)
        if key == "conditional_put" and value.lower() == "etag":
            continue
        if key in _REFUSED or key == "conditional_put":
            raise InvalidRequestError(
                f"the option {key} of {origin} is rejected: with it two writers may overwrite each other's commits",
                hint="leave it out: commits are put with If-None-Match, which the object store must honour",
            )
        if key not in _STORE | _CLIENT | _OURS:
            raise InvalidRequestError(
                f"unknown storage option {key!r} in {origin}",
                hint=f"known are {', '.join(sorted(_STORE | _CLIENT | _OURS))}",
            )
        result[key] = str(value)
    return result


def _variable(text: str) -> dict[str, str]:
    """Return the pairs of the variable: a JSON object, or KEY=VALUE separated by commas."""
    if not text.lstrip().startswith("{"):
        return _pairs([pair for pair in text.split(",") if pair.strip()], f"${VARIABLE}")
    try:
        return {str(name): str(value) for name, value in orjson.loads(text).items()}
    except ValueError:
        raise InvalidRequestError(
            f"${VARIABLE} is not a JSON object", hint="write KEY=VALUE,KEY=VALUE or a JSON object"
        ) from None


def _pairs(pairs: list[str], origin: str) -> dict[str, str]:
    for number, pair in enumerate(pairs, 1):
        if "=" not in pair:  # the value is not shown: it may be a secret
            raise InvalidRequestError(f"option {number} of {origin} has no '='", hint="write KEY=VALUE")
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}


def _check_endpoint(values: Mapping[str, str]) -> None:
    endpoint = values.get("endpoint")
    if endpoint is None:
        return
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise InvalidRequestError(
            "the endpoint of the object store is not an http or https address", hint="write https://host:port"
        )
    if parts.scheme == "http" and values.get("allow_http", "false").lower() not in ("true", "1", "yes"):
        raise InvalidRequestError(
            f"the endpoint {endpoint} is not encrypted",
            hint="use https, or allow it with AWS_ALLOW_HTTP=true or --storage-option allow_http=true",
        )


def _check_seconds(values: Mapping[str, str]) -> None:
    try:
        if float(values.get("settle_seconds", "1")) >= 0:
            return
    except ValueError:
        pass
    raise InvalidRequestError("settle_seconds is not a number of seconds")
