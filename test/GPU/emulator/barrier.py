# Barriers of a block, races between its warps, and deadlocks.

import numpy as np
import pytest
from harness import kernel

import ptxemu

DECLARE = (".reg .b32 %i, %n, %x<8>; .reg .b64 %p; .reg .pred %c<4>;"
           ".shared .b32 buffer[256];")
HEAD = ("mov.u32 %i, %tid.x; ld.param.u64 %p, [k_param_0];"
        "mad.wide.u32 %p, %i, 4, %p; shl.b32 %x0, %i, 2;"
        "mov.u32 %x1, buffer; add.u32 %x0, %x0, %x1;")
# Every thread reads what the thread of the next warp wrote.
NEXT = ("add.u32 %x2, %i, 32; rem.u32 %x2, %x2, 128; shl.b32 %x2, %x2, 2;"
        "add.u32 %x2, %x2, %x1; ld.shared.b32 %x3, [%x2];"
        "st.global.b32 [%p], %x3;")


def run(body, block=128, seed=0, **options):
    out = np.zeros(256, np.uint32)
    text = kernel(HEAD + body, [".u64 k_param_0"], DECLARE)
    ptxemu.load(text).launch("k", 1, block, [out], seed=seed, **options)
    return out[:block]


def rotated():
    return (np.arange(128) + 32) % 128


@pytest.mark.parametrize("seed", range(5))
def test_barrier(seed):
    for barrier in ("bar.sync 0;", "barrier.sync 3;", "bar.sync 1, 128;",
                    "barrier.cta.sync.aligned 2, 128;"):
        got = run("st.shared.b32 [%x0], %i;" + barrier + NEXT, seed=seed)
        assert (got == rotated()).all()


def test_missing_barrier():
    body = "st.shared.b32 [%x0], %i;" + NEXT
    with pytest.raises(ptxemu.Race, match="warp . (reads|writes) byte .* of "
                       "shared memory, which warp . (wrote|read), and nothing"):
        run(body)
    # Without the check, some order of the warps shows it.
    assert any((run(body, seed=s, races=False) != rotated()).any()
               for s in range(5))


def test_read_then_write():
    # Warp 0 reads what warp 1 wrote, and writes again.
    body = ("st.shared.b32 [%x0], %i; bar.sync 0; setp.lt.u32 %c0, %i, 32;"
            "@%c0 ld.shared.b32 %x3, [%x0 + 128]; {}"
            "@!%c0 st.shared.b32 [%x0], 0;")
    run(body.format("bar.sync 0;"), block=64)
    for seed in range(6):  # whoever comes first
        with pytest.raises(ptxemu.Race):
            run(body.format(""), block=64, seed=seed)


def test_barriers_of_two_groups():
    # Warps 0 and 1, and warps 2 and 3, each with a barrier of their own.
    body = ("st.shared.b32 [%x0], %i; shr.u32 %n, %i, 6; add.u32 %n, %n, 1;"
            "bar.sync %n, 64; xor.b32 %x2, %i, {}; shl.b32 %x2, %x2, 2;"
            "add.u32 %x2, %x2, %x1; ld.shared.b32 %x3, [%x2];"
            "st.global.b32 [%p], %x3;")
    assert (run(body.format(32)) == np.arange(128) ^ 32).all()
    with pytest.raises(ptxemu.Race):
        run(body.format(64))


def test_producer_and_consumers():
    # Warp 0 writes and arrives; the others wait, but warp 0 does not.
    body = ("setp.ge.u32 %c0, %i, 32; @%c0 bra READ;"
            "st.shared.b32 [%x0], %i; bar.arrive 1, 128; bra OUT;"
            "READ: bar.sync 1, 128; and.b32 %x2, %i, 31; shl.b32 %x2, %x2, 2;"
            "add.u32 %x2, %x2, %x1; ld.shared.b32 %x3, [%x2];"
            "st.global.b32 [%p], %x3; OUT:")
    assert (run(body)[32:] == np.arange(32, 128) % 32).all()
    with pytest.raises(ptxemu.Race):
        run(body.replace("st.shared.b32 [%x0], %i; bar.arrive 1, 128;",
                         "bar.arrive 1, 128; st.shared.b32 [%x0], %i;"))


def test_reduction():
    body = ("setp.lt.u32 %c0, %i, 70; bar.red.popc.u32 %x2, 0, %c0;"
            "bar.red.and.pred %c1, 0, %c0; bar.red.or.pred %c2, 0, %c0;"
            "@%c1 add.u32 %x2, %x2, 1000; @%c2 add.u32 %x2, %x2, 2000;"
            "st.global.b32 [%p], %x2;")
    assert (run(body) == 2070).all()


def test_exited_threads_are_not_waited_for():
    body = ("setp.ge.u32 %c0, %i, 64; @%c0 exit; bar.sync 0;"
            "st.global.b32 [%p], 1;")
    assert run(body).tolist() == [1] * 64 + [0] * 64


def test_deadlock():
    body = ("setp.ge.u32 %c0, %i, 96; @%c0 bra OTHER; bar.sync 0; bra OUT;"
            "OTHER: bar.sync 1; OUT:")
    with pytest.raises(ptxemu.Deadlock) as error:
        run(body)
    text = str(error.value)
    assert "warp 3, 32 threads" in text and "bar.sync" in text
    with pytest.raises(ptxemu.Fault, match="threads and with another number"):
        run("and.b32 %n, %i, 32; add.u32 %n, %n, 96; bar.sync 1, %n;")


def test_step_limit():
    with pytest.raises(ptxemu.Fault, match="more than 1000 steps"):
        run("LOOP: bra LOOP;", steps=1000)


def test_halves_of_warps():
    # barrier.sync counts threads, which come by different ways.
    body = ("st.shared.b32 [%x0], %i; and.b32 %n, %i, 1;"
            "setp.eq.u32 %c0, %n, 0; @%c0 bra EVEN; barrier.sync 1, 128;"
            "bra MEET; EVEN: barrier.sync 1, 128; MEET:" + NEXT)
    for seed in range(3):
        assert (run(body, seed=seed) == rotated()).all()


def test_half_a_warp():
    # An aligned barrier waits for the warp; half of it never comes.
    with pytest.raises(ptxemu.Deadlock):
        run("setp.lt.u32 %c0, %i, 16; @%c0 bra OUT; bar.sync 0; OUT:"
            "bar.sync 1;", block=32)


def test_bytes_of_one_word():
    # Warps may write neighbouring bytes, but not the same.
    body = ("mov.u32 %x2, buffer; shr.u32 %x3, %i, 5; add.u32 %x2, %x2, %x3;"
            "st.shared.b8 [%x2], %i;")
    run(body)
    with pytest.raises(ptxemu.Race):
        run(body.replace("shr.u32 %x3, %i, 5;", "shr.u32 %x3, %i, 6;"))
