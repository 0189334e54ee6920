// RUN: lattn-opt %s -split-input-file -verify-diagnostics

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
func.func @online_attention_c1_count(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected 6 indexing_maps (query, key, value, acc, max, sum), got 2}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#qd, #kd]}
  return
}

// -----

func.func @online_attention_c1_kind(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      // expected-error @below {{attribute 'indexing_maps' failed to satisfy constraint: AffineMap array attribute}}
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [1, 2]}
  return
}

// -----

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
#two = affine_map<(q, d) -> (q, d)>
func.func @online_attention_c2_dims(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected indexing_maps[0] of query to be a projected permutation of (b, h, q, k, d, v) onto its own dimensions, got affine_map<(d0, d1) -> (d0, d1)>}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#two, #kd, #kv, #qv, #row, #row]}
  return
}

// -----

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
#sum = affine_map<(b, h, q, k, d, v) -> (k + q, d)>
func.func @online_attention_c2_no_permutation(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected indexing_maps[1] of key to be a projected permutation of (b, h, q, k, d, v) onto its own dimensions, got }}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#qd, #sum, #kv, #qv, #row, #row]}
  return
}

// -----

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
#sym = affine_map<(b, h, q, k, d, v)[s] -> (k, d)>
func.func @online_attention_c2_symbol(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected indexing_maps[1] of key to be a projected permutation of (b, h, q, k, d, v) onto its own dimensions, got }}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#qd, #sym, #kv, #qv, #row, #row]}
  return
}

// -----

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
func.func @online_attention_c2_missing_dim(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected indexing_maps[3] of acc to be a projected permutation of (b, h, q, k, d, v) onto its own dimensions, got }}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#qd, #kd, #kv, #row, #row, #row]}
  return
}

// -----

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
func.func @online_attention_c2_foreign_dim(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected indexing_maps[4] of max to be a projected permutation of (b, h, q, k, d, v) onto its own dimensions, got }}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#qd, #kd, #kv, #qv, #qv, #row]}
  return
}

// -----

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
#bkd = affine_map<(b, h, q, k, d, v) -> (b, k, d)>
func.func @online_attention_c3_batch(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{expected all indexing_maps to name the same of b and h; indexing_maps[1] of key differs}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#qd, #bkd, #kv, #qv, #row, #row]}
  return
}

// -----

func.func @online_attention_c3_rank(%q: tensor<2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected query of rank 4 (by its indexing map), got rank 3}}
  %0:3 = lattn.online_attention query(%q : tensor<2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#kd = affine_map<(b, h, q, k, d, v) -> (k, d)>
#kv = affine_map<(b, h, q, k, d, v) -> (k, v)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
func.func @online_attention_c3_row_rank(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4x1xf32>) {
  // expected-error @below {{expected sum of rank 1 (by its indexing map), got rank 2}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x8xf32>)
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4x1xf32>) {indexing_maps = [#qd, #kd, #kv, #qv, #row, #row]}
  return
}
