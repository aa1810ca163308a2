"""Breaks of the rules of the stored file and of its metadata."""

import json

from nbformat.v4 import new_markdown_cell, new_output
from rules import execution, exercise, metadata, sample, stored

from broken import add, breaks, cell_with, replace


@breaks(stored.set_up_cell_is_generated, "cell 2: is not the set-up cell, run make notebooks")
def other_address(notebook, root):
    replace(notebook, 'github.com/ada/doubling"', 'github.com/bob/doubling"')


@breaks(stored.set_up_cell_is_generated, "cell 2: the set-up cell lacks the tag hide-cell")
def untagged_set_up_cell(notebook, root):
    notebook.cells[2].metadata.clear()


@breaks(stored.set_up_cell_is_generated, "cell 1: is not the set-up cell", kind="solution")
def no_set_up_cell(notebook, root):
    notebook.cells[1].source = "import course_lib"


@breaks(stored.file_is_normalised, "cell 5: not normalised, run")
def other_metadata(notebook, root):
    content = json.loads(sample.stored(notebook))
    content["cells"][5]["metadata"] = {"scrolled": True}
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


@breaks(stored.file_is_normalised, "cell 0: not normalised")
def other_indent(notebook, root):
    return json.dumps(json.loads(sample.stored(notebook)), indent=2)


@breaks(stored.file_is_small, "cell 7: the largest cell of")
def large_picture(notebook, root):
    cell_with(notebook, "plt.plot").outputs[0].data["image/png"] = "A" * 1_000_000


@breaks(stored.no_machine_traces, "cell 5: a machine path: '/home/ada'")
def machine_path_in_output(notebook, root):
    output = new_output("stream", name="stdout", text="(1) holds\nread /home/ada/data\n")
    notebook.cells[5].outputs = [output]


@breaks(stored.no_machine_traces, "cell 10: a machine path: 'C:\\\\Users'")
def machine_path_in_text(notebook, root):
    add(notebook, "It lies in `C:\\Users\\ada`.")


@breaks(stored.no_machine_traces, "cell 5: a package registry: 'Looking in indexes'")
def registry(notebook, root):
    output = new_output("stream", name="stdout", text="(1) holds\nLooking in indexes: mirror\n")
    notebook.cells[5].outputs = [output]


@breaks(execution.executed_in_order, "cell 7: execution count None, expected 4: 'plt.plot")
def never_executed(notebook, root):
    cell_with(notebook, "plt.plot").execution_count = None


@breaks(execution.executed_in_order, "cell 3: execution count 3, expected 2")
def executed_out_of_order(notebook, root):
    notebook.cells[3].execution_count, notebook.cells[5].execution_count = 3, 2


@breaks(execution.executed_in_order, "cell 3: an empty code cell", kind="solution")
def empty_cell(notebook, root):
    notebook.cells[3].source = " \n"


@breaks(execution.release_is_not_executed, "cell 3: has been executed: 'answer'", kind="release")
def executed_release(notebook, root):
    notebook.cells[3].execution_count = 2


@breaks(execution.no_errors, "cell 7: a stored error ZeroDivisionError: 'division by zero'")
def stored_error(notebook, root):
    output = new_output("error", ename="ZeroDivisionError", evalue="division by zero")
    cell_with(notebook, "plt.plot").outputs.append(output)


@breaks(execution.nothing_on_stderr, "cell 7: output on stderr: 'UserWarning: be careful'")
def warning(notebook, root):
    output = new_output("stream", name="stderr", text="UserWarning: be careful\n")
    cell_with(notebook, "plt.plot").outputs.append(output)


@breaks(execution.ignored_outputs_are_asserted, "cell 11: nbval-ignore-output, but no later cell")
def ignored_without_assertion(notebook, root):
    replace(notebook, "assert 3 + 3 == 6", "_ = 3 + 3 == 6")


@breaks(execution.ignored_outputs_are_asserted, "cell 11: nbval-ignore-output, but no later cell")
def assertion_in_another_section(notebook, root):
    notebook.cells.insert(12, new_markdown_cell("### Later"))


@breaks(execution.live_figures_leave_nothing, "cell 15: explore.live with a stored output")
def stored_live_figure(notebook, root):
    output = new_output("display_data", {"text/plain": "VBox()"})
    cell_with(notebook, "explore.live").outputs = [output]


@breaks(metadata.kind_is_told, "metadata course.kind is 'exercise', expected 'lecture'")
def wrong_kind(notebook, root):
    notebook.metadata.course["kind"] = "exercise"


@breaks(metadata.coverage_is_claimed_once, "metadata course.covers is []")
def covers_nothing(notebook, root):
    notebook.metadata.course["covers"] = []


@breaks(metadata.coverage_is_claimed_once, "metadata course.covers: 'A0.0-0' is no known id")
def unknown_id(notebook, root):
    notebook.metadata.course["covers"] = ["A1.1-1", "A0.0-0"]


@breaks(metadata.coverage_is_claimed_once, "'A1.1-1' twice")
def same_id_twice(notebook, root):
    notebook.metadata.course["covers"] = ["A1.1-1", "A1.1-1"]


@breaks(metadata.coverage_is_claimed_once, "'A1.1-1' is claimed by book/numbers/tripling.ipynb")
def claimed_by_two(notebook, root):
    (root / "book/numbers/tripling.ipynb").write_text(sample.stored(notebook), encoding="utf-8")


@breaks(exercise.tasks_tell_level_and_time, "cell 2: 'Task 1: double", kind="solution")
def task_without_level(notebook, root):
    replace(notebook, "Task 1 (core, 5 minutes):", "Task 1:")


@breaks(exercise.tasks_tell_level_and_time, "4 core and 1 optional tasks", kind="release")
def too_many_core_tasks(notebook, root):
    replace(notebook, "Task 4 (optional", "Task 4 (core")


@breaks(exercise.tasks_tell_level_and_time, "cell 4: 'Task 3 (core", kind="solution")
def misnumbered_task(notebook, root):
    replace(notebook, "Task 2", "Task 3")
