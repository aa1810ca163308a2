"""Every notebook of the book keeps every rule, and every rule can fail."""

import inspect
from pathlib import Path

import broken.figures
import broken.lecture
import broken.links
import broken.stored
import broken.text  # noqa: F401 - the imports register the breaks
import pytest
from broken import BREAKS, Break
from rules import LECTURE, RELEASE, SOLUTION, Rule, sample
from rules.notebook import Notebook

from tools import paths

RULES = {"lecture": LECTURE, "solution": SOLUTION, "release": RELEASE}
STORED = {
    "lecture": paths.lectures(),
    "solution": paths.solutions(),
    "release": paths.releases(),
}
NOTEBOOKS = [(path, rules) for kind, rules in RULES.items() for path in STORED[kind]]
_read = {path: Notebook.read(paths.ROOT, path) for path, _ in NOTEBOOKS}


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        pytest.param(path, rule, id=f"{path.relative_to(paths.ROOT)}-{rule.__name__}")
        for path, rules in NOTEBOOKS
        for rule in rules
    ],
)
def test_notebook_keeps_rule(path: Path, rule: Rule) -> None:
    faults = rule(_read[path])
    name = path.relative_to(paths.ROOT)
    lines = [f"{name} breaks {rule.__name__}: {inspect.getdoc(rule)}"]
    assert not faults, "\n".join([*lines, *(f"{name}, {fault}" for fault in faults)])


@pytest.mark.parametrize("kind", RULES)
def test_good_notebook_keeps_all_rules(kind: str, tmp_path: Path) -> None:
    sample.build(tmp_path)
    notebook = Notebook.read(tmp_path, tmp_path / sample.PATHS[kind])
    assert {rule.__name__: rule(notebook) for rule in RULES[kind]} == {
        rule.__name__: [] for rule in RULES[kind]
    }


@pytest.mark.parametrize(
    "case", [pytest.param(b, id=f"{b.rule.__name__}-{b.spoil.__name__}") for b in BREAKS]
)
def test_broken_notebook_breaks_its_rule_and_no_other(case: Break, tmp_path: Path) -> None:
    sample.build(tmp_path)
    notebook = sample.notebook(case.kind)
    content = case.spoil(notebook, tmp_path) or sample.stored(notebook)
    found = {
        rule: faults
        for rule in RULES[case.kind]
        if (faults := rule(sample.read(tmp_path, case.kind, content)))
    }
    assert case.rule in found, "the rule finds nothing"
    assert any(case.says in fault for fault in found[case.rule]), found[case.rule]
    assert set(found) == {case.rule, *case.also}, found


def test_every_rule_has_a_broken_notebook() -> None:
    shown = {case.rule for case in BREAKS}
    assert {rule.__name__ for rule in {*LECTURE, *SOLUTION, *RELEASE} - shown} == set()
