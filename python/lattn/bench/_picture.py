"""Results as an SVG picture: a bar for each implementation, a group for each
workload."""

from __future__ import annotations

from html import escape

from ._measure import Result
from ._report import compare, group, rank
from ._workloads import WORKLOADS

_WIDTH, _LEFT, _RIGHT = 860, 170, 130  # pixels; the bars are between them
_BAR, _STEP = 16, 23
_MOST = 10.0  # times lattn's time: longer bars are cut off

# Blue and grey differ in lightness, for print and for colour-blind readers.
_STYLE = """<style>
.bench text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f; }
.bench .title { font-size: 18px; font-weight: 600; }
.bench .label { font-weight: 600; }
.bench .small { font-size: 12px; fill: #57606a; }
.bench .end { text-anchor: end; }
.bench .page { fill: #ffffff; }
.bench .own { fill: #0072b2; }
.bench .other { fill: #a8b0b8; }
.bench .cut { stroke: #ffffff; stroke-width: 3; }
.bench .unit { stroke: #57606a; stroke-dasharray: 3 3; }
@media (prefers-color-scheme: dark) {
.bench text { fill: #d6dce3; }
.bench .small { fill: #9da7b1; }
.bench .page { fill: #12161b; }
.bench .cut { stroke: #12161b; }
.bench .other { fill: #6b7580; }
}
</style>
"""


def _text(x: float, y: float, style: str, text: str) -> str:
    return f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(text)}</text>\n'


def _format(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def _draw_group(y: float, name: str, results: list[Result]) -> tuple[str, float]:
    """The elements of a group, and its lower end."""
    body = _text(24, y + 14, "label", name)
    body += _text(_LEFT, y + 14, "small", WORKLOADS[name].what)
    y += 26
    ranked = rank(results)
    longest = max((one.least for one in ranked), default=1.0)
    own = next((one.least for one in ranked if one.implementation == "lattn"), longest)
    limit = max(min(longest, _MOST * own), 2 * own)
    scale = (_WIDTH - _LEFT - _RIGHT) / limit
    top = y
    for one in ranked:
        width = max(1.0, min(one.least, limit) * scale)
        style = "own" if one.implementation == "lattn" else "other"
        body += _text(_LEFT - 8, y + 13, "end", one.implementation)
        body += (f'<rect class="{style}" x="{_LEFT}" y="{y:g}" width="{width:.1f}" '
                 f'height="{_BAR}"/>\n')
        if one.least > limit:
            x = _LEFT + width - 14
            body += f'<path class="cut" d="M{x - 4:.1f} {y + _BAR}l8 -{_BAR}"/>\n'
        ratio = compare(one, results)
        label = _format(one.least)
        if ratio and one.implementation != "lattn":
            label += f", {ratio:,.0f} x" if ratio >= 10 else f", {ratio:.1f} x"
        body += _text(_LEFT + width + 6, y + 13, "text", label)
        y += _STEP
    x = _LEFT + own * scale
    if len(ranked) > 1:
        body += f'<path class="unit" d="M{x:.1f} {top - 3:g}V{y - 3:g}"/>\n'
    return body, y


def render_picture(results: list[Result], title: str) -> str:
    """The SVG document."""
    body = _text(24, 34, "title", "Time of a call: shorter is faster")
    body += _text(24, 54, "small", title)
    y = 76.0
    for name, found in group(results).items():
        if not rank(found):
            continue
        elements, y = _draw_group(y, name, found)
        body += elements
        y += 18
    body += _text(24, y + 6, "small",
                  "The least of all turns. x: times lattn's time, the dashed line. Bars of "
                  f"more than {_MOST:g} x are cut.")
    height = y + 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="bench" viewBox="0 0 '
            f'{_WIDTH} {height:g}" width="{_WIDTH}" height="{height:g}" role="img">\n'
            f"<title>lattn beside other packages</title>\n{_STYLE}"
            f'<rect class="page" width="{_WIDTH}" height="{height:g}"/>\n{body}</svg>\n')
