"""Credentials in SQL and messages: masked before they are stored, at every door, and nothing else is touched."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from rounds import rounds

from ingest.pipeline import Ingester
from ingest.resolve.reextract import re_extract
from lineage_tt import Store
from lineage_tt.model.redaction.credentials import mask_bytes, mask_credentials, mask_name, mask_values
from lineage_tt.model.redaction.positional import MASK

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
SELECT * FROM jdbc('jdbc:oracle:thin:scott/{}@h:1521/x')
SELECT * FROM read_csv('s3://b/k?X-Amz-Credential=AK%2Fx&X-Amz-Signature={}')
SELECT * FROM csv.`s3://b/k?Signature={}` AS t
INSERT INTO o SELECT a FROM s3('https://b.s3.amazonaws.com/x', 'AKIA12', '{}', 'CSV')
SELECT a FROM mysql('h:3306', 'db', 't', 'u', '{}')
SELECT a FROM remote('h', 'db', 't', 'u', '{}')
SELECT a FROM remoteSecure('h', db.t, 'u', '{}')
CREATE TABLE q (a Int) ENGINE = PostgreSQL('h:5432', 'db', 't', 'u', '{}')
SELECT pgp_sym_decrypt(a, '{}'), AES_DECRYPT(b, '{}'), aes_encrypt(lower(c), '{}') FROM t
SELECT AES_DECRYPT(a, UNHEX('{}')), HMAC(b, '{}', 'sha256') FROM t
CREATE SECRET s TYPE = GENERIC_STRING SECRET_STRING = '{}'
UNLOAD ('SELECT a FROM t') TO 's3://b/k' MASTER_SYMMETRIC_KEY '{}'
SELECT DecryptByPassphrase(N'{}', a) FROM t
EXEC sp_addlinkedsrvlogin 'S', 'false', NULL, 'u', '{}'
EXEC sp_addlinkedsrvlogin @rmtsrvname = 'S', @rmtuser = 'u', @rmtpassword = '{}'
SET fs.s3a.secret.key={}; INSERT INTO o SELECT a FROM t
SET spark.hadoop.fs.azure.account.key.x.dfs.core.windows.net={}
SET fs.s3n.awsSecretAccessKey='{}'
CREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY {} USING 'tns'
ALTER USER u IDENTIFIED BY {} REPLACE {}
CREATE LOGIN l WITH PASSWORD = 0x02000{} HASHED
SET PASSWORD FOR 'u'@'h' = '{}'
SET PASSWORD FOR 'u'@'h' = PASSWORD('{}')
CONNECT scott/{}@orcl
INSERT INTO o SELECT http_get('https://h/x', 'Authorization: Bearer {}') FROM t
SELECT a FROM t -- CREATE USER u IDENTIFIED BY '{}'
EXECUTE IMMEDIATE 'ALTER USER u PASSWORD ''{}'''
SELECT a FROM t /* userPassword={} */
{"sql": "CREATE USER u IDENTIFIED BY '{}'"
DECLARE @pwd nvarchar(50) = '{}'
DECLARE @day date = '2024-01-01', @dbPassword AS nvarchar(max) = N'{}'; SELECT 1
DECLARE api_key STRING DEFAULT "{}"
v_password CONSTANT VARCHAR2(30) NOT NULL := '{}';
LET password VARCHAR := '{}'
CREATE PROCEDURE p @pw varchar(20) = '{}' AS SELECT 1
CREATE USER u PASSWORD = $${}$$ DEFAULT_ROLE = r
ALTER ROLE r PASSWORD $x${}$x$
.LOGON prod/bob,{};
LOGON prod/bob,"{}";
CREATE USER u AS PASSWORD = {} PERM = 1e6
MODIFY USER u AS PERM = 1e6 PASSWORD = ({})
\\set password {}
\\set db_pw '{}'
:setvar DbPassword "{}"
DEFINE pwd = {}
!connect jdbc:hive2://h:10000/db user {}
!connect jdbc:hive2://h:10000/db;user=u;password={}
ALTER SESSION SET AWSAuth='id:{}'
SELECT * FROM OPENROWSET('MSDASQL', N'srv'; 'sa'; '{}', 'SELECT 1')
SELECT crypt('{}', gen_salt('bf'))
PRAGMA add_parquet_key('k', '{}')
BEGIN utl_http.set_authentication(req, 'u', '{}'); DBMS_CLOUD.CREATE_CREDENTIAL('c', 'u', '{}'); END;
"""
LEFT_ALONE = """
SELECT token, t.password AS p, 'password' FROM t WHERE key = t.key AND token = o.token AND name = 'x'
SELECT password FROM t WHERE kind IN ('reset_password', 'login', 'token', 'other')
SELECT CONCAT('"', 'tracker_token', '":"', CAST(v AS STRING), '"') FROM t -- the token's value
SELECT 'https://example.org/a:b', CAST('12:30:00' AS TIME), a::text, "key" FROM t
SELECT 'it''s a secret', "password", `token` FROM t JOIN passwords USING (password)
SELECT a FROM s3('https://b/x', 'CSV', 'a Int32, b String', 'gzip')
UPDATE t SET t.access_key=s.access_key, password = s.password FROM s
SELECT encrypt('aes-256-cbc', a, b), decrypt('GCM', a, t.k), remote('h', db.t) FROM mysql
SELECT identified, by_x FROM t WHERE connect = 'a' AND bearer IN ('of short', 'of news')
SELECT t.token "shown", t.x, password "hidden", signature FROM t WHERE t.signature = 'x'
DECLARE @day date = '2024-01-01', @token_count int = 5, @tokens varchar(9) = 'a'
SELECT a FROM t WHERE is_token AND b = 'yes' AND password IS NOT NULL AND x = 'no'
CREATE FUNCTION token() RETURNS text LANGUAGE sql AS $$ SELECT 'a' $$; COMMENT ON t IS $$the token$$
SELECT 1 FROM logon l, users u WHERE l.a = u.a AND crypt(a, b) = c
LOGON l, users
:setvar Password $(Other)
DEFINE pwd = &1
SELECT * FROM t MATCH_RECOGNIZE (PATTERN (token) DEFINE token AS token.a > 1)
CREATE USER u PASSWORD = NULL DEFAULT_ROLE = r
SELECT * FROM OPENROWSET(BULK 'f.csv', FORMAT = 'CSV') AS r
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
        "sk-proj-" + "aB1_-" * 12,
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


@pytest.mark.long
def test_no_file_of_a_store_holds_a_credential(tmp_path: Path) -> None:
    """Of accepted, refused and unparsable messages alike: SQL, parameters, attributes and dead letters."""
    common = {"op": "online", "effective_at": "2024-01-01T00:00:00Z", "dialect": "mysql", "namespace": "mysql"}
    lines = [
        json.dumps(common | {"event_id": f"e{n}", "task_id": f"t{n}", "sql": text.replace("{}", CANARY)})
        for n, text in enumerate(STATEMENTS.strip().splitlines())
    ]
    sql = "INSERT INTO d.t SELECT a FROM d.s WHERE b = '${password}'"
    more = {"event_id": "p", "task_id": "p", "sql": sql, "params": {"password": CANARY}, "conf": {"api_key": CANARY}}
    lines.append(json.dumps(common | more | {"reason": f"with password={CANARY}"}))
    lines.append(json.dumps(common | {"event_id": "r", "sql": f"ALTER USER u IDENTIFIED BY '{CANARY}'"}))
    alike = {"event_id": "f", "op": "set", "kind": "fact", "node": "n:d", "effective_at": common["effective_at"]}
    call = f"AES_DECRYPT(x, '{CANARY}')"
    lines.append(json.dumps(alike | {"key": "definition", "values": [f"SELECT {call} FROM t"]}))
    lines.append(json.dumps(alike | {"key": "description", "values": [f"use password={CANARY} here", f"pwd={CANARY}"]}))
    edge = {"source": "n:a#x", "target": "n:b#y", "subtype": "TRANSFORMATION", "expression": call}
    stated = {"event_id": "s", "task_id": "s", "op": "online", "effective_at": common["effective_at"]}
    lines.append(json.dumps(stated | {"edges": [edge]}))
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


NAMES = """
s3://b:x?X-Amz-Credential=AK%2Fx&X-Amz-Signature={}#c
jdbc:sqlserver://h;user=u;password={};encrypt=true:dbo.t#c
jdbc:oracle:thin:scott/{}@h:1521/x#password
https://u:{}@h:x.csv#a@b
https://a.blob:x?sv=1&sig={}&z=2
"""
PLAIN_NAMES = """
s3://sk-admin-events-production:raw-v2
hive:d.t#password
hive:d.t/token=a/x#b
kafka://broker:9092#x@y
abfss://c@a.dfs.core.windows.net:p/x?y=1
mailto:a@b.example
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_a_credential_in_a_name_is_masked(name: str) -> None:
    """In the dataset's part of it; its column, and the rest, stay."""
    masked = mask_name(name.replace("{}", CANARY))

    assert masked == name.replace("{}", MASK).replace("AK%2Fx", MASK)
    assert masked == mask_name(masked)


@pytest.mark.parametrize("name", PLAIN_NAMES.split())
def test_a_name_without_a_credential_stays(name: str) -> None:
    """Columns called password, partitions, brokers, addresses."""
    assert name == mask_name(name)


URL = f"s3://b/in.csv?X-Amz-Signature={CANARY}"
NODE = f"s3://b:in.csv?X-Amz-Signature={MASK}"


@pytest.mark.long
def test_urls_are_masked_in_every_name_of_a_store(tmp_path: Path) -> None:
    """Edges, stars, outputs, declared datasets, facts, targets; a signed URL stays one dataset under new signatures."""
    common: dict[str, object] = {"op": "online", "effective_at": "2024-01-01T00:00:00Z"}
    sql: dict[str, object] = {"dialect": "duckdb", "namespace": "d"}
    given = NODE.replace(MASK, CANARY)
    lines: list[dict[str, object]] = [
        {
            "event_id": "c",
            "kind": "dataset",
            "dataset": given,
            "columns": [{"name": "a"}, {"name": "b"}],
            "op": "define",
        },
        {"event_id": "1", "task_id": "star", "sql": f"CREATE TABLE o AS SELECT * FROM read_csv('{URL}')"} | sql,
        {"event_id": "2", "task_id": "again", "sql": f"CREATE TABLE p AS SELECT a FROM read_csv('{URL}2')"} | sql,
        {"event_id": "3", "task_id": "copy", "sql": f"COPY (SELECT a FROM o) TO '{URL}'"} | sql,
        {"event_id": "4", "task_id": "target", "sql": "SELECT a FROM o", "target": given} | sql,
        {"event_id": "5", "task_id": "edges", "edges": [{"source": f"{given}#a", "target": "d:q#a"}]},
        {"event_id": "6", "kind": "fact", "node": given, "key": "label", "values": [URL], "op": "set"},
        {"event_id": "7", "task_id": "opaque", "sql": f"CALL p(); SELECT * FROM read_csv('{URL}') WHERE"} | sql,
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(json.dumps(common | line) for line in lines))
    store = Store.create(tmp_path / "store")

    with Ingester(store, workers=1) as ingester:
        assert ingester.ingest_file(str(tmp_path / "in.jsonl")).accepted == len(lines)

    assert store.sql(f"SELECT version, log::VARCHAR FROM log WHERE log::VARCHAR LIKE '%{CANARY}%'")[1] == []
    edges = {(e.task_id, e.source, e.target) for e in store.as_of().edges()}
    assert {("star", f"{NODE}#b", "d:o#b"), ("again", f"{NODE}#a", "d:p#a"), ("copy", "d:o#a", f"{NODE}#a")} <= edges
    assert ("edges", f"{NODE}#a", "d:q#a") in edges
    assert [f.value for f in store.as_of().facts(NODE, "label")] == [URL.replace(CANARY, MASK)]
    assert re_extract(store, everything=True, workers=1).corrections == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    ["'" * 60_001, "password=" * 9_000, "://" * 30_000, "'password=' " * 8_000, "a://b:" * 15_000, "eyJ" * 30_000 + ".",
     "identified  " * 8_000 + "by", "-----BEGIN PRIVATE KEY-----" * 3_000, "token " * 15_000, "/*" * 45_000,
     "jdbc:oracle:thin:a/" * 5_000, "'?token" * 12_000, "?a&password" * 9_000 + "=",
     "s3(" * 30_000, "s3(/*" * 20_000, "s3('\\'," * 15_000, "sp_password " * 9_000, "remote(a," * 10_000,
     "$password$" * 12_000, "password $a$" * 9_000, "a.logon b," * 9_000, "openrowset('a','" * 6_000,
     "\n\\set apwd" * 9_000, "create user a b" * 9_000 + "password=", "jdbc:a;b" * 9_000, "!connect a " * 9_000,
     "password varchar" * 9_000 + "= 'a'", "mysql('" * 15_000, "; set a.b" * 10_000, "connect a/" * 9_000,
     "bearer " * 14_000, "s3 (" + "''," * 40_000],
    ids=lambda text: text[:10],
)  # fmt: skip
@pytest.mark.timeout(240)
def test_masking_takes_time_in_proportion(text: str) -> None:
    """A hostile text of megabytes is masked to its end; one that made it backtrack would take hours."""
    large = text * rounds(20, least=5) + " key secret"

    assert 0 < len(mask_credentials(large)) <= 2 * len(large)
    assert mask_name(large + "=@")


@pytest.mark.long
def test_the_real_stream_holds_none(shared_dir: Path) -> None:
    """Statements of a real platform, with columns and events called password and token, stay as they are."""
    with gzip.open(shared_dir / "data" / "bqetl_stream" / "messages-2021.jsonl.gz") as lines:
        texts = [json.loads(line).get("sql") or "" for line in lines]

    assert [text for text in texts if mask_credentials(text) != text] == []
