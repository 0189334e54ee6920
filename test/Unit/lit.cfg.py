# The unit tests: every program below that is called *Tests. What takes long is
# called *Slow* and runs with the parameter slow=1.

import os

import lit.formats

config.name = "lattn-unit"
config.suffixes = []
config.test_source_root = os.path.join(config.lattn_build_root, "test", "Unit")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "Tests")

for name in ["HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Tests compile; those of the cache say where.
config.environment["LATTN_CACHE_DIR"] = "off"
config.environment["LATTN_MCPU"] = lit_config.params.get("host", "")
# Whose packages may have ptxas.
config.environment["VIRTUAL_ENV"] = os.path.dirname(
    os.path.dirname(config.python))
if config.sanitizer:
    config.environment.setdefault(
        "ASAN_OPTIONS",
        "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0")
    config.environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
if lit_config.params.get("slow", "0") in ("0", "", "off"):
    config.environment["GTEST_FILTER"] = "-*Slow*"
