"""Places where a test makes the program fail: armed by name, at the pass that is asked for."""

from __future__ import annotations

import errno
import subprocess
import sys
import time

import pytest

from lineage_tt.storage import failpoints


def test_an_unarmed_point_does_nothing() -> None:
    """Neither without points nor beside others."""
    failpoints.reach("p3:before")
    with failpoints.armed("p4:after:raise"):
        failpoints.reach("p3:before")


def test_a_point_acts_once_at_its_pass() -> None:
    """The third pass fails, those before and after it do not."""
    with failpoints.armed("p3:before:raise@3"):
        failpoints.reach("p3:before")
        failpoints.reach("p3:before")
        with pytest.raises(failpoints.FailpointError, match="p3:before"):
            failpoints.reach("p3:before")
        failpoints.reach("p3:before")


def test_points_are_armed_for_a_block_alone() -> None:
    """Also where the block ends by an error; those armed around it stay."""
    with failpoints.armed("p1:before:raise"):
        with pytest.raises(KeyError), failpoints.armed("p2:before:raise,p3:after:enospc"):
            raise KeyError
        failpoints.reach("p2:before")
        with pytest.raises(failpoints.FailpointError):
            failpoints.reach("p1:before")


def test_a_full_disk_is_the_systems_own_error() -> None:
    """With its number, so that it takes the same way as a real one."""
    with failpoints.armed("p3:data:enospc"), pytest.raises(OSError) as caught:  # noqa: PT011
        failpoints.reach("p3:data")
    assert caught.value.errno == errno.ENOSPC


def test_a_point_can_wait() -> None:
    """Milliseconds."""
    begun = time.monotonic()
    with failpoints.armed("p3:data:sleep:20"):
        failpoints.reach("p3:data")

    assert time.monotonic() - begun >= 0.02


def test_an_unknown_action_is_an_error() -> None:
    """A test with a typing error must not pass for want of a failure."""
    with failpoints.armed("p3:data:explode"), pytest.raises(ValueError, match="explode"):
        failpoints.reach("p3:data")


def test_a_process_is_armed_by_its_environment() -> None:
    """It dies as by ``kill -9`` at the point, and not before."""
    code = "from lineage_tt.storage.failpoints import reach; print('in', flush=True); reach('p3:after'); print('out')"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"LINEAGE_FAILPOINT": "p3:after:kill", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout) == (-9, "in\n")
