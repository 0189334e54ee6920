//===- Style.cpp - Colours, patterns and the legend -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::formatv;
using llvm::StringRef;

// Okabe and Ito's colours, which colour-blind readers tell apart; they differ
// in lightness, and the hatching in direction, for print in grey.
StringRef lattn::getPictureStyle() {
  return R"svg(<style>
.lattn text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f; }
.lattn .title { font-size: 20px; font-weight: 600; }
.lattn .label { font-weight: 600; }
.lattn .tick { font-size: 11px; }
.lattn .tick, .lattn .name { fill: #57606a; }
.lattn .middle { text-anchor: middle; }
.lattn .end { text-anchor: end; }
.lattn .page { fill: #ffffff; }
.lattn .plane { fill: #f3f4f6; stroke: #8c959f; }
.lattn .mark, .lattn .rule { stroke: #8c959f; fill: none; }
.lattn .beyond { fill: #8c959f; fill-opacity: 0.35; }
.lattn .masked { fill: #24292f; fill-opacity: 0.55; }
.lattn .origin { fill: #d55e00; stroke: #ffffff; }
.lattn .place { fill: #57606a; }
.lattn .interior { fill: #0072b2; stroke: #0072b2; stroke-width: 0.6; }
.lattn .left { fill: #e69f00; }
.lattn .right { fill: #3fb58b; }
.lattn .hidden.left { fill: url(#lattn-left); }
.lattn .hidden.right { fill: url(#lattn-right); }
.lattn .border { fill: none; stroke: #ffffff; stroke-width: 1.2; }
.lattn .edge { fill: none; stroke: #24292f; stroke-width: 1.4; }
.lattn .thin { stroke-width: 0.6; }
.lattn .cut { stroke: #24292f; stroke-width: 2; stroke-dasharray: 5 3; fill: none; }
@media (prefers-color-scheme: dark) {
.lattn text { fill: #d6dce3; }
.lattn .tick, .lattn .name { fill: #9da7b1; }
.lattn .page { fill: #12161b; }
.lattn .plane { fill: #20262e; }
.lattn .place { fill: #9da7b1; }
.lattn .masked { fill: #9da7b1; }
.lattn .border { stroke: #12161b; }
.lattn .edge, .lattn .thin { stroke-width: 0.6; }
.lattn .cut { stroke: #f0f3f6; }
}
</style>
<defs>
<pattern id="lattn-left" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#e69f00" fill-opacity="0.25"/><path d="M0 0L6 6M-1 5L1 7M5 -1L7 1" stroke="#a87400"/></pattern>
<pattern id="lattn-right" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="#3fb58b" fill-opacity="0.25"/><path d="M6 0L0 6M-1 1L1 -1M5 7L7 5" stroke="#1f7a5a"/></pattern>
</defs>
)svg";
}

/// What few ops have: hidden keys and an origin.
static double drawRareLegend(Svg &svg, double x, double y,
                             const AttentionWork &work) {
  auto row = [&](const std::string &text) {
    svg.text(x + 52, y + 12, "text", text);
    y += 22;
  };
  auto isComputed = [&](StringRef name) {
    return llvm::is_contained(work.unknown, name);
  };
  if (!work.plans.empty() &&
      work.plans.front().getDomain().numKeys < work.keys) {
    svg.rect({x, y, 42, 14}, "beyond");
    row("beyond kv_lens");
  }
  if (work.hasKeyMask) {
    svg.rect({x, y, 42, 14}, "masked");
    row(isComputed("key_mask")
            ? "hidden by the key mask: computed, so not drawn"
            : "hidden by the key mask, in batch 0");
  }
  if (work.origin || isComputed("origin")) {
    drawOriginMark(svg, x + 21, y + 7);
    row(work.origin ? formatv("origin: query {0}, key {1} of the larger op",
                              (*work.origin)[2], (*work.origin)[3])
                          .str()
                    : "origin: computed, so not drawn");
  }
  return y;
}

double lattn::drawLegend(Svg &svg, double x, double y,
                         const AttentionWork &work) {
  auto row = [&](StringRef text) {
    svg.text(x + 52, y + 12, "text", text);
    y += 22;
  };
  auto swatch = [&](StringRef style, double at, double width) {
    svg.rect({x + at, y, width, 14}, style);
  };
  auto line = [&](StringRef style) {
    SvgPath path;
    path.line(x, y + 7, x + 42, y + 7);
    svg.path(path, style);
  };
  bool masked = work.hasWindow || work.hasKeyMask;
  if (work.sizes.query) {
    swatch("interior", 0, 42);
    row("interior: no mask");
  }
  if (!work.sizes.query || masked) {
    swatch("left", 0, 20);
    swatch("hidden left", 22, 20);
    row(!work.sizes.query ? "computed and visible; computed and hidden"
                          : "left edge, masked: visible; computed, but hidden");
  }
  if (work.sizes.query && masked) {
    swatch("right", 0, 20);
    swatch("hidden right", 22, 20);
    row("right edge, masked: visible; computed, but hidden");
  }
  swatch("plane", 0, 42);
  row("never visited");
  line("edge");
  row("edge of what is visible");
  if (work.parts > 1) {
    line("cut");
    row("a part of split-KV ends");
  }
  return drawRareLegend(svg, x, y, work);
}
