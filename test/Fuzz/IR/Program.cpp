//===- Program.cpp - Which program has which number -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace lattn;
using namespace lattn::fuzz;

TestProgram fuzz::makeProgram(uint64_t seed, int64_t index,
                              int64_t executeOneIn) {
  Random random(seed, index);
  // Of ten: four damaged as text, two as IR.
  int64_t kind = random.below(10);
  bool isGenerated = kind >= 6;
  bool runs = isGenerated && executeOneIn && random.oneIn(executeOneIn);
  // Damage to what is right finds more than damage to what is odd.
  TestProgram program = generate(random, isGenerated ? !runs : random.oneIn(4));
  if (isGenerated)
    return program;
  program.valid = false;
  program.runs.clear();
  program.origin = kind < 4 ? Origin::TextMutant : Origin::IRMutant;
  if (kind < 4)
    program.text = mutateText(program.text, random);
  return program;
}
