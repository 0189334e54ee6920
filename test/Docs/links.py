# RUN: %python -B %s %lattn_src

# Links and pictures of the documents name files that are there, and headings of
# theirs where they end in #heading.

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])


def headings(text):
    """As GitHub makes them: lower case, hyphens for blanks."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    names = re.findall(r"^#+ (.*)", text, re.M)
    return {re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")
            for name in names}


errors, count = [], 0
for page in [*source.glob("*.md"), *source.glob("docs/**/*.md"),
             *source.glob("test/**/*.md"), *source.glob("benchmarks/**/*.md")]:
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.S | re.M)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", link):
            continue
        count += 1
        path, _, heading = link.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists():
            errors.append(f"{page.relative_to(source)}: {link}: no such file")
        elif heading and heading not in headings(target.read_text()):
            errors.append(f"{page.relative_to(source)}: {link}: no such heading")
assert count >= 30, count
sys.exit("\n".join(errors) or 0)
