# How lit runs lattn's tests.
#
# Parameters: slow=1 runs what REQUIRES: slow; verify_roundtrip=1 makes every
# lattn-opt in test/Dialect print and parse its input first; host=CPU, such as
# x86-64-v3, makes every tool take the machine for that CPU. Of generated cases a
# test runs a slice, slice=N another one, and campaign=1 many: scripts/campaign.

import contextlib
import glob
import os
import shutil
import subprocess
import time

import lit.formats

config.name = "lattn"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py",
                   "lit.local.cfg", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.lattn_build_root, "test")


def is_set(name):
    return lit_config.params.get(name, "0") not in ("0", "", "off")


campaign = is_set("campaign")

# A test that hangs fails: the longest take 3 minutes, in a campaign hours. lit
# needs psutil for that.
if lit_config.maxIndividualTestTime == 0:
    try:
        import psutil  # noqa: F401
        lit_config.maxIndividualTestTime = 86400 if campaign else 1800
    except ImportError:
        pass

# ---- Tools -----------------------------------------------------------------


def add_tool(name, path):
    """Runs of the word `name`, but not of a path or option that ends in it."""
    config.substitutions.append((r"(?<![\w./%-])" + name + r"(?![\w./-])", path))


for tool in ["lattn-opt", "lattn-run", "lattn-compile",
             "lattn-lsp-server"]:
    add_tool(tool, os.path.join(config.lattn_tools_dir, tool))
for tool in ["FileCheck", "not", "count", "split-file"]:
    add_tool(tool, os.path.join(config.llvm_tools_dir, tool))

config.substitutions += [
    ("%mlir_opt", os.path.join(config.llvm_tools_dir, "mlir-opt")),
    ("%llvm_bin", config.llvm_tools_dir),
    ("%mlir_dir", config.mlir_dir),
    ("%plugin", config.lattn_plugin),
    ("%python", config.python),
    ("%cmake", config.cmake),
    ("%cxx", config.cxx),
    # The C API's library has its sanitizers' runtime from the program.
    ("%cc", config.cc + (f" -fsanitize={config.sanitizer}"
                         if config.sanitizer else "")),
    ("%clang_format", config.clang_format),
    ("%lattn_src", config.lattn_src_root),
    ("%lattn_build", config.lattn_build_root),
    ("%lattn_lib", config.lattn_lib_dir),
    ("%fake_cuda", os.path.join(config.test_exec_root, "Unit", "Runtime",
                                "CUDA", "libfake_cuda.so")),
]


def find_cuda_tool(name):
    """The path of one of NVIDIA's tools: installed, or PyPI's."""
    prefix = os.path.dirname(os.path.dirname(config.python))
    folders = [os.environ.get("PATH", "")]
    if "CUDA_HOME" in os.environ:
        folders.append(os.path.join(os.environ["CUDA_HOME"], "bin"))
    folders.append("/usr/local/cuda/bin")
    folders += glob.glob(os.path.join(
        prefix, "lib", "python*", "site-packages", "nvidia", "cu*", "bin"))
    return shutil.which(name, path=os.pathsep.join(folders))


cuda_tools = {name: find_cuda_tool(name)
              for name in ["ptxas", "nvdisasm", "cuobjdump", "nvcc"]}
# scripts/setup has that of CUDA 12 in a folder of its own.
cuda_tools["ptxas12"] = shutil.which("ptxas", path=os.path.join(
    os.path.dirname(os.path.dirname(config.python)), "cuda12", "nvidia",
    "cuda_nvcc", "bin"))
for name, path in sorted(cuda_tools.items(), reverse=True):
    config.substitutions.append(("%" + name, path or name))

# Generated cases: `--seed=%{slice}7 --cases=20%{times100}` are 20 cases of seed 7,
# with slice=3 those of seed 37, and in a campaign 2000. `--every=5 %{slices}` takes
# each fifth case, slice=3 begins with the third, and a campaign takes all.
slice_ = lit_config.params.get("slice", "")
if not slice_.isdecimal() and slice_:
    lit_config.fatal(f"slice: expected a number, got {slice_!r}")
config.substitutions += [
    (r"%\{slice\}", slice_),
    (r"%\{times100\}", "00" if campaign else ""),
    (r"%\{slices\}", "--every=1" if campaign else f"--first=0{slice_}"),
]

# ---- Environment -----------------------------------------------------------

for name in ["CCACHE_DIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
# PyTorch's threads must not spin where tests run side by side on few cores.
config.environment["OMP_WAIT_POLICY"] = "passive"
# Tests compile; those of the cache say where.
config.environment["LATTN_CACHE_DIR"] = "off"
if cuda_tools["ptxas"]:
    config.environment["LATTN_PTXAS"] = os.path.join(config.test_source_root,
                                                     "GPU", "ptxas-once")
    config.environment["PTXAS_ONCE"] = cuda_tools["ptxas"]
    config.environment["PTXAS_ONCE_FOLDER"] = once = os.path.join(
        config.test_exec_root, "ptxas-once")
    for path in glob.glob(os.path.join(glob.escape(once), "*")):
        with contextlib.suppress(OSError):  # another run's doing
            if time.time() - os.path.getmtime(path) > 86400:
                os.remove(path)
if cuda_tools["nvcc"]:
    config.environment["NVCC"] = cuda_tools["nvcc"]
if config.sanitizer:
    # LLVM's own containers and allocations are not instrumented.
    # What instrumented and other code both allocate from is poisoned by half.
    config.environment.setdefault(
        "ASAN_OPTIONS",
        "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0:"
        "allocator_may_return_null=1")
    config.environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")

# ---- What the machine has --------------------------------------------------

if config.sanitizer:
    config.available_features.add("sanitizer")
host = lit_config.params.get("host", "")
config.environment["LATTN_MCPU"] = host
if config.host_arch in ("x86_64", "AMD64"):
    config.available_features.add("host-x86")
    try:
        with open("/proc/cpuinfo") as info:
            flags = set(next(line for line in info
                             if line.startswith("flags")).split())
    except (OSError, StopIteration):
        flags = set()
    for level, needed in {
            "v2": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3",
            "avx": "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3 avx xsave",
            "v3": "avx2 bmi1 bmi2 f16c fma abm movbe xsave",
            "v4": "avx2 avx512f avx512bw avx512cd avx512dq avx512vl"}.items():
        if flags >= set(needed.split()):
            config.available_features.add("host-" + level)
if subprocess.run([config.python, "-c", "import furo, myst_parser, sphinx"],
                  capture_output=True).returncode == 0:
    config.available_features.add("sphinx")
if subprocess.run([config.python, "-c", "import numpy, ml_dtypes"],
                  capture_output=True).returncode == 0:
    config.available_features.add("python")
if os.path.exists(os.path.join(config.lattn_build_root, "python", "lattn",
                               "__init__.py")):
    config.available_features.add("lattn-python")
    if subprocess.run(
            [config.python, "-c", "import importlib.util, sys; sys.path.insert(0, "
             f"{os.path.join(config.lattn_build_root, 'python')!r}); "
             "from lattn import _lattn; sys.exit(not (hasattr(_lattn, "
             "'xla_handlers') and importlib.util.find_spec('jax')))"],
            capture_output=True).returncode == 0:
        config.available_features.add("jax")
    # To import it takes seconds.
    if subprocess.run([config.python, "-c", "import importlib.util, sys; "
                       "sys.exit(not importlib.util.find_spec('torch'))"],
                      capture_output=True).returncode == 0:
        config.available_features.add("torch")
        if subprocess.run(
                [config.python, "-c", "import importlib.util, sys; "
                 "sys.exit(not importlib.util.find_spec('torch_mlir'))"],
                capture_output=True).returncode == 0:
            config.available_features.add("torch-mlir")
        if subprocess.run(
                [config.python, "-c", "import importlib.util, sys; "
                 "sys.exit(not importlib.util.find_spec('transformers'))"],
                capture_output=True).returncode == 0:
            config.available_features.add("transformers")
for name, path in cuda_tools.items():
    if path:
        config.available_features.add(name)
if os.path.exists(config.clang_format):
    config.available_features.add("clang-format")
if os.path.exists(os.path.join(config.llvm_tools_dir, "clang-tidy")):
    config.available_features.add("clang-tidy")
if shutil.which("aarch64-linux-gnu-gcc") and shutil.which("qemu-aarch64"):
    config.available_features.add("aarch64-qemu")
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
if shutil.which("zsh"):
    config.available_features.add("zsh")
if is_set("slow"):
    config.available_features.add("slow")
if campaign:
    config.available_features.add("campaign")
