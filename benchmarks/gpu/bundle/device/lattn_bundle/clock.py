"""Times by the driver's events: launches back to back inside each pair."""

import statistics

from .driver import Event

LAUNCHES, PAIRS = 10, 5
MOST_MS = 400             # of a pair of events


def measure(driver, run, pairs=PAIRS):
    """{"median_ms", "least_ms", "launches", "times_ms"} of one launch. No flush of
    L2: a workload's arrays are larger."""
    begin, end = Event(driver), Event(driver)

    def time(launches):
        begin.record()
        for _ in range(launches):
            run()
        end.record()
        return begin.milliseconds_to(end) / launches

    run()
    driver.synchronize()
    launches = max(1, min(LAUNCHES, int(MOST_MS / max(time(1), 1e-6))))
    times = [time(launches) for _ in range(pairs)]
    begin.free()
    end.free()
    return {"median_ms": statistics.median(times), "least_ms": min(times),
            "launches": launches, "times_ms": times}
