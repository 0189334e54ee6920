/*===- lattn-c/Support.h - Errors, threads, version ---------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LATTN_C_SUPPORT_H
#define LATTN_C_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LATTN_C_EXPORT __attribute__((visibility("default")))

/** What failed, as text without a newline at its end; NULL is success. The
 * caller frees it with lattnErrorFree. Functions that fail leave their outputs
 * alone. */
typedef char *LattnError;

/** Does nothing for NULL. */
LATTN_C_EXPORT void lattnErrorFree(LattnError error);

/** Frees other text that a function hands over. Does nothing for NULL. */
LATTN_C_EXPORT void lattnTextFree(char *text);

/** "0.1.0"; the text lives as long as the library. */
LATTN_C_EXPORT const char *lattnGetVersion(void);

/** Threads of calls from now on, in the whole process: at most 4096; n <= 0
 * returns to the default: the environment's LATTN_NUM_THREADS, else the CPUs
 * that the process may use. */
LATTN_C_EXPORT LattnError lattnSetNumThreads(int64_t n);
LATTN_C_EXPORT int64_t lattnGetNumThreads(void);

/** The block of sums that matrix products of f32 keep in registers on this
 * machine. A right operand in panels of `columns` is multiplied as it lies; any
 * other is copied first. Fails where LATTN_MCPU names an unknown CPU. */
LATTN_C_EXPORT LattnError lattnGetMatmulBlock(int64_t *rows, int64_t *columns);

/** The CPU that kernels are compiled for. */
typedef struct LattnHost {
  char *cpu; /**< LLVM's name; the caller frees it with lattnTextFree */
  int64_t vectorBits, vectorRegisters;
  /** How products of bf16 are made: "widened" to f32, or as pairs ("dot",
   * "emulated-dot") or tiles ("amx") that are summed in f32. */
  const char *bf16;
} LattnHost;

/** This machine, or the CPU that LATTN_MCPU names. Fails where that is unknown.
 */
LATTN_C_EXPORT LattnError lattnGetHost(LattnHost *host);

/** The folder of compiled code, which is made where there is none; the caller
 * frees the text with lattnTextFree. Empty where LATTN_CACHE_DIR is "off" and,
 * after a warning, where the folder cannot be used. */
LATTN_C_EXPORT char *lattnGetCacheFolder(void);

/** While a call from this thread runs, check(context) is called some ten times
 * a second on this thread, by its loops on several threads. Once that is true
 * the call ends soon: what is left of its loops is not run, and what they would
 * have written is undefined. Only for functions that take no index from what
 * they computed. NULL is no check. */
LATTN_C_EXPORT void lattnSetInterruptCheck(bool (*check)(void *context),
                                           void *context);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_SUPPORT_H */
