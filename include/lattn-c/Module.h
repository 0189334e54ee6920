/*===- lattn-c/Module.h - MLIR as text, in and out ----------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Only one thread at a time may use a context and its modules. Threads with  *|
|* their own contexts need no locks. Functions copy the strings that they are *|
|* given, which are UTF-8.                                                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LATTN_C_MODULE_H
#define LATTN_C_MODULE_H

#include "lattn-c/Callable.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Has lattn's dialects, and those of upstream that lattn uses. */
typedef struct LattnContext LattnContext;
typedef struct LattnModule LattnModule;

LATTN_C_EXPORT LattnContext *lattnContextCreate(void);
/** To be called after its modules are destroyed. Does nothing for NULL. */
LATTN_C_EXPORT void lattnContextDestroy(LattnContext *context);

/** Takes the warnings and remarks, with their locations, since the last call;
 * NULL if there were none. The caller frees the text by lattnTextFree. */
LATTN_C_EXPORT char *lattnContextTakeWarnings(LattnContext *context);

/** Parses and verifies a module. Errors name `bufferName` as the file of the
 * text. `text` and `length` are as in lattnCallableCreate. */
LATTN_C_EXPORT LattnError lattnModuleParse(LattnContext *context,
                                           const char *text, size_t length,
                                           const char *bufferName,
                                           LattnModule **module);
/** The same, of a file. */
LATTN_C_EXPORT LattnError lattnModuleParseFile(LattnContext *context,
                                               const char *path,
                                               LattnModule **module);

/** Does nothing for NULL. */
LATTN_C_EXPORT void lattnModuleDestroy(LattnModule *module);

/** Runs passes and pipelines of lattn, and general ones of upstream, in the
 * syntax of lattn-opt: "builtin.module(lattn-tile,canonicalize)", or without
 * "builtin.module". After an error the module is as the failing pass left it.
 */
LATTN_C_EXPORT LattnError lattnModuleRunPipeline(LattnModule *module,
                                                 const char *pipeline);

/** The module as text. The caller frees it by lattnTextFree. */
LATTN_C_EXPORT char *lattnModulePrint(const LattnModule *module);

/** Compiles a function as lattnCallableCreate does, but without the cache. The
 * module does not change, and the callable does not need it. */
LATTN_C_EXPORT LattnError lattnModuleCompile(LattnModule *module,
                                             const char *entry,
                                             const LattnCompileOptions *options,
                                             LattnCallable **callable);

/** Compiles the kernels of a module's functions to PTX for an NVIDIA GPU, such
 * as "sm_80" or "sm_90a", as lattn-compile does. That needs no GPU and nothing
 * of CUDA. The module does not change. The caller frees the text by
 * lattnTextFree. */
LATTN_C_EXPORT LattnError lattnModuleCompilePTX(LattnModule *module,
                                                const char *chip, char **ptx);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_MODULE_H */
