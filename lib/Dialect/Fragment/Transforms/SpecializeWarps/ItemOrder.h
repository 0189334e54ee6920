//===- ItemOrder.h - Which items a block has, in which order ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An item is a tile of queries of a head. A window that is open to one side
// shows the tiles of a head more and more keys, over all of the head (causal)
// or over its first tiles, the ramp. Blocks get equal work from slots of equal
// work: a tile behind the ramp is a slot alone; tile k of a ramp of n tiles
// shares one with tile n - 1 - k of the next head's. Both heads are in L2 at
// the same time. Such are the heads in front. Those at the back make up for
// slots that do not fill the last round: their tiles are slots alone, the
// longest ones first. Rounds go to the blocks from both ends by turns.
//
// The arithmetic is a template: kernels compute it (Items.cpp), and a test
// does, with numbers.

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_ITEMORDER_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_ITEMORDER_H

#include <cstdint>

namespace lattn {

inline int64_t choose(bool condition, int64_t yes, int64_t no) {
  return condition ? yes : no;
}

/// The launch's items, and the keys that the first and the last tile of a head
/// see, in steps: of `keys` keys, as tiles are of `queries` queries.
template <typename N> struct ItemWork {
  N tiles, heads; // tiles of a head, heads of all batches
  N firstSteps, lastSteps;
  int64_t queries, keys;
};

/// What a block has to know of all its items.
template <typename N> struct ItemOrder {
  N tiles, ramp;  // of a head
  N front, back;  // heads
  N turned;       // 1 if the first tile of a head sees the most keys
  N pairs, count; // slots of two items, and items, of this block
};

/// How many of the slots before `slots` the block has.
template <typename N> N countSlots(N slots, N block, N blocks) {
  N rounds = slots / blocks;
  N place = choose(rounds % 2 < 1, block, blocks - block - 1);
  return rounds + choose(place < slots % blocks, block - block + 1, 0);
}

template <typename N>
ItemOrder<N> orderItems(const ItemWork<N> &work, N block, N blocks) {
  constexpr int64_t tailRounds = 4; // of slots of one item
  ItemOrder<N> order = {work.tiles, work.tiles, work.heads, work.heads,
                        work.tiles, work.tiles, work.tiles};
  N first = work.firstSteps, last = work.lastSteps, tiles = work.tiles;
  order.turned = choose(last < first, tiles / tiles, 0);
  N more = choose(last < first, first - last, last - first);
  N ramp = (more * work.keys + (work.queries - 1)) / work.queries;
  // Of a window that ends nowhere one tile is the end of the ramp.
  order.ramp = choose(ramp + 1 < tiles, ramp, choose(ramp < 1, ramp, tiles));
  N back = (blocks * tailRounds + tiles - 1) / tiles;
  back = back + (work.heads + back) % 2; // others are two and two
  back = choose(work.heads * tiles < blocks * (2 * tailRounds), work.heads,
                choose(back < work.heads, back, work.heads));
  order.back = choose(ramp < 1, 0, back);
  order.front = work.heads - order.back;
  N pairs = order.front / 2 * order.ramp;
  N slots = pairs + order.front * (tiles - order.ramp) + order.back * tiles;
  order.pairs = countSlots(pairs, block, blocks);
  order.count = order.pairs + countSlots(slots, block, blocks);
  return order;
}

/// The block's item `number` of `order.count`, as a number of the launch's,
/// whose tiles are a head's one after another.
template <typename N>
N getItem(const ItemOrder<N> &order, N number, N block, N blocks) {
  N tiles = order.tiles, ramp = order.ramp;
  auto isPair = number < order.pairs * 2;
  N round = choose(isPair, number / 2, number - order.pairs);
  N place = choose(round % 2 < 1, block, blocks - block - 1);
  N pairs = order.front / 2 * ramp;
  N singles = pairs + order.front * (tiles - ramp);
  N slot = round * blocks + place;
  auto isFront = slot < singles;
  slot = slot - choose(isPair, 0, choose(isFront, pairs, singles));
  N width = choose(isPair, ramp, choose(isFront, tiles - ramp, order.back));
  N row = slot / width, column = slot % width;
  N odd = number % 2;
  N head =
      choose(isPair, row * 2 + odd, choose(isFront, row, order.front + column));
  N single = tiles - 1 - choose(isFront, column, row);
  N tile = choose(isPair, choose(odd < 1, ramp - 1 - column, column), single);
  tile = choose(order.turned < 1, tile, tiles - 1 - tile);
  return head * tiles + tile;
}

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_ITEMORDER_H
