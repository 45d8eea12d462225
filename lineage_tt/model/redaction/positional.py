"""Credentials without a name before them: arguments of a call or a procedure, and values that SQL does not quote.

In ``mysql('host', 'db', 't', 'user', '…')`` only its position shows which string is the password. Each pattern begins
at a word that few texts contain, and reads a bounded number of characters after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MASK: Final = "***"
#: The most arguments, levels of brackets within them, and characters after a procedure that are read.
MAX_ARGUMENTS: Final = 64
MAX_LEVEL: Final = 8
MAX_STRETCH: Final = 1024
#: After this many calls that do not end, the text is not SQL, and the rest of it is not changed.
MAX_UNCLOSED: Final = 16
_EVERY: Final = frozenset(range(MAX_ARGUMENTS))
#: Functions that read a bucket: with a key and a secret, or with a format and columns in those positions.
_BUCKETS: Final = ("s3", "gcs", "cosn", "oss", "deltalake", "deltalakes3", "iceberg", "icebergs3", "hudi")
#: The positions of the arguments that are masked, from 0, by the name of the function or procedure.
_PLACES: Final = {
    **dict.fromkeys(("mysql", "postgresql", "mongodb"), _EVERY - {0, 1, 2, 3}),
    **dict.fromkeys(("remote", "remotesecure"), _EVERY - {0, 1, 2}),
    "redis": _EVERY - {0, 1, 2, 3},
    **dict.fromkeys(("azureblobstorage", "azureblobstoragecluster"), frozenset({4})),
    **dict.fromkeys(_BUCKETS, frozenset({1, 2, 3})),
    "s3cluster": frozenset({2, 3, 4}),
    **dict.fromkeys(
        ("pgp_sym_encrypt", "pgp_sym_decrypt", "pgp_sym_encrypt_bytea", "pgp_sym_decrypt_bytea", "aes_encrypt",
         "aes_decrypt", "try_aes_decrypt", "encrypt", "decrypt", "decrypt_raw", "encrypt_raw", "try_decrypt"),
        _EVERY - {0},
    ),
    "crypt": frozenset({0}),
    "add_parquet_key": frozenset({1}),
    **dict.fromkeys(
        ("utl_http.set_authentication", "dbms_cloud.create_credential", "dbms_credential.create_credential"),
        frozenset({2}),
    ),
    **dict.fromkeys(("encryptbypassphrase", "decryptbypassphrase", "old_password", "password"), frozenset({0})),
    **dict.fromkeys(("hmac", "hmac_md5", "hmac_sha1", "hmac_sha256", "hmac_sha512"), frozenset({1})),
    # procedures of SQL Server
    "sp_addlinkedsrvlogin": frozenset({4}),
    **dict.fromkeys(("sp_addlogin", "sp_setapprole", "sp_addapprole", "sp_approlepassword"), frozenset({1})),
    "sp_password": frozenset({0, 1}),
}  # fmt: skip
#: The beginning of a call that makes the bytes of a key from a string.
_KEY_OF: Final = re.compile(
    r"\b(?:unhex|from_hex|from_base64|to_binary|to_utf8|encode|sha[12]?|md5|sha(?:256|512))\s{0,8}\(\s*\Z",
    re.IGNORECASE,
)
_PROCEDURE: Final = "sp_"
_CALL: Final = re.compile(
    rf"(?<![\w.])(?:{'|'.join(sorted((re.escape(name) for name in _PLACES), key=len, reverse=True))})\b", re.IGNORECASE
)
#: Every text in which ``_CALL`` finds anything contains one of these words, in lower case.
_CALL_WORDS: Final = ("crypt", "hmac", "password", "mysql", "postgresql", "mongodb", "remote", "redis", "azureblob",
                      "s3", "gcs", "cosn", "oss", "deltalake", "iceberg", "hudi", "sp_", "add_parquet_key",
                      "set_authentication", "create_credential")  # fmt: skip
_TOKEN: Final = re.compile(
    r"(?P<string>'(?:[^'\\]++|\\.|'')*+(?:'|\Z))|(?P<skipped>--[^\n]*+|/\*.*?(?:\*/|\Z)|\"[^\"]*+\"|`[^`]*+`)|(?P<mark>[(),;])",
    re.DOTALL,
)
#: ClickHouse's names of formats, and a mode of encryption: these are not credentials.
_NO_CREDENTIAL: Final = re.compile(
    r"(?:auto|CSV|Custom|TSV|TabSep|JSON|Parquet|ORC|Avro|Arrow|Native|RowBinary|Values|Line|Raw|Regexp|Template|Proto|"
    r"Capn|MsgPack|BSON|One|Pretty|Vertical|XML|MySQLDump|Npy|Form|Markdown|Null|none|gzip|gz|zstd|lz4|br|xz|bz2|snappy|"
    r"aes-|ECB|GCM|CBC|\s*$)[\w-]*",
    re.IGNORECASE,
)
_BY: Final = re.compile(
    r"(?P<name>\bidentified\s{1,8}by\s{1,8}(?!values\b))(?P<value>[A-Za-z_][\w$#]{0,127})"
    r"(?P<then>(?:\s{1,8}replace\s{1,8})?)(?(then)(?:(?<=\s)[A-Za-z_][\w$#]{0,127})?)",
    re.IGNORECASE,
)
#: Teradata's form: ``CREATE USER u AS PASSWORD = secret PERM = 1e6``.
_USER: Final = re.compile(
    r"(?P<name>\b(?:create|modify|alter)\s{1,8}user\s{1,8}[^\s;'\"]{1,128}\s[^;'\"]{0,256}?\bpassword\s{0,8}=\s{0,8}\(?)"
    r"(?!null\b|0x|\$\w*\$)[\w$#!.-]{1,128}",
    re.IGNORECASE,
)
#: SQL Server's form: ``OPENROWSET('MSDASQL', 'server'; 'user'; 'secret', …)``.
_ROWSET: Final = re.compile(
    r"(?P<name>\bopenrowset\s{0,8}\(\s{0,8}N?'[^']{0,256}'\s{0,8},\s{0,8}(?:N?'[^']{0,256}'\s{0,8};\s{0,8}){2}N?)"
    r"'(?!\*)(?:[^']|''){1,1024}+'",
    re.IGNORECASE,
)
_HASHED: Final = re.compile(r"(?P<name>\bpassword\s{0,8}=\s{0,8})0x\w{8,512}", re.IGNORECASE)
#: ``SET fs.s3a.secret.key=…`` as a statement; the SET of an UPDATE comes after other words, and has no setting's name.
_SET: Final = re.compile(
    r"(?P<name>(?:\A|;|near:)\s*(?:--[^\n]*+\n?+\s*+)*+set\s{1,8}(?=[\w-]{1,80}\.)[\w.:-]{0,160}?"
    r"(?:passw(?:or)?d|secret(?:[.-]?access)?[.-]?key|client[.-]?secret|access[.-]?(?:key|token)|account[.-]?key|"
    r"(?:session|auth|refresh|sas)[.-]?token|api[.-]?key|private[.-]?key)(?:\.[\w.-]{1,160})?\s{0,8}=[ \t]{0,8})"
    r"(?![\s'\"$*])[^\s;]{1,4096}",
    re.IGNORECASE,
)
_CONNECT: Final = re.compile(
    r"(?P<name>\bconn(?:ect)?\s{1,8}\w{1,128}/)(?!\*)[^\s@;/]{1,256}(?=@\w|\s{0,80}(?:;|\Z))", re.IGNORECASE
)
_BEARER: Final = re.compile(
    r"(?P<name>\bbearer\s{1,4}|\bauthorization['\"]?\s{0,4}[:=,]\s{0,4}['\"]?basic\s{1,4})[A-Za-z0-9._~+/-]{12,4096}={0,2}",
    re.IGNORECASE,
)


def mask_positional(text: str, lowered: str) -> str:
    """Return a text in which credentials without a name before them are masked; ``lowered``: the text in lower case."""
    if any(word in lowered for word in _CALL_WORDS):
        text = "".join(_calls(text))
    if "identified" in lowered:
        text = _BY.sub(rf"\g<name>{MASK}", text)
    if "password" in lowered and "user" in lowered:
        text = _USER.sub(rf"\g<name>{MASK}", text)
    if "openrowset" in lowered:
        text = _ROWSET.sub(rf"\g<name>'{MASK}'", text)
    if "password" in lowered and "0x" in lowered:
        text = _HASHED.sub(rf"\g<name>{MASK}", text)
    if "set" in lowered and "=" in lowered:
        text = _SET.sub(rf"\g<name>{MASK}", text)
    if "conn" in lowered and "/" in lowered:
        text = _CONNECT.sub(rf"\g<name>{MASK}", text)
    if "bearer" in lowered or "authorization" in lowered:
        text = _BEARER.sub(rf"\g<name>{MASK}", text)
    return text


def _calls(text: str) -> Iterator[str]:
    """Yield the text piece by piece, with the strings at the positions of credentials masked."""
    at = unclosed = 0
    for call in _CALL.finditer(text):
        if call.start() < at:
            continue
        name = call[0].lower()
        is_procedure, wrapped = name.startswith(_PROCEDURE), "crypt" in name or "hmac" in name
        strings, is_closed = _strings(text, call.end(), _PLACES[name], in_brackets=not is_procedure, wrapped=wrapped)
        unclosed += not is_closed
        if name in _BUCKETS and strings and _NO_CREDENTIAL.fullmatch(text, strings[0][0] + 1, strings[0][1] - 1):
            continue
        for start, end in strings:
            at_end = end - (end - start > 1 and text[end - 1] == "'")
            if not _NO_CREDENTIAL.fullmatch(text, start + 1, at_end):
                yield text[at : start + 1] + MASK
                at = at_end
        if unclosed >= MAX_UNCLOSED:  # each was read to the end of the text
            break
    yield text[at:]


def _strings(
    text: str, begin: int, places: frozenset[int], *, in_brackets: bool, wrapped: bool = False
) -> tuple[list[tuple[int, int]], bool]:  # fmt: skip
    """Return the spans of strings that are whole arguments at these positions, and whether the arguments end.

    ``wrapped`` ones may also be the key in a call there: ``AES_ENCRYPT(a, UNHEX(SHA2('…', 512)))``.
    """
    spans: list[tuple[int, int]] = []
    level, place, before = 0 if in_brackets else 1, 0, begin
    if in_brackets and not text[begin : begin + 80].lstrip().startswith("("):
        return spans, True
    for token in _TOKEN.finditer(text, begin, len(text) if in_brackets else begin + MAX_STRETCH):
        mark = token["mark"]
        if mark == ";" or place >= MAX_ARGUMENTS or level > MAX_LEVEL:
            return spans, True
        if token["string"]:
            is_key = level == 1 or (wrapped and _KEY_OF.search(text, max(begin, before - 32), before) is not None)
            if is_key and place in places and not text[before : token.start()].strip(" \t\r\nNn"):
                spans.append(token.span())
            before = token.end()
            continue
        if mark == "(":
            level += 1
        elif mark == ")":
            level -= 1
            if level <= 0:
                return spans, True
        elif mark == "," and level == 1:
            place += 1
        before = token.end()
    return spans, not in_brackets
