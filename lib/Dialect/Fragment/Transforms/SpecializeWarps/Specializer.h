//===- Specializer.h - Makes a launch one of warps with roles ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_SPECIALIZER_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_SPECIALIZER_H

#include "../StageShared/Streams.h"
#include "Epilogue.h"
#include "Ring.h"
#include "WorkTiles.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

class Specializer {
public:
  Specializer(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch, int64_t stages,
              int64_t multiprocessors)
      : b(b), launch(launch), loc(launch.getLoc()), stages(stages),
        multiprocessors(multiprocessors) {}
  /// Whether the launch computes one sweep, with 64 rows for each four warps.
  /// If only tensor maps prevent that, `reason` says why.
  mlir::LogicalResult analyze(std::string &reason);
  /// Whether tensor maps support the arrays that the launch reads.
  mlir::Value buildCondition();
  void run();

private:
  /// The state that a role carries from work tile to work tile: the number of
  /// tiles that went through the rings of streams (i32), and whether the number
  /// of work tiles with steps was odd.
  struct Progress {
    mlir::Value tiles, residents;
  };
  /// What a work tile reads once: a left operand of products.
  struct Resident {
    fragment::LoadOp load;
    Ring ring;
  };
  /// What each step reads, and how it finds that.
  struct StreamRing {
    Stream stream;
    Ring ring;
    llvm::SetVector<mlir::Operation *> finders;
    size_t leader;        // the stream whose barriers it shares, or this one
    bool isThere = false; // a step has waited for it
    mlir::Operation *last = nullptr; // behind all that reads it
  };
  /// A product that runs in the place of `multiply`.
  struct Started {
    fragment::MultiplyOp multiply;
    fragment::WarpgroupMultiplyOp op;
  };
  mlir::LogicalResult findProducts();
  bool isWantedFirst(const Stream &stream);
  mlir::LogicalResult findRings(std::string &reason);
  mlir::LogicalResult findRepeat();
  mlir::LogicalResult findWorkTile();
  mlir::LogicalResult findAddresses();
  mlir::LogicalResult makeRing(Ring &ring, mlir::Value view, int64_t rows,
                               int64_t columns, int64_t stages,
                               std::string &reason);
  llvm::SmallVector<Ring *> getRings();
  Ring *getResident(mlir::Value tile);
  StreamRing &getStream(mlir::OpOperand &use);
  StreamRing &getLeader(const StreamRing &stream) {
    return streams[stream.leader];
  }
  void prepareLaunch();
  void orderWorkTiles(mlir::Value words);
  mlir::Value countSteps(mlir::Value tile);
  void produce(mlir::Block *role);
  void consume(mlir::Block *role);
  mlir::Value enter(mlir::OpOperand &use, mlir::Value tilesBefore);
  void readBy(const StreamRing &stream, mlir::Operation *op);
  llvm::SmallVector<Started> startProducts(mlir::Value tilesBefore);
  void convertStep(mlir::Value tilesBefore);
  void takeRepeatOut(const WorkTileLoop &tileLoop);
  void repeat();
  mlir::Value isAnyTile(mlir::Value first, mlir::Value last);
  Progress advance(mlir::Value first, mlir::Value last, mlir::Value any,
                   Progress before);
  PipelineStage getPipelineStage(mlir::Value key, mlir::Value first,
                                 mlir::Value tilesBefore);
  PipelineStage getResidentStage(mlir::Value parity) {
    return {index(0), parity};
  }
  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, loc, value);
  }
  mlir::Value i32(int64_t value) {
    return mlir::arith::ConstantIntOp::create(b, loc, value, 32);
  }
  /// None if nothing is known.
  std::optional<RoleRegisters> getRegisters() {
    return GPUTarget::getRoleRegisters(warps / fragment::kGroupWarps,
                                       residents.size() + streams.size());
  }
  int64_t getConsumerThreads() { return warps * GPUTarget::warpThreads; }
  mlir::Value no() { return mlir::arith::ConstantIntOp::create(b, loc, 0, 1); }

  mlir::OpBuilder &b;
  mlir::gpu::LaunchOp launch;
  mlir::Location loc;
  int64_t stages, multiprocessors;
  llvm::SmallVector<mlir::Operation *> tileOps; // of one work tile
  SweepKeysOp sweep;
  int64_t step = 0, rows = 0, warps = 0, bytes = 0;
  llvm::SmallVector<Resident, 0> residents; // moves keep their places
  llvm::SmallVector<StreamRing, 0> streams;
  llvm::SmallVector<TMAEpilogue> epilogues;
  fragment::RepeatIfNaNOp again;
  fragment::WorkTileOp workTile;
  llvm::SetVector<mlir::Operation *> addresses; // of copies, and bounds
  std::optional<RingBuilder> rings;
  WorkTiles workTiles;
  bool isPersistent = false; // there are fewer blocks than work tiles
  mlir::Value
      noted; // in shared memory, the first word: the work tiles to do again
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_SPECIALIZER_H
