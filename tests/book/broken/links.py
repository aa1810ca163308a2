"""Breaks of the rules of links."""

from rules import links

from broken import add, breaks, replace


@breaks(links.links_are_relative_or_https, "cell 10: the link 'http://example.org'")
def plain_http(notebook, root):
    add(notebook, "[Euclid](http://example.org)")


@breaks(links.links_are_relative_or_https, "cell 10: the link 'mailto:ada@example.org'")
def mail(notebook, root):
    add(notebook, "[Ada](mailto:ada@example.org)")


@breaks(links.links_are_relative_or_https, "cell 10: the link '/book/intro.md'")
def absolute_path(notebook, root):
    add(notebook, '<a href="/book/intro.md">start</a>')


@breaks(links.links_are_relative_or_https, "cell 6: the picture 'https://example.org/line.svg'")
def picture_of_another_host(notebook, root):
    replace(notebook, "../assets/line.svg", "https://example.org/line.svg")


@breaks(links.local_links_resolve, "cell 1: '../introduction.md#first-steps' leads to no file")
def missing_file(notebook, root):
    replace(notebook, "../intro.md", "../introduction.md")


@breaks(links.local_links_resolve, "cell 6: '../assets/curve.svg' leads to no file")
def missing_picture(notebook, root):
    replace(notebook, "../assets/line.svg", "../assets/curve.svg")


@breaks(links.local_links_resolve, "cell 1: '../intro.md#last-steps' names no heading there")
def missing_heading(notebook, root):
    replace(notebook, "#first-steps", "#last-steps")


@breaks(links.local_links_resolve, "cell 10: '#twice-two' names no heading there")
def missing_heading_in_this_notebook(notebook, root):
    add(notebook, "See [above](#twice-a-number) and [below](#twice-two).")


@breaks(links.local_links_resolve, "cell 10: '../../course_lib/numbers/doubling.py' is source code")
def source_code(notebook, root):
    add(notebook, "[Code](../../course_lib/numbers/doubling.py)")


@breaks(links.repository_links_resolve, "course_lib/numbers/halving.py' leads to no file")
def missing_source(notebook, root):
    replace(notebook, "numbers/doubling.py", "numbers/halving.py")


@breaks(links.repository_links_resolve, "blob/dev/course_lib/numbers/doubling.py' has another")
def other_branch(notebook, root):
    replace(notebook, "blob/main/course_lib", "blob/dev/course_lib")


@breaks(links.repository_links_resolve, "cell 17: 'https://colab.research.google.com/github/bob")
def colab_of_another_repository(notebook, root):
    replace(notebook, "google.com/github/ada", "google.com/github/bob")
