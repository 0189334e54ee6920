// RUN: lattn-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{window left must be in [0, 2^40], got -1}}
func.func private @window_c1_left_negative() attributes {w = #lattn.window<left = -1>}

// -----

// expected-error @+1 {{window left must be in [0, 2^40], got 1099511627777}}
func.func private @window_c1_left_large() attributes {w = #lattn.window<left = 1099511627777>}

// -----

// expected-error @+1 {{window right must be in [0, 2^40], got -9223372036854775808}}
func.func private @window_c1_right_negative() attributes {w = #lattn.window<right = -9223372036854775808>}

// -----

// expected-error @+1 {{window right must be in [0, 2^40], got 9223372036854775807}}
func.func private @window_c1_right_large() attributes {w = #lattn.window<right = 9223372036854775807>}

// -----

// expected-error @+1 {{window back must be in [0, 2^40], got -1}}
func.func private @window_c1_back_negative() attributes {w = #lattn.window<bucket = 4, back = -1>}

// -----

// expected-error @+1 {{window forward must be in [0, 2^40], got -2}}
func.func private @window_c1_forward_negative() attributes {w = #lattn.window<bucket = 4, forward = -2>}

// -----

// expected-error @+1 {{window forward must be in [0, 2^40], got 1099511627777}}
func.func private @window_c1_forward_large() attributes {w = #lattn.window<bucket = 4, forward = 1099511627777>}

// -----

// expected-error @+1 {{window bucket must be in [1, 2^40], got 0}}
func.func private @window_c2_bucket_zero() attributes {w = #lattn.window<bucket = 0>}

// -----

// expected-error @+1 {{window bucket must be in [1, 2^40], got -128}}
func.func private @window_c2_bucket_negative() attributes {w = #lattn.window<bucket = -128>}

// -----

// expected-error @+1 {{window bucket must be in [1, 2^40], got 1099511627777}}
func.func private @window_c2_bucket_large() attributes {w = #lattn.window<bucket = 1099511627777>}

// -----

// expected-error @+1 {{window back and forward count buckets and need 'bucket', got back = 1, forward = 0 without it}}
func.func private @window_c3_back() attributes {w = #lattn.window<back = 1>}

// -----

// expected-error @+1 {{window back and forward count buckets and need 'bucket', got back = 0, forward = 2 without it}}
func.func private @window_c3_forward() attributes {w = #lattn.window<left = 3, forward = 2>}

// -----

// expected-error @+1 {{window spans more than 2^40 keys: bucket = 1099511627776, back = 1, forward = 0}}
func.func private @window_c4_back() attributes {w = #lattn.window<bucket = 1099511627776, back = 1>}

// -----

// expected-error @+1 {{window spans more than 2^40 keys: bucket = 2, back = 0, forward = 1099511627776}}
func.func private @window_c4_forward() attributes {w = #lattn.window<bucket = 2, forward = 1099511627776>}
