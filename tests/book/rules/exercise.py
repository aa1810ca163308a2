"""Rules of an exercise's order."""

import re

from rules.notebook import Notebook, excerpt

TASK = re.compile(r"Task (\d+) \((core|optional), \d+ minutes\): \S.*")


def tasks_tell_level_and_time(notebook: Notebook) -> list[str]:
    """Headings ``## Task 1 (core, 15 minutes): ...``; three core tasks, two to four optional."""
    faults, levels = [], []
    for section in notebook.sections:
        title = section[0].title
        if not title.startswith("Task"):
            continue
        match = TASK.fullmatch(title)
        if not match:
            faults.append(
                f"cell {section[0].index}: {excerpt(title)}, expected "
                "'Task <n> (core or optional, <m> minutes): <what>'"
            )
            levels.append("")
            continue
        levels.append(match[2])
        if int(match[1]) != len(levels):
            faults.append(f"cell {section[0].index}: {excerpt(title)}, expected {len(levels)}")
    core, optional = levels.count("core"), levels.count("optional")
    if core != 3 or not 2 <= optional <= 4:
        faults.append(
            f"the notebook has {core} core and {optional} optional tasks, expected 3 and 2 to 4"
        )
    return faults
