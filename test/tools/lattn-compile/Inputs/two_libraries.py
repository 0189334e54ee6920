"""two_libraries.py LIBRARIES: sets the number of threads by one and reads it
by each; the last is loaded after it was set."""

import ctypes
import os
import sys

libraries = [ctypes.CDLL(os.path.abspath(path), mode=os.RTLD_LOCAL)
             for path in sys.argv[1:-1]]


def read():
    for library in libraries:
        library.lattn_get_num_threads.restype = ctypes.c_int64
    return [library.lattn_get_num_threads() for library in libraries]


libraries[0].lattn_set_num_threads(ctypes.c_int64(3))
libraries.append(ctypes.CDLL(os.path.abspath(sys.argv[-1])))
print(read())
libraries[-1].lattn_set_num_threads(ctypes.c_int64(2))
print(read())
