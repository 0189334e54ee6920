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

/** The message of a failure, without a newline at its end. NULL is success. The
 * caller frees it by lattnErrorFree. A function that fails does not change its
 * outputs. */
typedef char *LattnError;

/** Does nothing for NULL. */
LATTN_C_EXPORT void lattnErrorFree(LattnError error);

/** Frees other text that a function returns. Does nothing for NULL. */
LATTN_C_EXPORT void lattnTextFree(char *text);

/** The version, such as "0.1.0". The text is valid as long as the library. */
LATTN_C_EXPORT const char *lattnGetVersion(void);

/** Sets the number of threads of later calls, in the whole process: at most
 * 4096. n <= 0 returns to the default: the environment's LATTN_NUM_THREADS;
 * else torch's number, if the process has loaded torch; else OMP_NUM_THREADS;
 * else the number of CPUs that the process may use. */
LATTN_C_EXPORT LattnError lattnSetNumThreads(int64_t n);
LATTN_C_EXPORT int64_t lattnGetNumThreads(void);

/** The block of sums that matrix products of f32 keep in registers on this
 * machine. A right operand in panels of `columns` is read in place; any other
 * is copied first. Fails if LATTN_MCPU names an unknown CPU. */
LATTN_C_EXPORT LattnError lattnGetMatmulBlock(int64_t *rows, int64_t *columns);

/** The CPU that kernels are compiled for. */
typedef struct LattnHost {
  char *cpu; /**< LLVM's name; the caller frees it by lattnTextFree */
  int64_t vectorBits, vectorRegisters;
  /** How products of bf16 are computed: "widened" to f32, or by pairs ("dot",
   * "emulated-dot") or tiles ("amx") that are summed in f32. */
  const char *bf16;
} LattnHost;

/** This machine, or the CPU that LATTN_MCPU names. Fails if that is unknown. */
LATTN_C_EXPORT LattnError lattnGetHost(LattnHost *host);

/** Sets what takes warnings of the cache and of environment variables, which
 * are written to standard error otherwise. The message has no newline at its
 * end, and lives until the handler returns. Any thread that runs a function of
 * lattn may call it. NULL removes it. */
LATTN_C_EXPORT void
lattnSetWarningHandler(void (*handler)(const char *message));

/** The folder of compiled code, which is created if there is none. The caller
 * frees the text by lattnTextFree. The text is empty if LATTN_CACHE_DIR is
 * "off", or, after a warning, if the folder cannot be used. */
LATTN_C_EXPORT char *lattnGetCacheFolder(void);

/** Sets a check that can end calls from this thread early. While a call runs,
 * its parallel loops call check(context) about ten times a second, on this
 * thread. Once it returns true, the call ends soon: the rest of its loops does
 * not run, and what they would have written is undefined. Use it only for
 * functions that take no index from what they computed. NULL removes it. */
LATTN_C_EXPORT void lattnSetInterruptCheck(bool (*check)(void *context),
                                           void *context);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_SUPPORT_H */
