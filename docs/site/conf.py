"""How Sphinx makes the site. scripts/site puts the pages beside this file."""

from pygments import token
from pygments.lexer import RegexLexer
from sphinx.highlighting import lexers

project = "lattn"
author = "The lattn authors"
copyright = "The lattn authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 6
html_theme = "furo"
html_title = "lattn"
# Nothing from the network, and search without a server.
html_show_search_summary = False
html_copy_source = html_show_sourcelink = False
html_theme_options = {"source_edit_link": None, "source_view_link": None}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in (
    "ArrayLike", "ArrayOrPair", "MaskMod", "ScoreMod", "Array")}
highlight_language = "text"
maximum_signature_line_length = 80
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
exclude_patterns = []


class MLIRLexer(RegexLexer):
    """Colours for MLIR's text."""

    name, aliases = "MLIR", ["mlir"]
    tokens = {"root": [
        (r"//.*", token.Comment),
        (r'"(\\.|[^"\\])*"', token.String),
        (r"%[\w$.#-]+", token.Name.Variable),
        (r"@[\w$.-]+", token.Name.Function),
        (r"[#!^][\w$.-]+", token.Name.Attribute),
        (r"\b(true|false|unit|dense|func\.func|module|return)\b", token.Keyword),
        (r"\b[a-z_]\w*\.[a-z_][\w.]*", token.Name.Builtin),
        (r"\b(tensor|memref|vector|index|none|[fiu]\d+|si\d+|bf16)\b",
         token.Keyword.Type),
        (r"-?\b\d[\w.]*", token.Number),
        (r"[\w$.-]+", token.Text),
        (r"\s+", token.Whitespace),
        (r".", token.Punctuation),
    ]}


lexers["mlir"] = MLIRLexer()
