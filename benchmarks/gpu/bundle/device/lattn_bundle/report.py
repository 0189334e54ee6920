"""Results as Markdown."""

from . import cases

CEILING = "matmul 8192"


def format_options(options):
    return ", ".join(f"{name} {value}" for name, value in options.items())


def describe_checks(results):
    wrong = [r for r in results["checks"] if r["wrong"]]
    worst = max((r["worst"] for r in results["checks"]), default=0)
    lines = ["## Checks", "",
             f"{len(results['checks'])} kernels on "
             f"{results['check_sizes']} sizes each against a reference in f64: "
             f"{len(wrong)} wrong, at worst {worst:.2f} tolerances. The "
             "tolerances are "
             + ", ".join(f"{t:.1e} ({name})"
                         for name, t in cases.TOLERANCES.items())
             + " times max(1, |expected|).", ""]
    for result in wrong:
        lines += [f"- WRONG: {result['id']}: {result['wrong'][0]}"]
    return lines


def describe_sanitizer(results):
    lines = ["", "## compute-sanitizer", ""]
    if results["sanitizer"] is None:
        return lines + ["Not installed."]
    for run in results["sanitizer"]:
        lines += [f"- {run['tool']}, {len(run['kernels'])} kernels: "
                  f"{'clean' if run['clean'] else 'FOUND SOMETHING'}"]
    return lines


def describe_workload(result):
    ceiling = result["times"][CEILING]["tflops"]
    lines = ["", f"### {result['workload']['name']}", "",
             f"Best tiles: {format_options(result['best']['options'])}; error "
             f"{result['error']:.2f} tolerances.", "",
             "| | median ms | least ms | TFLOP/s | of the matmul |",
             "|---|---|---|---|---|"]
    for name, t in sorted(result["times"].items(),
                          key=lambda item: item[1]["median_ms"]):
        lines += [f"| {name} | {t['median_ms']:.3f} | {t['least_ms']:.3f} | "
                  f"{t['tflops']:.1f} | {t['tflops'] / ceiling:.1%} |"]
    for name, why in result["missing"].items():
        lines += [f"| {name} | | | | {why} |"]
    return lines


def write(results):
    machine = results["machine"]
    lines = [f"# lattn's attention on {machine['gpu']}", "",
             ", ".join(f"{name} {value}" for name, value in machine.items()), ""]
    if "checks" in results:
        lines += describe_checks(results)
    if "sanitizer" in results:
        lines += describe_sanitizer(results)
    if "workloads" in results:
        lines += ["", "## Times", "",
                  "CUDA events, by turns, L2 flushed before each, random data; "
                  "visible pairs alone count as work."]
        for result in results["workloads"]:
            lines += describe_workload(result)
    return "\n".join(lines) + "\n"
