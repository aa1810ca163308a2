"""From running text to sentences, and from sentences to tokens."""

import re

# A full stop after one of these words does not end a sentence.
_TITLE = re.compile(
    "mr|mrs|ms|dr|prof|rev|hon|st|messrs|sen|rep|gov|gen|brig|maj|col|capt|lt|lieut|sgt",
    re.IGNORECASE,
)

# Nor does one after these when a number follows: "No. 3", "Jan. 5".
_BEFORE_NUMBER = re.compile(
    "no|nos|vol|p|pp|art|sec|fig|jan|feb|mar|apr|jun|jul|aug|sept|oct|nov|dec", re.IGNORECASE
)

# A mark that may end a sentence, with the quotes and brackets that close behind it, white space,
# and the first character behind the quotes and brackets that open the next sentence.
_CANDIDATE = re.compile(r"""([.!?…]+)["')\]”’]*\s+(?=["'(\[“‘—$]*(\w))""")
_PARAGRAPH = re.compile(r"\n\s*\n")
_LAST_WORD = re.compile(r"[^\W\d_]+$")

# In this order: a number with its separators; a word, perhaps with digits in it and with
# apostrophes inside; any other sign on its own.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:'[^\W_]+)*|\S")


def split_sentences(text: str) -> list[str]:
    """Split text into sentences by rules.

    A sentence ends at a blank line, and at ``.``, ``!``, ``?`` or ``…`` (closing quotes and
    brackets included) when white space and then an upper-case letter or a digit follow. It does
    not end after a title ("Mr."), after an initial ("U. S.", "John F. Kennedy"), after "No." or a
    month before a number, or while it holds no letter yet ("2. Borrowing"). Semicolons and colons
    never end one.

    What the rules miss: a sentence stays joined to the next one where it ends in an initial ("in
    the U.S. We must") or a title, where the next begins in lower case, and where no space stands
    between them ("see?—Posted"). A sentence is split where a capital follows an abbreviation that
    is not listed ("Adm. Dewey", "etc. The").

    Args:
        text: any text.

    Returns:
        The sentences in order, each on one line: every run of white space is one space. No other
        character is lost. Empty text gives an empty list.

    Example:
        >>> split_sentences('Mr. Adams paid $1.5 for No. 3; we did not. "Why?" he said. So it is.')
        ['Mr. Adams paid $1.5 for No. 3; we did not.', '"Why?" he said.', 'So it is.']
        >>> split_sentences("The U. S. Senate met. 2. Borrowing grew.")
        ['The U. S. Senate met.', '2. Borrowing grew.']
    """
    sentences = []
    for paragraph in _PARAGRAPH.split(text):
        start = 0
        for match in _CANDIDATE.finditer(paragraph):
            if _ends_sentence(paragraph[start : match.start()], match):
                sentences.append(paragraph[start : match.end()])
                start = match.end()
        sentences.append(paragraph[start:])
    tidy = (" ".join(sentence.split()) for sentence in sentences)
    return [sentence for sentence in tidy if sentence]


def _ends_sentence(before: str, match: re.Match[str]) -> bool:
    """Say whether the mark of the match ends the sentence that so far reads `before`."""
    mark, following = match.groups()
    if not (following.isupper() or following.isdigit()):
        return False
    if not any(character.isalpha() for character in before):
        return False
    word = _LAST_WORD.search(before[-20:])  # no listed word is longer, and long texts stay fast
    if mark != "." or word is None:
        return True
    last = word.group()
    if len(last) == 1 and last.isupper() and last != "I":
        return False
    if following.isdigit() and _BEFORE_NUMBER.fullmatch(last):
        return False
    return not _TITLE.fullmatch(last)


def tokenize(text: str) -> list[str]:
    """Split text into lower-case tokens: words, numbers and punctuation.

    - A word is a run of letters and digits, with apostrophes inside: "don't", "people's", "21st".
    - A number keeps its separators: "1,000.50".
    - Every other sign that is not white space is a token of its own, so "U.S." gives four tokens.
    - A hyphen is such a sign: "well-being" gives three tokens. The sources print dashes as single
      hyphens ("strong-the"), and nothing tells the two apart.
    - A typographic apostrophe becomes "'".

    Nothing but white space is lost, and tokenizing the tokens joined by spaces gives them again.
    For a bag of words keep the tokens for which ``token[0].isalnum()``.

    Args:
        text: any text.

    Returns:
        The tokens in order; empty text gives an empty list.

    Example:
        >>> tokenize("Don't pay $1,000.50: it's the 21st well-known bill!")[:7]
        ["don't", 'pay', '$', '1,000.50', ':', "it's", 'the']
        >>> tokenize("the 21st well-known U.S. bill!")
        ['the', '21st', 'well', '-', 'known', 'u', '.', 's', '.', 'bill', '!']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))
