"""Breaks of the rules of a lecture: order, equations, questions."""

from rules import equations, lecture, teaching

from broken import add, breaks, cell_with, replace


@breaks(lecture.sections_in_order, "expected ['Check yourself', 'Summary', 'Exercises', 'Ref")
def no_summary(notebook, root):
    replace(notebook, "## Summary\n\nA double is a number plus itself.\n\n", "")


@breaks(lecture.sections_in_order, "cell 16: the last sections are ['Check yourself', 'Exercises'")
def sections_swapped(notebook, root):
    replace(notebook, "## Summary", "## Middle")
    replace(notebook, "## Exercises", "## Summary")
    replace(notebook, "## Middle", "## Exercises")


@breaks(lecture.sections_in_order, "cell 4: Explore comes before the first content")
def explore_first(notebook, root):
    section = notebook.cells[13:16]
    del notebook.cells[13:16]
    notebook.cells[4:4] = section
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(code, start=1):
        cell.execution_count = count


@breaks(lecture.opening_tells_what_to_expect, "cell 0: no text under the title")
def no_problem(notebook, root):
    notebook.cells[0].source = "# Doubling"


@breaks(lecture.opening_tells_what_to_expect, "cell 1: You will lists 2 things, expected 3 to 5")
def few_aims(notebook, root):
    replace(notebook, "- see how a double grows,\n", "")


@breaks(lecture.opening_tells_what_to_expect, "cell 1: no paragraph begins **Before you start**")
def no_prerequisites(notebook, root):
    replace(notebook, "**Before you start**", "Before you start")


@breaks(lecture.opening_tells_what_to_expect, "cell 1: Time tells no minutes")
def no_time(notebook, root):
    replace(notebook, "5 minutes to read, 1 minute to run", "not long")


@breaks(lecture.imports_prepare_the_run, "cell 3: expected device = runtime.prepare(...) after")
def no_device(notebook, root):
    replace(notebook, "device = runtime.prepare(seed=0)", "runtime.prepare(seed=0)")


@breaks(lecture.imports_prepare_the_run, "cell 3: expected device = runtime.prepare(...) after")
def something_before_device(notebook, root):
    replace(notebook, "device = runtime", "x = 1\ndevice = runtime")


@breaks(lecture.references_are_links, "cell 17: References holds no link")
def reference_without_link(notebook, root):
    replace(notebook, "[Euclid's Elements](https://example.org/euclid)", "Euclid's Elements")


@breaks(
    equations.tags_are_numbered,
    r"cell 4: \tag{2}, expected \tag{1}",
    also=(equations.tags_are_checked,),
)
def misnumbered_equation(notebook, root):
    replace(notebook, r"\tag{1}", r"\tag{2}")


@breaks(equations.tags_are_numbered, r"cell 4: \tag{1}, expected \tag{2}")
def same_number_twice(notebook, root):
    replace(notebook, "f(x) = x + x", r"f(x) = x + x \tag{1}")


@breaks(equations.tags_are_checked, "cell 10: equation (2) is checked by no cell: 'x + x = 2 x")
def unchecked_equation(notebook, root):
    add(notebook, "$$\nx + x = 2 x \\tag{2}\n$$")


@breaks(equations.tags_are_checked, "cell 4: equation (1) is checked by no cell")
def check_in_a_comment(notebook, root):
    replace(notebook, 'verify.equal("1", 3 + 3, 2 * 3)', '# verify.equal("1", 6, 6)\nprint(6)')


@breaks(equations.tags_are_checked, "cell 7: verify.equal checks (7), which no equation has")
def check_of_nothing(notebook, root):
    replace(notebook, "plt.show()", 'plt.show()\nverify.equal("7", 1, 1)')


@breaks(equations.tags_are_checked, "cell 5: the output lacks the line '(1) holds'")
def check_without_result(notebook, root):
    cell_with(notebook, "verify.equal").outputs = []


@breaks(equations.tags_are_checked, "cell 7: verify.equal without a tag written out")
def check_with_a_computed_tag(notebook, root):
    replace(notebook, "plt.show()", "plt.show()\nverify.equal(str(1), 1, 1)")


@breaks(teaching.predictions_have_answers, "cell 4: expected one answer in <details> after '**Pr")
def prediction_without_answer(notebook, root):
    answer = "<details><summary>Answer</summary>\n\n$f(3) = 6$, by (1).\n\n</details>\n"
    replace(notebook, answer, "")


@breaks(teaching.predictions_have_answers, "asks 1 times to predict first, expected 2 or 3")
def one_prediction(notebook, root):
    replace(notebook, "**Predict first.** Is", "Is")


@breaks(teaching.predictions_have_answers, "cell 16: no cell of the section shows what comes out")
def prediction_of_nothing(notebook, root):
    text = "**Predict first.** Is 5 a double?\n\n<details><summary>Answer</summary>\n\nNo.\n\n"
    replace(notebook, "**1. What", text + "</details>\n\n**1. What")


@breaks(teaching.mistakes_are_refuted, "has the erratum '' in its metadata, expected an id")
def mistake_without_erratum(notebook, root):
    cell_with(notebook, "Common mistake").metadata.clear()


@breaks(teaching.mistakes_are_refuted, "metadata course.errata is ['E-02'], but the cells name")
def other_errata(notebook, root):
    notebook.metadata.course["errata"] = ["E-02"]


@breaks(teaching.mistakes_are_refuted, "adding four': the next code cell asserts nothing")
def mistake_not_refuted(notebook, root):
    replace(notebook, "verify.claim(", "print(")


@breaks(teaching.mistakes_are_refuted, "is refuted by no code cell before the next heading")
def mistake_without_code(notebook, root):
    replace(notebook, "because both make a number larger.", "so.\n\n### Why\n\nBoth grow.")


@breaks(teaching.mistakes_are_refuted, "cell 8: 'Common mistake', expected '### Common mistake: <")
def mistake_without_claim(notebook, root):
    replace(notebook, ": doubling twice is the same as adding four", "")


@breaks(teaching.mistakes_are_refuted, "cell 6: names an erratum without a heading")
def erratum_without_mistake(notebook, root):
    notebook.cells[6].metadata["course"] = {"erratum": "E-02"}


@breaks(teaching.questions_explain_every_choice, "Check yourself has 2 questions, expected 3 to 5")
def two_questions(notebook, root):
    cell = cell_with(notebook, "**3. Which")
    cell.source = cell.source.split("**3. Which")[0]


@breaks(teaching.questions_explain_every_choice, "has number 3, expected 2")
def misnumbered_question(notebook, root):
    replace(notebook, "**2. What", "**3. What")


@breaks(teaching.questions_explain_every_choice, "the answer does not explain (b)")
def unexplained_choice(notebook, root):
    replace(notebook, " (b) adds two.", "")


@breaks(teaching.questions_explain_every_choice, "cell 16: question '**2. What is the double of 0")
def question_without_answer(notebook, root):
    old = "<details><summary>Answer</summary>\n\n(a) is right. (b) adds two.\n\n</details>\n\n"
    replace(notebook, old, "")


@breaks(teaching.questions_explain_every_choice, "has the choices ['a', 'c'], expected a list")
def misnamed_choices(notebook, root):
    replace(notebook, "- (b) 16", "- (c) 16")
