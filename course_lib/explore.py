"""Figures with a slider.

``figure`` renders every position of the slider beforehand and stores a small HTML player: it
moves in the built book, in Jupyter and in Colab, with no kernel and no library. Where no script
runs (GitHub), the first frame shows. ``live`` redraws with a running kernel, over continuous
ranges, with several parameters and with text fields. Both take the same ``draw`` function.
"""

import base64
import html
import io
import json
import re
from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any

import ipywidgets
import matplotlib.pyplot as plt
from IPython.display import HTML, display
from matplotlib.figure import Figure

from course_lib.runtime import quiet

Draw = Callable[..., str]
Value = float | int | str
Size = tuple[float | int, float | int]


def figure(
    draw: Draw,
    name: str,
    values: Sequence[Value],
    size: Size = (6.4, 3.6),
) -> None:
    """Display a figure with a slider over some values, which needs no kernel to move.

    Args:
        draw: called as ``draw(figure, value)`` with an empty matplotlib figure; draws into it and
            returns one sentence that says what is to be seen. The sentence is shown under the
            picture and is its alternative text.
        name: what the slider changes, with its unit if it has one.
        values: the positions of the slider, at least two.
        size: width and height in inches.

    Raises:
        ValueError: if there are fewer than two values, or ``draw`` returns no sentence.

    Example:
        >>> def draw(figure, slope):
        ...     figure.subplots().plot([0, 1], [0, slope])
        ...     return f"A line of slope {slope}."
        >>> figure(draw, "slope", [1, 2])
        <IPython.core.display.HTML object>
    """
    display(HTML(player(draw, name, values, size)))


def player(
    draw: Draw,
    name: str,
    values: Sequence[Value],
    size: Size = (6.4, 3.6),
) -> str:
    """Return the HTML of ``figure``.

    Args and Raises: see ``figure``.

    Example:
        >>> def draw(figure, slope):
        ...     figure.subplots().plot([0, 1], [0, slope])
        ...     return f"A line of slope {slope}."
        >>> "A line of slope 1." in player(draw, "slope", [1, 2])
        True
    """
    if len(values) < 2:
        raise ValueError(f"values is {list(values)!r}, expected at least two")
    frames = [_frame(draw, value, size) for value in values]
    first = frames[0]
    template = (resources.files("course_lib") / "player.html").read_text(encoding="utf-8")
    # "</" would end the script element that holds the frames.
    data = json.dumps(frames, ensure_ascii=False).replace("</", "<\\/")
    fields = {
        "name": html.escape(name),
        "first_src": first["src"],
        "first_alt": html.escape(first["alt"]),
        "first_value": html.escape(first["value"]),
        "last_index": str(len(frames) - 1),
        "frames": data,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: fields[match[1]], template)


def live(
    draw: Draw, size: Size = (6.4, 3.6), **starts: tuple[float | int, float | int] | str
) -> None:
    """Redraw a figure while its sliders move or a text is typed; needs a running kernel.

    Shows nothing in a quiet run (``COURSE_QUIET=1``), but draws once, in the middle of all ranges
    and with the texts as they are, so that a test notices when it cannot.

    Args:
        draw: called as ``draw(figure, **parameters)``, one keyword for each start; see
            ``figure``. It gets whatever is typed into a text field, so it has to say what it
            cannot draw.
        size: width and height in inches.
        starts: for each parameter either a range, the lowest and the highest value, which gives a
            slider (of whole numbers for whole numbers), or a string, which gives a text field
            that holds it; Enter redraws.

    Raises:
        ValueError: if a range is empty.

    Example:
        >>> def draw(figure, slope, title):
        ...     figure.subplots(subplot_kw={"title": title}).plot([0, 1], [0, slope])
        ...     return f"A line of slope {slope}."
        >>> live(draw, slope=(0.0, 2.0), title="any text")
    """
    controls = {name: _control(name, start) for name, start in starts.items()}

    def redraw(**parameters: Value) -> None:
        drawing = plt.figure(figsize=size)
        sentence = draw(drawing, **parameters)
        if quiet():
            plt.close(drawing)
        else:
            plt.show()
            print(sentence)

    if quiet():
        redraw(**{name: control.value for name, control in controls.items()})
        return
    output = ipywidgets.interactive_output(redraw, controls)
    display(ipywidgets.VBox([*controls.values(), output]))


def _control(
    name: str, start: tuple[float | int, float | int] | str
) -> ipywidgets.IntSlider | ipywidgets.FloatSlider | ipywidgets.Text:
    options = {"description": name, "continuous_update": False}
    if isinstance(start, str):
        return ipywidgets.Text(value=start, layout=ipywidgets.Layout(width="100%"), **options)
    low, high = start
    if not low < high:
        raise ValueError(f"{name} is ({low}, {high}), expected the lower value first")
    if isinstance(low, int) and isinstance(high, int):
        return ipywidgets.IntSlider(value=(low + high) // 2, min=low, max=high, **options)
    step = (high - low) / 100
    return ipywidgets.FloatSlider(value=(low + high) / 2, min=low, max=high, step=step, **options)


def _frame(draw: Draw, value: Value, size: Size) -> dict[str, str]:
    drawing = plt.figure(figsize=size)
    try:
        sentence = draw(drawing, value)
        if not isinstance(sentence, str) or not sentence.strip():
            raise ValueError(f"draw returned {sentence!r}, expected a sentence for the picture")
        svg = _save(drawing, format="svg", metadata={"Date": None, "Creator": None})
        png = _save(drawing, format="png", metadata={"Software": None})
    finally:
        plt.close(drawing)
    kind, data = ("svg+xml", svg) if len(svg) <= len(png) else ("png", png)
    source = f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
    return {"value": str(value), "src": source, "alt": sentence}


def _save(drawing: Figure, **options: Any) -> bytes:
    buffer = io.BytesIO()
    drawing.savefig(buffer, **options)
    return buffer.getvalue()
