"""PTX text to tokens with line numbers."""

import re
from typing import NamedTuple

from .faults import PTXError


class Token(NamedTuple):
    kind: str
    text: str
    line: int
    at: int  # offset in the text


TOKENS = re.compile(r"""
    (?P<space>\s+)
  | (?P<implicit>//[ ]implicit-def:[ ]*(?P<reg>%\w+)[^\n]*)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>"[^"\n]*")
  | (?P<number>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}
      |0[xX][0-9a-fA-F]+U?|0[bB][01]+U?
      |\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+U?)
  | (?P<name>[%A-Za-z_$][\w$]*(?:(?:::|\.)[\w$]+)*)
  | (?P<directive>\.[A-Za-z_]\w*(?:::\w+)*)
  | (?P<punct>[][{}()<>,;:|@!+=*-])
""", re.X | re.S)


def tokenize(text):
    tokens, line, at = [], 1, 0
    for match in TOKENS.finditer(text):
        start = match.start()
        if start != at:
            break
        at, kind = match.end(), match.lastgroup
        if kind in ("space", "comment"):
            line += text.count("\n", start, at)
        elif kind == "implicit":
            tokens.append(Token(kind, match["reg"], line, start))
        else:
            tokens.append(Token(kind, text[start:at], line, start))
    if at != len(text):
        raise PTXError(f"line {line}: cannot read {text[at:at + 20]!r}")
    tokens.append(Token("end", "", line, at))
    return tokens
