"""Breaks of the rules of pictures and figures with a slider."""

from rules import pictures

from broken import breaks, cell_with, replace


def _edit_player(notebook, old, new):
    data = cell_with(notebook, "explore.figure").outputs[0].data
    assert old in data["text/html"]
    data["text/html"] = data["text/html"].replace(old, new)


@breaks(pictures.pictures_have_alternative_text, "cell 7: 'plt.plot([0, 1], [0, 2]) plt.show()'")
def drawn_without_text(notebook, root):
    cell_with(notebook, "plt.plot").metadata.clear()


@breaks(pictures.pictures_have_alternative_text, "cell 6: '../assets/line.svg' has no alternative")
def picture_without_text(notebook, root):
    replace(notebook, "![A straight line that climbs from left to right]", "![]")


@breaks(pictures.pictures_have_alternative_text, "cell 6: '../assets/line.svg' has no alternative")
def html_picture_without_text(notebook, root):
    old = "![A straight line that climbs from left to right](../assets/line.svg)"
    replace(notebook, old, '<img src="../assets/line.svg">')


@breaks(pictures.pictures_have_alternative_text, "the alternative text is a file name: '../out/")
def file_name_as_text(notebook, root):
    image = cell_with(notebook, "plt.plot").metadata["mystnb"]["image"]
    image["alt"] = "../out/a-straight-line-from-0.png"


@breaks(pictures.pictures_have_alternative_text, "the alternative text is short: 'A line'")
def short_text(notebook, root):
    replace(notebook, "A straight line that climbs from left to right", "A line")


@breaks(pictures.pictures_have_alternative_text, "says what it is, not what it shows: 'Plot of")
def text_says_what_it_is(notebook, root):
    replace(notebook, "A straight line that climbs", "Plot of a straight line that climbs")


@breaks(pictures.players_move, "cell 14: a player whose frame 1 equals frame 0")
def figure_that_does_not_move(notebook, root):
    data = cell_with(notebook, "explore.figure").outputs[0].data
    first, second = (part.split('"')[0] for part in data["text/html"].split('"src": "')[1:])
    data["text/html"] = data["text/html"].replace(second, first)


@breaks(pictures.players_move, "cell 14: a player whose slider has no label")
def slider_without_label(notebook, root):
    _edit_player(notebook, 'aria-label="slope"', "")


@breaks(pictures.players_move, "cell 14: a player whose frame 1 lacks its value or its description")
def frame_without_description(notebook, root):
    _edit_player(notebook, "A straight line that ends at 2.", "")


@breaks(pictures.players_move, "cell 14: a player without a description")
def no_caption(notebook, root):
    _edit_player(notebook, ">A straight line that ends at 1.</figcaption>", "></figcaption>")


@breaks(pictures.players_move, "cell 14: a player without a list of frames")
def no_frames(notebook, root):
    _edit_player(notebook, '<script type="application/json">', "<script>")


@breaks(pictures.players_move, "cell 14: a player that does not show its first frame")
def no_first_frame(notebook, root):
    _edit_player(notebook, '<img src="data:', '<img src="blank:')


@breaks(pictures.players_move, "cell 14: a player with 1 frames, expected at least two")
def one_frame(notebook, root):
    data = cell_with(notebook, "explore.figure").outputs[0].data
    before, rest = data["text/html"].split(', {"value": "2"', 1)
    data["text/html"] = before + "]</script>" + rest.split("</script>", 1)[1]


@breaks(pictures.explore_sections_have_a_player, "no section whose heading begins with Explore")
def nothing_to_explore(notebook, root):
    replace(notebook, "## Explore the slope", "## The slope")


@breaks(pictures.explore_sections_have_a_player, "cell 13: section 'Explore the slope' shows no")
def explore_without_player(notebook, root):
    cell_with(notebook, "explore.figure").outputs = []


@breaks(pictures.explore_sections_have_a_player, "cell 13: section 'Explore the slope' does not")
def explore_without_live_figure(notebook, root):
    replace(notebook, "explore.live(draw, slope=(1.0, 3.0))", "# explore.live(draw)\nprint()")
