"""Credentials that only their place gives away: arguments of calls, of procedures, and values without quotes."""

from __future__ import annotations

import pytest

from lineage_tt.model.redaction.positional import MAX_ARGUMENTS, MAX_UNCLOSED, mask_positional

SECRET = "hunter2hunter2"


def masked(text: str) -> str:
    """Return a text with what is masked of it."""
    return mask_positional(text, text.lower())


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("FROM mysql('h:3306', 'db', 't', 'me', '{}')", "FROM mysql('h:3306', 'db', 't', 'me', '***')"),
        ("SELECT * FROM s3('http://b/x', 'AKIA1', '{}')", "SELECT * FROM s3('http://b/x', '***', '***')"),
        ("SELECT pgp_sym_decrypt(a, '{}') FROM t", "SELECT pgp_sym_decrypt(a, '***') FROM t"),
        ("SELECT AES_DECRYPT(a, UNHEX(SHA2('{}', 512)))", "SELECT AES_DECRYPT(a, UNHEX(SHA2('***', 512)))"),
        ("SELECT hmac(a, '{}', 'sha256') FROM t", "SELECT hmac(a, '***', 'sha256') FROM t"),
        ("EXEC sp_addlogin 'me', N'{}'", "EXEC sp_addlogin 'me', N'***'"),
        ("CREATE USER u IDENTIFIED BY {}", "CREATE USER u IDENTIFIED BY ***"),
        ("SET fs.s3a.secret.key={}; SELECT 1", "SET fs.s3a.secret.key=***; SELECT 1"),
        ("CONNECT me/{}@db", "CONNECT me/***@db"),
        ("-- Authorization: Bearer {}", "-- Authorization: Bearer ***"),
        ("ALTER LOGIN l WITH PASSWORD = 0x{}", "ALTER LOGIN l WITH PASSWORD = ***"),
    ],
)  # fmt: skip
def test_a_credential_is_masked_by_its_place(text: str, same: str) -> None:
    """The rest of the statement stays as it is."""
    value = text.format("aa11bb22" if "0x" in text else SECRET)

    assert masked(value) == same


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM s3('http://b/x', 'CSV', 'a Int32')",
        "SELECT a AS password, mysql FROM t WHERE s3 = 'x'",
        "SELECT my.mysql('a', 'b', 'c', 'd', 'e')",
        "SELECT aes_encrypt(a, b, 'aes-256-gcm')",
        "UPDATE t SET a = 'x', b = secret_key",
        "SELECT a/b FROM conn WHERE c = d",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    """Formats, modes, columns of such names, and functions of others."""
    assert masked(text) == text


def test_a_string_inside_an_expression_is_no_whole_argument() -> None:
    """Only a string that is an argument by itself is masked; a comma inside brackets counts for the inner call."""
    text = "SELECT encrypt(a, concat('x', 'y'), 'k')"

    assert masked(text) == "SELECT encrypt(a, concat('x', 'y'), '***')"


def test_a_string_that_does_not_end_is_masked_to_the_end() -> None:
    """A cut text must not keep a credential because its quote is missing."""
    assert masked(f"SELECT decrypt(a, '{SECRET}") == "SELECT decrypt(a, '***"


def test_a_text_of_open_calls_is_left_after_some() -> None:
    """A hostile text of calls that never end costs a bounded number of looks."""
    text = "mysql(" * (MAX_UNCLOSED + 5)

    assert masked(text) == text


def test_arguments_after_the_bound_are_not_looked_at() -> None:
    """The last argument within the bound is masked, the next one is not."""
    values = ", ".join(["'v'"] * (MAX_ARGUMENTS + 2))

    assert masked(f"encrypt({values})").count("***") == MAX_ARGUMENTS - 1
