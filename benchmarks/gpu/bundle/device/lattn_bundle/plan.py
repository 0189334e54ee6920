"""What is done, in this order: the most valuable first.

machine    facts, and the rates of a matrix product and of a copy
model      each workload's own kernel: checks, then its time
peers      torch's SDPA
variants   kernels without ping-pong, without a persistent grid
tuning     tile sizes in three rounds, the best predicted first
ncu        counters of four kernels, where ncu is installed
others     FlexAttention, flash-attn
sanitizer  compute-sanitizer, where it is installed

A job is a dictionary for the worker or for tools.py; "limit" are its seconds,
where they are not the watchdog's, and "skip" is why it is not done.
"""

import itertools

NCU_KERNELS = 4
NCU_SECONDS, OTHERS_SECONDS, SANITIZER_SECONDS = 60, 60, 30   # of a job
OTHERS_SHARE, SANITIZER_SHARE = 0.6, 1.0    # of the time that is left
ROUND_PAIRS = (1, 5, 15)                    # of events
FEWEST = 4                                  # kernels of a workload in round 2


def make_key(step, job):
    return "/".join([step] + [str(job[name]) for name in (
        "kind", "tool", "peer", "workload", "kernel") if name in job])


class Plan:
    """`results` has lines by key; `left` says how many seconds there are."""

    def __init__(self, manifest, kernels, results, left, only=()):
        self.kernels, self.results, self.left = kernels, results, left
        self.workloads = [
            w for w in manifest["workloads"] if (not only or w["name"] in only)
            and any(k["family"] == w["family"] for k in kernels)]
        self.timed = [w for w in self.workloads if w["N"]]
        self.steps = {name: getattr(self, name) for name in (
            "machine", "model", "peers", "variants", "tuning", "ncu", "others",
            "sanitizer")}

    def jobs(self, steps):
        """(step, job), each after the results of those before it."""
        for step in self.steps:
            if step in steps:
                for job in self.steps[step]():
                    yield step, job

    # ---- What is known ------------------------------------------------------

    def of(self, workload, role):
        return [k for k in self.kernels
                if k["family"] == workload["family"] and k["role"] == role]

    def find_stop(self, kernel):
        """Why a kernel is not tried again, or None."""
        for line in self.results.done.values():
            if line.get("kernel") == kernel and line["status"] in (
                    "hung", "died", "error"):
                return f"{line['kind']}: {line['status']}"
        return None

    def job(self, kind, entry, **more):
        job = {"kind": kind, "kernel": entry["id"], **more}
        reason = self.find_stop(entry["id"])
        return job | {"skip": reason} if reason else job

    def median(self, step, kind, workload, entry):
        key = make_key(step, {"kind": kind, "workload": workload["name"],
                              "kernel": entry["id"]})
        line = self.results.done.get(key, {})
        return line.get("median_ms") if line.get("status") == "ok" else None

    # ---- Steps -------------------------------------------------------------

    def machine(self):
        for kind in ("machine", "matmul", "copy"):
            yield {"kind": kind}

    def check_and_time(self, entry, workload, checked):
        if entry["id"] not in checked:
            checked.add(entry["id"])
            yield self.job("check", entry)
            yield self.job("ragged", entry)
        if workload["N"]:
            yield self.job("time", entry, workload=workload["name"], check=True)

    def model(self):
        checked = set()
        for workload in self.workloads:
            for entry in self.of(workload, "model"):
                yield from self.check_and_time(entry, workload, checked)

    def peers(self):
        for workload in self.timed:
            for peer in ("SDPA flash", "SDPA cuDNN"):
                yield {"kind": "peer", "peer": peer, "workload": workload["name"]}

    def variants(self):
        checked = set()
        for workload in self.timed:
            for entry in self.of(workload, "variant"):
                yield from self.check_and_time(entry, workload, checked)

    def rank(self, workload):
        """Tile sizes, the best predicted first."""
        def cost(entry):
            cycles = entry["predicted"].get(workload["name"])
            spills = any(k["spillBytes"] for k in entry["ptxas"])
            return spills, float("inf") if cycles is None else cycles
        return sorted(self.of(workload, "tuning"), key=cost)

    def best(self, step, kind, workload, entries, count):
        """Those measured that took the least time."""
        timed = [(self.median(step, kind, workload, e), e) for e in entries]
        timed = sorted((t for t in timed if t[0] is not None), key=lambda t: t[0])
        return [entry for _, entry in timed[:count]]

    def tuning(self):
        """Half of the time that is left is the first round's."""
        ranked = [self.rank(w) for w in self.timed]
        end = self.left() / 2
        for entries in itertools.zip_longest(*ranked):
            for workload, entry in zip(self.timed, entries):
                if entry and self.left() > end:
                    yield self.job("try", entry, workload=workload["name"],
                                   pairs=ROUND_PAIRS[0])
        second = []
        for workload, entries in zip(self.timed, ranked):
            count = max(FEWEST, len(entries) // 3)
            second.append(self.best("tuning", "try", workload, entries, count))
            for entry in second[-1]:
                yield self.job("second", entry, workload=workload["name"],
                               pairs=ROUND_PAIRS[1])
        for workload, entries in zip(self.timed, second):
            best = self.best("tuning", "second", workload, entries, 2)
            for entry in best and best + self.of(workload, "model"):
                yield self.job("third", entry, workload=workload["name"],
                               pairs=ROUND_PAIRS[2], check=True)

    def ncu(self):
        for workload in self.timed[:NCU_KERNELS]:
            for entry in self.of(workload, "model"):
                yield self.job("ncu", entry, workload=workload["name"],
                               limit=NCU_SECONDS)

    def others(self):
        end = self.left() * (1 - OTHERS_SHARE)
        for workload in self.timed:
            for peer in ("FlexAttention, compiled", "flash-attn"):
                if self.left() > end:
                    yield {"kind": "peer", "peer": peer,
                           "workload": workload["name"],
                           "limit": min(OTHERS_SECONDS, self.left() - end)}

    def sanitizer(self):
        end = self.left() * (1 - SANITIZER_SHARE)
        for tool in ("memcheck", "racecheck"):
            for workload in self.workloads:
                for entry in self.of(workload, "model"):
                    if self.left() > end:
                        yield self.job("sanitizer", entry, tool=tool,
                                       limit=SANITIZER_SECONDS)
