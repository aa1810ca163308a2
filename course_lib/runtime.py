"""Where a notebook runs: device, seeds, threads and progress bars.

Two environment variables change it, and they are read nowhere else:

- ``COURSE_DEVICE``: ``cpu`` or ``cuda``. Without it, ``cuda`` where there is one, else ``cpu``.
- ``COURSE_QUIET``: ``1`` while notebooks are stored or tested. Progress bars and live figures then
  show nothing, so that a stored page stays tidy.
"""

import os
import random
import sys
from collections.abc import Iterable, Iterator
from importlib import resources

import matplotlib.pyplot as plt
import numpy as np
import torch
from tqdm.auto import tqdm


def prepare(seed: int = 0) -> torch.device:
    """Make a run repeatable and return the device to compute on.

    Seeds Python, NumPy and PyTorch, keeps PyTorch to one thread (so that sums are added in the
    same order on every machine), prints four decimals and applies the course's figure style. It is
    the first line of every lecture.

    Args:
        seed: any integer from 0 to 2**32 - 1.

    Returns:
        The device: see ``device``.

    Raises:
        ValueError: if the seed is out of range, or ``COURSE_DEVICE`` asks for a device that is not
            there.

    Example:
        >>> _ = prepare(seed=0)
        >>> torch.rand(1).item() == torch.rand(1, generator=generator(0)).item()
        True
    """
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed is {seed}, expected an integer from 0 to 2**32 - 1")
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - libraries that a lecture calls may still read it
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.set_printoptions(precision=4, sci_mode=False)
    with resources.as_file(resources.files("course_lib") / "course.mplstyle") as style:
        plt.style.use(style)
    return device()


def device() -> torch.device:
    """Return the device to compute on: ``COURSE_DEVICE`` if set, else CUDA if present, else CPU.

    Raises:
        ValueError: if ``COURSE_DEVICE`` is neither ``cpu`` nor ``cuda``, or asks for CUDA where
            PyTorch sees none.

    Example:
        >>> device().type in {"cpu", "cuda"}
        True
    """
    wanted = os.environ.get("COURSE_DEVICE") or ("cuda" if torch.cuda.is_available() else "cpu")
    if wanted not in {"cpu", "cuda"}:
        raise ValueError(f"COURSE_DEVICE is {wanted!r}, expected 'cpu' or 'cuda'")
    if wanted == "cuda" and not torch.cuda.is_available():
        raise ValueError("COURSE_DEVICE is 'cuda', but PyTorch finds no CUDA device here")
    return torch.device(wanted)


def generator(seed: int) -> torch.Generator:
    """Return a CPU random generator with its own seed.

    Random numbers are drawn on the CPU and then moved, so that a GPU run starts from the very
    same numbers.

    Args:
        seed: any integer from 0 to 2**32 - 1.

    Raises:
        ValueError: if the seed is out of range.

    Example:
        >>> torch.randint(10, (4,), generator=generator(1)).tolist()
        [5, 9, 4, 8]
    """
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed is {seed}, expected an integer from 0 to 2**32 - 1")
    return torch.Generator(device="cpu").manual_seed(seed)


def quiet() -> bool:
    """Tell whether progress bars and live figures should show nothing (``COURSE_QUIET=1``)."""
    return os.environ.get("COURSE_QUIET") == "1"


def progress(iterable: Iterable, description: str) -> Iterator:
    """Iterate with a progress bar, which shows nothing in a quiet run.

    Args:
        iterable: what to iterate over.
        description: a few words in front of the bar.

    Returns:
        An iterator over the same items.

    Example:
        >>> sum(progress(range(4), "adding"))
        6
    """
    # The bar goes to stdout: anything on stderr counts as a warning in a stored notebook.
    return iter(tqdm(iterable, desc=description, file=sys.stdout, leave=False, disable=quiet()))
