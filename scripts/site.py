"""Builds the site of the documentation: README.md and docs as pages, the files that
they link to, and a reference of the API, from docstrings and TableGen files.

    scripts/site                # build/site/html/index.html
    scripts/site --out DIR

Sphinx makes the pages (scripts/requirements-site.txt). They can be read without a
network or a server. The build fails if a link is broken.
"""

import argparse
import html.parser
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

SOURCE = pathlib.Path(__file__).resolve().parents[1]
# Pages beside those under docs.
PAGES = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
# Where the files are that pages may link to.
FOLDERS = ["benchmarks", "cmake", "docs", "examples", "include", "lib", "python",
           "scripts", "test", "tools"]
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".c": "c", ".py": "python", ".mlir": "mlir",
             ".cmake": "cmake", ".toml": "toml", ".json": "json", ".md": "markdown"}
MODULES = {"torch": "torch", "jax": "jax", "transformers": "transformers"}


class Stage:
    """A copy of the pages whose links all lead to pages."""

    def __init__(self, folder, files):
        self.folder, self.files = folder, files
        self.shown = []  # files that pages link to, each as a page

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def add_page(self, name, to=None):
        """A page of the repository, `name` from its root."""
        to = to or name
        text = (SOURCE / name).read_text()
        parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.S | re.M)
        for i in range(0, len(parts), 2):
            parts[i] = LINK.sub(lambda m: m[1] + self.follow(name, to, m[2]) + m[3],
                                parts[i])
        text = "".join(parts)
        if not text.startswith("# "):  # results, which a script writes
            text = f"# Results: {pathlib.Path(name).stem}\n\n{text}"
        self.write(to, text)

    def follow(self, page, to, link):
        """Returns the same link in the copy."""
        if re.match(r"\w+:|#", link):
            return link
        path, mark, heading = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if target.endswith(".svg"):
            return link
        if not (SOURCE / target).exists():
            sys.exit(f"{page}: {link}: no such file")
        target = self.show(target)
        return os.path.relpath(target, os.path.dirname(to) or ".") + mark + heading

    def show(self, name):
        """The page that is a file, or shows it, or says what is in a folder."""
        if name == "README.md":
            return "index.md"
        if name in PAGES or name.startswith("docs/") and name.endswith(".md"):
            return name
        page = f"files/{name}.md"
        if name not in self.shown:
            self.shown.append(name)
            self.write(page, self.show_folder(name) if (SOURCE / name).is_dir()
                       else self.show_file(name))
        return page

    def show_file(self, name):
        text = (SOURCE / name).read_text()
        fence = "`" * max(4, *(len(run) + 1 for run in re.findall("`+", text + "`")))
        language = LANGUAGES.get(pathlib.Path(name).suffix, "text")
        if name.endswith("CMakeLists.txt"):
            language = "cmake"
        return f"---\norphan: true\n---\n# {name}\n\n{fence}{language}\n{text}{fence}\n"

    def show_folder(self, name):
        inside = [f for f in self.files if f.startswith(name + "/")]
        lines = [f"---\norphan: true\n---\n# {name}\n"]
        for file in inside:
            label = file[len(name) + 1:]
            # Large folders, and what is no text, are listed only.
            link = len(inside) <= 40 and not file.endswith((".mlirbc", ".svg"))
            page = os.path.relpath(self.show(file), f"files/{os.path.dirname(name)}"
                                   ) if link else ""
            lines.append(f"- [{label}]({page})" if link else f"- {label}")
        return "\n".join(lines) + "\n"


def add_reference(stage, build):
    """The pages of the API: Python's by autodoc, operations and passes by
    mlir-tblgen, the tools' options by themselves."""
    for name, title in (("Ops", "Operations of the dialect lattn"), ("Passes", "Passes"),
                        ("Check", "Operations of the dialect check")):
        text = (build / f"docs/{name}.md").read_text()
        text = re.sub(r"^<!--.*?-->\n|^\[TOC\]\n", "", text, flags=re.M)
        text = re.sub(r"^# .*\n", "", text, count=1, flags=re.M)
        if not re.search("^## ", text, re.M):
            text = re.sub("^#(##+ )", r"\1", text, flags=re.M)
        stage.write(f"reference/{name.lower()}.md", f"# {title}\n\n{text}")
    lines = ["# Options of the tools\n"]
    for tool in ("lattn-run", "lattn-compile"):
        text = subprocess.run([build / "bin" / tool, "--help"], text=True,
                              capture_output=True, check=True).stdout
        lines.append(f"## {tool}\n\n```text\n{text}```\n")
    stage.write("reference/tools.md", "\n".join(lines))
    headers = sorted(f for f in stage.files if f.startswith("include/lattn-c/"))
    lines = ["# The C API\n", "[The guide](../docs/guides/embedding.md) has whole "
             "programs. Each header explains its functions:\n"]
    for header in headers:
        lines.append(f"- [{header[len('include/'):]}]"
                     f"({os.path.relpath(stage.show(header), 'reference')})")
    stage.write("reference/c.md", "\n".join(lines) + "\n")
    for page in (SOURCE / "docs/site/reference").glob("*.md"):
        missing = [m for word, m in MODULES.items() if word in page.stem
                   and importlib.util.find_spec(m) is None]
        text = page.read_text()
        if missing:  # what is there without it
            text = re.sub(r"^```.*?^```$", f"(Built without {missing[0]}: its "
                          "reference is missing.)", text, flags=re.S | re.M)
        stage.write(f"reference/{page.name}", text)


def make_stage(folder, build):
    files = [path.relative_to(SOURCE).as_posix() for top in FOLDERS
             for path in (SOURCE / top).rglob("*")
             if path.is_file() and "__pycache__" not in path.parts]
    shutil.rmtree(folder, ignore_errors=True)
    stage = Stage(folder, sorted(files))
    stage.add_page("README.md", "index.md")
    contents = (SOURCE / "docs/site/contents.md").read_text()
    with open(folder / "index.md", "a") as index:
        index.write("\n" + contents)
    for page in PAGES:
        stage.add_page(page)
    for page in sorted((SOURCE / "docs").glob("**/*.md")):
        if "site" not in page.parts:
            stage.add_page(page.relative_to(SOURCE).as_posix())
    shutil.copytree(SOURCE / "docs/images", folder / "docs/images",
                    ignore=shutil.ignore_patterns("*.py"))
    add_reference(stage, build)
    shutil.copy(SOURCE / "docs/site/conf.py", folder)


class Links(html.parser.HTMLParser):
    """What a page points to, what it loads, and the names in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif tag in ("script", "img", "iframe") and attributes.get("src"):
            self.loaded.append(attributes["src"])
        elif tag == "link" and attributes.get("href"):
            self.loaded.append(attributes["href"])


def find_broken(folder):
    """Links that lead nowhere, and what pages load from elsewhere."""
    pages = {path: Links(path.read_text()) for path in folder.glob("**/*.html")}
    for path, page in pages.items():
        place = path.relative_to(folder)
        for link in page.loaded:
            if re.match(r"\w+:|//", link) and not link.startswith("data:"):
                yield f"{place}: loads {link} from the network"
        for link in page.links + page.loaded:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = path
            if url.path:
                target = (path.parent / urllib.parse.unquote(url.path)).resolve()
            if not target.exists():
                yield f"{place}: {link}: no such file"
            elif url.fragment and target in pages and (
                    urllib.parse.unquote(url.fragment) not in pages[target].names):
                yield f"{place}: {link}: no such place"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build",
                        help="where lattn was built")
    parser.add_argument("--out", type=pathlib.Path,
                        help="the site's folder; default: site in the build folder")
    options = parser.parse_args()
    out = (options.out or options.build / "site").resolve()
    if importlib.util.find_spec("sphinx") is None:
        sys.exit("scripts/site: expected sphinx: "
                 ".venv/bin/pip install -r scripts/requirements-site.txt")
    make_stage(out / "source", options.build)
    shutil.rmtree(out / "html", ignore_errors=True)
    environment = os.environ | {"PYTHONPATH": str(options.build / "python"),
                                "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-B", "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html",
         "-d", out / "doctrees", out / "source", out / "html"], env=environment)
    if done.returncode:
        sys.exit(done.returncode)
    if broken := sorted(set(find_broken(out / "html"))):
        sys.exit("\n".join(broken))
    print(f"{out}/html/index.html")


if __name__ == "__main__":
    main()
