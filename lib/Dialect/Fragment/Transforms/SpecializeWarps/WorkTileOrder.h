//===- WorkTileOrder.h - Which work tiles a block has -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A work tile is a tile of queries of a head. If a window is open to the left,
// each tile at the begin of a head sees more keys than the one before. If it is
// open to the right, each tile at the end sees fewer. These tiles are the
// ramps. A causal head is one ramp. To give blocks equal work, work tiles are
// put into slots of equal work. A tile between the ramps is a slot alone. Tile
// k of a ramp of n tiles shares a slot with tile n - 1 - k of the same ramp of
// the next head. Both heads are in L2 at the same time. The heads in front are
// ordered in this way. The heads at the back fill up the last round: each of
// their tiles is a slot, the longest ones first. Blocks take slots in rounds,
// from the first block to the last and from the last to the first by turns.
//
// The arithmetic is a template: kernels compute it (WorkTiles.cpp), and a test
// does, with numbers.

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_WORKTILEORDER_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_WORKTILEORDER_H

#include <cstdint>

namespace lattn {

inline int64_t choose(bool condition, int64_t yes, int64_t no) {
  return condition ? yes : no;
}

/// The launch's work tiles. A tile has `queries` queries and sees keys in steps
/// of `keys` keys.
template <typename N> struct TileWork {
  N tiles, heads; // tiles of a head, heads of all batches
  int64_t queries, keys;
};

/// The order of a block's work tiles.
template <typename N> struct WorkTileOrder {
  N tiles;        // of a head
  N begin, end;   // tiles of the ramps at its begin and at its end
  N front, back;  // heads
  N pairs, count; // slots of two work tiles, and work tiles, of this block
};

/// The block's slot of a round.
template <typename N> N getPlace(N round, N block, N blocks) {
  return choose(round % 2 < 1, block, blocks - block - 1);
}

/// How many of the first `slots` slots the block has.
template <typename N> N countSlots(N slots, N block, N blocks) {
  N rounds = slots / blocks;
  N place = getPlace(rounds, block, blocks);
  return rounds + choose(place < slots % blocks, block - block + 1, 0);
}

/// Finds the ramps. `countSteps` gives the steps of a tile. Both ramps are
/// equally steep, so the tile that sees most keys is midway between their outer
/// ends.
template <typename N, typename F>
void findRamps(const TileWork<N> &work, F countSteps, WorkTileOrder<N> &order) {
  N tiles = work.tiles, none = tiles - tiles;
  N first = countSteps(none), last = countSteps(tiles - 1);
  // Twice the place; numbers must not be negative.
  N place =
      tiles - 1 +
      choose(first < last, (last - first) * work.keys / work.queries, none);
  N down =
      choose(last < first, (first - last) * work.keys / work.queries, none);
  place = choose(down < place, place - down, none) / 2;
  place = choose(place < tiles, place, tiles - 1);
  N most = countSteps(place);
  auto count = [&](N least) {
    N ramp = (choose(least < most, most - least, none) * work.keys +
              (work.queries - 1)) /
             work.queries;
    // If the window is unbounded at the end, the ramp ends with one tile.
    return choose(ramp + 1 < tiles, ramp, choose(ramp < 1, ramp, tiles));
  };
  order.begin = count(first);
  N end = count(last), rest = tiles - order.begin;
  order.end = choose(end < rest, end, rest);
}

template <typename N, typename F>
WorkTileOrder<N> orderWorkTiles(const TileWork<N> &work, F countSteps, N block,
                                N blocks) {
  constexpr int64_t tailRounds = 6; // of slots of one work tile
  WorkTileOrder<N> order = {work.tiles, work.tiles, work.tiles, work.heads,
                            work.heads, work.tiles, work.tiles};
  findRamps(work, countSteps, order);
  N tiles = work.tiles, ramps = order.begin + order.end;
  N back = (blocks * tailRounds + tiles - 1) / tiles;
  back = back + (work.heads + back) % 2; // the others go in pairs
  back = choose(work.heads * tiles < blocks * (2 * tailRounds), work.heads,
                choose(back < work.heads, back, work.heads));
  order.back = choose(ramps < 1, 0, back);
  order.front = work.heads - order.back;
  N pairs = order.front / 2 * ramps;
  N slots = pairs + order.front * (tiles - ramps) + order.back * tiles;
  order.pairs = countSlots(pairs, block, blocks);
  order.count = order.pairs + countSlots(slots, block, blocks);
  return order;
}

/// Tile `place` of a head, in the order that starts with the tiles that see
/// most keys.
template <typename N> N getTile(const WorkTileOrder<N> &order, N place) {
  N begin = order.begin, end = order.end, flat = order.tiles - begin - end;
  N both = choose(begin < end, begin, end) * 2; // of tiles in both ramps
  auto isFlat = place < flat;
  N down = choose(isFlat, place, place - flat);
  auto isBoth = down < both;
  N depth = choose(isBoth, down / 2, down - both / 2);
  N inBegin = choose(isBoth, down % 2,
                     choose(end < begin, order.tiles / order.tiles, 0));
  N tile = choose(inBegin < 1, order.tiles - end + depth, begin - 1 - depth);
  return choose(isFlat, order.tiles - end - 1 - place, tile);
}

/// The block's work tile `number` of `order.count`, as a number of the launch,
/// which counts the tiles of one head after another.
template <typename N>
N getWorkTile(const WorkTileOrder<N> &order, N number, N block, N blocks) {
  N tiles = order.tiles, begin = order.begin, ramps = begin + order.end;
  auto isPair = number < order.pairs * 2;
  N round = choose(isPair, number / 2, number - order.pairs);
  N place = getPlace(round, block, blocks);
  N pairs = order.front / 2 * ramps;
  N singles = pairs + order.front * (tiles - ramps);
  N slot = round * blocks + place;
  auto isFront = slot < singles;
  slot = slot - choose(isPair, 0, choose(isFront, pairs, singles));
  N width = choose(isPair, ramps, choose(isFront, tiles - ramps, order.back));
  N row = slot / width, column = slot % width;
  N odd = number % 2;
  N head =
      choose(isPair, row * 2 + odd, choose(isFront, row, order.front + column));
  // A pair has the k-th tile of a ramp from one end and from the other end.
  auto inBegin = column < begin;
  N length = choose(inBegin, begin, order.end);
  N k = choose(inBegin, column, column - begin);
  k = choose(odd < 1, length - 1 - k, k);
  N ofPair = choose(inBegin, k, tiles - 1 - k);
  N tile = choose(isPair, ofPair, getTile(order, choose(isFront, column, row)));
  return head * tiles + tile;
}

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_WORKTILEORDER_H
