"""Read the reports that pytest writes with ``--junit-xml``."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree


def cases(report: Path) -> Iterator[ElementTree.Element]:
    """Yield the tests of a report.

    Args:
        report: the file. Where there is none, because pytest could not even start, nothing comes.
    """
    if report.exists():
        yield from ElementTree.parse(report).iter("testcase")


def skipped(report: Path) -> Counter[str]:
    """Count the tests that were skipped, by their reason.

    Args:
        report: the file.
    """
    return Counter(mark.get("message") for case in cases(report) for mark in case.iter("skipped"))
