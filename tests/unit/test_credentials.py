"""Credentials in SQL and messages: masked before they are stored, at every door, and nothing else is touched."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest

from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.model.credentials import MASK, mask_bytes, mask_credentials, mask_values

CANARY = "c4n4ryS3cr3t"
STATEMENTS = """
CREATE USER u IDENTIFIED BY '{}'
CREATE USER u IDENTIFIED WITH sha256_password BY '{}'
ALTER ROLE r WITH LOGIN PASSWORD '{}' VALID UNTIL '2030-01-01'
CREATE USER u PASSWORD = "{}"
COPY t FROM 's3://b/k' CREDENTIALS 'aws_access_key_id=AKIAABCDEFGHIJKLMNOP;aws_secret_access_key={}'
COPY INTO t FROM 's3://b' CREDENTIALS = (AWS_KEY_ID = '{}' AWS_SECRET_KEY = '{}')
CREATE STAGE s URL = 'azure://x' CREDENTIALS = (AZURE_SAS_TOKEN = '{}')
CREATE CONNECTION c TYPE mysql OPTIONS (host 'h', user 'u', password '{}')
SET fs.s3a.secret.key='{}'
CREATE TABLE t (a INT) USING jdbc OPTIONS ('password' = '{}', url 'jdbc:mysql://u:{}@h/db')
CREATE SECRET s (TYPE s3, KEY_ID 'k', SECRET '{}')
ATTACH 'postgres://u:{}@h/db' AS pg
CREATE CATALOG c WITH ("connection-password" = '{}')
CREATE EXTERNAL DATA SOURCE d WITH (CREDENTIAL = cred, SECRET = N'{}')
SELECT * FROM read_csv('https://x.blob/y?sv=1&sig={}&z=2')
SELECT 1 -- password: {}
SELECT 1 /* https://me:{}@host/x */
CREATE FOREIGN TABLE t OPTIONS (connection 'host=h user=u password={} dbname=d')
SELECT * FROM jdbc('jdbc:sqlserver://h;user=u;password={};encrypt=true')
"""
LEFT_ALONE = """
SELECT token, t.password AS p, 'password' FROM t WHERE key = t.key AND token = o.token AND name = 'x'
SELECT password FROM t WHERE kind IN ('reset_password', 'login', 'token', 'other')
SELECT CONCAT('"', 'tracker_token', '":"', CAST(v AS STRING), '"') FROM t -- the token's value
SELECT 'https://example.org/a:b', CAST('12:30:00' AS TIME), a::text, "key" FROM t
SELECT 'it''s a secret', "password", `token` FROM t JOIN passwords USING (password)
"""


@pytest.mark.parametrize("statement", STATEMENTS.strip().splitlines())
def test_a_credential_is_masked_and_the_rest_stays(statement: str) -> None:
    """The value alone is replaced; masking again changes nothing."""
    masked = mask_credentials(statement.replace("{}", CANARY))

    assert CANARY not in masked
    assert MASK in masked
    assert masked == mask_credentials(masked)
    assert masked.startswith(statement[:9])


@pytest.mark.parametrize("statement", LEFT_ALONE.strip().splitlines())
def test_names_and_values_that_are_no_credentials_stay(statement: str) -> None:
    """A column called password, a list of event names, a URL without user info."""
    assert statement == mask_credentials(statement)


@pytest.mark.parametrize(
    "key",
    [
        "AKIAABCDEFGHIJKLMNOP",
        "ghp_" + "a1" * 18,
        "xoxb-1234567890-abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_keys_are_known_by_their_shape(key: str) -> None:
    """Wherever they are."""
    assert key not in mask_credentials(f"SELECT f('{key}')")


def test_json_is_masked_value_by_value() -> None:
    """Under the name of a credential a text is masked whole; JSON without one stays byte for byte."""
    given = {"sql": f"CREATE USER u PASSWORD '{CANARY}'", "conf": [{"db.password": CANARY, "n": 1}], "token": ""}

    assert mask_values(given) == {
        "sql": "CREATE USER u PASSWORD '***'",
        "conf": [{"db.password": MASK, "n": 1}],
        "token": "",
    }
    plain = b'{ "sql" : "SELECT password FROM t",  "n":1.50 }'
    assert plain == mask_bytes(plain)
    broken = f'{{"sql": "x", "password": "{CANARY}", '.encode() + b"\xff"
    assert CANARY.encode() not in mask_bytes(broken)
    assert mask_bytes(broken).endswith(b"\xff")


def test_no_file_of_a_store_holds_a_credential(tmp_path: Path) -> None:
    """Of accepted, refused and unparsable messages alike: SQL, parameters, attributes and dead letters."""
    common = {"op": "online", "effective_at": "2024-01-01T00:00:00Z", "dialect": "mysql", "namespace": "mysql"}
    lines = [
        json.dumps(common | {"event_id": f"e{n}", "task_id": f"t{n}", "sql": text.replace("{}", CANARY)})
        for n, text in enumerate(STATEMENTS.strip().splitlines())
        if "read_csv" not in text  # a URL that is read is a dataset, whose name is kept
    ]
    sql = "INSERT INTO d.t SELECT a FROM d.s WHERE b = '${password}'"
    more = {"event_id": "p", "task_id": "p", "sql": sql, "params": {"password": CANARY}, "conf": {"api_key": CANARY}}
    lines.append(json.dumps(common | more))
    lines.append(json.dumps(common | {"event_id": "r", "sql": f"ALTER USER u IDENTIFIED BY '{CANARY}'"}))
    lines.append(f'{{"event_id": "x", "sql": "SET PASSWORD = \'{CANARY}\'"')
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    store = Store.create(tmp_path / "store")

    with Ingester(store, workers=1) as ingester:
        summary = ingester.ingest_file(str(tmp_path / "in.jsonl"))

    assert (summary.rejected, summary.accepted) == (2, len(lines) - 2)
    assert store.sql(f"SELECT version, sql FROM log WHERE log::VARCHAR LIKE '%{CANARY}%'")[1] == []
    assert all(CANARY.encode() not in letter.raw for letter in store.dead_letters())
    [(kept,)] = store.sql("SELECT sql FROM log WHERE event_id = 'p'")[1]
    assert sql == kept


@pytest.mark.parametrize(
    "text",
    ["'" * 60_001, "password=" * 9_000, "://" * 30_000, "'password=' " * 8_000, "a://b:" * 15_000, "eyJ" * 30_000 + ".",
     "identified  " * 8_000 + "by", "-----BEGIN PRIVATE KEY-----" * 3_000, "token " * 15_000, "/*" * 45_000],
    ids=lambda text: text[:10],
)  # fmt: skip
def test_masking_takes_time_in_proportion(text: str) -> None:
    """Ten times a hostile text takes little more than ten times as long: no text makes it backtrack."""
    small, large = text[: len(text) // 10] + " key secret", text + " key secret"
    times = []
    for given in (small, large):
        begun = time.process_time()
        for _ in range(3):
            mask_credentials(given)
        times.append(time.process_time() - begun)

    assert times[1] < 40 * max(times[0], 0.002)


def test_the_real_stream_holds_none(shared_dir: Path) -> None:
    """Statements of a real platform, with columns and events called password and token, stay as they are."""
    with gzip.open(shared_dir / "data" / "bqetl_stream" / "messages-2021.jsonl.gz") as lines:
        texts = [json.loads(line).get("sql") or "" for line in lines]

    assert [text for text in texts if mask_credentials(text) != text] == []
