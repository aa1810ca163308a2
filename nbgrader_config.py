"""Settings of nbgrader: its plain commands work from the root of the repository.

``nbgrader generate_assignment <part>`` makes book/exercises/<part> from book/solutions/<part>.
Everything that belongs to a class (gradebook, submissions, grades, feedback) lies in .nbgrader/,
which git ignores.
"""

import os
import shutil
import sys
from pathlib import Path

root = Path(__file__).resolve().parent
private = root / ".nbgrader"
private.mkdir(exist_ok=True)  # SQLite makes the gradebook, but not its folder.

# nbgrader calls alembic by its bare name, which fails where the environment is not activated.
if shutil.which("alembic") is None:
    os.environ["PATH"] += f"{os.pathsep}{Path(sys.executable).parent}"

c = get_config()

c.CourseDirectory.root = str(root)
c.CourseDirectory.db_url = f"sqlite:///{private / 'gradebook.db'}"
c.CourseDirectory.source_directory = "book/solutions"
c.CourseDirectory.release_directory = "book/exercises"
c.CourseDirectory.submitted_directory = ".nbgrader/submitted"
c.CourseDirectory.autograded_directory = ".nbgrader/autograded"
c.CourseDirectory.feedback_directory = ".nbgrader/feedback"
c.CourseDirectory.solution_directory = ".nbgrader/solution"
c.CourseDirectory.source_with_tests_directory = ".nbgrader/source_with_tests"
c.ExportPlugin.to = str(private / "grades.csv")

# The release is committed. Without this nbgrader would find it, skip it, and leave a new gradebook
# without the tests that grading needs.
c.GenerateAssignment.force = True

# nbgrader's own list, with two changes. Cells tagged "solution" (explanations, rubrics) are
# removed. InstantiateTests is left out: it makes tests from a template that we do not use.
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbconvert.preprocessors.TagRemovePreprocessor",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.TagRemovePreprocessor.enabled = True
c.TagRemovePreprocessor.remove_cell_tags = {"solution"}

# Seconds for one cell. The first one imports PyTorch, which is slow on a busy machine.
c.Execute.timeout = 60

# Feedback shows the message of a failed test, never the hidden test itself.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
