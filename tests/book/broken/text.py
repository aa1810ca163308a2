"""Breaks of the rules of the text."""

from rules import syntax

from broken import add, breaks, replace

ADDED = {
    "directive": ("```{note}\nSee this.\n```", "a directive of MyST"),
    "math_directive": ("```{math}\nx\n```", "a directive of MyST"),
    "role": ("See {ref}`this`.", "a role of MyST"),
    "target": ("(here)=", "a target of MyST"),
    "comment": ("% not shown", "a comment of MyST"),
    "block_break": ("+++", "a block break of MyST"),
    "footnote": ("Euclid knew it.[^1]", "a footnote of MyST"),
    "div": ("<div>\n\nBoxed.\n\n</div>", "the tag <div>"),
}
for name, (text, says) in ADDED.items():

    @breaks(syntax.commonmark_only, f"cell 10: {says}")
    def _(notebook, root, text=text):
        add(notebook, text)

    _.__name__ = name


@breaks(syntax.commonmark_only, "cell 10: a colon fence of MyST: ':::{note}'")
def colon_fence(notebook, root):
    add(notebook, ":::{note}\nSee this.\n:::")


@breaks(syntax.commonmark_only, "cell 10: a link without text of MyST")
def link_without_text(notebook, root):
    add(notebook, "See [](../intro.md).")


@breaks(syntax.headings_in_order, "cell 6: heading 'As a line' has level 4 after level 2")
def skipped_level(notebook, root):
    replace(notebook, "### As a line", "#### As a line")


@breaks(syntax.headings_in_order, "cell 6: a second title: 'As a line'")
def second_title(notebook, root):
    replace(notebook, "### As a line", "# As a line\n\n## As a line")


@breaks(syntax.headings_in_order, "cell 0: does not begin with the title")
def text_before_title(notebook, root):
    replace(notebook, "# Doubling", "Hello.\n\n# Doubling")


@breaks(syntax.display_math_stands_alone, "cell 10: $$ in a line with text: '$$y = x$$'")
def display_math_in_one_line(notebook, root):
    add(notebook, "$$y = x$$")


@breaks(syntax.display_math_stands_alone, "cell 4: no blank line before $$: 'It is the same as'")
def no_blank_line_before(notebook, root):
    replace(notebook, "It is the same as\n\n", "It is the same as\n")


@breaks(syntax.display_math_stands_alone, "cell 4: no blank line after $$: 'It is the same as'")
def no_blank_line_after(notebook, root):
    replace(notebook, "\n\nIt is the same as", "\nIt is the same as")


@breaks(syntax.display_math_stands_alone, "cell 4: a blank line inside $$, after 'f(x) = x + x'")
def blank_line_inside(notebook, root):
    replace(notebook, "f(x) = x + x\n", "f(x) = x + x\n\n")


@breaks(syntax.display_math_stands_alone, "cell 10: $$ is not closed: '$$ y = x'")
def unclosed_display_math(notebook, root):
    add(notebook, "$$\ny = x")


@breaks(syntax.inline_math_is_closed, "cell 4: $ is not closed: 'f(x), which costs")
def dollar_closed_by_code(notebook, root):
    replace(notebook, "we want $f(x)$,", "we want $f(x),")


@breaks(
    syntax.inline_math_is_closed, "cell 10: a stray $ in 'Here $f(x) is one thing and another.'"
)
def unclosed_inline_math(notebook, root):
    add(notebook, "Here $f(x) is one thing and $g(x)$ another.")


@breaks(syntax.inline_math_is_closed, "cell 10: a stray $ in")
def money(notebook, root):
    add(notebook, "It costs $5.")


@breaks(syntax.inline_math_is_closed, "cell 10: a stray $ in")
def space_inside_dollars(notebook, root):
    add(notebook, "So $ x $ it is.")


@breaks(syntax.portable_latex, r"cell 4: \begin{align} is not portable")
def numbered_align(notebook, root):
    replace(notebook, "f(x) = x + x", r"\begin{align} f(x) &= x + x \end{align}")


@breaks(syntax.portable_latex, r"cell 4: \label{ is not portable, near 'f(x) = x + x \\label{sum}'")
def label(notebook, root):
    replace(notebook, "f(x) = x + x", r"f(x) = x + x \label{sum}")


@breaks(syntax.portable_latex, r"cell 4: \eqref{ is not portable")
def reference(notebook, root):
    replace(notebook, "by (1)", r"by $\eqref{1}$")


@breaks(syntax.portable_latex, "cell 10: LaTeX outside dollars")
def latex_outside_dollars(notebook, root):
    add(notebook, "\\begin{align*}\ny = x\n\\end{align*}")


@breaks(syntax.details_are_readable, "cell 10: <details> is not closed")
def unclosed_details(notebook, root):
    add(notebook, "<details><summary>Hint</summary>\n\nAdd.")


@breaks(syntax.details_are_readable, "cell 10: </details> without <details>")
def closed_twice(notebook, root):
    add(notebook, "</details>")


@breaks(syntax.details_are_readable, "cell 10: no blank line after </summary>")
def no_blank_line_after_summary(notebook, root):
    add(notebook, "<details><summary>Hint</summary>\nAdd.\n\n</details>")


@breaks(syntax.details_are_readable, "cell 10: no blank line before </details>: 'Add.'")
def no_blank_line_before_end(notebook, root):
    add(notebook, "<details><summary>Hint</summary>\n\nAdd.\n</details>")


@breaks(syntax.details_are_readable, "cell 10: no blank line after </details>: 'Add.'")
def no_blank_line_after_end(notebook, root):
    add(notebook, "<details><summary>Hint</summary>\n\nAdd.\n\n</details>\nAdd.")


@breaks(syntax.details_are_readable, "cell 10: <details> without a <summary>")
def no_summary(notebook, root):
    add(notebook, "<details>\n\nAdd.\n\n</details>")


@breaks(syntax.details_are_readable, "cell 10: math in a summary: 'Why $x$?'")
def math_in_summary(notebook, root):
    add(notebook, "<details><summary>Why $x$?</summary>\n\nAdd.\n\n</details>")
