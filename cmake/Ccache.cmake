# Compile through ccache where it is installed, so that a fresh clone at the
# same path finds what an earlier one compiled. (A precompiled header names its
# own absolute path: elsewhere only what does without one is found.)
option(LATTN_CCACHE "Compile through ccache where it is installed" ON)
find_program(LATTN_CCACHE_PROGRAM ccache)
mark_as_advanced(LATTN_CCACHE_PROGRAM)
if(LATTN_CCACHE AND LATTN_CCACHE_PROGRAM AND
   (NOT CMAKE_CXX_COMPILER_LAUNCHER OR
    CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$"))
  foreach(language C CXX)
    set(CMAKE_${language}_COMPILER_LAUNCHER env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${LATTN_CCACHE_PROGRAM})
  endforeach()
endif()
