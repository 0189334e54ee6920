// C = A B^T by cp.async, ldmatrix and mma.sync in two stages: 64 x 64 of C for
// each block of four warps. There is a kernel for each way to break it.
#include <cuda_bf16.h>

enum Break { None, Wait, LastWait, WaitTooLittle, Before, After, Step, Stride };

static constexpr int Pitch = 40; // 32 columns and what keeps rows apart

static __device__ unsigned address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

static __device__ void copyTile(__nv_bfloat16 *to, const __nv_bfloat16 *from,
                                int stride) {
  for (int i = threadIdx.x; i < 64 * 4; i += 128)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     address(to + i / 4 * Pitch + i % 4 * 8)),
                 "l"(from + i / 4 * stride + i % 4 * 8));
}

static __device__ void load4(unsigned (&r)[4], const __nv_bfloat16 *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address(p)));
}

template <Break B>
static __device__ void multiply(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                                float *c, int n, int k) {
  __shared__ alignas(16) __nv_bfloat16 sa[2][64 * Pitch], sb[2][64 * Pitch];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  a += blockIdx.y * 64 * k;
  b += blockIdx.x * 64 * k;
  int steps = B == Step ? k / 32 + 1 : k / 32;
  int stride = B == Stride ? n : k;
  float acc[8][4] = {};
  auto fetch = [&](int step) {
    copyTile(sa[step % 2], a + step * 32, stride);
    copyTile(sb[step % 2], b + step * 32, stride);
    asm volatile("cp.async.commit_group;");
  };
  fetch(0);
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      fetch(step + 1);
      if (B == WaitTooLittle)
        asm volatile("cp.async.wait_group 2;");
      else if (B != Wait)
        asm volatile("cp.async.wait_group 1;");
    } else if (B != LastWait) {
      asm volatile("cp.async.wait_group 0;");
    }
    if (B != Before)
      __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      unsigned fa[4], fb[4];
      load4(
          fa,
          &sa[step % 2][(warp * 16 + lane % 16) * Pitch + kk + lane / 16 * 8]);
      for (int j = 0; j < 4; ++j) {
        load4(fb, &sb[step % 2][(j * 16 + lane / 16 * 8 + lane % 8) * Pitch +
                                kk + lane / 8 % 2 * 8]);
        for (int h = 0; h < 2; ++h) {
          float *d = acc[2 * j + h];
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                       "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                       : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]),
                         "r"(fb[2 * h]), "r"(fb[2 * h + 1]));
        }
      }
    }
    if (B != After)
      __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 4; ++i)
      c[(blockIdx.y * 64 + warp * 16 + lane / 4 + i / 2 * 8) * n +
        blockIdx.x * 64 + j * 8 + lane % 4 * 2 + i % 2] = acc[j][i];
}

#define KERNEL(name)                                                           \
  extern "C" __global__ void gemm##name(const __nv_bfloat16 *a,                \
                                        const __nv_bfloat16 *b, float *c,      \
                                        int n, int k) {                        \
    multiply<name>(a, b, c, n, k);                                             \
  }
KERNEL(None)
KERNEL(Wait)
KERNEL(LastWait)
KERNEL(WaitTooLittle)
KERNEL(Before)
KERNEL(After)
KERNEL(Step)
KERNEL(Stride)
