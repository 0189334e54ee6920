# REQUIRES: sphinx, lattn-python, slow
# UNSUPPORTED: sanitizer
# RUN: rm -rf %t
# RUN: %python -B %lattn_src/scripts/site.py --build %lattn_build --out %t > %t.log
# RUN: %python -B %s %lattn_src %t

# scripts/site builds the site without a warning or a broken link; all pages and the
# reference are in it; what it loads is in it, too; and its search finds words.

import importlib.util
import pathlib
import re
import sys

source, out = map(pathlib.Path, sys.argv[1:])
html = out / "html"

index = (html / "index.html").read_text()
for page in source.glob("docs/**/*.md"):
    if "site" not in page.parts:
        name = page.relative_to(source).with_suffix(".html").as_posix()
        assert (html / name).exists(), name
        assert f'href="{name}"' in index, f"{name} is not in the contents"

# The reference: docstrings, operations, passes, options and headers.
for name, words in {
        "python": ["lattn.attention", "kv_lengths", "lattn.Callable", "lattn.math.exp"],
        "ops": ["lattn.attention_grad", "kv_lens"], "passes": ["lattn-raise"],
        "tools": ["--verify-loops"], "c": ["lattn-c/Callable.h"]}.items():
    text = re.sub("<[^>]*>", "", (html / f"reference/{name}.html").read_text())
    for word in words:
        assert word in text, (name, word)
header = (html / "files/include/lattn-c/Callable.h.html").read_text()
assert "lattnCallableCall" in header

# The search's index is a script: file:// has no other way.
found = (html / "searchindex.js").read_text()
for word in ("softcap", "kv_length"):
    assert word in found, word
assert 'src="_static/searchtools.js' in (html / "search.html").read_text()

# The check of links sees what is wrong.
spec = importlib.util.spec_from_file_location("site_script", source / "scripts/site.py")
site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(site)
folder = out / "broken"
folder.mkdir()
(folder / "a.html").write_text(
    '<script src="https://example.org/x.js"></script><a href="b.html">b</a>'
    '<a href="a.html#there">t</a><a href="#here" id="here">h</a>'
    '<a href="https://example.org">e</a>')
assert list(site.find_broken(folder)) == [
    "a.html: loads https://example.org/x.js from the network",
    "a.html: b.html: no such file", "a.html: a.html#there: no such place"]
