"""Credentials in commands of a shell, and in what a message says beside its text: masked, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.model.redaction.credentials import mask_credentials, mask_words
from lineage_tt.model.redaction.positional import MASK
from lineage_tt.model.redaction.shell import mask_commands
from lineage_tt.testing import task_change

CANARY = "c4n4ryS3cr3t"
COMMANDS = r"""
mysql -h h -u root -p{} db -e 'select 1'
/usr/bin/mysqldump -uroot -p'{}' db
set -e; mysql -p"{}" < x.sql
mysql --password {} db
curl -u user:{} https://h/x
curl --user "user:{}" https://h
curl -x p -U user:{} http://h
sshpass -p {} ssh u@h
PGPASSWORD={} psql -h h
export AWS_SECRET_ACCESS_KEY={}
export DB_PASSWORD='{}'
sqoop import --username u --password {} --table t
sqoop import \\n  --username u \\n  --password {}
beeline -u jdbc:hive2://h -n u -p {} -e 'x'
docker login -u u -p {} h
sqlplus scott/{}@db
sqlplus -s scott/{} @x.sql
bcp t out f -U sa -P {}
isql -U sa -P{}
redis-cli -a {} get x
impala-shell --ldap_password_cmd='echo -n {}'
mongo -u u -p {} --authenticationDatabase admin
hadoop fs -Dfs.s3a.secret.key={} -ls s3a://b
wget --http-password={} u
clickhouse-client --password {} --query x
openssl enc -aes-256-cbc -k {} -in f
lftp -u user,{} sftp://h
echo {} | sudo -S ls
echo -n '{}' | kinit u
kinit u <<< {}
app --api-key {} run
curl http://h/?a=1&token={}
MYSQL_PWD={} mysql
.LOGON host/user,{};
db2 connect to d user u using {}
hive -e "select 1"; mysql -p{} x | tee y
"""
LEFT_ALONE = r"""
SELECT a -p1, b -P2 FROM mysql WHERE c = -u
SELECT 1\n--password rules\nFROM t
SELECT a\n--Credential Management: Logins\nFROM t
mysql -p db -e 'select 1'
mysql -p$MYSQL_PASSWORD db
sqoop import --password-file /user/x --table t
app --password ${DB_PASSWORD}
docker run -p 80 x
SELECT env.token = a.token FROM env WHERE x = 'export'
SELECT s/mysql FROM sqlplus
curl -u user https://h
echo hello | grep x
"""


def lines(texts: str) -> list[str]:
    """The texts, one a line."""
    return [line.replace("\\n", "\n") for line in texts.strip().splitlines()]


@pytest.mark.parametrize("command", lines(COMMANDS))
def test_a_secret_of_a_command_is_masked(command: str) -> None:
    """In SQL, in words, once and again; what is around it stays."""
    masked = mask_credentials(command.replace("{}", CANARY))

    assert CANARY not in masked
    assert masked.count(MASK) == command.count("{}")
    assert masked.replace(MASK, "{}").replace("'{}'", "{}").replace('"{}"', "{}").split()[0] in command
    assert mask_credentials(masked) == masked
    assert CANARY not in mask_words(command.replace("{}", CANARY))


@pytest.mark.parametrize("text", lines(LEFT_ALONE))
def test_what_is_no_secret_stays(text: str) -> None:
    """SQL that looks like an option, prompts, files and variables."""
    assert mask_credentials(text) == text


def test_a_short_option_counts_up_to_the_end_of_its_programs_command() -> None:
    """After it another program begins, of which the same letter says something else."""
    text = f"mysql -p{CANARY} -e x | grep -pattern; select a -p1"

    assert mask_commands(text, text.lower()) == f"mysql -p{MASK} -e x | grep -pattern; select a -p1"


def test_a_value_that_hides_already_stays() -> None:
    """A mask, a variable of the shell, nothing between quotes."""
    for text in (f"mysql -p{MASK} d", "mysql -p$PASS d", "mysql -p${PASS} d", "app --password '' x"):
        assert mask_commands(text, text.lower()) == text


def test_an_actor_and_a_reason_hold_no_secret(tmp_path: Path) -> None:
    """Who sends a message may be a connection string or a command line."""
    store = Store.create(tmp_path / "s")
    change = task_change("t", "update", 1_714_564_800_000_000, [("n:a#x", "n:b#y")])
    for number, words in enumerate((f"postgres://u:{CANARY}@h/db", f"mysql -p{CANARY}", f"token={CANARY}", "ana")):
        store.append([replace(change, event_id=f"e{number}", actor=words, reason=words)])

    rows = Store.open(tmp_path / "s").log()

    assert [row.actor for row in rows] == ["postgres://u:***@h/db", "mysql -p***", "token=***", "ana"]
    assert [row.reason for row in rows] == [row.actor for row in rows]
    assert all(CANARY.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
