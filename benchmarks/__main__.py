"""Run all benchmarks and print their ratios: ``make bench``."""

import importlib
import pkgutil

import benchmarks
from course_lib import runtime


def main() -> None:
    """Print one line for each comparison: our time divided by the peer's."""
    runtime.prepare()
    print(f"{'our time / peer':40} {'min':>7} {'median':>7} {'max':>7}")
    for module in sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__)):
        run = getattr(importlib.import_module(f"benchmarks.{module}"), "run", None)
        for name, (low, median, high) in (run() if run else {}).items():
            print(f"{module + ': ' + name:40} {low:7.2f} {median:7.2f} {high:7.2f}")


if __name__ == "__main__":
    main()
