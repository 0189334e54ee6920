/*===- every-op.c - Builds what a file holds by MLIR's C API -------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// Each op of the files is built again, from its parts, and its attributes of
// the dialect lattn by the functions of lattn-c. Both print as the same text.

// UNSUPPORTED: sanitizer
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -isystem %llvm_bin/../include \
// RUN:   -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib \
// RUN:   -L%llvm_bin/../lib -Wl,-rpath,%llvm_bin/../lib \
// RUN:   -lMLIRCAPIIR -lMLIR -lLLVM -lstdc++
// DEFINE: %{files} = %lattn_src/test/Dialect
// RUN: %t %{files}/Lattn/roundtrip*.mlir %{files}/Check/roundtrip.mlir \
// RUN:   %{files}/Fragment/roundtrip.mlir > %t.out
// RUN: FileCheck %s < %t.out
// CHECK-NOT: differs
// CHECK: {{[0-9]+}} files, {{[0-9]+}} ops

// All ops of the dialect lattn are among them, and its attributes.
// DEFINE: %{ops} = %lattn_src/include/lattn/Dialect/Lattn/IR
// DEFINE: %{name} = 's/^def .*Op<"([a-z0-9_]+)".*/lattn.\1/p'
// RUN: sed -nE %{name} %{ops}/*.td %{ops}/Composite/*.td | sort -u > %t.known
// RUN: sed -nE 's/^built (lattn\..*)/\1/p' %t.out | sort -u > %t.built
// RUN: diff %t.known %t.built
// RUN: grep -c . %t.known | FileCheck %s --check-prefix=OPS
// OPS: {{^[1-9][0-9]$}}
// DEFINE: %{kinds} = FileCheck %s --check-prefix=KINDS
// RUN: grep '^attribute' %t.out | sort -u | %{kinds}
// KINDS:      attribute layout
// KINDS-NEXT: attribute schedule
// KINDS-NEXT: attribute stage
// KINDS-NEXT: attribute sweep_run
// KINDS-NEXT: attribute window

#include "lattn-c/Dialects.h"
#include "mlir-c/BuiltinAttributes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Values of the file, and those that were built for them. */
static struct {
  MlirValue from, to;
} values[100000];
static int numValues, numOps;

static MlirValue find(MlirValue value) {
  for (int i = numValues - 1; i >= 0; --i)
    if (mlirValueEqual(values[i].from, value))
      return values[i].to;
  puts("differs: a value is used before it is built");
  exit(1);
}

static void keep(MlirValue from, MlirValue to) {
  values[numValues].from = from;
  values[numValues++].to = to;
}

static MlirAttribute built(const char *kind, MlirAttribute attribute) {
  printf("attribute %s\n", kind);
  return attribute;
}

static MlirAttribute rebuildSchedule(MlirContext context, MlirAttribute a) {
  MlirAttribute fallback = lattnScheduleAttrGetFallback(a);
  if (!mlirAttributeIsNull(fallback))
    fallback = rebuildSchedule(context, fallback);
  return lattnScheduleAttrGet(
      context, lattnScheduleAttrGetQueryTile(a), lattnScheduleAttrGetKeyTile(a),
      lattnScheduleAttrGetProducts(a), lattnScheduleAttrGetLanes(a),
      lattnScheduleAttrGetLeastQueries(a), fallback);
}

static MlirAttribute rebuildAttribute(MlirContext context, MlirAttribute a) {
  if (lattnAttributeIsAWindow(a))
    return built("window",
                 lattnWindowAttrGet(
                     context, lattnWindowAttrGetLeft(a),
                     lattnWindowAttrGetRight(a), lattnWindowAttrGetBucket(a),
                     lattnWindowAttrGetBack(a), lattnWindowAttrGetForward(a)));
  if (lattnAttributeIsASchedule(a))
    return built("schedule", rebuildSchedule(context, a));
  if (lattnAttributeIsALayout(a))
    return built("layout",
                 lattnLayoutAttrGet(context, lattnLayoutAttrGetValue(a)));
  if (lattnAttributeIsAStage(a))
    return built("stage",
                 lattnStageAttrGet(context, lattnStageAttrGetValue(a)));
  if (lattnAttributeIsASweepRun(a))
    return built("sweep_run",
                 lattnSweepRunAttrGet(context, lattnSweepRunAttrGetValue(a)));
  if (!mlirAttributeIsAArray(a))
    return a;
  intptr_t size = mlirArrayAttrGetNumElements(a);
  MlirAttribute elements[64];
  for (intptr_t i = 0; i < size; ++i)
    elements[i] = rebuildAttribute(context, mlirArrayAttrGetElement(a, i));
  return mlirArrayAttrGet(context, size, elements);
}

static MlirOperation rebuild(MlirContext context, MlirOperation op);

static MlirRegion rebuildRegion(MlirContext context, MlirRegion from) {
  MlirRegion to = mlirRegionCreate();
  for (MlirBlock block = mlirRegionGetFirstBlock(from); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirBlock copy = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(to, copy);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      keep(argument, mlirBlockAddArgument(copy, mlirValueGetType(argument),
                                          mlirLocationUnknownGet(context)));
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      mlirBlockAppendOwnedOperation(copy, rebuild(context, op));
  }
  return to;
}

static MlirOperation rebuild(MlirContext context, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  MlirOperationState state =
      mlirOperationStateGet(name, mlirLocationUnknownGet(context));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = find(mlirOperationGetOperand(op, i));
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    attribute.attribute = rebuildAttribute(context, attribute.attribute);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirRegion region = rebuildRegion(context, mlirOperationGetRegion(op, i));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation copy = mlirOperationCreate(&state);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    keep(mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
  printf("built %.*s\n", (int)name.length, name.data);
  ++numOps;
  return copy;
}

static char text[2][1 << 20];

static void append(MlirStringRef part, void *to) {
  strncat(to, part.data, part.length);
}

/** Whether the file's module, built anew, prints and verifies as it was. */
static bool rebuildFile(MlirContext context, const char *path) {
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(text[0], 1, sizeof(text[0]) - 1, file) : 0;
  text[0][length] = 0;
  if (file)
    fclose(file);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreate(text[0], length));
  if (mlirModuleIsNull(module))
    return false;
  MlirOperation op = mlirModuleGetOperation(module);
  MlirOperation copy = rebuild(context, op);
  text[0][0] = text[1][0] = 0;
  mlirOperationPrint(op, append, text[0]);
  mlirOperationPrint(copy, append, text[1]);
  bool same = mlirOperationVerify(copy) && !strcmp(text[0], text[1]);
  mlirOperationDestroy(copy);
  mlirModuleDestroy(module);
  numValues = 0;
  return same;
}

int main(int argc, char **argv) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  lattnRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  for (int i = 1; i < argc; ++i)
    if (!rebuildFile(context, argv[i]))
      printf("differs: %s\n", argv[i]);
  printf("%d files, %d ops\n", argc - 1, numOps);
  mlirContextDestroy(context);
  return 0;
}
