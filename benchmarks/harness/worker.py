"""A process for each workload: its CPUs and numbers of threads are set before
anything is imported, and an implementation that dies takes nobody along."""

import multiprocessing
import os
import signal
import tempfile

VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS",
             "LATTN_NUM_THREADS")


class Died(Exception):
    """The process ended; args: who was at work, exit code, its last words."""


def _set_up(threads, folder, cache):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What implementations have to say would tear up the progress bar.
    log = os.open(os.path.join(folder, "log"), os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])
    for name in VARIABLES:
        os.environ[name] = str(threads)
    os.environ.update(
        LATTN_CACHE_DIR="off", JAX_PLATFORMS="cpu",
        TORCHINDUCTOR_CACHE_DIR=cache,
        TORCHINDUCTOR_COMPILE_THREADS="1")


def _work(pipe, folder, workload, names, options):
    _set_up(workload.threads, folder, options["cache"])
    from .measure import measure

    def tell(kind, content):
        pipe.send((kind, content))
    tell("done", measure(workload, names, options, tell))


def _last_line(folder):
    with open(os.path.join(folder, "log"), errors="replace") as log:
        return (log.read().strip().splitlines() or ["nothing"])[-1]


def _run_once(workload, names, options, at):
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=_work, daemon=True, args=(
            sender, folder, workload, names, options))
        process.start()
        sender.close()
        last = "the start"
        try:
            while True:
                kind, content = receiver.recv()
                if kind == "done":
                    return content
                last = content
                if kind == "at":
                    at(content)
        except EOFError:
            process.join()
            raise Died(last, process.exitcode, _last_line(folder)) from None
        finally:
            process.terminate()
            process.join()


def run(workload, names, options, at):
    """measure.measure's report; `at(text)` hears of its steps."""
    dead = {}
    while True:
        try:
            report = _run_once(workload, [n for n in names if n not in dead],
                               options, at)
        except Died as death:
            last, code, words = death.args
            if last not in names:
                raise RuntimeError(f"{workload.name}: the process ended with "
                                   f"{code} at {last}: {words}") from None
            dead[last] = f"its process ended with {code}"
        else:
            report["failed"] |= dead
            return report
