"""Figures with a slider: what is stored, and what a running kernel adds."""

import json
import re

import ipywidgets
import matplotlib.pyplot as plt
import pytest

from course_lib import explore
from course_lib.runtime import prepare


def draw(figure, slope):
    figure.subplots().plot([0, 1], [0, slope])
    return f"A line of slope {slope} & no more."


def frames_of(html):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])


def test_a_player_holds_a_frame_for_each_value_and_all_differ():
    html = explore.player(draw, "slope <m>", [1, 2, 3])
    frames = frames_of(html)
    assert [frame["value"] for frame in frames] == ["1", "2", "3"]
    assert len({frame["src"] for frame in frames}) == 3
    assert 'max="2"' in html
    assert "slope &lt;m&gt;" in html


def test_the_first_frame_shows_without_a_script():
    html = re.sub(r"<script.*?</script>", "", explore.player(draw, "slope", [1, 2]), flags=re.S)
    assert '<img src="data:image/' in html
    assert html.count("A line of slope 1 &amp; no more.") == 2


def test_a_player_is_the_same_every_time_and_leaves_no_figure_open():
    prepare()  # the course's style fixes the ids in an SVG
    before = plt.get_fignums()
    assert explore.player(draw, "slope", [1, 2]) == explore.player(draw, "slope", [1, 2])
    assert plt.get_fignums() == before


def test_the_smaller_of_vector_and_pixel_picture_is_taken():
    def crowded(figure, n):
        figure.subplots().plot([(i * 7919 % 1000) for i in range(n)])
        return f"{n} points."

    kinds = [
        frame["src"].split(";")[0] for frame in frames_of(explore.player(crowded, "n", [2, 50_000]))
    ]
    assert kinds == ["data:image/svg+xml", "data:image/png"]


def test_text_cannot_end_the_script():
    def sly(figure, value):
        return f"</script><b>{value}</b>"

    html = explore.player(sly, "x", ["<a>", "<b>"])
    assert frames_of(html)[1]["alt"] == "</script><b><b></b>"


@pytest.mark.parametrize("values", [[], [1]])
def test_a_slider_needs_two_values(values):
    with pytest.raises(ValueError, match="expected at least two"):
        explore.player(draw, "slope", values)


def test_a_picture_needs_a_sentence():
    with pytest.raises(ValueError, match="expected a sentence"):
        explore.player(lambda figure, value: " ", "x", [1, 2])


def test_live_draws_but_shows_nothing_in_a_quiet_run(monkeypatch):
    drawn, shown = [], []
    monkeypatch.setattr(explore, "display", shown.append)
    explore.live(lambda figure, a, b: drawn.append((a, b)) or "x", a=(0.0, 1.0), b=(2, 4))
    assert drawn == [(0.5, 3)]
    assert shown == []


def test_live_redraws_with_a_slider_for_each_parameter(monkeypatch):
    monkeypatch.setenv("COURSE_QUIET", "0")
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    shown, drawn = [], []
    monkeypatch.setattr(explore, "display", shown.append)
    explore.live(lambda figure, a, n: drawn.append((a, n)) or "x", a=(0.0, 1.0), n=(2, 4))
    a, n = shown[0].children[:2]
    assert isinstance(a, ipywidgets.FloatSlider)
    assert isinstance(n, ipywidgets.IntSlider)
    a.value = 0.25
    assert drawn == [(0.5, 3), (0.25, 3)]


@pytest.mark.parametrize("limits", [(1.0, 1.0), (2, 1)])
def test_a_range_has_to_be_a_range(limits):
    with pytest.raises(ValueError, match="a is"):
        explore.live(draw, a=limits)


def test_live_draws_with_the_text_as_it_stands_in_a_quiet_run(monkeypatch):
    drawn, shown = [], []
    monkeypatch.setattr(explore, "display", shown.append)
    explore.live(lambda figure, n, s: drawn.append((n, s)) or "x", n=(2, 4), s="the dog")
    assert drawn == [(3, "the dog")]
    assert shown == []


def test_live_redraws_with_a_text_field_for_a_string(monkeypatch):
    monkeypatch.setenv("COURSE_QUIET", "0")
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    shown, drawn = [], []
    monkeypatch.setattr(explore, "display", shown.append)
    explore.live(lambda figure, s, n: drawn.append((s, n)) or "x", s="the dog", n=(2, 4))
    field, slider = shown[0].children[:2]
    assert isinstance(field, ipywidgets.Text)
    assert isinstance(slider, ipywidgets.IntSlider)
    assert field.description == "s"
    assert not field.continuous_update  # a half-typed word is not drawn
    field.value = "the cat"
    slider.value = 4
    assert drawn == [("the dog", 3), ("the cat", 3), ("the cat", 4)]


def test_an_empty_text_is_a_text():
    drawn = []
    explore.live(lambda figure, s: drawn.append(s) or "x", s="")
    assert drawn == [""]
