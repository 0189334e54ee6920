/*===- lattn-c/Callable.h - Compile MLIR and call it --------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A callable is one function of an MLIR module, in machine code. A callable  *|
|* does not change, and shares nothing with others: any number of threads     *|
|* may compile, describe and call at once. Functions copy the strings that    *|
|* they are given, which are UTF-8.                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LATTN_C_CALLABLE_H
#define LATTN_C_CALLABLE_H

#include "lattn-c/Support.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Arrays                                                                     *|
\*===----------------------------------------------------------------------===*/

/** Bools are bytes 0 or 1; MLIR's `index` is I64. */
typedef enum LattnElementType {
  LattnBool,
  LattnI8,
  LattnI16,
  LattnI32,
  LattnI64,
  LattnU8,
  LattnU16,
  LattnU32,
  LattnU64,
  LattnF16,
  LattnF32,
  LattnF64,
  LattnBF16
} LattnElementType;

/** The bytes of an element; 0 for a number that is no element type. */
LATTN_C_EXPORT int64_t lattnElementTypeGetSize(LattnElementType type);
/** The name in MLIR's spelling: "f32", "i1", "ui8". */
LATTN_C_EXPORT const char *lattnElementTypeGetName(LattnElementType type);

/** Elements in memory, or a scalar (rank 0). `sizes` and `strides` have `rank`
 * numbers each. All elements that they reach must exist at `data`. Nothing can
 * check that. */
typedef struct LattnArray {
  void *data; /**< the element at index (0, 0, ...) */
  LattnElementType type;
  int32_t rank;
  const int64_t *sizes;
  /** In elements; they may be negative or 0. NULL: row-major without gaps. */
  const int64_t *strides;
  /** The memory that lattnArrayRelease frees; NULL in arguments. */
  void *owner;
} LattnArray;

/** Frees the memory of a result. Does nothing for an array without owner. */
LATTN_C_EXPORT void lattnArrayRelease(LattnArray *array);

/*===----------------------------------------------------------------------===*\
|* Compiling                                                                  *|
\*===----------------------------------------------------------------------===*/

typedef struct LattnCallable LattnCallable;

/** Zeros are the defaults. */
typedef struct LattnCompileOptions {
  const char *cpu; /**< LLVM's name of the CPU; NULL or "": this machine's */
  const char *attributes; /**< such as "+avx2,-avx512f"; NULL or "": none */
  const char *pipeline; /**< "llvm" (also NULL, ""), or "loops": naive, slow */
  /** A folder for compiled code. NULL or "": the default folder. "off": none.
   */
  const char *cache;
  bool raise; /**< run lattn-raise first: attention that linalg says */
  bool quiet; /**< print no warnings and remarks */
} LattnCompileOptions;

/** Compiles the function `entry` of an MLIR module. If `entry` is NULL or "",
 * it compiles the only public function, or `main`. Errors name `bufferName` as
 * the file of the text. `options` may be NULL. `text` has `length` bytes, with
 * or without the zero at its end. A length beyond that zero is an error. If
 * `text` has no zero, or is MLIR's bytecode, `length` bytes are read without a
 * check. If there is not enough memory to parse and compile, MLIR and LLVM end
 * the process, because they are built without exceptions and do not check what
 * malloc returns. Calls of compiled code return an error in that case. */
LATTN_C_EXPORT LattnError lattnCallableCreate(
    const char *text, size_t length, const char *bufferName, const char *entry,
    const LattnCompileOptions *options, LattnCallable **callable);

/** The same for a file. */
LATTN_C_EXPORT LattnError lattnCallableCreateFromFile(
    const char *path, const char *entry, const LattnCompileOptions *options,
    LattnCallable **callable);

/** The results of calls remain valid. Does nothing for NULL. */
LATTN_C_EXPORT void lattnCallableDestroy(LattnCallable *callable);

/*===----------------------------------------------------------------------===*\
|* Describing                                                                 *|
\*===----------------------------------------------------------------------===*/

/** An argument or a result. Pointers are valid as long as the callable. */
typedef struct LattnValueInfo {
  const char *name;     /**< the attribute lattn.name, else arg0 or out0, ... */
  const char *spelling; /**< the type in MLIR's spelling */
  LattnElementType type;
  bool isArray;   /**< false: a scalar, of rank 0 */
  bool isWritten; /**< the function may write to this argument */
  int32_t rank;
  const int64_t *sizes; /**< -1: any size */
} LattnValueInfo;

/** The name of the function. */
LATTN_C_EXPORT const char *lattnCallableGetEntry(const LattnCallable *callable);
LATTN_C_EXPORT intptr_t
lattnCallableGetNumArguments(const LattnCallable *callable);
LATTN_C_EXPORT intptr_t
lattnCallableGetNumResults(const LattnCallable *callable);
/** If there is no such value, all fields are zero and strings are empty. */
LATTN_C_EXPORT LattnValueInfo
lattnCallableGetArgument(const LattnCallable *callable, intptr_t i);
LATTN_C_EXPORT LattnValueInfo
lattnCallableGetResult(const LattnCallable *callable, intptr_t i);

/*===----------------------------------------------------------------------===*\
|* Calling                                                                    *|
\*===----------------------------------------------------------------------===*/

/** Calls the function. `arguments` has `numArguments` arrays; a number other
 * than the callable's is an error. `results` must have room for the callable's
 * number of results. Each result gets its own memory, which the caller frees by
 * lattnArrayRelease. The call checks element types, ranks, sizes and strides
 * against the function's type. It also checks dynamic sizes against each other,
 * as the function's ops require it, if they follow from the sizes of arguments.
 * An argument that the function writes and that shares memory with another
 * argument is an error. */
LATTN_C_EXPORT LattnError lattnCallableCall(const LattnCallable *callable,
                                            const LattnArray *arguments,
                                            intptr_t numArguments,
                                            LattnArray *results);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_CALLABLE_H */
