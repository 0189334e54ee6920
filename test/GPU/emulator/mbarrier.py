# mbarriers: phases, transactions, and what they order.

import numpy as np
import pytest
from harness import kernel

import ptxemu

DECLARE = (".reg .b32 %i, %n, %s, %x<8>; .reg .b64 %p, %q, %state;"
           ".reg .pred %c<4>; .shared .align 8 .b64 full;"
           ".shared .align 8 .b64 empty; .shared .align 16 .b8 buffer[1024];")
HEAD = ("mov.u32 %i, %tid.x; ld.param.u64 %p, [k_param_0];"
        "ld.param.u64 %q, [k_param_1]; setp.eq.u32 %c0, %i, 0;")
INIT = "@%c0 mbarrier.init.shared.b64 [{}], {}; bar.sync 0;"


def wait(name, parity, label):
    return (f"{label}: mbarrier.try_wait.parity.shared::cta.b64 %c3, "
            f"[{name}], {parity}; @!%c3 bra {label};")


def run(body, block=64, seed=0, **options):
    source = np.arange(256, dtype=np.uint32)
    out = np.zeros(256, np.uint32)
    text = kernel(HEAD + body, [".u64 k_param_0", ".u64 k_param_1"], DECLARE,
                  "sm_90a")
    ptxemu.load(text).launch("k", 1, block, [source, out], seed=seed,
                             **options)
    return out


STORE = ("mad.wide.u32 %q, %i, 4, %q; st.global.b32 [%q], %x0;")
# Each thread reads what its partner in the other warp wrote.
EXCHANGE = ("mov.u32 %s, buffer; mad.lo.u32 %n, %i, 4, %s;"
            "st.shared.b32 [%n], %i; {}"
            "xor.b32 %n, %i, 32; mad.lo.u32 %n, %n, 4, %s;"
            "ld.shared.b32 %x0, [%n];" + STORE)


@pytest.mark.parametrize("seed", range(3))
def test_arrivals_order_memory(seed):
    arrive = "mbarrier.arrive.shared.b64 %state, [full];"
    body = INIT.format("full", 64) + EXCHANGE
    want = np.arange(64) ^ 32
    out = run(body.format(arrive + wait("full", 0, "W")), seed=seed)
    assert (out[:64] == want).all()
    by_state = ("W: mbarrier.test_wait.shared.b64 %c3, [full], %state;"
                "@!%c3 bra W;")
    out = run(body.format(arrive + by_state), seed=seed)
    assert (out[:64] == want).all()
    with pytest.raises(ptxemu.Race):
        run(body.format(arrive), seed=seed)


def test_phases_alternate():
    # One warp fills the buffer four times, the other empties it.
    body = ("@%c0 mbarrier.init.shared.b64 [full], 32;"
            "@%c0 mbarrier.init.shared.b64 [empty], 32; bar.sync 0;"
            "mov.u32 %s, buffer; and.b32 %n, %i, 31;"
            "mad.lo.u32 %s, %n, 4, %s; mov.u32 %x1, 0; mov.u32 %x0, 0;"
            "setp.ge.u32 %c1, %i, 32; @%c1 bra TAKE;"
            "PUT: and.b32 %x2, %x1, 1; xor.b32 %x3, %x2, 1;" +
            wait("empty", "%x3", "W0") +
            "add.u32 %x4, %x1, %i; st.shared.b32 [%s], %x4;"
            "mbarrier.arrive.shared.b64 _, [full]; add.u32 %x1, %x1, 1;"
            "setp.lt.u32 %c2, %x1, 4; @%c2 bra PUT; exit;"
            "TAKE: and.b32 %x2, %x1, 1;" + wait("full", "%x2", "W1") +
            "ld.shared.b32 %x4, [%s]; mad.lo.u32 %x0, %x0, 10, %x4;"
            "mbarrier.arrive.shared.b64 _, [empty]; add.u32 %x1, %x1, 1;"
            "setp.lt.u32 %c2, %x1, 4; @%c2 bra TAKE;" + STORE)
    for seed in range(3):
        out = run(body, seed=seed)[32:64]
        assert (out == 123 + 1111 * np.arange(32)).all()
    # Without the wait for what is empty, the buffer is overwritten, or the
    # full phases are over before they are seen.
    with pytest.raises((ptxemu.Race, ptxemu.Deadlock)):
        run(body.replace(wait("empty", "%x3", "W0"), ""))


COPY = ("@%c0 mbarrier.arrive.expect_tx.shared.b64 %state, [full], {0};"
        "@%c0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [buffer], [%p], 256, [full];")
READ = ("mov.u32 %s, buffer; mad.lo.u32 %s, %i, 4, %s;"
        "ld.shared.b32 %x0, [%s];" + STORE)


def test_bulk_copy():
    body = INIT.format("full", 1) + COPY
    for seed in range(3):
        out = run(body.format(256) + wait("full", 0, "W") + READ, seed=seed)
        assert (out[:64] == np.arange(64)).all()
    with pytest.raises(ptxemu.Race):
        run(body.format(256) + READ)
    # Bytes that nobody expects, or that never come.
    for wrong in (128, 512):
        with pytest.raises(ptxemu.Deadlock, match=f"and {wrong - 256} bytes "
                           "to come"):
            run(body.format(wrong) + wait("full", 0, "W") + READ)
    with pytest.raises(ptxemu.Fault, match="exited while a bulk copy"):
        for seed in range(20):
            run(body.format(256), seed=seed)


def test_bulk_store():
    # Through shared memory, by a thread that sees what the others wrote.
    body = ("mov.u32 %s, buffer; mad.lo.u32 %s, %i, 4, %s;"
            "add.u32 %x0, %i, 7; st.shared.b32 [%s], %x0;"
            "fence.proxy.async.shared::cta; bar.sync 0;"
            "@%c0 cp.async.bulk.global.shared::cta.bulk_group [%q], [buffer],"
            " 256; @%c0 cp.async.bulk.commit_group;"
            "@%c0 cp.async.bulk.wait_group.read 0; bar.sync 0;"
            "st.shared.b32 [%s], 0;")
    for seed in range(3):
        assert (run(body, seed=seed)[:64] == np.arange(64) + 7).all()
    with pytest.raises(ptxemu.Race, match="without a fence.proxy.async"):
        run(body.replace("fence.proxy.async.shared::cta;", ""))
    with pytest.raises(ptxemu.Race, match="reads asynchronously"):
        run(body.replace("cta; bar.sync 0;", "cta;"))
    with pytest.raises(ptxemu.Race, match="which a bulk copy read"):
        run(body.replace("@%c0 cp.async.bulk.wait_group.read 0;", ""))
    with pytest.raises(ptxemu.Fault, match="without waiting until a bulk "):
        run(body.replace("@%c0 cp.async.bulk.wait_group.read 0;", "")
            .replace("st.shared.b32 [%s], 0;", ""))


def test_copies_of_threads_arrive():
    body = INIT.format("full", 64) + (
        "mov.u32 %s, buffer; mad.lo.u32 %s, %i, 16, %s;"
        "mad.wide.u32 %p, %i, 16, %p;"
        "cp.async.ca.shared.global [%s], [%p], 16;"
        "cp.async.mbarrier.arrive.noinc.shared.b64 [full];" +
        wait("full", 0, "W") + "xor.b32 %n, %i, 32; mov.u32 %s, buffer;"
        "mad.lo.u32 %s, %n, 16, %s; ld.shared.b32 %x0, [%s];" + STORE)
    for seed in range(3):
        out = run(body, seed=seed)
        assert (out[:64] == 4 * (np.arange(64) ^ 32)).all()
    with pytest.raises(ptxemu.Race):
        run(body.replace(wait("full", 0, "W"), ""))


def test_misuse():
    with pytest.raises(ptxemu.Fault, match="no mbarrier was initialised"):
        run("mbarrier.arrive.shared.b64 _, [full];")
    with pytest.raises(ptxemu.Fault, match="not a multiple of 8"):
        run("mbarrier.init.shared.b64 [buffer + 4], 1;")
    with pytest.raises(ptxemu.Fault, match="more threads arrive"):
        run("@%c0 mbarrier.init.shared.b64 [full], 8;"
            "@%c0 mbarrier.expect_tx.relaxed.cta.shared.b64 [full], 16;"
            "bar.sync 0; mbarrier.arrive.shared.b64 _, [full];")
    with pytest.raises(ptxemu.Deadlock, match="phase 0, 1 of 65 arrivals"):
        run(INIT.format("full", 65) + "mbarrier.arrive.shared.b64 _, [full];" +
            wait("full", 0, "W"))
