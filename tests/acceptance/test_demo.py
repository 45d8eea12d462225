"""scripts/demo runs from start to end, and its eleven questions have the answers that the story tells of."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from sparks import need_spark

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """What scripts/demo printed, as (command, output) pairs; skips where Spark cannot run, fails so where CI=true."""
    need_spark()
    folder = tmp_path_factory.mktemp("demo") / "store"
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "VIRTUAL_ENV": sys.prefix,
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        [str(ROOT / "scripts" / "demo"), str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert folder.is_dir()
    parts = re.split(r"^\$ (lineage-tt .*)$", done.stdout, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def answers(demo: list[tuple[str, str]], verb: str) -> list[str]:
    """Return the outputs of one verb's calls, in order."""
    return [output for command, output in demo if f"{command} ".startswith(f"lineage-tt {verb} ")]


def test_every_message_is_accounted_for(demo: list[tuple[str, str]]) -> None:
    """The bulk import and the ingest of what came live report, together, on all 169 messages."""
    (imported,), (live, july) = answers(demo, "import"), answers(demo, "ingest")

    assert "146 received, 142 accepted, 3 rejected, 1 duplicates" in imported
    assert re.search(r"^parse +146 ", imported, flags=re.MULTILINE), "its stages are reported"
    assert "23 received, 23 accepted, 0 rejected, 0 duplicates" in live
    assert "71 received, 71 accepted, 0 rejected, 0 duplicates" in july


def test_the_answers_come_from_a_snapshot_and_a_tail(demo: list[tuple[str, str]]) -> None:
    """What was imported is compacted; what came live follows it."""
    (compacted,), (stats,) = answers(demo, "compact"), answers(demo, "stats")

    assert "it covers version 152" in compacted
    assert re.search(r"^snapshot +version 152$", stats, flags=re.MULTILINE)
    assert re.search(r"^tail +23 versions$", stats, flags=re.MULTILINE)


def test_the_same_day_has_two_answers(demo: list[tuple[str, str]]) -> None:
    """Revenue of 5 March came from dwd.payments as known the day after, from ods.payments as known now."""
    then, now = answers(demo, "lineage")[:2]

    assert "── hive:dwd.payments#amount " in then
    assert "hive:ods.payments" not in then
    assert "── hive:ods.payments#amount " in now
    assert "── hive:dwd.payments" not in now


def test_the_leak_has_a_path_and_days(demo: list[tuple[str, str]]) -> None:
    """The address reached the board from the customer database, from 1 to 12 June."""
    path, days = answers(demo, "lineage")[2], answers(demo, "history")[0]

    for node in ("hive:ads.top_customers#contact", "hive:dwd.customers#email", "crm.public.customers#email"):
        assert node in path
    assert "in force 2026-06-01T08:00:00Z → 2026-06-12T08:00:00Z" in days


def test_plans_are_told_before_they_hold(demo: list[tuple[str, str]]) -> None:
    """As known on 1 July, revenue will be without VAT and phone numbers will be gone by the middle of August."""
    plan = answers(demo, "diff")[0]

    assert "+ hive:ads.revenue_board#revenue -> bi:board/42#revenue_without_vat" in plan
    assert "- hive:ods.customers#phone -> hive:dwd.customers#phone" in plan
    assert "+ hive:dwd.vat_rates#rate -> hive:dws.revenue_daily#revenue" in plan


def test_the_difference_has_an_author(demo: list[tuple[str, str]]) -> None:
    """What the store learned about 5 March is one column's source, and the late message names who and why."""
    learned, behind = answers(demo, "diff")[1], answers(demo, "blame")[0]

    assert "- hive:dwd.payments#amount -> hive:dws.revenue_daily#revenue" in learned
    assert "+ hive:ods.payments#amount -> hive:dws.revenue_daily#revenue" in learned
    assert "known since 2026-03-24T15:12:40Z, by tomas: hotfix of 2 March" in behind


def test_before_and_after_the_retract(demo: list[tuple[str, str]]) -> None:
    """On 9 April the report was believed to read a staging table; after the retract it never did."""
    before, after = answers(demo, "lineage")[3:]

    assert "── hive:staging.campaign_tool_export " in before
    assert "── hive:dws.coupon_effect " in after
    assert "staging" not in after


def test_personal_data_has_a_way_a_day_and_a_change(demo: list[tuple[str, str]]) -> None:
    """Board 17 held addresses since 1 June by a change of lucia's; since July phone numbers reach board 60."""
    june, july = answers(demo, "labels")

    assert "confidential  from postgres://crm:5432:crm.public.customers#email, since 2026-06-01T08:00:00Z" in june
    assert re.search(r"brought by version \d+, by lucia: the sales team wants", june)
    assert re.findall(r"^(\S+) +confidential, pii", july, flags=re.MULTILINE) == [
        "bi:board/60#phone", "hive:ads.vip_calls#phone",
    ]  # fmt: skip


def test_who_is_hurt_by_a_delay_is_named(demo: list[tuple[str, str]]) -> None:
    """Two hours break the promise of board 42, which had 80 minutes left, and mei is to hear of it."""
    promised, late = answers(demo, "core")

    assert re.search(r"^bi:board/42 +P1 +07:00:00 +05:40:00 +1h20m +11 +mei$", promised, flags=re.MULTILINE)
    assert re.search(r"^bi:board/42 .* 07:40:00 +breaks +mei$", late, flags=re.MULTILINE)
    assert "no known duration" not in promised + late


def test_a_wrong_number_has_its_cause_and_its_repair(demo: list[tuple[str, str]]) -> None:
    """The first suspect is the lost filter, the failed check points at it, and the repair begins with that task."""
    (cause,), (repair,) = answers(demo, "root-cause"), answers(demo, "backfill")

    assert "  1. dwd_payments takes other rows, 2026-07-05T02:00:00Z" in cause
    assert "the check like_last_week of hive:dws.revenue_daily#revenue fails since then" in cause
    assert re.search(r"^ +1 +1 +dwd_payments +2026-07-05 ", repair, flags=re.MULTILINE)
    assert re.search(r"^ +\d+ +4 +board_42 +2026-07-05 ", repair, flags=re.MULTILINE)


def test_what_can_go_and_what_breaks_rules_is_listed(demo: list[tuple[str, str]]) -> None:
    """The copy of the campaigns is contained in the clean table, and two tables of July read past layers."""
    (twice,), (broken,) = answers(demo, "redundancy"), answers(demo, "rules")

    assert re.search(r"hive:ads.campaign_calendar +hive:dwd.campaigns +4$", twice, flags=re.MULTILINE)
    assert re.findall(r"^error +layer_skip +(\S+)", broken, flags=re.MULTILINE) == [
        "hive:ads.campaign_calendar", "hive:ads.vip_calls",
    ]  # fmt: skip
    assert "(exit status 1)" in broken


def test_the_store_is_whole(demo: list[tuple[str, str]]) -> None:
    """The last command checks the store and finds nothing."""
    command, output = demo[-1]

    assert command == "lineage-tt check"
    assert output.strip() == "clean"


def test_a_clean_clone_gets_what_the_questions_need() -> None:
    """What scripts/environment installs for the demo holds Spark and the graph: questions 6 to 11 ended without it."""
    installed = re.search(r"^ *demo\) what=\(--editable '\.\[([\w,]+)\]'\)", _text("scripts/environment"), re.MULTILINE)
    extras = tomllib.loads(_text("pyproject.toml"))["project"]["optional-dependencies"]

    assert installed is not None
    assert ". scripts/environment demo" in _text("scripts/demo")
    wanted = " ".join(each for extra in installed[1].split(",") for each in extras[extra])
    assert re.search(r"\bnumba\b", wanted)
    assert re.search(r"\bpyspark\b", wanted)


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
