"""Device, seeds and progress bars."""

import random

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from course_lib import runtime


def test_prepare_makes_every_generator_repeat():
    def draw():
        runtime.prepare(seed=3)
        return random.random(), np.random.rand(), torch.rand(1).item()  # noqa: NPY002

    assert draw() == draw()


def test_prepare_keeps_to_one_thread_and_applies_the_style():
    runtime.prepare()
    assert torch.get_num_threads() == 1
    assert plt.rcParams["svg.hashsalt"] == "course"


@pytest.mark.parametrize("function", [runtime.prepare, runtime.generator])
@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_out_of_range_are_refused(function, seed):
    with pytest.raises(ValueError, match=f"seed is {seed}"):
        function(seed)


def test_the_device_follows_the_variable(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")
    assert runtime.device() == torch.device("cpu")
    monkeypatch.setenv("COURSE_DEVICE", "tpu")
    with pytest.raises(ValueError, match="COURSE_DEVICE is 'tpu'"):
        runtime.device()


@pytest.mark.parametrize("there", [True, False])
def test_the_device_without_the_variable_is_what_is_there(monkeypatch, there):
    monkeypatch.delenv("COURSE_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: there)
    assert runtime.device().type == ("cuda" if there else "cpu")


def test_a_missing_cuda_device_is_an_error(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="finds no CUDA device"):
        runtime.device()


def test_generators_are_on_the_cpu_and_independent():
    first, second = runtime.generator(1), runtime.generator(1)
    torch.rand(5, generator=first)
    assert torch.equal(
        torch.rand(3, generator=second), torch.rand(3, generator=runtime.generator(1))
    )
    assert first.device.type == "cpu"


@pytest.mark.parametrize(("quiet", "shown"), [("1", False), ("0", True)])
def test_progress_shows_a_bar_on_stdout_unless_quiet(monkeypatch, capsys, quiet, shown):
    monkeypatch.setenv("COURSE_QUIET", quiet)
    assert list(runtime.progress(range(3), "counting")) == [0, 1, 2]
    output = capsys.readouterr()
    assert ("counting" in output.out) == shown
    assert output.err == ""
