"""SQL/JSON functions (SQL:2016, as in Trino and Oracle) cut down to their arguments: other clauses move no edge.

Those that the parser takes stay, but for the type after RETURNING, ``json_arrayagg(a RETURNING clob)``, which it takes
for a column.

``json_value(d, 'lax $.a' PASSING x AS y RETURNING bigint DEFAULT z ON EMPTY)`` takes its value from d, x and z. PASSING
and DEFAULT give the function another name here, since the parser knows how many arguments the original has.
"""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import bracketed, closing, kinds_of, places_of, start_of_name, token_like, word_at
from ingest.sql.words import words

_FUNCTIONS: Final = words(
    """json_exists json_value json_query json_array json_object json_arrayagg json_objectagg json_scalar json_serialize
    json_mergepatch"""
)
_CLAUSES: Final = words("returning format error empty absent keep omit without")
_MADE: Final = (exp.JSONArray, exp.JSONArrayAgg, exp.JSONObject, exp.JSONObjectAgg)
_BEFORE_ON: Final = words("null true false unknown")
_AFTER_WITH: Final = words("wrapper unique array conditional unconditional")
_BRINGS: Final = words("passing default")
_ARROWS: Final = (TokenType.ARROW, TokenType.DARROW)
_BEFORE_ARGUMENT: Final = (TokenType.L_PAREN, TokenType.COMMA, TokenType.DISTINCT, TokenType.ALL)
_ENDS: Final = (TokenType.COMMA, TokenType.R_PAREN)


def with_named_types(trees: list[Any], tokens: list[Token]) -> list[Any]:
    """Return the trees of a statement in which the type after a JSON function's RETURNING is no column."""
    if TokenType.RETURNING not in kinds_of(tokens):
        return trees
    for kind in (call.args.get("return_type") for tree in trees for call in tree.find_all(*_MADE)):
        for column in list(kind.find_all(exp.Column)) if isinstance(kind, exp.Expr) else ():
            column.replace(exp.var(column.sql()))
    return trees


def plain_json(tokens: list[Token]) -> list[Token] | None:
    """Return the tokens without such clauses, None where there are none."""
    changed: list[Token] = []
    functions: list[int | None] = []  # for each open bracket, where in ``changed`` its JSON function's name is
    place = 0
    while place < len(tokens):
        token = tokens[place]
        function = functions[-1] if functions else None
        after = place if function is None else _after_clause(tokens, place)
        if function is not None and word_at(tokens, place) in _BRINGS:
            name = changed[function]
            changed[function] = token_like(name, TokenType.VAR, f"{name.text}_{token.text.lower()}")
            changed.append(token_like(token, TokenType.COMMA, ","))
        elif after > place:
            place = after
            continue
        else:
            if token.token_type == TokenType.L_PAREN:
                functions.append(len(changed) - 1 if changed and word_at(changed[-1:], 0) in _FUNCTIONS else None)
            elif token.token_type == TokenType.R_PAREN and functions:
                functions.pop()
            changed.append(token)
        place += 1
    return changed if len(changed) < len(tokens) else None


def bracketed_paths(tokens: list[Token]) -> list[Token] | None:
    """``jsonb_agg(e -> 'x' ORDER BY b)`` with brackets around the path, whose arrow the parser takes for a lambda's.

    None is returned where no argument begins with such a path.
    """
    changed: list[Token] = []
    done = 0
    for place in places_of(TokenType.ARROW, kinds_of(tokens)):
        start = start_of_name(tokens, place - 1)
        if start <= done or tokens[start - 1].token_type not in _BEFORE_ARGUMENT:
            continue
        end = place
        while end + 1 < len(tokens) and tokens[end].token_type in _ARROWS:
            end += 2
        changed += [*tokens[done:start], *bracketed(tokens[start:end], tokens[start])]
        done = end
    return changed + tokens[done:] if done else None


def _after_clause(tokens: list[Token], place: int) -> int:
    """Return the place after the clause that begins at ``place``, or the same place where none does.

    It ends at a comma or bracket, and where DEFAULT or PASSING brings another argument.
    """
    word, following = word_at(tokens, place), word_at(tokens, place + 1)
    if word in ("as", "on"):  # the name of what is passed; EMPTY or ERROR
        return place + 2
    begins = (word in _BEFORE_ON and following == "on") or (word == "with" and following in _AFTER_WITH)
    if word not in _CLAUSES and not begins:
        return place
    while place < len(tokens) and tokens[place].token_type not in _ENDS and word_at(tokens, place) not in _BRINGS:
        place = max(closing(tokens, place), place) + 1 if tokens[place].token_type == TokenType.L_PAREN else place + 1
    return place
