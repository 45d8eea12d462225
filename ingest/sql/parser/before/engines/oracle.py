"""Forms of Oracle that the parser does not know: ``d AT LOCAL``, and the quoted name of a database's link."""

from __future__ import annotations

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import token_like, word_at


def plain_oracle(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """Return a statement with ``AT TIME ZONE 'LOCAL'``, and ``t@"REM.WORLD"`` as one name."""
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if place and token.text.upper() == "AT" and word_at(tokens, place + 1) == "local":
            result += [token, *dialect.tokenize("TIME ZONE 'LOCAL'")]
            place += 1
        elif place and token.token_type is TokenType.IDENTIFIER and tokens[place - 1].text.endswith("@"):
            result[-1] = token_like(result[-1], TokenType.VAR, result[-1].text + token.text)
        else:
            result.append(token)
        place += 1
    return result
