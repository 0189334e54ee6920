"""Sizes of attention whose backward pass is timed and predicted."""

import dataclasses


@dataclasses.dataclass
class Workload:
    """Sizes as in lattn.attention; `left` keys back and none ahead."""

    N: int = 16384
    H: int = 16
    D: int = 128
    causal: bool = True
    left: int | None = None

    def count_visible(self):
        if not self.causal:
            return self.N * self.N
        seen = self.N if self.left is None else min(self.left + 1, self.N)
        return seen * (seen + 1) // 2 + (self.N - seen) * seen


GRADIENTS = {
    "D128 full 16k": Workload(causal=False),
    "D128 causal 16k": Workload(),
    "D128 window 1024 32k": Workload(N=32768, left=1024),
    "D128 window 256 32k": Workload(N=32768, left=256),
    "D64 causal 16k": Workload(H=32, D=64),
    "D64 window 1024 32k": Workload(N=32768, H=32, D=64, left=1024),
    "D256 causal 8k": Workload(N=8192, H=8, D=256),
}
