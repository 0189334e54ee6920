// DEFINE: %{run} = not lattn-run %s --random=1 --entry
// DEFINE: %{check} = FileCheck %s --check-prefix

// --random does not make up integers that may be out of bounds.
// RUN: %{run}=index 2>&1 | %{check}=INDEX
// RUN: %{run}=capture 2>&1 | %{check}=CAPTURE
// RUN: %{run}=bound 2>&1 | %{check}=BOUND
// RUN: %{run}=carried 2>&1 | %{check}=CARRIED
// RUN: %{run}=divisor 2>&1 | %{check}=DIVISOR
// RUN: %{run}=memory 2>&1 | %{check}=MEMORY

// INDEX: argument 'row' (i64): no input, and --random cannot tell which integers 'tensor.extract' in line [[#@LINE+5]], column 8 can take: give --input
func.func private @extract(%table: tensor<3xf32>, %row: i64) -> f32 {
  %one = arith.constant 1 : i64
  %next = arith.addi %row, %one : i64
  %i = arith.index_cast %next : i64 to index
  %0 = tensor.extract %table[%i] : tensor<3xf32>
  return %0 : f32
}
func.func @index(%table: tensor<3xf32>, %row: i64 {lattn.name = "row"}) -> f32 {
  %0 = call @extract(%table, %row) : (tensor<3xf32>, i64) -> f32
  return %0 : f32
}

// CAPTURE: argument 'arg1' (tensor<5xi32>): no input, {{.*}} integers 'tensor.extract' in line [[#@LINE+9]],
!rows = tensor<1x1x5x4xf32>
func.func @capture(%q: !rows, %ids: tensor<5xi32>, %slopes: tensor<2xf32>) -> !rows {
  %0 = lattn.attention query(%q : !rows) key(%q : !rows) value(%q : !rows)
      captures(%ids, %slopes : tensor<5xi32>, tensor<2xf32>) outs(%q : !rows) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %t: tensor<5xi32>, %u: tensor<2xf32>):
      %key = arith.index_cast %j : i32 to index
      %id = tensor.extract %t[%key] : tensor<5xi32>
      %at = arith.index_cast %id : i32 to index
      %slope = tensor.extract %u[%at] : tensor<2xf32>
      %r = arith.addf %s, %slope : f32
      lattn.yield %r : f32
  }
  return %0 : !rows
}

// BOUND: argument 'arg1' (index): no input, {{.*}} integers 'scf.for' in line [[#@LINE+4]],
func.func @bound(%x: f32, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%sum = %x) -> f32 {
    %next = arith.addf %sum, %sum : f32
    scf.yield %next : f32
  }
  return %0 : f32
}

// CARRIED: argument 'arg1' (i32): no input, {{.*}} integers 'memref.load' in line [[#@LINE+10]],
func.func @carried(%table: memref<3xf32>, %n: i32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : index
  %last = scf.for %i = %zero to %nine step %one iter_args(%m = %n) -> i32 {
    %next = arith.addi %m, %n : i32
    scf.yield %next : i32
  }
  %at = arith.index_cast %last : i32 to index
  %0 = memref.load %table[%at] : memref<3xf32>
  return %0 : f32
}

// DIVISOR: argument 'arg1' (tensor<4xi32>): no input, {{.*}} integers 'arith.{{.*}}' in line [[#@LINE+2]],
func.func @divisor(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.divsi %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// MEMORY: argument 'arg0' (memref<4xi32>): no input, {{.*}} integers 'memref.copy' in line [[#@LINE+2]],
func.func @memory(%a: memref<4xi32>, %b: memref<4xi32>) {
  memref.copy %a, %b : memref<4xi32> to memref<4xi32>
  return
}
