"""One MinIO: started, killed and started again on the same port and data; buckets are made by signed requests."""

from __future__ import annotations

import os
import secrets
import time
import urllib.error
import urllib.request
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Self

from scripts.object_store_lib.binary import NoObjectStoreError, program
from scripts.server_lib.process import ServerProcess

START_LIMIT: Final = 60.0


class ObjectStore(ServerProcess):
    """A MinIO in a folder: ``with ObjectStore(folder) as server: server.make_bucket("lineage")``."""

    def __init__(self, folder: Path, *, port: int = 0, access_key: str = "", secret_key: str = "") -> None:
        super().__init__(folder, port)
        self.access_key = access_key or f"key{secrets.token_hex(6)}"
        self.secret_key = secret_key or secrets.token_hex(16)

    def environment(self, address: str = "") -> dict[str, str]:
        """Return the standard variables with which a client finds it (or what is before it at ``address``)."""
        return {
            "AWS_ENDPOINT_URL": f"http://{address or self.address}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.secret_key,
        }

    def start(self) -> Self:
        """Start the server, on the data that is there if it ran before; return when it takes requests."""
        (self.folder / "data").mkdir(parents=True, exist_ok=True)
        environment = os.environ | {
            "MINIO_ROOT_USER": self.access_key,
            "MINIO_ROOT_PASSWORD": self.secret_key,
            "MINIO_BROWSER": "off",
            "MINIO_UPDATE": "off",
            "HOME": str(self.folder),
        }
        command = [str(program()), "server", "--quiet", "--address", self.address, str(self.folder / "data")]
        self._run(command, environment)
        self._await()
        return self

    def client(self, bucket: str, **config: str) -> Any:
        """Return obstore's store over a bucket: the tests' own view of what is there."""
        from obstore.store import S3Store

        return S3Store(
            bucket,
            config={
                "endpoint": f"http://{self.address}", "region": "us-east-1",
                "access_key_id": self.access_key, "secret_access_key": self.secret_key, **config,
            },
            client_options={"allow_http": True},
        )  # fmt: skip

    def make_bucket(self, name: str) -> None:
        """Make a bucket, if it is not there."""
        import obstore

        url = obstore.sign(self.client(name), "PUT", "", timedelta(minutes=1))
        try:
            urllib.request.urlopen(urllib.request.Request(url, data=b"", method="PUT"), timeout=10).close()
        except urllib.error.HTTPError as error:
            with error:
                if error.code != 409:
                    raise NoObjectStoreError(f"the bucket {name} could not be made: {error.read()[:500]!r}") from None

    def _await(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            if not self.running:
                raise NoObjectStoreError(f"MinIO ended at once: {self._last_words()}")
            if self._answers():
                return
            time.sleep(0.05)
        raise NoObjectStoreError(f"MinIO did not start in {START_LIMIT:.0f} s")

    def _answers(self) -> bool:
        """Say whether it takes signed requests: it says that it is ready a little earlier."""
        import obstore

        url = obstore.sign(self.client("nobody-made-this"), "GET", "", timedelta(minutes=1))
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except urllib.error.HTTPError as error:
            with error:
                return error.code == 404
        except OSError:
            return False
        return True
