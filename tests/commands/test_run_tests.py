"""`make test`: every step runs, and the summary says what failed, and what was skipped and why."""

from pathlib import Path

import pytest

from tools import run_tests

DEVICE = run_tests.DEVICE
TESTS = """
import pytest

def test_passes():
    pass

@pytest.mark.parametrize("n", [1, 2])
def test_is_skipped(n):
    pytest.skip("no browser here")
"""


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tests, "REPORTS", tmp_path / "reports")
    monkeypatch.setattr(run_tests, "DEVICE", "print('abacus')")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # Loading them takes seconds.


def test_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    (tmp_path / "test_it.py").write_text(TESTS, encoding="utf-8")
    pytest_step = ("-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_it.py"))
    steps = {"first": ("-c", "raise SystemExit(3)"), "last step": pytest_step}
    monkeypatch.setattr(run_tests, "STEPS", steps)
    assert run_tests.main([]) == 1
    summary = capfd.readouterr().out.split("=== summary ===\n")[1].splitlines()
    assert summary[0] == "The notebooks ran on: abacus"
    assert summary[1].startswith("FAILED  first (")
    assert summary[2].startswith("passed  last step (")
    assert summary[3:] == ["    skipped 2: no browser here"]

    monkeypatch.setattr(run_tests, "STEPS", {"last step": pytest_step})
    assert run_tests.main([]) == 0


def test_pytest_that_cannot_start_has_no_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    report = run_tests.report_of("only")
    report.parent.mkdir()
    report.write_text('<a><testcase><skipped message="old"/></testcase></a>', encoding="utf-8")
    monkeypatch.setattr(run_tests, "STEPS", {"only": ("-m", "pytest", "--no-such-option")})
    assert run_tests.main([]) == 1
    assert "old" not in capfd.readouterr().out


def test_device_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(run_tests, "DEVICE", DEVICE)
    monkeypatch.setenv("COURSE_DEVICE", "tpu")
    assert run_tests.main([]) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert "COURSE_DEVICE is 'tpu', expected 'cpu' or 'cuda'" in line
