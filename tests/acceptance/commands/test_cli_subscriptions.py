"""``lineage-tt subscribe`` and ``subscriptions``: what a subscription would send, and options without effect."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import call

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.testing import ManualClock, task_change

DAY = "2026-01-01T00:00:00Z"
USERS, BOARD = "db:users#mail", "bi:board#contact"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A board made of a column that a person then labels."""
    folder = tmp_path / "s"
    opened = Store.create(folder, clock=ManualClock("2026-02-01T00:00:00Z"))
    opened.append([task_change("board", "online", DAY, [(USERS, BOARD)])])
    annotate(opened, USERS, "label", ["pii"], at=DAY)
    return folder


def test_a_subscription_to_derived_labels_is_tried_out_under_the_rules(store: Path, tmp_path: Path) -> None:
    """The label reaches the board under rules that let it spread, and does not under rules that do not."""
    call("subscribe", "boards", "--dataset", "bi:*", "--class", "derived-label-changed", store=store)
    rules = tmp_path / "rules.toml"
    rules.write_text('[labels]\nonly = ["none"]\n[labels.scenes.open]\nonly = []\n', encoding="utf-8")
    tried = ("subscriptions", "test", "boards", "--rules", rules)

    text = call(*tried, "--scene", "open", store=store)
    (event,) = call(*tried, "--scene", "open", "--format", "json", store=store).result["events"]

    assert "derived-label-changed" in text.out
    assert "1 event for versions 1 to 3" in text.out
    assert event["subscription"] == "boards"
    assert [(each["node"], each["gained"]) for each in event["data"]["changes"]] == [(BOARD, ["pii"])]
    assert call(*tried, "--format", "json", store=store).result["events"] == []


def test_rules_given_for_other_subscriptions_are_not_ignored_in_silence(store: Path, tmp_path: Path) -> None:
    """Trying one out with them is an error; a run, which may be of many, says that they have no effect."""
    call("subscribe", "all", store=store)
    rules = tmp_path / "rules.toml"
    rules.write_text("[labels]\n", encoding="utf-8")

    tried = call("subscriptions", "test", "all", "--rules", rules, store=store)
    ran = call("subscriptions", "run", "--until-end", "--rules", rules, store=store)

    assert (tried.status, "all is not about derived labels" in tried.err) == (2, True)
    assert (ran.status, "--scene and --rules have no effect" in ran.err) == (0, True)


def test_options_of_a_subscription_that_have_no_effect_are_named(store: Path) -> None:
    """The subscription is stored; each such option has a line, in JSON a note."""
    given = ("subscribe", "s", "--direct-only", "--secret-env", "KEY", "--allow-private")

    text = call(*given, store=store)
    notes = call(*given, "--format", "json", store=store).result["notes"]

    assert [each.split()[0] for each in notes] == ["direct_only", "secret_env", "allow_private"]
    assert all(each in text.out for each in notes)


def test_a_run_sums_up_in_json(store: Path) -> None:
    """The events are lines on standard output; the summary is the last line on standard error."""
    call("subscribe", "all", store=store)
    annotate(Store.open(store), BOARD, "owner", ["ana"])

    ran = call("subscriptions", "run", "--until-end", "--format", "json", store=store)

    assert [json.loads(line)["subscription"] for line in ran.out.splitlines()] == ["all"]
    assert json.loads(ran.err.splitlines()[-1]) == {"delivered": {"all": 1}, "given_up": {}, "version": 4}


def test_undelivered_events_of_a_name_or_file_that_is_none_are_an_error(store: Path, tmp_path: Path) -> None:
    """Both are refused, and no file is made; a subscription of which nothing failed has none."""
    call("subscribe", "all", store=store)

    missing = call("subscriptions", "undelivered", "--state", tmp_path / "typo.sqlite", store=store)
    unknown = call("subscriptions", "undelivered", "al", "--resend", store=store)

    assert (missing.status, "there is no file" in missing.err, (tmp_path / "typo.sqlite").exists()) == (2, True, False)
    assert (unknown.status, "there is: all" in unknown.err) == (2, True)
    assert "0 events undelivered" in call("subscriptions", "undelivered", "all", store=store).out


def test_subscriptions_are_listed_with_what_they_are_about(store: Path) -> None:
    """Each has its delivery and its filters in words."""
    call("subscribe", "boards", "--dataset", "bi:*", store=store)

    listed = call("subscriptions", "list", store=store).out

    assert "datasets bi:*" in listed
    assert "1 subscription" in listed
