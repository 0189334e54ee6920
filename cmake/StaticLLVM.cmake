# What lattn's libraries link of LLVM and MLIR: the shared libraries, or for a
# wheel, which runs where neither is, their archives.
set(LATTN_LLVM_LIBRARIES MLIR LLVM)
if(LATTN_WHEEL)
  # The exported targets of the archives would bring libLLVM.so along. The
  # linker takes of them what it needs.
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a
    ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "MLIRCAPI|Test")
  add_library(LattnStaticLLVM INTERFACE)
  target_link_libraries(LattnStaticLLVM INTERFACE ${archives}
    -l:libz.a -l:libzstd.a -l:libgcc.a)
  # Nothing of LLVM is seen by other libraries of the process, which may bring
  # an LLVM of their own. This compiler's C++ library and conversions of f16
  # (libgcc.a) may be newer than those of the machine where the wheel runs.
  add_link_options(-static-libstdc++
    -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed)
  set(LATTN_LLVM_LIBRARIES LattnStaticLLVM)
  add_compile_options(-ffunction-sections -fdata-sections)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH OFF)
  set(CMAKE_INSTALL_RPATH "$ORIGIN")
endif()
