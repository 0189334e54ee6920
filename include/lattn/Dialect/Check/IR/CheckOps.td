//===- CheckOps.td - The check dialect and its operations --*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_CHECK_IR_CHECKOPS_TD
#define LATTN_DIALECT_CHECK_IR_CHECKOPS_TD

include "lattn/Dialect/KnownAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::lattn::check";
  let summary = "Expectations about values, for numeric tests";
  let description = [{
    A test computes something, says what it expects, and is run. An expectation that
    is not met prints one line and is counted. The program goes on, and the runner
    exits with 1 at the end. `-convert-check-to-loops` lowers the bufferized ops.
  }];
}

//===----------------------------------------------------------------------===//
// Shared constraints
//===----------------------------------------------------------------------===//

defvar Check_FloatElements = [F16, BF16, F32, F64];
defvar Check_Elements = !listconcat(
  [I1, I8, I16, I32, I64, Index], Check_FloatElements);

class Check_Shaped<list<Type> elements>
  : AnyTypeOf<[RankedTensorOf<elements>, MemRefOf<elements>]>;

def Check_FloatArray : Check_Shaped<Check_FloatElements>;
def Check_AnyValue
  : AnyTypeOf<!listconcat(Check_Elements, [Check_Shaped<Check_Elements>])>;

/// The effects name no value: the write is the report. No pass may drop, merge
/// or hoist a check.
class Check_Op<string mnemonic>
  : Op<Check_Dialect, mnemonic,
       [KnownAttributes, MemoryEffects<[MemRead, MemWrite]>]>;

//===----------------------------------------------------------------------===//
// expect_true
//===----------------------------------------------------------------------===//

def Check_ExpectTrueOp : Check_Op<"expect_true"> {
  let summary = "Expects a condition to hold";
  let description = [{
    ```mlir
    check.expect_true %condition
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

//===----------------------------------------------------------------------===//
// expect_close
//===----------------------------------------------------------------------===//

def Check_ExpectCloseOp : Check_Op<"expect_close"> {
  let summary = "Expects floating-point arrays to agree within a tolerance";
  let description = [{
    Elements a of `actual` and e of `expected`, both widened to f64, agree iff

    - a = e (which includes infinities of the same sign), or
    - |a - e| is finite and at most atol + rtol * |e|, or
    - both are NaN and `equal_nan` is set.

    Element types and layouts may differ. Shapes may not: if they differ at run
    time, the report says so.

    ```mlir
    check.expect_close %actual, %expected {rtol = 1.0e-3 : f64}
        : tensor<4x?xbf16>, tensor<4x?xf32>
    ```
  }];
  let arguments = (ins
    Check_FloatArray:$actual,
    Check_FloatArray:$expected,
    DefaultValuedAttr<F64Attr, "1e-5">:$rtol,
    DefaultValuedAttr<F64Attr, "1e-6">:$atol,
    UnitAttr:$equal_nan
  );
  let assemblyFormat = [{
    $actual `,` $expected attr-dict `:` type($actual) `,` type($expected)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// expect_eq
//===----------------------------------------------------------------------===//

def Check_ExpectEqOp : Check_Op<"expect_eq"> {
  let summary = "Expects scalars or arrays to be the same, bit for bit";
  let description = [{
    Floating-point values are compared by their bits: 0.0 differs from -0.0, and a
    NaN equals a NaN with the same bits. Shapes are treated as in
    `check.expect_close`. The report gives values as f64.

    ```mlir
    check.expect_eq %actual, %expected : tensor<4xi32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Check_AnyValue:$actual, Check_AnyValue:$expected);
  let assemblyFormat = [{
    $actual `,` $expected attr-dict `:` type($actual) `,` type($expected)
  }];
  let hasVerifier = 1;
}

#endif // LATTN_DIALECT_CHECK_IR_CHECKOPS_TD
