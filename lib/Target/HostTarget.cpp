//===- HostTarget.cpp - A wheel has the host's code generator alone -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AllTargets.h"

void lattn::initializeAllTargets() {}
