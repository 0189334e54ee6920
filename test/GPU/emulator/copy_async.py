# cp.async: nothing is there before the wait, and the rest is zeros.

import numpy as np
import pytest
from harness import kernel

import ptxemu

DECLARE = (".reg .b32 %i, %n, %s, %x<8>; .reg .b64 %p, %q; .reg .pred %c<4>;"
           ".shared .align 16 .b8 buffer[4096];")
HEAD = ("mov.u32 %i, %tid.x; ld.param.u64 %p, [k_param_0];"
        "mad.wide.u32 %p, %i, 16, %p; ld.param.u64 %q, [k_param_1];"
        "mad.wide.u32 %q, %i, 16, %q; mov.u32 %s, buffer;"
        "mad.lo.u32 %s, %i, 16, %s;")
BACK = ("ld.shared.v4.b32 {%x0, %x1, %x2, %x3}, [%s];"
        "st.global.v4.b32 [%q], {%x0, %x1, %x2, %x3};")
SOURCE = np.arange(64 * 16, dtype=np.uint8) ^ np.uint8(0x5A)


def run(body, seed=0, source=SOURCE, races=True):
    out = np.zeros(64 * 16, np.uint8)
    text = kernel(HEAD + body, [".u64 k_param_0", ".u64 k_param_1"], DECLARE)
    ptxemu.load(text).launch("k", 1, 64, [source, out], seed=seed, races=races)
    return out.reshape(64, 16)


@pytest.mark.parametrize("code", [
    "cp.async.cg.shared.global [%s], [%p], 16;",
    "cp.async.ca.shared::cta.global.L2::128B [%s], [%p], 16;",
    "cp.async.ca.shared.global [%s], [%p], 8;"
    "cp.async.ca.shared.global [%s + 8], [%p + 8], 8;",
    "cp.async.ca.shared.global [%s], [%p], 4;"
    "cp.async.ca.shared.global [%s + 4], [%p + 4], 4;"
    "cp.async.ca.shared.global [%s + 8], [%p + 8], 8;"])
def test_sizes(code):
    want = SOURCE.reshape(64, 16)
    assert (run(code + "cp.async.wait_all;" + BACK) == want).all()
    assert (run(code + "cp.async.commit_group; cp.async.wait_group 0;" + BACK)
            == want).all()


def test_zeros_beyond_the_source():
    # As many bytes as the thread's number, and nothing is read beyond.
    code = ("min.u32 %n, %i, 16; cp.async.cg.shared.global [%s], [%p], 16, %n;"
            "cp.async.wait_all;" + BACK)
    want = np.where(np.arange(16) < np.arange(64)[:, None],
                    SOURCE.reshape(64, 16), 0)
    assert (run(code) == want).all()
    last = ("setp.lt.u32 %c0, %i, 40; selp.b32 %n, 16, 0, %c0;"
            "cp.async.cg.shared.global [%s], [%p], 16, %n;"
            "cp.async.wait_all;" + BACK)
    got = run(last, source=SOURCE[:640].copy())
    assert (got[:40] == SOURCE.reshape(64, 16)[:40]).all()
    assert not got[40:].any()
    with pytest.raises(ptxemu.Fault, match="reads 16 bytes .* has 640"):
        run(last.replace("16, %n;", "16;"), source=SOURCE[:640].copy())
    ignore = ("setp.ge.u32 %c0, %i, 40;"
              "cp.async.cg.shared.global [%s], [%p], 16, %c0;"
              "cp.async.wait_all;" + BACK)
    assert (run(ignore, source=SOURCE[:640].copy()) == got).all()


GROUPS = ("cp.async.cg.shared.global [%s], [%p], 16; cp.async.commit_group;"
          "cp.async.cg.shared.global [%s + 1024], [%p], 16;"
          "cp.async.commit_group; cp.async.wait_group {};")


def test_groups():
    want = SOURCE.reshape(64, 16)
    assert (run(GROUPS.format(1) + BACK) == want).all()
    later = BACK.replace("[%s]", "[%s + 1024]")
    assert (run(GROUPS.format(0) + later) == want).all()
    # The second group is still under way.
    with pytest.raises(ptxemu.Race, match="reads byte"):
        run(GROUPS.format(1) + later)
    assert any((run(GROUPS.format(1) + later, seed=s, races=False) != want)
               .any() for s in range(4))


def test_missing_wait_and_early_overwrite():
    copy = "cp.async.cg.shared.global [%s], [%p], 16; cp.async.commit_group;"
    with pytest.raises(ptxemu.Race):
        run(copy + BACK)
    with pytest.raises(ptxemu.Race, match="writes byte"):
        run(copy + "st.shared.b32 [%s], 1; cp.async.wait_all;" + BACK)
    # Another warp reads what this one has waited for: a barrier is missing.
    other = ("xor.b32 %n, %i, 32; mov.u32 %s, buffer;"
             "mad.lo.u32 %s, %n, 16, %s;" + BACK)
    got = run(copy + "cp.async.wait_all; bar.sync 0;" + other)
    assert (got == SOURCE.reshape(64, 16)[np.arange(64) ^ 32]).all()
    with pytest.raises(ptxemu.Race):
        run(copy + "cp.async.wait_all;" + other)
    with pytest.raises(ptxemu.Race):
        run(copy + "bar.sync 0; cp.async.wait_all;" + other)


def test_only_those_who_wait():
    # Even threads wait; odd ones do not.
    code = ("cp.async.cg.shared.global [%s], [%p], 16; and.b32 %n, %i, 1;"
            "setp.eq.u32 %c0, %n, 0; @%c0 cp.async.wait_all; @%c0 " +
            BACK.replace("; st", "; @%c0 st").replace(";st", "; @%c0 st"))
    got = run(code)
    assert (got[::2] == SOURCE.reshape(64, 16)[::2]).all()
    with pytest.raises(ptxemu.Race):
        run(code.replace("@%c0 ld", "ld"))


def test_alignment():
    with pytest.raises(ptxemu.Fault, match="not a multiple of 16"):
        run("add.u64 %p, %p, 8; cp.async.cg.shared.global [%s], [%p], 16;")
    with pytest.raises(ptxemu.PTXError, match="of 12 bytes"):
        run("cp.async.ca.shared.global [%s], [%p], 12;")
