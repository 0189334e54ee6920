//===- Picture.cpp - Attention ops as pictures ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Picture/Picture.h"
#include "Drawing.h"
#include "lattn/Explain/Explain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::SmallVector;
using llvm::StringRef;

/// More would make a file too large to look at.
constexpr unsigned kMostPictures = 6;

namespace {

/// Ops that look the same share a picture.
struct Subject {
  const AttentionWork *work;
  std::vector<Row> rows;
  std::vector<std::string> notes;
  SmallVector<std::string> numbers; // of the ops
};

} // namespace

static std::vector<std::string> getNotes(const AttentionWork &work) {
  std::vector<std::string> notes;
  for (StringRef name : work.unknown)
    notes.push_back(name.str() + (name == "offset" || name == "origin"
                                      ? " is computed: drawn as if it were not "
                                        "given"
                                      : " is computed: drawn as if it hid "
                                        "nothing"));
  if (work.hasKeyMask)
    notes.push_back("a key mask may hide any key: every tile is masked");
  if (work.origin) {
    auto [batch, head, query, key] = *work.origin;
    notes.push_back(formatv("a tile of a larger op, from batch {0}, head {1}, "
                            "query {2}, key {3} on: axes have its coordinates",
                            batch, head, query, key));
  }
  if (!work.sizes.query)
    notes.push_back("naive loops: every pair is computed, then masked");
  if (work.plans.empty())
    return notes;
  const TileDomain &first = work.plans.front().getDomain();
  if (work.masksDiffer || llvm::any_of(work.plans, [&](const TilePlan &plan) {
        return plan.getDomain().offset != first.offset ||
               plan.getDomain().numKeys != first.numKeys;
      }))
    notes.push_back("batches differ: batch 0 is drawn");
  if (first.numKeys < work.keys)
    notes.push_back(formatv("kv_lens ends batch 0 at {0} of {1} keys",
                            first.numKeys, work.keys));
  if (int64_t offset = first.offset - work.getOrigin()[2])
    notes.push_back(formatv("query i stands at key {0} {1}",
                            offset < 0 ? "i -" : "i +", std::abs(offset)));
  return notes;
}

static bool haveSameMask(const AttentionWork &a, const AttentionWork &b) {
  return std::equal(a.hiddenKeys.begin(), a.hiddenKeys.end(),
                    b.hiddenKeys.begin(), b.hiddenKeys.end(),
                    [](KeyRange x, KeyRange y) {
                      return x.begin == y.begin && x.end == y.end;
                    });
}

/// Over batches and heads.
static TileSteps countSteps(const AttentionWork &work) {
  TileSteps sum;
  for (const TilePlan &plan : work.plans) {
    TileSteps steps = plan.countSteps();
    sum.full += steps.full * work.planHeads;
    sum.masked += steps.masked * work.planHeads;
    sum.skipped += steps.skipped * work.planHeads;
  }
  return sum;
}

static std::vector<Subject> getSubjects(ArrayRef<AttentionWork> works,
                                        const TargetInfo &target) {
  std::vector<Subject> subjects;
  for (const auto &[i, each] : llvm::enumerate(works)) {
    const AttentionWork &work = each;
    Subject subject = {&work, explainWork(work, target), getNotes(work), {}};
    if (work.parts > 1)
      subject.rows.push_back({"split-KV", formatv("{0} parts", work.parts)});
    if (work.sizes.query) {
      TileSteps steps = countSteps(work);
      subject.rows.push_back(
          {"steps", formatv("{0:N} without a mask, {1:N} with, {2:N} skipped",
                            steps.full, steps.masked, steps.skipped)});
    }
    auto same = llvm::find_if(subjects, [&](const Subject &other) {
      return other.rows == subject.rows && other.notes == subject.notes &&
             haveSameMask(*other.work, work);
    });
    if (same == subjects.end())
      same = subjects.insert(subjects.end(), std::move(subject));
    same->numbers.push_back(std::to_string(i));
  }
  return subjects;
}

/// `text` as a line of at most `width` characters and the rest, between words.
static std::pair<StringRef, StringRef> wrap(StringRef text, size_t width) {
  if (text.size() <= width)
    return {text, ""};
  size_t space = text.rfind(' ', width);
  if (space == StringRef::npos || space == 0)
    space = text.find(' ', width);
  return {text.take_front(space), text.drop_front(space).ltrim()};
}

/// Returns the lower end.
static double drawTable(Svg &svg, double x, double y, ArrayRef<Row> rows) {
  for (const Row &row : rows) {
    svg.text(x, y + 12, "name", row.first);
    for (StringRef rest = row.second; !rest.empty(); y += 18) {
      auto [line, next] = wrap(rest, 54);
      svg.text(x + 108, y + 12, "text", line);
      rest = next;
    }
    y += 3;
  }
  return y;
}

static double drawSubject(Svg &svg, double y, const Subject &subject) {
  constexpr double kTable = 462;
  const AttentionWork &work = *subject.work;
  svg.text(kMargin, y + 20, "title",
           "attention " + llvm::join(subject.numbers, ", "));
  y += 30;
  for (const std::string &note : subject.notes) {
    svg.text(kMargin, y + 14, "name", note);
    y += 20;
  }
  double table = drawTable(svg, kTable, y + 20, subject.rows);
  table = drawLegend(svg, kTable, table + 20, work);
  if (work.plans.empty()) {
    svg.text(kMargin, y + 34, "label", "there are no batches");
    return table;
  }
  TileDomain domain = work.plans.front().getDomain();
  domain.rows = work.queries; // heads of a group see the same keys
  TilePlan plan(domain, work.sizes, work.parts);
  SmallVector<Zoom> zooms = chooseZooms(plan);
  for (auto [i, zoom] : llvm::enumerate(zooms))
    zoom.name = std::string(1, 'a' + i) + "  " + zoom.name;
  y = std::max(table, drawOverview(svg, y, work, plan, zooms));
  for (const Zoom &zoom : zooms)
    y = drawZoom(svg, y + 24, work, plan, zoom);
  return y;
}

std::string lattn::renderPicture(ArrayRef<AttentionWork> works, bool complete,
                                 const TargetInfo &target) {
  Svg drawing;
  double y = 16;
  std::vector<Subject> subjects = getSubjects(works, target);
  for (const Subject &subject : ArrayRef(subjects).take_front(kMostPictures))
    y = drawSubject(drawing, y, subject) + 40;
  auto say = [&](const std::string &text) {
    drawing.text(kMargin, y + 14, "label", text);
    y += 40;
  };
  if (subjects.size() > kMostPictures)
    say(formatv("and {0} more that are not drawn",
                subjects.size() - kMostPictures));
  if (!complete)
    say("attention of unknown shape is not drawn");
  if (works.empty() && complete)
    say("no attention op");
  double width = kRight + kMargin;
  Svg page;
  page.rect({0, 0, width, y}, "page");
  page.append(drawing);
  return page.finish(width, y, "Tiles of attention", getPictureStyle());
}
