//===- Random.h - Random numbers that are the same everywhere ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_RANDOM_H
#define LATTN_TEST_SWEEP_RANDOM_H

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

namespace lattn::sweep {

/// SplitMix64, not the standard library's generators: those may differ.
class Random {
public:
  explicit Random(uint64_t seed, uint64_t stream = 0)
      : state(mix(seed) ^ mix(stream * 0x9e3779b97f4a7c15 + 1)) {}

  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15); }
  /// In [0, n).
  int64_t below(int64_t n) { return static_cast<int64_t>(next() % n); }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool oneIn(int64_t n) { return below(n) == 0; }
  template <typename T> T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  double uniform() { return (next() >> 11) * 0x1p-53; }
  double normal() {
    double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

private:
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  uint64_t state;
};

/// Chooses levels of a case's axes from shuffled decks, one deck an axis: n
/// cases in a row have each of the n levels once, and axes are independent.
class Decks {
public:
  Decks(uint64_t seed, int64_t index) : seed(seed), index(index) {}

  /// The level of the next axis, which has n. Every case asks in the same
  /// order.
  int64_t draw(int64_t n) {
    std::vector<int64_t> deck(n);
    std::iota(deck.begin(), deck.end(), 0);
    Random random(seed, (++axis << 40) + index / n);
    for (int64_t i = n - 1; i > 0; --i)
      std::swap(deck[i], deck[random.below(i + 1)]);
    return deck[index % n];
  }
  template <typename T> T draw(std::initializer_list<T> levels) {
    return levels.begin()[draw(static_cast<int64_t>(levels.size()))];
  }

private:
  uint64_t seed;
  int64_t index;
  uint64_t axis = 0;
};

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_RANDOM_H
