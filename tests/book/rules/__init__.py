"""The rules that every notebook of the book keeps.

A rule is a function from a notebook to a list of faults, each of which names its place; its
docstring states the rule. To add one, write it, put it into the tuples of the notebooks that it
is for, and add a broken notebook to ``tests/book/broken``: without one, a test fails.
"""

from collections.abc import Callable

from rules import (
    equations,
    execution,
    exercise,
    lecture,
    links,
    metadata,
    pictures,
    stored,
    syntax,
    teaching,
)
from rules.notebook import Notebook

Rule = Callable[[Notebook], list[str]]

COMMON: tuple[Rule, ...] = (
    syntax.commonmark_only,
    syntax.headings_in_order,
    syntax.display_math_stands_alone,
    syntax.inline_math_is_closed,
    syntax.portable_latex,
    syntax.details_are_readable,
    links.links_are_relative_or_https,
    links.local_links_resolve,
    links.repository_links_resolve,
    stored.set_up_cell_is_generated,
    stored.file_is_normalised,
    stored.file_is_small,
    stored.no_machine_traces,
    pictures.pictures_have_alternative_text,
    metadata.kind_is_told,
)
EXECUTED: tuple[Rule, ...] = (
    execution.executed_in_order,
    execution.no_errors,
    execution.nothing_on_stderr,
)
LECTURE: tuple[Rule, ...] = (
    *COMMON,
    *EXECUTED,
    execution.ignored_outputs_are_asserted,
    execution.live_figures_leave_nothing,
    pictures.players_move,
    pictures.explore_sections_have_a_player,
    equations.tags_are_numbered,
    equations.tags_are_checked,
    lecture.sections_in_order,
    lecture.opening_tells_what_to_expect,
    lecture.imports_prepare_the_run,
    lecture.references_are_links,
    teaching.predictions_have_answers,
    teaching.mistakes_are_refuted,
    teaching.questions_explain_every_choice,
    metadata.coverage_is_claimed_once,
)
SOLUTION: tuple[Rule, ...] = (*COMMON, *EXECUTED, exercise.tasks_tell_level_and_time)
RELEASE: tuple[Rule, ...] = (
    *COMMON,
    execution.release_is_not_executed,
    exercise.tasks_tell_level_and_time,
)
