# What nvcc makes of CUDA C++, against the same computed by NumPy.

import numpy as np
import pytest
from harness import compile_cuda

import ptxemu

SOURCE = r"""
extern "C" __global__ void collatz(const unsigned *start, unsigned *steps) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = start[i], n = 0;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++n;
  }
  steps[i] = n;
}

extern "C" __global__ void reduce(const float *x, float *sum, int n) {
  __shared__ float part[32];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    s += x[i];
  for (int step = 16; step; step /= 2)
    s += __shfl_down_sync(~0u, s, step);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  MAYBE_SYNC
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int step = 16; step; step /= 2)
      s += __shfl_xor_sync(~0u, s, step);
    if (threadIdx.x == 0)
      atomicAdd(sum, s);
  }
}

extern "C" __global__ void histogram(const int *x, int *counts, int n) {
  extern __shared__ int local[];
  for (int i = threadIdx.x; i < 10; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&local[x[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 10; i += blockDim.x)
    counts[i] = local[i];
}

__device__ __noinline__ double horner(const double *c, int n, double x) {
  double r = 0;
  for (int i = n; i--;)
    r = r * x + c[i];
  return r;
}

struct Shape { int rows; int columns; float scale; };

extern "C" __global__ void structure(Shape s, float *out, const double *c) {
  double stack[4];
  for (int i = 0; i < 4; ++i)
    stack[i] = c[(i + threadIdx.x) % 4];
  if (threadIdx.x < s.rows * s.columns)
    out[threadIdx.x] = s.scale * horner(stack, 4, threadIdx.x % s.columns);
}

extern "C" __global__ void lock(int *mutex, int *counter) {
  for (bool done = false; !done;)
    if (atomicCAS(mutex, 0, 1) == 0) {
      volatile int *c = counter;
      *c = *c + 1;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
}

extern "C" __global__ void votes(const int *x, unsigned *out) {
  int i = threadIdx.x;
  unsigned r = 0;
  if (x[i] > 0)
    r = __match_any_sync(__activemask(), x[i] % 4);
  else
    r = __ballot_sync(__activemask(), x[i] % 2 == 0);
  __syncwarp();
  out[i] = r ^ __popc(__ballot_sync(~0u, x[i] > 0));
}
"""


WMMA = r"""
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void tiles(const half *a, const half *b, float *c,
                                 int n, int k) {
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  int row = 16 * blockIdx.x, column = 16 * (threadIdx.x / 32);
  fill_fragment(fc, 1.0f);
  for (int i = 0; i < k; i += 16) {
    load_matrix_sync(fa, a + row * k + i, k);
    load_matrix_sync(fb, b + column * k + i, k);
    mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] *= 2;
  store_matrix_sync(c + row * n + column, fc, n, mem_row_major);
}
extern "C" __global__ void pairs(const __nv_bfloat162 *a, __half2 *b) {
  __nv_bfloat162 x = a[threadIdx.x];
  x = __hmax2(__hfma2(x, x, x), __float2bfloat162_rn(0.5f));
  float2 f = __bfloat1622float2(x);
  b[threadIdx.x] = __hadd2(__floats2half2_rn(f.x, f.y), b[threadIdx.x]);
}
"""


@pytest.fixture(scope="module")
def tensor_cores():
    return ptxemu.load(compile_cuda(WMMA))


def test_matrices_of_a_warp(tensor_cores):
    rng = np.random.default_rng(3)
    a = rng.integers(-9, 9, (32, 48)).astype(np.float16)
    b = rng.integers(-9, 9, (64, 48)).astype(np.float16)
    c = np.zeros((32, 64), np.float32)
    tensor_cores.launch("tiles", 2, 128, [a, b, c, 64, 48])
    assert (c == 2 * (1 + a.astype("f4") @ b.astype("f4").T)).all()


def test_pairs(tensor_cores):
    a = np.arange(-32, 32, dtype=np.float32) / 8
    b = np.linspace(0, 1, 64).astype(np.float16)
    want = np.maximum(a * a + a, 0.5) + b.astype(np.float32)
    tensor_cores.launch("pairs", 1, 32, [ptxemu.to_bf16(a), b])
    assert np.allclose(b.astype(np.float32), want, rtol=2**-8)


@pytest.fixture(scope="module")
def module():
    return ptxemu.load(compile_cuda(SOURCE.replace("MAYBE_SYNC",
                                                   "__syncthreads();")))


def test_divergence(module):
    start = np.arange(1, 193, dtype=np.uint32)
    steps = np.zeros_like(start)
    module.launch("collatz", 2, 96, [start, steps])

    def count(x):
        return 0 if x == 1 else 1 + count(3 * x + 1 if x % 2 else x // 2)

    assert steps.tolist() == [count(int(x)) for x in start]


def test_debugging_information():
    debug = ptxemu.load(compile_cuda(SOURCE.replace(
        "MAYBE_SYNC", "__syncthreads();"), "sm_90a", ["-G"]))
    test_divergence(debug)
    test_atomics(debug)
    test_structure_stack_and_call(debug)


X = np.random.default_rng(0).standard_normal(1000).astype(np.float32)


@pytest.mark.parametrize("seed", range(3))
def test_reduction(module, seed):
    total = np.zeros(1, np.float32)
    module.launch("reduce", 3, 128, [X, total, 1000], seed=seed)
    assert abs(total[0] - X.sum(dtype=np.float64)) < 1e-4


def test_missing_barrier():
    racy = ptxemu.load(compile_cuda(SOURCE.replace("MAYBE_SYNC", "")))
    with pytest.raises(ptxemu.Race):
        racy.launch("reduce", 3, 128, [X, np.zeros(1, np.float32), 1000])


def test_index_out_of_bounds(module):
    with pytest.raises(ptxemu.Fault, match="reduce_param_0, which has 4000"):
        module.launch("reduce", 3, 128, [X, np.zeros(1, np.float32), 1001])


def test_atomics(module):
    x = np.random.default_rng(1).integers(0, 10, 500).astype(np.int32)
    counts = np.zeros(10, np.int32)
    module.launch("histogram", 1, 96, [x, counts, 500], shared=40)
    assert (counts == np.bincount(x)).all()


def test_structure_stack_and_call(module):
    shape = np.array([(5, 6, 0.5)], "i4,i4,f4").tobytes()
    c = np.array([1.5, -2, 3, 0.25])
    out = np.zeros(64, np.float32)
    module.launch("structure", 1, 64, [shape, out, c])
    want = [0.5 * np.polyval(np.roll(c, -(i % 4))[::-1], i % 6)
            for i in range(30)]
    assert np.allclose(out[:30], want) and not out[30:].any()


def test_lock_between_threads_of_a_warp(module):
    counter = np.zeros(1, np.int32)
    module.launch("lock", 2, 48, [np.zeros(1, np.int32), counter])
    assert counter[0] == 96


def test_votes(module):
    x = np.random.default_rng(2).integers(-9, 9, 32).astype(np.int32)
    out = np.zeros(32, np.uint32)
    module.launch("votes", 1, 32, [x, out])
    positive = x > 0
    bit = 1 << np.arange(32, dtype=np.uint64)
    want = [int((bit * (positive & (x % 4 == v % 4))).sum()) if v > 0 else
            int((bit * (~positive & (x % 2 == 0))).sum()) for v in x]
    assert (out == np.array(want) ^ positive.sum()).all()
