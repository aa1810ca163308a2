"""Running words to learn word vectors from."""

from course_lib.data.books import load_moby_dick, load_state_of_the_union
from course_lib.data.text import tokenize


def load_corpus() -> list[list[str]]:
    """Load the State of the Union addresses and Moby Dick as lower-case words.

    Each address and each chapter is a document of its own, so that no context window crosses from
    one into the next. Numbers and punctuation are left out.

    Returns:
        233 addresses and 136 chapters, in this order: about two million words together.

    Example:
        >>> documents = load_corpus()
        >>> len(documents), documents[233][:3]
        (369, ['call', 'me', 'ishmael'])
    """
    texts = [speech.text for speech in load_state_of_the_union()]
    texts += [chapter.text for chapter in load_moby_dick()]
    return [[token for token in tokenize(text) if token[0].isalpha()] for text in texts]
