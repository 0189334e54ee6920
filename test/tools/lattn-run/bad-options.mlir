// REQUIRES: slow
// DEFINE: %{run} = not lattn-run %s
// DEFINE: %{check} = FileCheck %s --check-prefix

// RUN: not lattn-run %t.none 2>&1 | %{check}=FILE
// FILE: lattn-run: error: cannot read '{{.*}}': No such file or directory
// RUN: echo 'module { func.func }' > %t.mlir
// RUN: not lattn-run %t.mlir 2>&1 | %{check}=PARSE
// PARSE: lattn-run: error: {{.*}}.mlir:1:{{[0-9]+}}: custom op 'func.func' expected
// RUN: %{run} 2>&1 | %{check}=CHOOSE
// CHOOSE: lattn-run: error: more than one public function: choose one by --entry: f, g
// RUN: %{run} --entry=h 2>&1 | %{check}=ENTRY
// ENTRY: lattn-run: error: no public function 'h', expected one of: f, g
// RUN: %{run} --entry=f 2>&1 | %{check}=INPUT
// INPUT: lattn-run: error: argument 'arg0' (tensor<?xf32>): no input; give --input, or --random=SEED
// RUN: %{run} --entry=f --random=1 2>&1 | %{check}=DYNAMIC
// DYNAMIC: lattn-run: error: argument 'arg0' (tensor<?xf32>): its shape is dynamic: give --input or --shape=arg0:...
// RUN: %{run} --entry=g --random=1 2>&1 | %{check}=INTEGER
// INTEGER: lattn-run: error: argument 'arg0' (i32): no input, and --random cannot tell which integers 'tensor.empty' in line [[#@LINE+65]], column 8 can take: give --input

// RUN: %{run} --entry=f --random=x 2>&1 | %{check}=SEED
// SEED: lattn-run: error: --random: expected a seed, an integer of 0 or more, got 'x'
// RUN: %{run} --random 2>&1 | %{check}=VALUE
// VALUE: lattn-run: for the --random option: requires a value!
// VALUE-NEXT: lattn-run: error: --help explains the options
// RUN: %{run} --entry=f --random=1 --shape=3 2>&1 | %{check}=COLON
// COLON: lattn-run: error: --shape=3: expected ARGUMENT:EXTENTS
// RUN: %{run} --entry=f --random=1 --shape=1:3 2>&1 | %{check}=INDEX
// INDEX: lattn-run: error: --shape=1:3: no argument '1', expected an index or one of: 'arg0'
// RUN: %{run} --entry=f --random=1 --shape=0:-3 2>&1 | %{check}=NEGATIVE
// NEGATIVE: lattn-run: error: --shape=0:-3: expected extents such as 1x8x4096x64, got '-3'
// RUN: %{run} --entry=f --random=1 --shape=0:3x4 2>&1 | %{check}=RANK
// RANK: lattn-run: error: --shape=0:3x4: 'arg0': expected tensor<?xf32>, got the shape (3, 4)
// RUN: %{run} --entry=f --random=1 --shape=0:9223372036854775807 2>&1 \
// RUN:   | %{check}=OVERFLOW
// OVERFLOW: lattn-run: error: --shape=0:9223372036854775807: 'arg0': the shape (9223372036854775807,) needs more bytes than the address space has
// RUN: %{run} --entry=f --random=1 --shape=0:99999999999999999999 2>&1 \
// RUN:   | %{check}=HUGE
// HUGE: lattn-run: error: --shape=0:99999999999999999999: expected extents

// RUN: env LATTN_LIBCUDA=libnothing.so %{run} --target=cuda --entry=f 2>&1 \
// RUN:   | %{check}=CUDA
// CUDA: lattn-run: error: no CUDA driver: libnothing.so: cannot open
// RUN: %{run} --target=x 2>&1 | %{check}=TARGET
// TARGET: lattn-run: error: --target: expected host, cuda or loops, got 'x'
// RUN: %{run} --format=yaml 2>&1 | %{check}=FORMAT
// FORMAT: lattn-run: error: --format: expected text or json, got 'yaml'
// RUN: %{run} --tune --target=loops 2>&1 | %{check}=TUNE
// TUNE: lattn-run: error: --tune: --target=loops has no tiles
// RUN: %{run} --tune --key-tile=8 2>&1 | %{check}=FIXED
// FIXED: lattn-run: error: --tune: expected no --query-tile and no --key-tile, which fix the sizes that it searches
// RUN: %{run} --tune --entry=f --random=1 --shape=0:3 2>&1 | %{check}=NOTHING
// NOTHING: lattn-run: error: --tune: no attention in 'f' whose tile sizes are open
// RUN: %{run} --cache= 2>&1 | %{check}=CACHE
// CACHE: lattn-run: error: --cache: expected a folder or off, got ''
// RUN: %{run} --threads=0 2>&1 | %{check}=THREADS
// THREADS: lattn-run: error: --threads: expected an integer from 1 to 4096, got '0'
// RUN: %{run} --threads=99999999999999 2>&1 | %{check}=MANY
// MANY: lattn-run: error: --threads: expected an integer from 1 to 4096, got '99999999999999'
// RUN: env LATTN_NUM_THREADS=4097 lattn-run %s --entry=f --random=1 --shape=0:3 2>&1 \
// RUN:   | %{check}=ENVIRONMENT
// ENVIRONMENT: lattn: warning: LATTN_NUM_THREADS: expected an integer from 1 to 4096, got '4097'; using the default
// RUN: %{run} --benchmark=9223372036854775807 2>&1 | %{check}=RUNS
// RUNS: lattn-run: error: --benchmark: expected an integer from 1 to 100000000, got
// RUN: %{run} --output= 2>&1 | %{check}=EMPTY
// EMPTY: lattn-run: error: --output: expected a name, got ''
// A CPU with more than any machine of today's tests has.
// RUN: %{run} --entry=f --mattr=+amx-complex 2>&1 | %{check}=LACKS
// LACKS: lattn-run: error: cannot run code for CPU '{{.*}}': this machine lacks amx-{{.*}}
// RUN: %{run} --entry=f --mcpu=none 2>&1 | %{check}=CPU
// CPU: lattn-run: error: unknown CPU 'none'
// RUN: %{run} --rtol=-1 2>&1 | %{check}=RTOL
// RTOL: lattn-run: error: --rtol: expected a number of 0 or more, got '-1'
// RUN: %{run} --nothing 2>&1 | %{check}=UNKNOWN
// UNKNOWN: lattn-run: error: Unknown command line argument '--nothing'

func.func @f(%a: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %a, %c0 : tensor<?xf32>
  return %0 : index
}
func.func @g(%n: i32) -> tensor<?xf32> {
  %size = arith.index_cast %n : i32 to index
  %0 = tensor.empty(%size) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
