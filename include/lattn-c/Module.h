/*===- lattn-c/Module.h - MLIR as text, in and out ----------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A context and its modules belong to one thread at a time; threads with     *|
|* contexts of their own need no locks. Strings given are UTF-8 and copied.   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LATTN_C_MODULE_H
#define LATTN_C_MODULE_H

#include "lattn-c/Callable.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Holds lattn's dialects, and upstream's that go with them. */
typedef struct LattnContext LattnContext;
typedef struct LattnModule LattnModule;

LATTN_C_EXPORT LattnContext *lattnContextCreate(void);
/** After its modules. Does nothing for NULL. */
LATTN_C_EXPORT void lattnContextDestroy(LattnContext *context);

/** Warnings and remarks, with their places, since they were last taken; NULL if
 * there were none. The caller frees the text with lattnTextFree. */
LATTN_C_EXPORT char *lattnContextTakeWarnings(LattnContext *context);

/** Parses and verifies a module. Errors name `bufferName` as the text's file.
 * `text` and `length` are as in lattnCallableCreate. */
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

/** Runs passes and pipelines of lattn's, and upstream's general ones, as
 * lattn-opt takes them: "builtin.module(lattn-tile,canonicalize)", or without
 * the anchor. After an error the module is as the failing pass left it. */
LATTN_C_EXPORT LattnError lattnModuleRunPipeline(LattnModule *module,
                                                 const char *pipeline);

/** The module as text, which the caller frees with lattnTextFree. */
LATTN_C_EXPORT char *lattnModulePrint(const LattnModule *module);

/** Compiles a function as lattnCallableCreate does, but is not cached; the
 * module is left alone, and the callable does not need it. */
LATTN_C_EXPORT LattnError lattnModuleCompile(LattnModule *module,
                                             const char *entry,
                                             const LattnCompileOptions *options,
                                             LattnCallable **callable);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_MODULE_H */
