// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s

// Parameters print in one order; a default is left out.
// CHECK: @full() attributes {w = #lattn.window<>}
func.func private @full() attributes {w = #lattn.window<>}
// CHECK: @left() attributes {w = #lattn.window<left = 0>}
func.func private @left() attributes {w = #lattn.window<left = 0>}
// CHECK: @right() attributes {w = #lattn.window<right = 1099511627776>}
func.func private @right() attributes {w = #lattn.window<right = 1099511627776>}
// CHECK: @bucket() attributes {w = #lattn.window<bucket = 1>}
func.func private @bucket() attributes {w = #lattn.window<bucket = 1, back = 0, forward = 0>}
// CHECK: @widest() attributes {w = #lattn.window<bucket = 549755813888, back = 1, forward = 1>}
func.func private @widest() attributes {w = #lattn.window<bucket = 549755813888, back = 1, forward = 1>}
// CHECK: @all() attributes {w = #lattn.window<left = 3, right = 2, bucket = 128, back = 1, forward = 4>}
func.func private @all() attributes {w = #lattn.window<forward = 4, back = 1, bucket = 128, right = 2, left = 3>}
// CHECK: @layout() attributes {a = #lattn.layout<bhnd>, b = #lattn.layout<bnhd>}
func.func private @layout() attributes {a = #lattn.layout<bhnd>, b = #lattn.layout<bnhd>}
