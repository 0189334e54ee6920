//===- Svg.h - Writes shapes and text as SVG --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_PICTURE_SVG_H
#define LATTN_LIB_PICTURE_SVG_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace lattn {

struct Box {
  double x, y, width, height;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

/// The data of one path element: many shapes in few bytes.
class SvgPath {
public:
  void rect(Box box);
  void line(double x0, double y0, double x1, double y1);
  /// Continues the line that the last call ended, or begins one.
  void moveTo(double x, double y);
  void lineTo(double x, double y);
  llvm::StringRef getData() const { return data; }

private:
  void add(char command, double a);
  void add(char command, double a, double b);
  std::string data;
};

/// Elements are styled by classes of the document's style sheet.
class Svg {
public:
  void rect(Box box, llvm::StringRef style);
  /// Draws nothing for an empty path.
  void path(const SvgPath &path, llvm::StringRef style);
  /// `text` is escaped. Styles anchor it: start, middle, end.
  void text(double x, double y, llvm::StringRef style, llvm::StringRef text);
  void append(const Svg &other) { body += other.body; }
  /// The whole document, `head` (styles, patterns) before the elements.
  std::string finish(double width, double height, llvm::StringRef title,
                     llvm::StringRef head) const;

private:
  std::string body;
};

} // namespace lattn

#endif // LATTN_LIB_PICTURE_SVG_H
