"""The environment variables that builds and tests run with, the same on every machine."""

import os

from tools.paths import ROOT

# Programs that a run starts may write here, whatever the state of the home directory, and read no
# settings of the person who runs them.
HOME = ROOT / "_build" / "home"


def isolated() -> dict[str, str]:
    """Return the variables for a subprocess: one thread, quiet notebooks, a home of its own.

    Example:
        >>> isolated()["COURSE_QUIET"], isolated()["OMP_NUM_THREADS"]
        ('1', '1')
    """
    variables = dict(os.environ)
    # It would choose another way to draw than the inline pictures of a notebook.
    variables.pop("MPLBACKEND", None)
    variables.update(
        COURSE_QUIET="1",
        OMP_NUM_THREADS="1",
        MKL_NUM_THREADS="1",
        IPYTHONDIR=str(HOME / "ipython"),
        JUPYTER_CONFIG_DIR=str(HOME / "jupyter" / "config"),
        JUPYTER_DATA_DIR=str(HOME / "jupyter" / "data"),
        JUPYTER_RUNTIME_DIR=str(HOME / "jupyter" / "runtime"),
        MPLCONFIGDIR=str(HOME / "matplotlib"),
        XDG_CACHE_HOME=str(HOME / "cache"),
        PYTHONPATH=str(ROOT),
    )
    HOME.mkdir(parents=True, exist_ok=True)
    return variables
