// RUN: lattn-opt %s -split-input-file -verify-diagnostics

// expected-error @+2 {{integer value too large}}
// expected-error @+1 {{failed to parse Lattn_WindowAttr parameter 'right' which is to be a `::std::optional<int64_t>`}}
func.func private @too_large() attributes {w = #lattn.window<right = 99999999999999999999>}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @no_number() attributes {w = #lattn.window<left = many>}

// -----

// expected-error @+1 {{expected '='}}
func.func private @no_value() attributes {w = #lattn.window<left>}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @no_name() attributes {w = #lattn.window<256>}

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: width}}
func.func private @unknown_name() attributes {w = #lattn.window<width = 3>}

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: left}}
func.func private @twice() attributes {w = #lattn.window<left = 1, left = 2>}

// -----

// expected-error @+1 {{expected}}
func.func private @comma() attributes {w = #lattn.window<left = 1,>}

// -----

// expected-error @+1 {{expected '<'}}
func.func private @no_brackets() attributes {w = #lattn.window}

// -----

// expected-error @+2 {{expected ::lattn::Layout to be one of: bhnd, bnhd}}
// expected-error @+1 {{failed to parse Lattn_LayoutAttr parameter}}
func.func private @layout() attributes {w = #lattn.layout<nbhd>}

// -----

// expected-error @+1 {{unknown attribute `windows` in dialect `lattn`}}
func.func private @attribute() attributes {w = #lattn.windows<>}

// -----

func.func @no_key(%q: tensor<1x2x4x8xf32>) {
  // expected-error @+1 {{expected 'key'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @no_type(%q: tensor<1x2x4x8xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = lattn.attention query(%q)
  return
}

// -----

func.func @no_outs(%q: tensor<1x2x4x8xf32>) {
  // expected-error @+2 {{expected 'outs'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
  %1 = arith.constant 0 : i32
  return
}

// -----

func.func @options_in_order(%q: tensor<1x2x4x8xf32>) {
  // expected-error @+2 {{expected 'outs'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
      offset(%q : tensor<1x2x4x8xf32>) bias(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @undefined_operand(%q: tensor<1x2x4x8xf32>) {
  // expected-error @+1 {{use of undeclared SSA value name}}
  %0 = lattn.attention query(%x : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
      outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @result_count(%q: tensor<1x2x4x8xf32>) {
  // expected-error @+1 {{operation defines 1 results but was provided 2 to bind}}
  %0:2 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
      outs(%q : tensor<1x2x4x8xf32>)
  return
}
