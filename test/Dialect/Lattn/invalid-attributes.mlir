// RUN: lattn-opt %s -split-input-file -verify-diagnostics

!t = tensor<1x2x8x16xf32>

func.func @conventions_c1_hint(%q: !t) -> !t {
  // expected-error @+1 {{'lattn.attention' op has no attribute 'casual'; did you mean 'causal'?}}
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t) {casual}
  return %0 : !t
}

// -----

!t = tensor<1x2x8x16xf32>

func.func @conventions_c1_value(%q: !t) -> !t {
  // expected-error @+1 {{'lattn.attention' op has no attribute 'windows'; did you mean 'window'?}}
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
      {windows = #lattn.window<left = 2>}
  return %0 : !t
}

// -----

!t = tensor<1x2x8x16xf32>

func.func @conventions_c1_beside_known_ones(%q: !t) -> !t {
  // expected-error @+1 {{'lattn.local_attention' op has no attribute 'auto_pad'; did you mean 'autopad'?}}
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      outs(%q : !t) {window_size = 4 : i64, causal, auto_pad}
  return %0 : !t
}

// -----

!t = tensor<1x2x8x16xf32>

func.func @conventions_c1_longer_name(%q: !t) -> !t {
  // expected-error @+1 {{'lattn.local_attention' op has no attribute 'lookback'; did you mean 'look_backward'?}}
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      outs(%q : !t) {window_size = 4 : i64, lookback = 0}
  return %0 : !t
}

// -----

!t = tensor<1x2x8x16xf32>

// Before the error that the attribute meant is missing.
func.func @conventions_c1_required(%q: !t) -> !t {
  // expected-error @+1 {{'lattn.local_attention' op has no attribute 'windowsize'; did you mean 'window_size'?}}
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      outs(%q : !t) {windowsize = 4 : i64}
  return %0 : !t
}

// -----

func.func @conventions_c1_far_from_all(%q: memref<8x16xf32>) {
  // expected-error @+1 {{'lattn.rotary' op has no attribute 'reversed'; it has dim, downscale, interleaved, position_axis, theta, transposed, xpos_scale_base}}
  lattn.rotary ins(%q : memref<8x16xf32>) outs(%q : memref<8x16xf32>)
      {dim = 16 : i64, reversed}
  return
}

// -----

func.func @conventions_c1_generic_form(%q: memref<8x16xf32>) {
  // expected-error @+1 {{'lattn.l2_normalize' op has no attribute 'epsilon'; it has eps}}
  "lattn.l2_normalize"(%q, %q) {epsilon = 0.1 : f64} : (memref<8x16xf32>, memref<8x16xf32>) -> ()
  return
}

// -----

!t = tensor<1x2x8x16xf32>

func.func @conventions_c1_no_attributes(%q: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    // expected-error @+1 {{'lattn.yield' op has no attribute 'fast'; it takes only attributes with a dialect's prefix}}
    lattn.yield {fast} %s : f32
  }
  return %0 : !t
}

// -----

func.func @conventions_c1_check(%a: f32) {
  // expected-error @+1 {{'check.expect_eq' op has no attribute 'rtol'; it takes only attributes with a dialect's prefix}}
  check.expect_eq %a, %a {rtol = 0.1 : f64} : f32, f32
  return
}

// -----

func.func @conventions_c1_fragment(%a: f32) {
  // expected-error @+1 {{'fragment.splat' op has no attribute 'value'; it takes only attributes with a dialect's prefix}}
  %0 = fragment.splat %a {value} : f32 -> !fragment.tile<16xf32, #fragment.mma<row, warps = 1>>
  return
}

// -----

// Attributes with a prefix are their dialect's, and upstream's passes mark ops by
// names with two underscores.
func.func @conventions_c1_kept(%a: memref<8x16xf32>) {
  lattn.l2_normalize ins(%a : memref<8x16xf32>) outs(%a : memref<8x16xf32>)
      {foo.bar = 1 : i64, __inplace_operands_attr__ = ["none"], eps = 0.1 : f64}
  return
}

// -----

!t = tensor<1x2x8x16xf32>

func.func @conventions_c2_note(%q: !t) -> !t {
  // expected-error @+1 {{the lattn dialect has no attribute 'lattn.gird'; did you mean 'lattn.grid'?}}
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
      {lattn.gird = "x"}
  return %0 : !t
}

// -----

!t = tensor<1x2x8x16xf32>

// No inherent attribute has the prefix; a function has this one.
func.func @schedule_c5_op(%q: !t) -> !t {
  // expected-error @+1 {{expected 'lattn.schedule' to be a #lattn.schedule with least_queries and nothing else, got #lattn.schedule<query_tile = 8>}}
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
      {lattn.schedule = #lattn.schedule<query_tile = 8>}
  return %0 : !t
}

// -----

!t = tensor<1x2x8x16xf32>

func.func @schedule_c5_place(%q: !t) -> !t {
  // expected-error @+1 {{expected 'lattn.schedule' on a function}}
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
      {lattn.schedule = #lattn.schedule<least_queries = 9>}
  return %0 : !t
}

// -----

// expected-error @+1 {{expected 'lattn.schedule' to be a #lattn.schedule with least_queries and nothing else, got #lattn.schedule<query_tile = 8, least_queries = 9>}}
func.func private @schedule_c5_more() attributes {lattn.schedule = #lattn.schedule<query_tile = 8, least_queries = 9>}

// -----

// expected-error @+1 {{expected 'lattn.schedule' to be a #lattn.schedule with least_queries and nothing else, got 9 : i64}}
func.func private @schedule_c5_type() attributes {lattn.schedule = 9}

// -----

// expected-error @+1 {{the lattn dialect has no attribute 'lattn.far'}}
func.func private @conventions_c2_far() attributes {lattn.far = 9}

// -----

func.func @conventions_c2_grid() {
  // expected-error @+1 {{expected 'lattn.grid' to be a #lattn.grid, got 3 : i64}}
  scf.forall (%i) in (4) {
  } {lattn.grid = 3}
  return
}

// -----

// expected-error @+1 {{the lattn dialect has no attribute 'lattn.name'}}
func.func private @conventions_c2_name() attributes {lattn.name = "x"}

// -----

// expected-error @+1 {{expected 'lattn.name' to be a string, got 3 : i64}}
func.func private @conventions_c2_name_type(f32 {lattn.name = 3})

// -----

// expected-error @+1 {{the lattn dialect has no attribute 'lattn.nmae'; did you mean 'lattn.name'?}}
func.func private @conventions_c2_argument(f32 {lattn.nmae = "x"})

// -----

// expected-error @+1 {{the lattn dialect has no attribute 'lattn.nmae'; did you mean 'lattn.name'?}}
func.func private @conventions_c2_result() -> (f32 {lattn.nmae = "x"})

// -----

func.func @grid_c1_kernel(%n: index) {
  scf.forall (%i) in (%n) {
  // expected-error @+1 {{grid kernel must be a name of letters, digits and '_', got ""}}
  } {lattn.grid = #lattn.grid<kernel = "">, mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @grid_c1_letters(%n: index) {
  scf.forall (%i) in (%n) {
  // expected-error @+1 {{grid kernel must be a name of letters, digits and '_', got "a b"}}
  } {lattn.grid = #lattn.grid<kernel = "a b">, mapping = [#gpu.block<x>]}
  return
}

// -----

func.func @grid_c2_no_mapping(%n: index) {
  // expected-error @+1 {{expected 'lattn.grid' on a 'scf.forall' that is mapped to blocks or threads}}
  scf.forall (%i) in (%n) {
  } {lattn.grid = #lattn.grid<kernel = "split">}
  return
}

// -----

func.func @grid_c2_threads(%n: index) {
  // expected-error @+1 {{expected 'lattn.grid' on a 'scf.forall' that is mapped to blocks, for blocks = per_tile}}
  scf.forall (%i) in (%n) {
  } {lattn.grid = #lattn.grid<kernel = "split", blocks = per_tile>, mapping = [#gpu.thread<linear_dim_0>]}
  return
}

// -----

// expected-error @+1 {{expected 'lattn.grid' on a 'scf.forall' that is mapped to blocks or threads}}
func.func private @grid_c2_function() attributes {lattn.grid = #lattn.grid<kernel = "split">}
