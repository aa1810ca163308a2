"""The one way in which a notebook is stored: what differs in git then differs in content.

Normalising changes nothing that a reader sees, and never hides in which order cells were run.
"""

import hashlib
import json

import nbformat
from nbformat import NotebookNode

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
# deletable and editable are nbgrader's: it locks cells of a release with them.
CELL_METADATA = ("course", "deletable", "editable", "mystnb", "nbgrader", "tags")
WIDGET = "application/vnd.jupyter.widget-"


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Reduce a notebook to what the course stores.

    Drops metadata that we do not use, widgets (their models are gone when the page is read),
    execution times and kernel versions; sorts tags; merges consecutive stream outputs; gives an
    id, made from position and content, to cells that have none of their own.

    Args:
        notebook: see :func:`parse`; not changed.

    Returns:
        A new notebook. Normalising it again gives the same.
    """
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    if "course" in notebook.metadata:
        metadata["course"] = notebook.metadata["course"]
    cells, ids = [], set()
    for position, cell in enumerate(notebook.cells):
        identity = cell.get("id")
        if not identity or identity in ids:
            identity = _identity(position, cell, ids)
        ids.add(identity)
        cells.append(_cell(cell, identity))
    plain = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
    return nbformat.from_dict(plain)


def text(notebook: NotebookNode) -> str:
    """Return a notebook as it is stored: JSON with one space of indent and a last newline.

    Args:
        notebook: a normalised notebook.

    Returns:
        The content of the file.
    """
    return nbformat.v4.writes(notebook) + "\n"


def parse(content: str) -> NotebookNode:
    """Read a notebook as it stands, without any repair.

    Args:
        content: the content of a file.

    Returns:
        The notebook, with its multi-line strings joined.

    Raises:
        ValueError: if the content is no JSON, or another format than 4.
    """
    version = json.loads(content).get("nbformat")
    if version != 4:
        raise ValueError(f"nbformat is {version!r}, expected 4")
    return nbformat.v4.reads(content)


def _cell(cell: NotebookNode, identity: str) -> dict:
    kept = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
    kept = {key: value for key, value in kept.items() if value not in ({}, [])}
    if "tags" in kept:
        kept["tags"] = sorted(set(kept["tags"]))
    new = {
        "cell_type": cell.cell_type,
        "id": identity,
        "metadata": kept,
        "source": cell.source,
    }
    if cell.cell_type == "code":
        new["execution_count"] = cell.get("execution_count")
        new["outputs"] = _outputs(cell.get("outputs", []))
    elif cell.get("attachments"):
        new["attachments"] = cell.attachments
    return new


def _outputs(outputs: list[NotebookNode]) -> list[NotebookNode]:
    kept = []
    for output in outputs:
        if any(kind.startswith(WIDGET) for kind in output.get("data", {})):
            continue
        if (
            output.output_type == "stream"
            and kept
            and kept[-1].output_type == "stream"
            and kept[-1].name == output.name
        ):
            merged = nbformat.from_dict(kept[-1])
            merged.text += output.text
            kept[-1] = merged
        else:
            kept.append(output)
    return kept


def _identity(position: int, cell: NotebookNode, taken: set[str]) -> str:
    identity = hashlib.sha256(f"{position}\n{cell.source}".encode()).hexdigest()[:8]
    while identity in taken:
        identity = hashlib.sha256(identity.encode()).hexdigest()[:8]
    return identity
