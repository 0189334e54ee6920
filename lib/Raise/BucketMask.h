//===- BucketMask.h - Which keys the rows of buckets show -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_BUCKETMASK_H
#define LATTN_LIB_RAISE_BUCKETMASK_H

#include "Mask.h"
#include "Substitution.h"

namespace lattn::raise {

/// Of a program that has one row of keys for each bucket of queries: query i of
/// a bucket stands at bucket * size + i, and key j of its row at
/// (bucket - back) * size + j.
struct BucketCoordinates {
  Expr bucket, query, key;
  Expr count; // of buckets, perhaps known at run time
  int64_t size, keys, back;

  int64_t getForward() const { return keys / size - 1 - back; }
};

/// A query's bucket, and the one of its row's keys that is `away` buckets
/// ahead.
struct BucketPair {
  int64_t away;
  Expr ofQuery, ofKey; // null where there is no such bucket
};

/// All cases of a query's and a key's bucket, whatever their number is: each
/// stands for all queries of its kind.
class BucketPairs {
public:
  BucketPairs(Exprs &exprs, Expr count, int64_t size)
      : exprs(exprs), count(count), place(exprs.var(exprs.number(size))) {}

  /// Nothing where no query has such a key.
  std::optional<BucketPair> getInside(int64_t away);
  /// Keys before the first bucket or behind the last.
  llvm::SmallVector<BucketPair> getOutside(int64_t away);
  /// Key and bucket of the program in those of the pair.
  void set(Substitution &to, const BucketCoordinates &at,
           const BucketPair &pair);
  Expr getPlace() const { return place; }

private:
  Exprs &exprs;
  Expr count, place; // a key's in its bucket
  std::map<int64_t, Expr> buckets;
};

struct BucketMask {
  Band band;
  /// Conditions that the band is of, and the others.
  llvm::SmallVector<Expr> counted, rest;
};
/// Nothing, with `reason`, where keys are visible that are not among the
/// positions, or none.
std::optional<BucketMask> proveBucketMask(Evaluator &evaluator,
                                          BucketPairs &pairs,
                                          const BucketCoordinates &at,
                                          llvm::ArrayRef<Expr> visible,
                                          std::string &reason);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_BUCKETMASK_H
