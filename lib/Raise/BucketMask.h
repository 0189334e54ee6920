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

/// For a program with one row of keys for each bucket of queries. Query i of a
/// bucket stands at bucket * size + i. Key j of its row stands at (bucket -
/// back) * size + j.
struct BucketCoordinates {
  Expr bucket, query, key;
  Expr count; // of buckets, perhaps known at run time
  int64_t size, keys, back;

  int64_t getForward() const { return keys / size - 1 - back; }
};

/// A query's bucket, and the bucket of its row's keys that is `away` buckets
/// ahead.
struct BucketPair {
  int64_t away;
  Expr ofQuery, ofKey; // null where there is no such bucket
};

/// All pairs of a query's and a key's bucket, for any number of buckets. Each
/// pair stands for all queries of its kind.
class BucketPairs {
public:
  BucketPairs(Exprs &exprs, Expr count, int64_t size)
      : exprs(exprs), count(count), place(exprs.var(exprs.number(size))) {}

  /// Nothing if no query has such a key.
  std::optional<BucketPair> getInside(int64_t away);
  /// The pairs for keys before the first bucket or behind the last.
  llvm::SmallVector<BucketPair> getOutside(int64_t away);
  /// Replaces the program's key and bucket by those of the pair.
  void set(Substitution &to, const BucketCoordinates &at,
           const BucketPair &pair);
  Expr getPlace() const { return place; }

private:
  Exprs &exprs;
  Expr count, place; // of a key in its bucket
  std::map<int64_t, Expr> buckets;
};

struct BucketMask {
  Band band;
  /// The conditions that the band describes, and the others.
  llvm::SmallVector<Expr> counted, rest;
};
/// Nothing, with `reason`, if keys are visible that are not among the
/// positions, or if none is visible.
std::optional<BucketMask> proveBucketMask(Evaluator &evaluator,
                                          BucketPairs &pairs,
                                          const BucketCoordinates &at,
                                          llvm::ArrayRef<Expr> visible,
                                          std::string &reason);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_BUCKETMASK_H
