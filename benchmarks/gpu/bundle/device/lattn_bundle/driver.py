"""The CUDA driver's functions by ctypes; no toolkit is needed."""

import ctypes
import os

from .errors import BundleError, DriverError

MAXIMUM_SHARED = 8                 # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_...
CLUSTER_DIMENSION = 4              # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
PROMOTIONS = {0: 0, 64: 1, 128: 2, 256: 3}
ELEMENTS = {"f16": 6, "f32": 7, "bf16": 9}
NUMBERS = {"i64": ctypes.c_int64, "i32": ctypes.c_int32, "i1": ctypes.c_bool,
           "f32": ctypes.c_float, "f64": ctypes.c_double}
SUFFIXES = {"cuDevicePrimaryCtxRelease": "_v2", "cuCtxPushCurrent": "_v2",
            "cuCtxPopCurrent": "_v2", "cuMemAlloc": "_v2", "cuMemFree": "_v2",
            "cuMemcpyHtoDAsync": "_v2", "cuMemcpyDtoHAsync": "_v2",
            "cuEventDestroy": "_v2"}


class LaunchAttribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("padding", ctypes.c_char * 4),
                ("cluster", ctypes.c_uint * 3), ("rest", ctypes.c_char * 52)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.POINTER(LaunchAttribute)),
                ("count", ctypes.c_uint)]


def find_library():
    name = os.environ.get("LATTN_LIBCUDA") or "libcuda.so.1"
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise BundleError(f"no CUDA driver: {error}") from None


class Driver:
    """A GPU with its primary context, which torch uses, too."""

    def __init__(self, ordinal=0):
        self.library = find_library()
        self("cuInit", 0)
        count = ctypes.c_int()
        self("cuDeviceGetCount", ctypes.byref(count))
        if not 0 <= ordinal < count.value:
            raise BundleError(f"no GPU {ordinal}: the driver has {count.value}")
        self.device = ctypes.c_int()
        self("cuDeviceGet", ctypes.byref(self.device), ordinal)
        name = ctypes.create_string_buffer(256)
        self("cuDeviceGetName", name, 256, self.device)
        self.name = name.value.decode()
        self.major, self.minor = self.attribute(75), self.attribute(76)
        self.shared = self.attribute(97)
        context = ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self("cuCtxPushCurrent", context)

    def __call__(self, function, *arguments):
        symbol = getattr(self.library, function + SUFFIXES.get(function, ""),
                         None)
        if symbol is None:
            raise BundleError(f"this driver has no {function}")
        if status := symbol(*arguments):
            raise DriverError(f"{function}: {self.describe(status)}")

    def describe(self, status):
        text = ctypes.c_char_p()
        self.library.cuGetErrorName(status, ctypes.byref(text))
        return text.value.decode() if text.value else f"error {status}"

    def attribute(self, number):
        value = ctypes.c_int()
        self("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def version(self):
        value = ctypes.c_int()
        self("cuDriverGetVersion", ctypes.byref(value))
        return value.value

    def synchronize(self, stream=None):
        self("cuStreamSynchronize", ctypes.c_void_p(stream))

    def load(self, image):
        module = ctypes.c_void_p()
        self("cuModuleLoadDataEx", ctypes.byref(module), image, 0, None, None)
        return module

    def unload(self, module):
        self("cuModuleUnload", module)

    def function(self, module, name, shared):
        function = ctypes.c_void_p()
        self("cuModuleGetFunction", ctypes.byref(function), module,
             name.encode())
        if shared > self.shared:
            raise BundleError(f"{name} needs {shared} bytes of shared memory per "
                              f"block, but a block may have {self.shared}")
        self("cuFuncSetAttribute", function, MAXIMUM_SHARED, shared)
        return function

    def bind(self, function, launch, parameters, stream):
        """Returns a call that launches the function; its arguments are built once.
        `parameters` are ctypes objects."""
        pointers = (ctypes.c_void_p * len(parameters))(
            *(ctypes.cast(ctypes.pointer(p), ctypes.c_void_p).value
              for p in parameters))
        if tuple(launch.cluster) == (1, 1, 1):
            name, arguments = "cuLaunchKernel", (
                function, *map(ctypes.c_uint, (*launch.grid, *launch.block,
                                               launch.shared)),
                ctypes.c_void_p(stream), pointers, None)
        else:
            attribute = LaunchAttribute(id=CLUSTER_DIMENSION,
                                        cluster=launch.cluster)
            config = LaunchConfig(grid=launch.grid, block=launch.block,
                                  shared=launch.shared, stream=stream,
                                  attributes=ctypes.pointer(attribute), count=1)
            name, arguments = "cuLaunchKernelEx", (
                ctypes.byref(config), function, pointers, None)
        symbol, kept = getattr(self.library, name), parameters

        def run():
            if status := symbol(*arguments):
                raise DriverError(f"{name}: {self.describe(status)}")
            return kept
        return run

    def encode(self, tensor_map, address):
        """The 128 bytes of a tensor map, at a multiple of 64."""
        rank = len(tensor_map.sizes)
        space = ctypes.create_string_buffer(192)
        start = -ctypes.addressof(space) % 64
        made = (ctypes.c_char * 128).from_buffer(space, start)
        self("cuTensorMapEncodeTiled", ctypes.byref(made),
             ELEMENTS[tensor_map.element], rank,
             ctypes.c_void_p(address + tensor_map.offset),
             (ctypes.c_uint64 * rank)(*tensor_map.sizes),
             (ctypes.c_uint64 * rank)(*tensor_map.strides),
             (ctypes.c_uint32 * rank)(*tensor_map.box),
             (ctypes.c_uint32 * rank)(*[1] * rank), 0,
             SWIZZLES[tensor_map.swizzle], PROMOTIONS[tensor_map.promotion], 0)
        return made


class Event:
    def __init__(self, driver):
        self.driver, self.handle = driver, ctypes.c_void_p()
        driver("cuEventCreate", ctypes.byref(self.handle), 0)

    def record(self, stream=None):
        self.driver("cuEventRecord", self.handle, ctypes.c_void_p(stream))

    def milliseconds_to(self, end):
        """Waits for `end`."""
        self.driver("cuEventSynchronize", end.handle)
        time = ctypes.c_float()
        self.driver("cuEventElapsedTime", ctypes.byref(time), self.handle,
                    end.handle)
        return time.value

    def free(self):
        self.driver("cuEventDestroy", self.handle)


class Memory:
    """A block of the GPU's memory."""

    def __init__(self, driver, size):
        self.driver, self.size = driver, size
        pointer = ctypes.c_uint64()
        driver("cuMemAlloc", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        self.address = pointer.value

    def free(self):
        self.driver("cuMemFree", ctypes.c_uint64(self.address))

    def copy_in(self, source):
        self.driver("cuMemcpyHtoDAsync", ctypes.c_uint64(self.address),
                    ctypes.c_void_p(source), ctypes.c_size_t(self.size), None)
        self.driver.synchronize()

    def copy_out(self, target):
        self.driver("cuMemcpyDtoHAsync", ctypes.c_void_p(target),
                    ctypes.c_uint64(self.address), ctypes.c_size_t(self.size),
                    None)
        self.driver.synchronize()
