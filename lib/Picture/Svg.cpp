//===- Svg.cpp - Writes shapes and text as SVG ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "lattn/Measure/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace lattn;
using llvm::formatv;
using llvm::StringRef;

/// A tenth of a pixel is enough, and short. No zero is negative.
static std::string number(double value) {
  return formatNumber(std::round(value * 10) / 10 + 0.0, /*digits=*/9);
}

static std::string escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return escaped;
}

void SvgPath::add(char command, double a) { data += command + number(a); }

void SvgPath::add(char command, double a, double b) {
  data += command + number(a) + " " + number(b);
}

void SvgPath::rect(Box box) {
  add('M', box.x, box.y);
  add('H', box.right());
  add('V', box.bottom());
  add('H', box.x);
  data += 'z';
}

void SvgPath::line(double x0, double y0, double x1, double y1) {
  add('M', x0, y0);
  add('L', x1, y1);
}

void SvgPath::moveTo(double x, double y) { add('M', x, y); }
void SvgPath::lineTo(double x, double y) { add('L', x, y); }

void Svg::rect(Box box, StringRef style) {
  body += formatv("<rect class=\"{0}\" x=\"{1}\" y=\"{2}\" width=\"{3}\" "
                  "height=\"{4}\"/>\n",
                  style, number(box.x), number(box.y), number(box.width),
                  number(box.height));
}

void Svg::path(const SvgPath &path, StringRef style) {
  if (!path.getData().empty())
    body += formatv("<path class=\"{0}\" d=\"{1}\"/>\n", style, path.getData());
}

void Svg::text(double x, double y, StringRef style, StringRef text) {
  body += formatv("<text class=\"{0}\" x=\"{1}\" y=\"{2}\">{3}</text>\n", style,
                  number(x), number(y), escape(text));
}

std::string Svg::finish(double width, double height, StringRef title,
                        StringRef head) const {
  return formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lattn\" "
                 "viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                 "role=\"img\">\n<title>{2}</title>\n{3}{4}</svg>\n",
                 number(width), number(height), escape(title), head, body);
}
