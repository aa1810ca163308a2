"""What holds for every test run: quiet notebooks and one thread a process."""

import os

# Set before anything is imported: kernels started by nbval inherit these.
os.environ["COURSE_QUIET"] = "1"
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")
