"""Of LLVM's assembly on stdin: the innermost loops of many FMAs on whole vectors,
with how many vectors they spill or load back, and what the code calls."""

import re
import sys

TARGETS = {
    # A register of an FMA, any vector register, a call
    "ymm": (r"vfn?madd\d+p[sd]\s.*%ymm", r"%[xy]mm", r"\s(?:call|jmp)q?\s+(\w+)"),
    "zmm": (r"vfn?madd\d+p[sd]\s.*%zmm", r"%[xyz]mm", r"\s(?:call|jmp)q?\s+(\w+)"),
    "amx": (r"tdpbf16ps\s", r"%tmm", r"\s(?:call|jmp)q?\s+(\w+)"),
    "bf16": (r"vdpbf16ps\s.*%zmm", r"%[xyz]mm", r"\s(?:call|jmp)q?\s+(\w+)"),
    "neon": (r"fmla\s+v\d+\.(?:4s|2d)", r"\s[qd]\d+,", r"\sbl?\s+(\w+)"),
}
LEAST = 12  # FMAs


def find_labels(lines):
    return {match[1]: i for i, line in enumerate(lines)
            if (match := re.match(r"([.\w]+):", line))}


def find_loops(lines):
    """The instructions of each loop that has no loop in it."""
    labels = find_labels(lines)
    for end, line in enumerate(lines):
        jump = re.match(r"\s[^#/]*\s(\.LBB\w+)(?=\s|$)", line)
        begin = labels.get(jump[1], end) if jump else end
        body = lines[begin:end + 1]
        if begin < end and not any(
                re.match(r"\.LBB", part) for part in body[1:]):
            yield body[1:]


def find_spills(body):
    return [part for part in body if re.search("Spill|Reload", part)]


def main():
    fma, vector, call = (re.compile(p) for p in TARGETS[sys.argv[1]])
    lines = sys.stdin.read().splitlines()
    for body in find_loops(lines):
        count = sum(bool(fma.search(part)) for part in body)
        spills = [part for part in find_spills(body) if vector.search(part)]
        if count >= LEAST:
            print(f"loop of {count} FMAs, {len(spills)} spills")
    called = {match[1] for line in lines if (match := call.match(line))}
    print("calls:", *sorted(called - set(find_labels(lines))))


if __name__ == "__main__":
    main()
