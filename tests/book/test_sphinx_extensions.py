"""The extensions that the book is built with, on small documents."""

import sys
from types import SimpleNamespace

import pytest
from docutils import nodes

from tools.paths import ROOT

sys.path.append(str(ROOT / "tools/sphinx_extensions"))
import callouts
import descriptions
import math_blocks
import mathjax_subset
import solution_titles


def bold(words, text=""):
    # The Markdown parser puts an empty text in front of bold words.
    return nodes.paragraph("", "", nodes.Text(""), nodes.strong("", words), nodes.Text(text))


def raw(html):
    return nodes.raw("", html, format="html")


def document(*children):
    page = nodes.document(None, None)
    page.extend(children)
    return page


def kinds(node):
    return [child.get("classes") or child.tagname for child in node.children]


def test_prediction_ends_with_its_answer():
    page = document(
        bold("Predict first.", " What?"),
        raw("<details><summary>Answer</summary>"),
        nodes.paragraph("", "This."),
        raw("</details>"),
        nodes.paragraph("", "after"),
    )
    callouts.mark(None, page)
    assert kinds(page) == [["predict-first"], "paragraph"]
    assert len(page[0]) == 4


def test_prediction_without_answer_takes_no_other_part():
    cell = nodes.container("", classes=["cell"])
    page = document(bold("Predict first.", " What?"), cell, raw("</details>"))
    callouts.mark(None, page)
    assert kinds(page) == [["predict-first"], ["cell"], "raw"]
    assert len(page[0]) == 1


def test_facts_end_before_the_first_cell():
    cell = nodes.container("", classes=["cell"])
    page = document(nodes.paragraph("", "problem"), bold("You will"), bold("Time", " 1 h"), cell)
    callouts.mark(None, page)
    assert kinds(page) == ["paragraph", ["at-a-glance"], ["cell"]]


@pytest.mark.parametrize(
    ("title", "classes"),
    [("Common mistake: b", ["common-mistake"]), ("Check yourself", ["check-yourself"]), ("B", [])],
)
def test_sections_are_known_by_title(title, classes):
    section = nodes.section("", nodes.title("", title))
    callouts.mark(None, document(section))
    assert section["classes"] == classes


def test_equations_keep_their_tag_outside_split():
    equation = r"a &= b \\ &= c \tag{1}"
    block = nodes.math_block(equation, equation, nowrap=False, number=None)
    math_blocks.unwrap_math_blocks(None, document(block), "page")
    assert block.astext() == rf"\[{equation}\]"
    assert block["nowrap"]


def test_description_is_escaped():
    context = {"metatags": ""}
    page = document(nodes.paragraph("", 'A "b" < c.'))
    descriptions.add_description(None, "page", "page.html", context, page)
    assert 'content="A &quot;b&quot; &lt; c."' in context["metatags"]


def test_solution_is_called_a_solution():
    section = nodes.section("", nodes.title("", "Exercise: slopes"))
    for folder, title in (("exercises", "Exercise: slopes"), ("solutions", "Solution: slopes")):
        app = SimpleNamespace(env=SimpleNamespace(docname=f"book/{folder}/calculus/slopes"))
        solution_titles.rename(app, document(section))
        assert section[0].astext() == title


def test_prune_keeps_what_is_named(tmp_path):
    for name in ("a.js", "b.js", "fonts/x/1.woff", "fonts/y/2.woff", "other/3.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    mathjax_subset.prune(tmp_path, ("a.js", "fonts/x"))
    left = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file())
    assert left == ["a.js", "fonts/x/1.woff"]
    with pytest.raises(ValueError, match=r"b\.js"):
        mathjax_subset.prune(tmp_path, ("b.js",))
