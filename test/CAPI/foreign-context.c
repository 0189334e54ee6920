/*===- foreign-context.c - lattn in a context of MLIR's C API ------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// UNSUPPORTED: sanitizer
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -isystem %llvm_bin/../include \
// RUN:   -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib \
// RUN:   -L%llvm_bin/../lib -Wl,-rpath,%llvm_bin/../lib \
// RUN:   -lMLIRCAPIFunc -lMLIRCAPIIR -lMLIR -lLLVM -lstdc++
// RUN: %t | FileCheck %s

#include "lattn-c/Dialects.h"
#include "lattn-c/Module.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include <stdio.h>
#include <string.h>

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static void write(MlirStringRef text, void *unused) {
  (void)unused;
  printf("%.*s", (int)text.length, text.data);
}

static MlirLogicalResult report(MlirDiagnostic diagnostic, void *unused) {
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, write, unused);
  puts("");
  return mlirLogicalResultSuccess();
}

static void show(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    printf("null");
  else
    mlirAttributePrint(attribute, write, NULL);
  puts("");
}

// CHECK-LABEL: windows
static void testWindows(MlirContext context) {
  puts("windows");
  MlirAttribute sliding =
      lattnWindowAttrGet(context, 256, 0, LATTN_ABSENT, 0, 0);
  // CHECK-NEXT: #lattn.window<left = 256, right = 0>
  show(sliding);
  // CHECK-NEXT: 256 0 1
  printf("%d %d %d\n", (int)lattnWindowAttrGetLeft(sliding),
         (int)lattnWindowAttrGetRight(sliding),
         lattnWindowAttrGetBucket(sliding) == LATTN_ABSENT);
  MlirAttribute blocks =
      lattnWindowAttrGet(context, LATTN_ABSENT, LATTN_ABSENT, 128, 1, 2);
  // CHECK-NEXT: #lattn.window<bucket = 128, back = 1, forward = 2>
  show(blocks);
  // CHECK-NEXT: 128 1 2
  printf("%d %d %d\n", (int)lattnWindowAttrGetBucket(blocks),
         (int)lattnWindowAttrGetBack(blocks),
         (int)lattnWindowAttrGetForward(blocks));
  // What a verifier refuses.
  // CHECK-NEXT: error: {{.*}}left{{.*}}-1
  // CHECK-NEXT: null
  show(lattnWindowAttrGet(context, -1, 0, LATTN_ABSENT, 0, 0));
  // CHECK-NEXT: error: {{.*}}bucket
  // CHECK-NEXT: null
  show(lattnWindowAttrGet(context, 4, 0, LATTN_ABSENT, 1, 0));
  // CHECK-NEXT: 1 0 0
  printf("%d %d %d\n", lattnAttributeIsAWindow(sliding),
         lattnAttributeIsASchedule(sliding),
         lattnAttributeIsAWindow(mlirUnitAttrGet(context)));
}

// CHECK-LABEL: schedules
static void testSchedules(MlirContext context) {
  puts("schedules");
  MlirAttribute none = mlirAttributeGetNull();
  MlirAttribute open =
      lattnScheduleAttrGet(context, 64, LATTN_ABSENT, LattnProductsAbsent,
                           LattnLanesAbsent, LATTN_ABSENT, none);
  // CHECK-NEXT: #lattn.schedule<query_tile = 64>
  show(open);
  MlirAttribute small =
      lattnScheduleAttrGet(context, 64, 32, LattnProductsAbsent,
                           LattnLanesAbsent, LATTN_ABSENT, none);
  // CHECK-NEXT: #lattn.schedule<query_tile = 192, key_tile = 128, products =
  // widened, lanes = mixed, least_queries = 9, fallback = <query_tile = 64,
  // key_tile = 32>>
  MlirAttribute whole = lattnScheduleAttrGet(
      context, 192, 128, LattnProductsWidened, LattnLanesMixed, 9, small);
  show(whole);
  // CHECK-NEXT: 192 128 0 2 9 1
  printf("%d %d %d %d %d %d\n", (int)lattnScheduleAttrGetQueryTile(whole),
         (int)lattnScheduleAttrGetKeyTile(whole),
         (int)lattnScheduleAttrGetProducts(whole),
         (int)lattnScheduleAttrGetLanes(whole),
         (int)lattnScheduleAttrGetLeastQueries(whole),
         mlirAttributeEqual(lattnScheduleAttrGetFallback(whole), small));
  // CHECK-NEXT: 1 -1 -1 1
  printf("%d %d %d %d\n", lattnScheduleAttrGetKeyTile(open) == LATTN_ABSENT,
         (int)lattnScheduleAttrGetProducts(open),
         (int)lattnScheduleAttrGetLanes(open),
         mlirAttributeIsNull(lattnScheduleAttrGetFallback(open)));
  // CHECK-NEXT: error: {{.*}}-8
  // CHECK-NEXT: null
  show(lattnScheduleAttrGet(context, -8, 8, LattnProductsAbsent,
                            LattnLanesAbsent, LATTN_ABSENT, none));
  // CHECK-NEXT: error: lanes: no enumerator has the number 7
  // CHECK-NEXT: null
  show(lattnScheduleAttrGet(context, 8, 8, LattnProductsAbsent, (LattnLanes)7,
                            LATTN_ABSENT, none));
  // CHECK-NEXT: error: fallback: expected a #lattn.schedule, got unit
  // CHECK-NEXT: null
  show(lattnScheduleAttrGet(context, 8, 8, LattnProductsAbsent,
                            LattnLanesAbsent, LATTN_ABSENT,
                            mlirUnitAttrGet(context)));
}

// CHECK-LABEL: others
static void testOthers(MlirContext context) {
  puts("others");
  // CHECK-NEXT: #lattn.layout<bnhd>
  MlirAttribute layout = lattnLayoutAttrGet(context, LattnLayoutBnhd);
  show(layout);
  // CHECK-NEXT: #lattn.grid<kernel = "split", blocks = per_tile>
  MlirAttribute grid =
      lattnGridAttrGet(context, ref("split"), LattnGridBlocksPerTile);
  show(grid);
  // CHECK-NEXT: #lattn.stage<weights>
  MlirAttribute stage = lattnStageAttrGet(context, LattnStageWeights);
  show(stage);
  // CHECK-NEXT: #lattn.sweep_run<interior>
  MlirAttribute run = lattnSweepRunAttrGet(context, LattnSweepRunInterior);
  show(run);
  // CHECK-NEXT: 1 split 1 3 1
  printf("%d ", (int)lattnLayoutAttrGetValue(layout));
  write(lattnGridAttrGetKernel(grid), NULL);
  printf(" %d %d %d\n", (int)lattnGridAttrGetBlocks(grid),
         (int)lattnStageAttrGetValue(stage),
         (int)lattnSweepRunAttrGetValue(run));
  // CHECK-NEXT: 1 1 1 1 0
  printf("%d %d %d %d %d\n", lattnAttributeIsALayout(layout),
         lattnAttributeIsAGrid(grid), lattnAttributeIsAStage(stage),
         lattnAttributeIsASweepRun(run), lattnAttributeIsALayout(run));
  // CHECK-NEXT: error: grid kernel must be a name
  // CHECK-NEXT: null
  show(lattnGridAttrGet(context, ref("a b"), LattnGridBlocksAny));
  // CHECK-NEXT: error: Stage: no enumerator has the number 9
  // CHECK-NEXT: null
  show(lattnStageAttrGet(context, (LattnStage)9));
}

static MlirNamedAttribute name(MlirContext context, const char *text,
                               MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, ref(text)),
                               attribute);
}

/** lattn.attention of the function's first argument with itself. */
static MlirOperation buildAttention(MlirContext context, MlirBlock body,
                                    const char *label, MlirAttribute window) {
  MlirLocation place = mlirLocationUnknownGet(context);
  MlirValue x = mlirBlockGetArgument(body, 0);
  MlirType type = mlirValueGetType(x);
  MlirOperationState state =
      mlirOperationStateGet(ref("lattn.attention"), place);
  MlirValue operands[] = {x, x, x, x};
  mlirOperationStateAddOperands(&state, 4, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  // query, key and value, nothing else, and outs.
  const int32_t segments[] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  MlirNamedAttribute attributes[] = {
      name(context, "operandSegmentSizes",
           mlirDenseI32ArrayGet(context, 13, segments)),
      name(context, label, window)};
  mlirOperationStateAddAttributes(&state, 2, attributes);
  MlirRegion score = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&state, 1, &score);
  return mlirOperationCreate(&state);
}

/** func.func @attend(%x) -> the attention. */
static void buildFunction(MlirContext context, MlirModule module,
                          const char *label, MlirAttribute window) {
  MlirLocation place = mlirLocationUnknownGet(context);
  const int64_t sizes[] = {1, 2, 64, 16};
  MlirType type = mlirRankedTensorTypeGet(4, sizes, mlirF32TypeGet(context),
                                          mlirAttributeGetNull());
  MlirBlock body = mlirBlockCreate(1, &type, &place);
  MlirOperation attention = buildAttention(context, body, label, window);
  mlirBlockAppendOwnedOperation(body, attention);
  MlirValue result = mlirOperationGetResult(attention, 0);
  MlirOperationState end = mlirOperationStateGet(ref("func.return"), place);
  mlirOperationStateAddOperands(&end, 1, &result);
  mlirBlockAppendOwnedOperation(body, mlirOperationCreate(&end));

  MlirOperationState state = mlirOperationStateGet(ref("func.func"), place);
  MlirType function = mlirFunctionTypeGet(context, 1, &type, 1, &type);
  MlirNamedAttribute attributes[] = {
      name(context, "sym_name", mlirStringAttrGet(context, ref("attend"))),
      name(context, "function_type", mlirTypeAttrGet(function))};
  mlirOperationStateAddAttributes(&state, 2, attributes);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
                                mlirOperationCreate(&state));
}

static void runPipeline(MlirContext context, MlirOperation op,
                        const char *text) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  if (mlirLogicalResultIsFailure(
          mlirParsePassPipeline(passes, ref(text), write, NULL)) ||
      mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, op)))
    printf("failed\n");
  mlirPassManagerDestroy(manager);
}

// CHECK-LABEL: operations
static void testOperations(MlirContext context) {
  puts("operations");
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  MlirOperation op = mlirModuleGetOperation(module);
  buildFunction(context, module, "window",
                lattnWindowAttrGet(context, 8, 0, LATTN_ABSENT, 0, 0));
  // CHECK-NEXT: verified 1
  printf("verified %d\n", mlirOperationVerify(op));
  // CHECK: lattn.attention query(%arg0 : tensor<1x2x64x16xf32>)
  // CHECK-SAME: {window = #lattn.window<left = 8, right = 0>}
  mlirOperationPrint(op, write, NULL);
  // CHECK: lattn.online_attention {{.*}} window = #lattn.window<left = 8, right
  // = 0>
  runPipeline(context, op, "builtin.module(lattn-tile)");
  mlirOperationPrint(op, write, NULL);
  // CHECK: llvm.func @attend(
  // CHECK-NOT: lattn.{{[a-z_]+}} query
  // CHECK: {{^}}lowered{{$}}
  runPipeline(context, op, "builtin.module(lattn-to-llvm{mcpu=x86-64})");
  mlirOperationPrint(op, write, NULL);
  puts("lowered");
  mlirModuleDestroy(module);

  // A verifier speaks up, and a pipeline with a wrong option.
  module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  buildFunction(context, module, "lattn.window",
                lattnWindowAttrGet(context, 8, 0, LATTN_ABSENT, 0, 0));
  op = mlirModuleGetOperation(module);
  // CHECK-NEXT: error: the lattn dialect has no attribute 'lattn.window'
  // CHECK: verified 0
  printf("verified %d\n", mlirOperationVerify(op));
  // CHECK: failed
  runPipeline(context, op, "builtin.module(lattn-tile{query-tiles=8})");
  mlirModuleDestroy(module);
}

int main(void) {
  // The dialects alone, in MLIR's way.
  MlirContext context = mlirContextCreate();
  mlirContextAttachDiagnosticHandler(context, report, NULL, NULL);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__lattn__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fragment__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__check__(), context);
  testWindows(context);
  testSchedules(context);
  testOthers(context);
  mlirContextDestroy(context);

  // With all that pipelines need. lattn's own contexts live beside it.
  lattnRegisterPasses();
  lattnRegisterPasses();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  lattnRegisterDialects(registry);
  lattnRegisterAllDialects(registry);
  context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, report, NULL, NULL);
  mlirContextLoadAllAvailableDialects(context);
  testOperations(context);
  LattnContext *own = lattnContextCreate();
  LattnModule *module;
  const char *text = "func.func @f() { return }";
  // CHECK: own: none none
  char *parsed = lattnModuleParse(own, text, strlen(text), "f", &module);
  char *ran = parsed ? NULL : lattnModuleRunPipeline(module, "lattn-tile");
  printf("own: %s %s\n", parsed ? parsed : "none", ran ? ran : "none");
  lattnModuleDestroy(module);
  lattnContextDestroy(own);
  mlirContextDestroy(context);
  return 0;
}
