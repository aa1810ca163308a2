"""The record of a test run, and the page that shows it."""

import json
from pathlib import Path

import nbformat
import pytest
import torch

from tools import record_run, status_page

REPORT = """\
<testsuites><testsuite>
<testcase classname="book.calculus.slopes.ipynb" name="Cell 0" time="1.4"/>
<testcase classname="book.calculus.slopes.ipynb" name="Cell 1" time="2.2"/>
<testcase classname="book.solutions.calculus.slopes.ipynb" name="Cell 0" time="0.2"/>
<testcase classname="book.solutions.calculus.slopes.ipynb" name="Cell 1" time="0.1">
<failure message="differs"/></testcase>
<testcase classname="tests.test_it" name="test_it" time="9"/>
</testsuite></testsuites>
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A book of two lectures and a solution."""
    for name in ("calculus/slopes", "calculus/tangents", "solutions/calculus/slopes"):
        path = tmp_path / f"book/{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(nbformat.v4.new_notebook(), path)
    (tmp_path / "report.xml").write_text(REPORT, encoding="utf-8")
    return tmp_path


def test_results(root: Path) -> None:
    assert record_run.results(root / "report.xml", root) == {
        "book/calculus/slopes.ipynb": {"passed": True, "seconds": 4},
        "book/solutions/calculus/slopes.ipynb": {"passed": False, "seconds": 0},
    }
    assert record_run.results(root / "no-such-report.xml", root) == {}


def test_record_says_what_it_ran_on(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_DEVICE", "cpu")
    path = record_run.write(root / "report.xml", root)
    assert path == root / "book/status/cpu.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["torch"] == torch.__version__
    assert len(record["notebooks"]) == 2
    assert list(record) == sorted(record)


def test_page(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status_page.render(root).count("no run recorded") == 2 + 2 * 3

    monkeypatch.setenv("COURSE_DEVICE", "cpu")
    record_run.write(root / "report.xml", root)
    lines = status_page.render(root).splitlines()
    assert lines[-3:] == [
        "| [calculus/slopes](calculus/slopes.ipynb) | passed, 4 s | no run recorded |",
        "| [calculus/tangents](calculus/tangents.ipynb) | no run recorded | no run recorded |",
        "| [solutions/calculus/slopes](solutions/calculus/slopes.ipynb) "
        "| **failed**, 0 s | no run recorded |",
    ]
    assert f"PyTorch {torch.__version__}" in "\n".join(lines)
    assert "- GPU: no run recorded" in lines
