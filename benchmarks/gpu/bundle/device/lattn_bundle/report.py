"""Results, as many as there are, as Markdown."""

from . import reference

BAD = ("wrong", "hung", "died", "error", "failed")
COUNTERS = {"gpu__time_duration.sum": "time",
            "sm__throughput.avg.pct_of_peak_sustained_elapsed": "SM throughput %",
            "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed":
                "memory throughput %",
            "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancy %",
            "smsp__issue_active.avg.per_cycle_active": "issued a cycle",
            "launch__registers_per_thread": "registers"}


def describe(line):
    return " ".join(str(line[name]) for name in (
        "kind", "tool", "peer", "workload", "kernel") if name in line)


def write_machine(lines):
    text = []
    for line in lines:
        if line.get("kind") == "machine" and "facts" in line:
            facts = dict(line["facts"])
            smi = facts.pop("nvidia-smi", {})
            text += [f"- {name}: {value}" for name, value in
                     (facts | smi).items() if value is not None]
        elif line.get("kind") == "matmul" and "tflops" in line:
            text.append(f"- product of matrices of 8192, bf16: "
                        f"{line['tflops']:.0f} TFLOP/s")
        elif line.get("kind") == "copy" and "gb_per_s" in line:
            text.append(f"- copy, read and written: {line['gb_per_s']:.0f} GB/s")
    return text


def write_checks(lines):
    checks = [line for line in lines if "worst" in line]
    worst = max((line["worst"] for line in checks), default=0)
    tolerances, terms = (", ".join(f"{t:.1e} ({name})" for name, t in x.items())
                         for x in (reference.TOLERANCES, reference.ROUNDING))
    text = ["", "## Checks", "",
            f"{len(checks)} checks, {sum(l['status'] == 'ok' for l in checks)} of "
            f"them right; at worst {worst:.3g} tolerances. The tolerances are "
            f"{tolerances} times max(1, |expected|), and of gradients {terms} times "
            "the sum of their terms' magnitudes.", ""]
    for line in lines:
        if line["status"] in BAD:
            why = line.get("reason") or (line.get("wrong") or [""])[0]
            why = str(why).strip().splitlines() or [""]
            text.append(f"- {line['status'].upper()}: {describe(line)}: "
                        f"{why[0][:200]}")
    return text


def name_row(line):
    """What a line of times is called in the table."""
    if "peer" in line:
        return line["peer"]
    tiles = line["kernel"].split(".")[1]
    how = {"model": "lattn", "variants": "variant", "tuning": "tuned"}
    rounds = {"try": ", round 1", "second": ", round 2", "third": ", round 3"}
    return f"{how[line['step']]} ({tiles}{rounds.get(line['kind'], '')})"


def choose_rows(lines):
    """All but tile sizes, of which the best of the last round there is."""
    rows = [line for line in lines if line["step"] != "tuning"]
    tuned = [line for line in lines if line["step"] == "tuning"]
    for kind in ("third", "second", "try"):
        of_round = [line for line in tuned if line["kind"] == kind]
        if of_round:
            best = sorted(of_round, key=lambda line: line["median_ms"])
            return rows + best[:3]
    return rows


def write_workload(name, lines, ceiling, wrong):
    rows = choose_rows([l for l in lines if "median_ms" in l])
    text = ["", f"### {name}", "",
            "| | median ms | least ms | TFLOP/s | predicted TFLOP/s | of the product of "
            "matrices |", "|---|--:|--:|--:|--:|--:|"]
    for line in sorted(rows, key=lambda line: line["median_ms"]):
        share = f"{line['tflops'] / ceiling:.1%}" if ceiling else ""
        predicted = (f" {line['predicted_tflops']:.1f}"
                     if "predicted_tflops" in line else "")
        note = " WRONG" if line.get("kernel") in wrong else ""
        text.append(f"| {name_row(line)}{note} | {line['median_ms']:.4g} | "
                    f"{line['least_ms']:.4g} | {line['tflops']:.1f} |{predicted} | "
                    f"{share} |")
    for line in lines:
        if line["status"] == "missing":
            text.append(f"| {line.get('peer', describe(line))} | | | | | "
                        f"{line['reason'][:100]} |")
    return text


def write_tools(lines):
    text = []
    for line in lines:
        if line["status"] == "missing":
            reason = f"{line['reason']}."
            text += [] if reason in text else [reason]
        elif "metrics" in line:
            found = [f"{title} {line['metrics'][name]}" for name, title
                     in COUNTERS.items() if name in line["metrics"]]
            text.append(f"- ncu, {line['workload']}: {len(line['metrics'])} "
                        f"counters; {', '.join(found)}")
        elif line["kind"] == "sanitizer":
            text.append(f"- {line['tool']}, {line['kernel']}: {line['status']}")
    return ["", "## Tools", ""] + text if text else []


def write(lines):
    """`lines`, in order; any of them may lack."""
    by_key = {line["key"]: line for line in lines}
    begin, end = by_key.get("begin", {}), by_key.get("end", {})
    results = [line for line in lines if "step" in line]
    matmul = by_key.get("machine/matmul", {})
    text = [f"# lattn's attention on {begin.get('gpu', 'an unknown GPU')}", "",
            f"{len(results)} results; "
            f"{end.get('reason', 'the run was cut off')}. Machine code of "
            f"{begin.get('code', 'an unknown version')}.", ""]
    text += write_machine(results) + write_checks(results)
    text += ["", "## Times", "", "A time is between two events of the CUDA "
             "driver, with ten launches between them, on random data. TFLOP/s count "
             "the work of visible pairs only."]
    timed = [l for l in results if "workload" in l and l["step"] != "ncu"]
    wrong = {l["kernel"] for l in results if l["status"] == "wrong"}
    for name in dict.fromkeys(line["workload"] for line in timed):
        text += write_workload(name, [l for l in timed if l["workload"] == name],
                               matmul.get("tflops"), wrong)
    text += write_tools([l for l in results if l["kind"] in ("ncu", "sanitizer")])
    return "\n".join(text) + "\n"
