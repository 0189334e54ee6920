// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @sweep_keys_c1(%b: index) {
  // expected-error@+1 {{expected at least one run and one bound more than runs, got 1 bounds and 0 runs}}
  lattn.sweep_keys (%key, %size, %edge) in (%b) by 64 {
    lattn.yield
  }
  return
}

// -----

func.func @sweep_keys_c1_bounds(%b: index) {
  // expected-error@+1 {{expected at least one run and one bound more than runs, got 3 bounds and 1 runs}}
  "lattn.sweep_keys"(%b, %b, %b) <{key_tile = 64 : i64, operandSegmentSizes = array<i32: 3, 0>, runs = [#lattn.sweep_run<edge>]}> ({
  ^bb0(%key: index, %size: index, %edge: i1):
    "lattn.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @sweep_keys_c2(%b: index) {
  // expected-error@+1 {{expected a key tile of at least 1, got 0}}
  lattn.sweep_keys (%key, %size, %edge) in (%b edge %b) by 0 {
    lattn.yield
  }
  return
}

// -----

func.func @sweep_keys_c3(%b: index) -> i32 {
  // expected-error@+1 {{expected results of the types of the state, ('index'), got ('i32')}}
  %0 = "lattn.sweep_keys"(%b, %b, %b) <{key_tile = 64 : i64, operandSegmentSizes = array<i32: 2, 1>, runs = [#lattn.sweep_run<edge>]}> ({
  ^bb0(%key: index, %size: index, %edge: i1, %n: index):
    "lattn.yield"(%n) : (index) -> ()
  }) : (index, index, index) -> i32
  return %0 : i32
}

// -----

func.func @sweep_keys_c4(%b: index) {
  // expected-error@+1 {{expected a body of (key, size, edge, state...) of types ('index', 'index', 'i1'), got ('index', 'index', 'index')}}
  "lattn.sweep_keys"(%b, %b) <{key_tile = 64 : i64, operandSegmentSizes = array<i32: 2, 0>, runs = [#lattn.sweep_run<edge>]}> ({
  ^bb0(%key: index, %size: index, %edge: index):
    "lattn.yield"() : () -> ()
  }) : (index, index) -> ()
  return
}

// -----

func.func @sweep_keys_c5(%b: index) -> index {
  // expected-error@+1 {{expected the body to yield the next state, ('index'), got ('i1')}}
  %0 = lattn.sweep_keys (%key, %size, %edge) in (%b edge %b) by 64
      iter_args(%n = %b) -> (index) {
    lattn.yield %edge : i1
  }
  return %0 : index
}

// -----

func.func @sweep_keys_c5_yield(%b: index) {
  // expected-error@+1 {{expected the body to end in lattn.yield}}
  lattn.sweep_keys (%key, %size, %edge) in (%b edge %b) by 64 {
    gpu.terminator
  }
  return
}

// -----

func.func @run(%b: index) {
  // expected-error@+1 {{expected 'edge' or 'interior', got 'corner'}}
  lattn.sweep_keys (%key, %size, %edge) in (%b corner %b) by 64 {
    lattn.yield
  }
  return
}

// -----

func.func @arguments(%b: index) {
  // expected-error@+1 {{expected (key, size, edge), got 2 arguments}}
  lattn.sweep_keys (%key, %size) in (%b edge %b) by 64 {
    lattn.yield
  }
  return
}
