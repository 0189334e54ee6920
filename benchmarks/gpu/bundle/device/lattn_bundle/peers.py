"""What torch and installed packages do with the same tensors."""

import functools

import torch
import torch.nn.functional as F

def sdpa(backend, case, q, k, v):
    """Windows but causal ones are nothing that SDPA knows without a mask of
    N * M elements."""
    if case.left is not None or case.right not in (None, 0) or (
            case.right == 0 and case.N != case.M):
        raise NotImplementedError("no windows")
    from torch.nn.attention import SDPBackend, sdpa_kernel
    which = getattr(SDPBackend, backend)

    def run():
        with sdpa_kernel(which):
            return F.scaled_dot_product_attention(
                q, k, v, is_causal=case.right == 0,
                enable_gqa=case.H != case.Hkv)
    return run


@functools.cache
def compiled_flex():
    from torch.nn.attention.flex_attention import flex_attention
    return torch.compile(flex_attention, dynamic=False)


def flex(case, q, k, v):
    from torch.nn.attention.flex_attention import create_block_mask
    shift, left, right = case.M - case.N, case.left, case.right

    def sees(batch, head, i, j):
        seen = j >= 0
        if left is not None:
            seen = seen & (j >= i + shift - left)
        if right is not None:
            seen = seen & (j <= i + shift + right)
        return seen

    mask = None
    if (left, right) != (None, None):
        mask = torch.compile(create_block_mask)(sees, None, None, case.N, case.M,
                                                device=q.device)
    return lambda: compiled_flex()(q, k, v, block_mask=mask,
                                   enable_gqa=case.H != case.Hkv)


def flash_attn(case, q, k, v):
    """The package, with heads behind positions; its window is the same."""
    from flash_attn import flash_attn_func
    bound = tuple(-1 if b is None else b for b in (case.left, case.right))
    q, k, v = (t.transpose(1, 2).contiguous() for t in (q, k, v))
    return lambda: flash_attn_func(q, k, v, window_size=bound).transpose(1, 2)


MAKERS = {
    "SDPA flash": functools.partial(sdpa, "FLASH_ATTENTION"),
    "SDPA cuDNN": functools.partial(sdpa, "CUDNN_ATTENTION"),
    "FlexAttention, compiled": flex, "flash-attn": flash_attn}


def make(name, case, tensors):
    """A call that runs the peer."""
    inputs = [tensors[x] for x in "qkv"]
    if not case.backward:
        return MAKERS[name](case, *inputs)
    with torch.enable_grad():
        inputs = [x.requires_grad_() for x in inputs]
        out = MAKERS[name](case, *inputs)()
    return lambda: torch.autograd.grad(out, inputs, tensors["do"], retain_graph=True)


def matmul(size=8192, dtype=torch.bfloat16):
    """(run, FLOPs): what the machine reaches in its own product of matrices."""
    a, b = (torch.randn(size, size, device="cuda", dtype=dtype)
            for _ in range(2))
    return lambda: a @ b, 2 * size ** 3


def copy(size=2 ** 30):
    """(run, bytes read and written)"""
    a = torch.randint(255, (size,), dtype=torch.uint8, device="cuda")
    b = torch.empty_like(a)
    return lambda: b.copy_(a), 2 * size
