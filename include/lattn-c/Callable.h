/*===- lattn-c/Callable.h - Compile MLIR and call it --------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A callable is one function of an MLIR module in machine code. Callables    *|
|* know nothing of each other and do not change: any number of threads may    *|
|* compile, describe and call at once. Strings given are UTF-8 and copied.    *|
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

/** Bytes per element; 0 of what is no such type. */
LATTN_C_EXPORT int64_t lattnElementTypeGetSize(LattnElementType type);
/** In MLIR's spelling: "f32", "i1", "ui8". */
LATTN_C_EXPORT const char *lattnElementTypeGetName(LattnElementType type);

/** Elements in memory, or a scalar (rank 0). `sizes` and `strides` have `rank`
 * numbers, and `data` all elements that they reach: nothing can check that. */
typedef struct LattnArray {
  void *data; /**< the element at index (0, 0, ...) */
  LattnElementType type;
  int32_t rank;
  const int64_t *sizes;
  /** In elements, any sign and 0; NULL is row-major without gaps. */
  const int64_t *strides;
  /** What lattnArrayRelease frees; NULL in arguments. */
  void *owner;
} LattnArray;

/** Frees a result. Does nothing for an array without owner. */
LATTN_C_EXPORT void lattnArrayRelease(LattnArray *array);

/*===----------------------------------------------------------------------===*\
|* Compiling                                                                  *|
\*===----------------------------------------------------------------------===*/

typedef struct LattnCallable LattnCallable;

/** All zero is the default. */
typedef struct LattnCompileOptions {
  const char *cpu;        /**< LLVM's name; NULL or "": this machine's */
  const char *attributes; /**< as "+avx2,-avx512f"; NULL or "": none */
  const char *pipeline;   /**< "llvm" (NULL, ""), or "loops": naive, slow */
  /** A folder for compiled code; NULL or "": the default one, "off": none. */
  const char *cache;
  bool raise; /**< run lattn-raise first: attention that linalg says */
} LattnCompileOptions;

/** Compiles the function `entry` of an MLIR module; NULL or "" is the only
 * public function, or `main`. Errors name `bufferName` as the text's file.
 * `options` may be NULL. `text` is `length` bytes, with or without the zero at
 * its end. A length beyond that zero is an error. If `text` has no zero, or is
 * MLIR's bytecode, `length` bytes are read, whatever they belong to. While code
 * is parsed and compiled, MLIR and LLVM end the process where they get no
 * memory: they are built without exceptions, and do not look at what malloc
 * gives. Calls of what is compiled return an error then. */
LATTN_C_EXPORT LattnError lattnCallableCreate(
    const char *text, size_t length, const char *bufferName, const char *entry,
    const LattnCompileOptions *options, LattnCallable **callable);

/** The same, of a file. */
LATTN_C_EXPORT LattnError lattnCallableCreateFromFile(
    const char *path, const char *entry, const LattnCompileOptions *options,
    LattnCallable **callable);

/** Results of calls outlive it. Does nothing for NULL. */
LATTN_C_EXPORT void lattnCallableDestroy(LattnCallable *callable);

/*===----------------------------------------------------------------------===*\
|* Describing                                                                 *|
\*===----------------------------------------------------------------------===*/

/** An argument or a result; pointers live as long as the callable. */
typedef struct LattnValueInfo {
  const char *name;     /**< the attribute lattn.name, else arg0.. or out0.. */
  const char *spelling; /**< the type as MLIR spells it */
  LattnElementType type;
  bool isArray;   /**< else a scalar, of rank 0 */
  bool isWritten; /**< an argument that the function may write to */
  int32_t rank;
  const int64_t *sizes; /**< -1 where any */
} LattnValueInfo;

/** The name of the function. */
LATTN_C_EXPORT const char *lattnCallableGetEntry(const LattnCallable *callable);
LATTN_C_EXPORT intptr_t
lattnCallableGetNumArguments(const LattnCallable *callable);
LATTN_C_EXPORT intptr_t
lattnCallableGetNumResults(const LattnCallable *callable);
/** All zero, with empty strings, where there is no such value. */
LATTN_C_EXPORT LattnValueInfo
lattnCallableGetArgument(const LattnCallable *callable, intptr_t i);
LATTN_C_EXPORT LattnValueInfo
lattnCallableGetResult(const LattnCallable *callable, intptr_t i);

/*===----------------------------------------------------------------------===*\
|* Calling                                                                    *|
\*===----------------------------------------------------------------------===*/

/** Calls with `numArguments` arrays, an error where the callable has another
 * number, and fills `results`, which has room for as many as the callable has,
 * each with memory of its own that the caller gives back with
 * lattnArrayRelease. Element types, ranks, sizes and strides are checked
 * against the function's type, and dynamic sizes against each other, as far as
 * they follow from those of arguments: what the function's ops ask of them.
 * Arguments that are written must not overlap any other. */
LATTN_C_EXPORT LattnError lattnCallableCall(const LattnCallable *callable,
                                            const LattnArray *arguments,
                                            intptr_t numArguments,
                                            LattnArray *results);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_CALLABLE_H */
