"""Objects in an S3-compatible store with the methods of ``pathlib.Path``, through obstore.

obstore is the same client (the Rust crate object_store) as the one in deltalake: one set of options, one behaviour.
Only this module imports it. FileNotFoundError means that an object does not exist; every other failure is an
UnavailableError that says what to do and does not show the credentials.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from functools import lru_cache, total_ordering
from typing import Any, Final, NamedTuple, TypeVar

from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.storage.options import Options, gather

T = TypeVar("T")
_BUCKET: Final = re.compile(r"[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]")
_MAGIC: Final = re.compile(r"[*?\[]")


class Entry(NamedTuple):
    """An object in a listing: its name within the folder, its size in bytes, when the server wrote it."""

    name: str
    size: int
    modified: datetime


class Read(NamedTuple):
    """An object as read: its bytes, its entity tag, when the server wrote it."""

    data: bytes
    tag: str | None
    modified: datetime


@dataclass(frozen=True, eq=False)
class Bucket:
    """A bucket and how to reach it; its connections are shared by all places in it."""

    name: str
    options: Options

    @property
    def store(self) -> Any:
        """The obstore store of this process (a child of a fork makes its own)."""
        return _store(self, os.getpid())

    def delta_options(self) -> dict[str, str]:
        """Return deltalake's options. They hold secrets."""
        return self.options.delta()

    def ask(self, what: str, request: Callable[[Any], T]) -> T:
        """Send a request to the store; its errors become FileNotFoundError and UnavailableError."""
        from obstore import exceptions

        try:
            return request(self.store)
        except (exceptions.NotFoundError, FileNotFoundError) as error:
            if "NoSuchBucket" in str(error):
                raise self.failure(what, error) from None
            raise FileNotFoundError(f"{what}: there is no such object") from None
        except (exceptions.AlreadyExistsError, FileExistsError, exceptions.PreconditionError):
            raise FileExistsError(f"{what}: another writer was first") from None
        except (exceptions.BaseError, OSError, ValueError) as error:
            raise self.failure(what, error) from None

    def failure(self, what: str, error: BaseException) -> UnavailableError:
        """Return our error for an error of the object store: what failed, in its words, and what to do; no secrets."""
        words = self.options.scrub(" ".join(str(error).partition("Debug source")[0].split()))
        server = re.search(r"<Code>(\w+)</Code>(?:<Message>(.*?)</Message>)?", words)
        reply = f"{server.group(1)}: {server.group(2) or ''}" if server else _short(words)
        where = self.options.values.get("endpoint", "AWS")
        for pattern, hint in _HINTS:
            if re.search(pattern, words):
                return UnavailableError(f"cannot {what}: {reply}", hint=hint.format(bucket=self.name, where=where))
        return UnavailableError(
            f"cannot {what}: {reply}", hint="run the same command again; what is in the store stays"
        )


#: Hints, by the words in the error of the server or the client.
_HINTS: Final = (
    (
        "169.254.169.254|169.254.170.2|MissingCredentials",
        "no credentials are given: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true",
    ),
    ("NoSuchBucket", "there is no bucket {bucket} at {where}: create it, or fix the name"),
    ("InvalidBucketName", "{bucket} is not the name of a bucket"),
    (
        "InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|Unauthorized|Forbidden|ExpiredToken|InvalidToken|"
        "lacked the necessary privileges|RequestTimeTooSkewed",
        "fix the credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN) or what they may do: list, "
        "read, write and delete in {bucket}",
    ),
    ("SlowDown|TooManyRequests|429|503", "{where} asks for fewer requests: wait, then run the same command again"),
    (
        "error sending request|dns|Connect|timed out|operation timed",
        "{where} does not answer: start it or fix AWS_ENDPOINT_URL, then run the same command again",
    ),
)


def _short(words: str) -> str:
    """Return the client's error message without the request that it quotes; the hint has the address."""
    retried = re.search(r"after \d+ retries", words)
    last = words.rpartition(" - ")[2][:300]
    return f"{last} ({retried.group()})" if retried else last


@lru_cache(maxsize=32)
def _store(bucket: Bucket, process: int) -> Any:
    from obstore.store import S3Store

    try:
        return S3Store(bucket.name, **bucket.options.store_config())
    except Exception as error:
        raise bucket.failure("open the object store", error) from None


@lru_cache(maxsize=32)
def _bucket(name: str, options: tuple[tuple[str, str], ...]) -> Bucket:
    return Bucket(name, Options(dict(options)))


def open_place(text: str, options: Mapping[str, str] | None = None) -> ObjectPath:
    """Return the place ``bucket/prefix``; InvalidRequestError where the text is not a valid one."""
    name, _, key = text.partition("/")
    parts = [part for part in key.split("/") if part]
    if not _BUCKET.fullmatch(name):
        raise InvalidRequestError(f"{name!r} is not the name of a bucket", hint="write s3://bucket/prefix")
    if any(part in (".", "..") or "\\" in part or not part.isprintable() for part in parts):
        raise InvalidRequestError(f"s3://{text} is not a prefix in a bucket", hint="write s3://bucket/prefix")
    return ObjectPath(_bucket(name, tuple(sorted(gather(options).values.items()))), "/".join(parts))


@total_ordering
class ObjectPath:
    """A key in a bucket, or a folder of keys."""

    __slots__ = ("bucket", "key")

    def __init__(self, bucket: Bucket, key: str) -> None:
        self.bucket = bucket
        self.key = key

    def __str__(self) -> str:
        return f"s3://{self.bucket.name}/{self.key}".rstrip("/")

    def __repr__(self) -> str:
        return f"ObjectPath({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectPath) and str(self) == str(other)

    def __lt__(self, other: ObjectPath) -> bool:
        return self.key < other.key

    def __hash__(self) -> int:
        return hash(str(self))

    def __truediv__(self, name: str) -> ObjectPath:
        return ObjectPath(self.bucket, f"{self.key}/{name}" if self.key else name)

    @property
    def name(self) -> str:
        """The last part of the key."""
        return self.key.rpartition("/")[2]

    @property
    def parent(self) -> ObjectPath:
        """Its parent folder."""
        return ObjectPath(self.bucket, self.key.rpartition("/")[0])

    # --- one object ----------------------------------------------------------------------------------------------

    def read(self) -> Read:
        """Return the object with what the server says about it; FileNotFoundError where it does not exist."""
        import obstore

        def get(store: Any) -> Read:
            response = obstore.get(store, self.key)
            return Read(bytes(response.bytes()), response.meta["e_tag"], response.meta["last_modified"])

        return self.bucket.ask(f"read {self}", get)

    def read_bytes(self) -> bytes:
        """Return the object's bytes; FileNotFoundError where it does not exist."""
        return self.read().data

    def write_bytes(self, data: bytes) -> str | None:
        """Put the object, replacing any existing one; return its entity tag."""
        import obstore

        put = self.bucket.ask(f"write {self}", lambda store: obstore.put(store, self.key, data, use_multipart=False))
        return put["e_tag"]

    def write_if(self, data: bytes, tag: str | None) -> str | None:
        """Put the object only if the existing one has this tag (None: if none exists); FileExistsError otherwise."""
        import obstore

        mode: Any = {"e_tag": tag} if tag else "create"
        put = self.bucket.ask(
            f"write {self}", lambda store: obstore.put(store, self.key, data, mode=mode, use_multipart=False)
        )
        return put["e_tag"]

    def unlink(self, missing_ok: bool = False) -> None:
        """Delete the object; object stores do not say whether it existed."""
        import obstore

        try:
            self.bucket.ask(f"delete {self}", lambda store: obstore.delete(store, self.key))
        except FileNotFoundError:
            if not missing_ok:
                raise

    def exists(self) -> bool:
        """Return whether an object with this key exists."""
        import obstore

        try:
            self.bucket.ask(f"look at {self}", lambda store: obstore.head(store, self.key))
        except FileNotFoundError:
            return False
        return True

    is_file = exists

    def head_tag(self) -> str | None:
        """Return the object's entity tag; FileNotFoundError where the object does not exist."""
        import obstore

        return self.bucket.ask(f"look at {self}", lambda store: obstore.head(store, self.key))["e_tag"]

    # --- a folder ------------------------------------------------------------------------------------------------

    def is_dir(self) -> bool:
        """Return whether any object exists below."""
        return next(self.below(), None) is not None

    def mkdir(self, parents: bool = False, exist_ok: bool = False) -> None:
        """Do nothing: a folder exists as soon as it contains an object."""

    def below(self, after: str = "") -> Iterator[Entry]:
        """Yield the objects below, also those in folders, in the order of the keys, after the name ``after``."""
        import obstore

        start = f"{self.key}/" if self.key else ""
        offset = start + after if after else None
        pages = self.bucket.ask(
            f"list {self}", lambda store: iter(obstore.list(store, self.key or None, offset=offset, chunk_size=1000))
        )
        while True:
            page = self.bucket.ask(f"list {self}", lambda _: next(pages, None))
            if page is None:
                return
            for entry in page:
                yield Entry(entry["path"].removeprefix(start), entry["size"], entry["last_modified"])

    def iterdir(self, after: str = "") -> Iterator[ObjectPath]:
        """Yield the objects in this folder itself, after the name ``after``."""
        return (self / entry.name for entry in self.below(after) if "/" not in entry.name)

    def glob(self, pattern: str) -> Iterator[ObjectPath]:
        """Yield the objects in this folder whose names match; only names with the pattern's fixed prefix are listed."""
        fixed = _MAGIC.split(pattern)[0]
        # the listing starts after a name that sorts just before that prefix
        after = fixed[:-1] + chr(ord(fixed[-1]) - 1) + "~" if fixed else ""
        for entry in self.below(after):
            if fixed and not entry.name.startswith(fixed):
                if entry.name > fixed:
                    return
                continue
            if "/" not in entry.name and fnmatchcase(entry.name, pattern):
                yield self / entry.name
