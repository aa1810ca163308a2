"""Make the pages that nobody keeps by hand: ``python -m tools.build_pages``.

``book/common-mistakes.md`` comes from the lectures, ``book/api.md`` and the pages in ``book/api``
from the docstrings of ``course_lib``, ``book/status.md`` from the recorded runs. They are
committed, so that they read on GitHub too; a test keeps them in step.
"""

from pathlib import Path

from tools import api_page, mistakes_page, status_page
from tools.paths import ROOT


def pages(root: Path = ROOT) -> dict[Path, str]:
    """Write the generated pages into memory.

    Args:
        root: the root of the repository.

    Returns:
        The content of each page by its path.
    """
    return {
        root / "book/common-mistakes.md": mistakes_page.page(root),
        **api_page.pages(root),
        root / "book/status.md": status_page.render(root),
    }


def main() -> None:
    """Write the generated pages into the repository."""
    for path, content in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
