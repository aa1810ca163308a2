"""The vendored files against their README, and the script that wrote them."""

import hashlib
import importlib.util
import json
import lzma
import re
from importlib import resources
from pathlib import Path

import pytest

import course_lib

ROOT = Path(__file__).resolve().parents[2]
DATA = resources.files("course_lib.data")
ROW = re.compile(r"^\| `([\w.]+\.xz)` \| (\d+) \| (\d+) \| `([0-9a-f]{64})` \|$", re.MULTILINE)
README = DATA.joinpath("README.md").read_text(encoding="utf-8")
ROWS = {
    name: (int(records), int(words), digest) for name, records, words, digest in ROW.findall(README)
}


@pytest.fixture(scope="module")
def extract():
    spec = importlib.util.spec_from_file_location("extract_texts", ROOT / "tools/extract_texts.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def records_of(name):
    lines = lzma.decompress(DATA.joinpath(name).read_bytes()).decode("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def test_readme_lists_every_vendored_file():
    names = {file.name for file in DATA.iterdir() if file.name.endswith(".xz")}
    assert names
    assert set(ROWS) == names
    assert all(f"## `{name}`" in README for name in names)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_file_is_what_the_readme_says(name):
    records, words, digest = ROWS[name]
    assert hashlib.sha256(DATA.joinpath(name).read_bytes()).hexdigest() == digest
    found = records_of(name)
    assert (len(found), sum(len(r["text"].split()) for r in found)) == (records, words)


def test_vendored_files_stay_below_10_mb():
    assert sum(len(DATA.joinpath(name).read_bytes()) for name in ROWS) < 10_000_000


@pytest.mark.parametrize("name", sorted(ROWS))
def test_records_are_stored_in_the_form_that_the_script_writes(name, extract):
    # The compressed bytes may differ between versions of liblzma; what they hold may not.
    data = extract.to_lines(records_of(name))
    assert data == lzma.decompress(DATA.joinpath(name).read_bytes())


def test_compression_is_deterministic(extract):
    data = extract.to_lines(records_of("moby_dick.jsonl.xz")[:3])
    assert extract.compress(data) == extract.compress(data)
    assert lzma.decompress(extract.compress(data)) == data


def test_cleaning_a_clean_text_changes_nothing(extract):
    for record in records_of("state_of_the_union.jsonl.xz")[::10]:
        assert extract.clean_speech(record["text"]) == record["text"]
    for record in records_of("moby_dick.jsonl.xz"):
        assert extract.clean_chapter(record["text"]) == record["text"]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("We did. [Laughter] And so on.", "We did. And so on."),
        ("my last-maybe-[laughter]-but good", "my last-maybe—but good"),
        ("said—(applause). She left. (Applause.)", "said. She left."),
        ("strong -- generous, yes -- but", "strong—generous, yes—but"),
        ("a decent home . . . for every one", "a decent home… for every one"),
        ("the end.. Next, from the seas.. except", "the end. Next, from the seas, except"),
        ("in peace.We will. It is \u201cgood\u201d", 'in peace. We will. It is "good"'),
        ("the &quot;Guard,&quot; i.e., men at U.S.A.", 'the "Guard," i.e., men at U.S.A.'),
    ],
)
def test_cleaning_rules(extract, raw, clean):
    assert extract.clean_speech(raw) == clean


def test_cutting_a_table_that_is_not_there_is_an_error(extract):
    assert extract.cut_tables(1790, "no table") == "no table"
    with pytest.raises(ValueError, match="year 1896: expected one table"):
        extract.cut_tables(1896, "no table")


def test_package_data_is_declared():
    tomllib = pytest.importorskip("tomllib")
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = setup["tool"]["setuptools"]["package-data"]["course_lib"]
    package = Path(course_lib.__file__).parent
    declared = {path for pattern in patterns for path in package.glob(pattern)}
    assert {package / "data" / name for name in [*ROWS, "README.md"]} <= declared
