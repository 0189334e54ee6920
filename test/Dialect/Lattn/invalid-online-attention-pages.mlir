// RUN: lattn-opt %s -split-input-file -verify-diagnostics

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @online_attention_c12_rows(%q: tensor<4x8xf32>, %k: tensor<3x16x9xf32>, %v: tensor<3x16x8xf32>, %t: tensor<2xi32>, %i: index, %a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected axis 2 of key to be the extent seen before = 8, got 9}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<3x16x9xf32>) value(%v : tensor<3x16x8xf32>)
      pages(%t[%i, %i] : tensor<2xi32>) outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = #maps}
  return
}

// -----

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @online_attention_c12_rank(%q: tensor<4x8xf32>, %k: tensor<48x8xf32>, %v: tensor<3x16x8xf32>, %t: tensor<2xi32>, %i: index, %a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected key of rank 3 (page, and by its indexing map), got rank 2}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<48x8xf32>) value(%v : tensor<3x16x8xf32>)
      pages(%t[%i, %i] : tensor<2xi32>) outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = #maps}
  return
}

// -----

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @online_attention_c12_table(%q: tensor<4x8xf32>, %k: tensor<3x16x8xf32>, %v: tensor<3x16x8xf32>, %t: tensor<2x2xi32>, %i: index, %a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected pages of rank 1 (page of the sequence), got rank 2}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<3x16x8xf32>) value(%v : tensor<3x16x8xf32>)
      pages(%t[%i, %i] : tensor<2x2xi32>) outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = #maps}
  return
}

// -----

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @online_attention_c12_size(%q: tensor<4x8xf32>, %k: tensor<3x?x8xf32>, %v: tensor<3x?x8xf32>, %t: tensor<2xi32>, %i: index, %a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected pages of a known size of at least 1 key, got ?}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<3x?x8xf32>) value(%v : tensor<3x?x8xf32>)
      pages(%t[%i, %i] : tensor<2xi32>) outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = #maps}
  return
}

// -----

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @online_attention_c12_value(%q: tensor<4x8xf32>, %k: tensor<3x16x8xf32>, %v: tensor<3x8x8xf32>, %t: tensor<2xi32>, %i: index, %a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected pages of value of 16 rows, as those of key, got 8}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<3x16x8xf32>) value(%v : tensor<3x8x8xf32>)
      pages(%t[%i, %i] : tensor<2xi32>) outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = #maps}
  return
}

// -----

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (d, k)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @online_attention_c12_map(%q: tensor<4x8xf32>, %k: tensor<3x16x8xf32>, %v: tensor<3x16x8xf32>, %t: tensor<2xi32>, %i: index, %a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected indexing_maps[1] of key in pages to be affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4)>, got affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d3)>}}
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%k : tensor<3x16x8xf32>) value(%v : tensor<3x16x8xf32>)
      pages(%t[%i, %i] : tensor<2xi32>) outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = #maps}
  return
}

// -----

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @online_attention_c12_no_count(%q: tensor<4x8xf32>, %k: tensor<3x16x8xf32>, %t: tensor<2xi32>, %i: index, %a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected pages, first_key and num_keys, or none of them}}
  %0:3 = "lattn.online_attention"(%q, %k, %k, %t, %i, %a, %m, %m) <{indexing_maps = #maps,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1>}> ({})
      : (tensor<4x8xf32>, tensor<3x16x8xf32>, tensor<3x16x8xf32>, tensor<2xi32>, index, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
