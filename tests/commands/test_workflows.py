"""The workflows: few rights, an end to everything, and the Pythons that are promised."""

from pathlib import Path

import pytest
import yaml

from tools.paths import ROOT

WORKFLOWS = {
    path.name: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
}
each_workflow = pytest.mark.parametrize("name", WORKFLOWS)


def test_all_are_there() -> None:
    assert WORKFLOWS.keys() == {"gpu.yml", "publish.yml", "test.yml", "weekly.yml"}


@each_workflow
def test_rights_are_given_job_by_job(name: str) -> None:
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}


@each_workflow
def test_every_job_has_an_end(name: str) -> None:
    assert "concurrency" in WORKFLOWS[name]
    assert all(job["timeout-minutes"] <= 90 for job in WORKFLOWS[name]["jobs"].values())


@each_workflow
def test_actions_are_pinned_and_local_ones_exist(name: str) -> None:
    for job in WORKFLOWS[name]["jobs"].values():
        for action in [step["uses"] for step in job["steps"] if "uses" in step]:
            if action.startswith("./"):
                assert Path(ROOT, action, "action.yml").exists()
            else:
                assert action.startswith("actions/")
                assert action.split("@v")[1].isdigit()


def test_pythons_and_gpu() -> None:
    matrix = WORKFLOWS["test.yml"]["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]
    gpu = WORKFLOWS["gpu.yml"]["jobs"]["test"]
    assert gpu["if"] == "vars.GPU_RUNNER != ''"
    assert gpu["env"]["COURSE_DEVICE"] == "cuda"
    # YAML reads the key `on` as true. A pull request would bring foreign code to that machine.
    assert not {"pull_request", "pull_request_target"} & WORKFLOWS["gpu.yml"][True].keys()
