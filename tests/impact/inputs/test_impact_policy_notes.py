"""Parts of ``impact.toml`` that have no effect: a note says so, else a misspelled pattern would pass the gate."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import BROKEN, CONTEXT, SALES, impact
from releases import assessed

from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import Candidate

NOTHING = "names nothing that the store or the release knows"
CASES = [
    ('[labels]\n"hive:ods.orders#amout" = ["secret"]', f"labels 'hive:ods.orders#amout' {NOTHING}; did you mean"
     " hive:ods.orders#amount?"),
    ('[labels]\n"hive:ods.ordesr" = ["secret"]', f"labels 'hive:ods.ordesr' {NOTHING}; did you mean hive:ods.orders?"),
    ('[owners]\n"task:saels" = ["ana"]', f"owners 'task:saels' {NOTHING}; did you mean task:sales?"),
    ('[policy]\nprotected = ["hive:odds.*"]', f"protected 'hive:odds.*' {NOTHING}; did you mean hive:ods.*?"),
    ('[policy]\nlayers = ["zz:*", "hive:dw.*"]', f"layers 'zz:*' {NOTHING}"),
    ('[[policy.approve]]\nowner = "ana"\ndatasets = ["bi:bord/*"]', f"approve.datasets 'bi:bord/*' {NOTHING}"),
    ('[[policy.allow]]\nreason = "r"\nuntil = 2999-01-01\nsubject = "hive:dw.zz"',
     "the allowance 'r' covers no finding of this release"),
    ('[[paths]]\nmatch = "*.sql"\n[[paths]]\nmatch = "job/*.sql"',
     "paths.1 of impact.toml (job/*.sql) matches no SQL file"),
    ('[[paths]]\nmatch = "*.sql"\n[[paths]]\nmatch = "sales.sql"',
     "paths.1 of impact.toml (sales.sql) defines no task: earlier paths match the same files"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "note"), CASES)
def test_what_has_no_effect_is_named_in_a_note(work: Path, text: str, note: str) -> None:
    """Each of these was accepted without a word, and the gate passed as if it had been applied."""
    (work / "impact.toml").write_text(CONTEXT + text)
    (work / "sales.sql").write_text(BROKEN)

    notes = impact(work, "sales.sql", "--format", "json").result["notes"]

    assert [each[: len(note)] for each in notes] == [note]


def test_what_has_an_effect_is_in_no_note(work: Path) -> None:
    """Known columns that no edge names, tasks, datasets of the release itself, and rules that define tasks."""
    (work / "impact.toml").write_text(
        CONTEXT
        + '[[paths]]\nmatch = "*.sql"\n[policy]\nprotected = ["bi:*"]\nlayers = ["hive:ods.*", "hive:dw.*"]\n'
        + '[[policy.allow]]\nreason = "r"\nuntil = 2999-01-01\nkind = "stale-*"\n'
        + '[labels]\n"hive:ods.orders#email" = ["pii"]\n"hive:dw.fresh#id" = ["x"]\n[owners]\n"task:sales" = ["ana"]\n'
    )
    (work / "sales.sql").write_text(BROKEN)
    (work / "fresh.sql").write_text("CREATE TABLE fresh AS SELECT id FROM ods.orders")

    assert impact(work, ".", "--format", "json").result["notes"] == []


def test_an_allowance_of_no_kind_is_refused(work: Path) -> None:
    """``stale_reader`` is spelled with a hyphen: the allowance would never apply."""
    allow = '[[policy.allow]]\nreason = "r"\nuntil = 2999-01-01\nkind = "stale_reader"\n'
    (work / "impact.toml").write_text(CONTEXT + allow)
    (work / "sales.sql").write_text(SALES)

    done = impact(work, "sales.sql")

    assert done.status == 2
    assert "there is no kind 'stale_reader'" in done.err
    assert "did you mean stale-reader?" in done.err


def test_an_empty_store_knows_no_names(tmp_path: Path) -> None:
    """A policy over a platform whose store begins with this release is not a mistake; a note says that it is empty."""
    from lineage_tt.store import Store

    store = Store.create(tmp_path / "store")

    notes = assessed(store, Candidate("t", edges=()), policy=Policy(protected=("hive:dws.*",))).notes

    assert notes == ("the store holds no accepted message, so no reader of anything is known: is it the right one?",)
