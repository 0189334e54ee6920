//===- MutateText.cpp - Text with a few tokens or lines changed -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace lattn;
using namespace lattn::fuzz;
using llvm::StringRef;

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

/// Words with their sigil, numbers, strings, single characters, white space.
static std::vector<std::string> tokenize(StringRef text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    size_t length = 1;
    if (text.front() == '"') {
      length = std::min(text.find('"', 1), text.size() - 1) + 1;
    } else if (isWord(text.front()) ||
               (StringRef("%@#!^").contains(text.front()) && text.size() > 1 &&
                isWord(text[1]))) {
      while (length < text.size() && isWord(text[length]))
        ++length;
    } else if (llvm::isSpace(text.front())) {
      while (length < text.size() && llvm::isSpace(text[length]))
        ++length;
    }
    tokens.push_back(text.take_front(length).str());
    text = text.drop_front(length);
  }
  return tokens;
}

static std::string makeNumber(Random &random) {
  return random.pick({"0",
                      "1",
                      "-1",
                      "2",
                      "3",
                      "4",
                      "7",
                      "64",
                      "4096",
                      "2147483647",
                      "2147483648",
                      "-2147483649",
                      "1099511627776",
                      "1099511627777",
                      "9223372036854775807",
                      "-9223372036854775808",
                      "9223372036854775808",
                      "99999999999999999999999",
                      "0x7F800000",
                      "1.0e308",
                      "-0.0",
                      "1.0",
                      "true"});
}

static std::string makeWord(Random &random) {
  return random.pick({"f16",
                      "bf16",
                      "f32",
                      "f64",
                      "f128",
                      "f8E5M2",
                      "i1",
                      "i8",
                      "i32",
                      "i64",
                      "index",
                      "ui32",
                      "tensor",
                      "memref",
                      "vector",
                      "complex",
                      "none",
                      "tuple",
                      "?",
                      "*",
                      "x",
                      "[",
                      "]",
                      "<",
                      ">",
                      "(",
                      ")",
                      "{",
                      "}",
                      ",",
                      ":",
                      "->",
                      "=",
                      "dense",
                      "unit",
                      "array<i32: 1, 1>",
                      "affine_map",
                      "floordiv",
                      "mod",
                      "query",
                      "key",
                      "value",
                      "bias",
                      "key_mask",
                      "kv_lens",
                      "offset",
                      "sink",
                      "dropout",
                      "origin",
                      "captures",
                      "outs",
                      "ins",
                      "score",
                      "window",
                      "causal",
                      "scale",
                      "bias_map",
                      "layout",
                      "bhnd",
                      "bnhd",
                      "left",
                      "right",
                      "bucket",
                      "back",
                      "forward",
                      "indexing_maps",
                      "value_axis",
                      "query_rows",
                      "operandSegmentSizes",
                      "lattn.attention",
                      "lattn.online_attention",
                      "lattn.merge",
                      "lattn.finalize",
                      "lattn.pack_query",
                      "lattn.yield",
                      "#lattn.window<>",
                      "#lattn.layout<bnhd>",
                      "tensor.empty()",
                      "arith.constant",
                      "scf.for",
                      "tensor<2x3x4x5xf32>",
                      "memref<?xf32, strided<[?], offset: ?>>",
                      "tensor<*xf32>",
                      "tensor<?x?x?x?xf32, \"encoding\">",
                      "memref<2x3x4x5xf32, 3>",
                      "memref<4xf32, affine_map<(d0) -> (d0 * 2)>>",
                      "loc(unknown)",
                      "\\00",
                      "\xff"});
}

namespace {
class TextMutator {
public:
  TextMutator(StringRef text, Random &random)
      : tokens(tokenize(text)), random(random) {}
  void mutate();
  std::string get() const { return llvm::join(tokens, ""); }

private:
  /// The place of a token that `accept`s, or any.
  template <typename Accept> size_t pickPlace(Accept accept) {
    std::vector<size_t> places;
    for (size_t i = 0; i < tokens.size(); ++i)
      if (accept(StringRef(tokens[i])))
        places.push_back(i);
    return places.empty() ? random.below(tokens.size())
                          : places[random.below(places.size())];
  }
  size_t pickToken() {
    return pickPlace([](StringRef t) { return !llvm::isSpace(t.front()); });
  }
  size_t pickLike(char sigil) {
    return pickPlace([&](StringRef t) { return t.front() == sigil; });
  }
  void mutateLines();
  void dropGroup();

  std::vector<std::string> tokens;
  Random &random;
};
} // namespace

void TextMutator::mutateLines() {
  llvm::SmallVector<StringRef> lines;
  std::string text = get();
  StringRef(text).split(lines, '\n');
  size_t at = random.below(lines.size()), to = random.below(lines.size());
  switch (random.below(4)) {
  case 0:
    lines.erase(lines.begin() + at);
    break;
  case 1:
    lines.insert(lines.begin() + to, lines[at]);
    break;
  case 2:
    std::swap(lines[at], lines[to]);
    break;
  default:
    lines.truncate(at + 1);
  }
  tokens = tokenize(llvm::join(lines, "\n"));
}

/// What stands between a bracket and the one that closes it, with or without
/// them and the word before.
void TextMutator::dropGroup() {
  size_t begin = pickPlace([](StringRef t) {
    return t.size() == 1 && StringRef("([{<").contains(t[0]);
  });
  char open = tokens[begin][0], close = open == '(' ? ')' : open + 2;
  int depth = 0;
  size_t end = begin;
  for (; end < tokens.size(); ++end) {
    depth += tokens[end][0] == open;
    depth -= tokens[end][0] == close;
    if (depth <= 0)
      break;
  }
  if (end == tokens.size())
    return;
  if (random.oneIn(2) && begin > 0)
    --begin;
  tokens.erase(tokens.begin() + begin, tokens.begin() + end + 1);
}

void TextMutator::mutate() {
  if (tokens.empty())
    return;
  size_t at = pickToken();
  switch (random.below(12)) {
  case 0:
    tokens.erase(tokens.begin() + at);
    return;
  case 1:
    tokens.insert(tokens.begin() + at, std::string(tokens[at]));
    return;
  case 2:
    return std::swap(tokens[at], tokens[pickToken()]);
  case 3:
  case 4:
  case 5: {
    size_t number = pickPlace([](StringRef t) { return llvm::isDigit(t[0]); });
    // Of 2x3xf32 one extent.
    StringRef old = tokens[number];
    size_t digits = old.take_while(llvm::isDigit).size();
    tokens[number] = makeNumber(random) +
                     (random.oneIn(3) ? "" : old.drop_front(digits).str());
    return;
  }
  case 6:
    tokens[pickLike('%')] = tokens[pickLike('%')];
    return;
  case 7:
    return mutateLines();
  case 8:
    return dropGroup();
  case 9:
    tokens.insert(tokens.begin() + at, makeWord(random) + " ");
    return;
  case 10: {
    // An element type everywhere, so that the rest may still fit.
    std::string from = random.pick(
        {"f32", "f16", "bf16", "f64", "i64", "i32", "?x", "1x", "2x"});
    std::string to =
        random.pick({"f32", "f16", "bf16", "f64", "i64", "?x", "0x", "3x"});
    for (std::string &token : tokens)
      for (size_t i = 0; (i = token.find(from, i)) != std::string::npos;
           i += to.size())
        token.replace(i, from.size(), to);
    return;
  }
  default:
    tokens[at] = makeWord(random);
  }
}

/// Upstream's parsers crash where the permutation of linalg.transpose is none,
/// and where an iterator type of linalg.generic is no string.
static bool crashesUpstream(StringRef text) {
  static const llvm::Regex permutation(
      "permutation = \\[[0-9]{1,9}(, [0-9]{1,9})*\\]");
  static const llvm::Regex iterators(
      "iterator_types = \\[\"[a-z]+\"(, \"[a-z]+\")*\\]");
  auto lacks = [&](StringRef name, const llvm::Regex &whole) {
    for (StringRef rest = text;;) {
      size_t at = rest.find(name);
      if (at == StringRef::npos)
        return false;
      rest = rest.drop_front(at + 1);
      if (!whole.match(rest.take_front(rest.find('\n'))))
        return true;
    }
  };
  return lacks("linalg.transpose", permutation) ||
         lacks("linalg.generic", iterators);
}

std::string fuzz::mutateText(StringRef text, Random &random) {
  while (true) {
    TextMutator mutator(text, random);
    for (int64_t i = random.pick({1, 1, 1, 2, 2, 3, 5}); i > 0; --i)
      mutator.mutate();
    std::string mutant = mutator.get();
    if (!crashesUpstream(mutant))
      return mutant;
  }
}
