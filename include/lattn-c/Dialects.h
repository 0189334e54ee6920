/*===- lattn-c/Dialects.h - lattn in somebody else's context ------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* For programs that use MLIR's C API (mlir-c) and share MLIR's library with  *|
|* lattn. mlirOperationCreate builds ops, with the names of the generic form  *|
|* ("lattn.attention"). The functions of this header build the attributes of  *|
|* the dialect lattn. Those of the dialect fragment are internal; use         *|
|* mlirAttributeParseGet for them.                                            *|
|*                                                                            *|
|* Python wheels have their own MLIR inside. Their library has none of these  *|
|* functions.                                                                 *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LATTN_C_DIALECTS_H
#define LATTN_C_DIALECTS_H

#include "lattn-c/Support.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Registering                                                                *|
\*===----------------------------------------------------------------------===*/

/* The dialects alone, as MLIR's C API does it: mlirGetDialectHandle__lattn__().
 */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Lattn, lattn);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(LattnFragment, fragment);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(LattnCheck, check);

/** Registers the dialects, with their interfaces for upstream's passes. */
LATTN_C_EXPORT void lattnRegisterDialects(MlirDialectRegistry registry);

/** Registers the dialects, and the upstream dialects and extensions that
 * lattn's pipelines need. */
LATTN_C_EXPORT void lattnRegisterAllDialects(MlirDialectRegistry registry);

/** Registers lattn's passes and pipelines in the process, for
 * mlirParsePassPipeline. May be called again. */
LATTN_C_EXPORT void lattnRegisterPasses(void);

/*===----------------------------------------------------------------------===*\
|* Attributes                                                                 *|
|*                                                                            *|
|* If the attribute's verifier refuses the values, the result is null, and    *|
|* the context's handlers get the error. Functions that read an attribute     *|
|* expect one of its kind.                                                    *|
\*===----------------------------------------------------------------------===*/

/** Stands for a number that an attribute leaves out. */
#define LATTN_ABSENT INT64_MIN

/** `#lattn.window`: the keys that a query sees. `left`, `right` and `bucket`
 * may be LATTN_ABSENT. */
LATTN_C_EXPORT MlirAttribute lattnWindowAttrGet(MlirContext context,
                                                int64_t left, int64_t right,
                                                int64_t bucket, int64_t back,
                                                int64_t forward);
LATTN_C_EXPORT bool lattnAttributeIsAWindow(MlirAttribute attribute);
LATTN_C_EXPORT int64_t lattnWindowAttrGetLeft(MlirAttribute window);
LATTN_C_EXPORT int64_t lattnWindowAttrGetRight(MlirAttribute window);
LATTN_C_EXPORT int64_t lattnWindowAttrGetBucket(MlirAttribute window);
LATTN_C_EXPORT int64_t lattnWindowAttrGetBack(MlirAttribute window);
LATTN_C_EXPORT int64_t lattnWindowAttrGetForward(MlirAttribute window);

/** Order of the axes batch, head, position and head size. */
typedef enum LattnLayout { LattnLayoutBhnd, LattnLayoutBnhd } LattnLayout;
/** `#lattn.layout`. */
LATTN_C_EXPORT MlirAttribute lattnLayoutAttrGet(MlirContext context,
                                                LattnLayout layout);
LATTN_C_EXPORT bool lattnAttributeIsALayout(MlirAttribute attribute);
LATTN_C_EXPORT LattnLayout lattnLayoutAttrGetValue(MlirAttribute layout);

/** How products of bf16 are computed. */
typedef enum LattnProducts {
  LattnProductsAbsent = -1,
  LattnProductsWidened,
  LattnProductsDot,
  LattnProductsDotValues,
  LattnProductsAMX
} LattnProducts;

/** What lies on the lanes of a CPU's vectors. */
typedef enum LattnLanes {
  LattnLanesAbsent = -1,
  LattnLanesQueries,
  LattnLanesFeatures,
  LattnLanesMixed
} LattnLanes;

/** `#lattn.schedule`. Numbers may be LATTN_ABSENT; `fallback` is a schedule or
 * null. */
LATTN_C_EXPORT MlirAttribute
lattnScheduleAttrGet(MlirContext context, int64_t queryTile, int64_t keyTile,
                     LattnProducts products, LattnLanes lanes,
                     int64_t leastQueries, MlirAttribute fallback);
LATTN_C_EXPORT bool lattnAttributeIsASchedule(MlirAttribute attribute);
LATTN_C_EXPORT int64_t lattnScheduleAttrGetQueryTile(MlirAttribute schedule);
LATTN_C_EXPORT int64_t lattnScheduleAttrGetKeyTile(MlirAttribute schedule);
LATTN_C_EXPORT LattnProducts
lattnScheduleAttrGetProducts(MlirAttribute schedule);
LATTN_C_EXPORT LattnLanes lattnScheduleAttrGetLanes(MlirAttribute schedule);
LATTN_C_EXPORT int64_t lattnScheduleAttrGetLeastQueries(MlirAttribute schedule);
/** Null where there is none. */
LATTN_C_EXPORT MlirAttribute
lattnScheduleAttrGetFallback(MlirAttribute schedule);

/** How many blocks a grid has: any number, or one for each tile. */
typedef enum LattnGridBlocks {
  LattnGridBlocksAny,
  LattnGridBlocksPerTile
} LattnGridBlocks;
/** `#lattn.grid`. */
LATTN_C_EXPORT MlirAttribute lattnGridAttrGet(MlirContext context,
                                              MlirStringRef kernel,
                                              LattnGridBlocks blocks);
LATTN_C_EXPORT bool lattnAttributeIsAGrid(MlirAttribute attribute);
LATTN_C_EXPORT MlirStringRef lattnGridAttrGetKernel(MlirAttribute grid);
LATTN_C_EXPORT LattnGridBlocks lattnGridAttrGetBlocks(MlirAttribute grid);

/** What `lattn.attention_scores` computes. */
typedef enum LattnStage {
  LattnStageProducts,
  LattnStageScores,
  LattnStageMasked,
  LattnStageWeights
} LattnStage;
/** `#lattn.stage`. */
LATTN_C_EXPORT MlirAttribute lattnStageAttrGet(MlirContext context,
                                               LattnStage stage);
LATTN_C_EXPORT bool lattnAttributeIsAStage(MlirAttribute attribute);
LATTN_C_EXPORT LattnStage lattnStageAttrGetValue(MlirAttribute stage);

/** A run of `lattn.sweep_keys`. */
typedef enum LattnSweepRun {
  LattnSweepRunEdge,
  LattnSweepRunInterior
} LattnSweepRun;
/** `#lattn.sweep_run`. */
LATTN_C_EXPORT MlirAttribute lattnSweepRunAttrGet(MlirContext context,
                                                  LattnSweepRun run);
LATTN_C_EXPORT bool lattnAttributeIsASweepRun(MlirAttribute attribute);
LATTN_C_EXPORT LattnSweepRun lattnSweepRunAttrGetValue(MlirAttribute run);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_DIALECTS_H */
