# Compile through ccache where it is installed, so that a fresh clone's build
# finds what an earlier one compiled: paths below the source tree count as
# relative, and precompiled headers are compared by content.
option(LATTN_CCACHE "Compile through ccache where it is installed" ON)
find_program(LATTN_CCACHE_PROGRAM ccache)
mark_as_advanced(LATTN_CCACHE_PROGRAM)
if(LATTN_CCACHE AND LATTN_CCACHE_PROGRAM AND
   (NOT CMAKE_CXX_COMPILER_LAUNCHER OR
    CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$"))
  foreach(language C CXX)
    set(CMAKE_${language}_COMPILER_LAUNCHER env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${LATTN_CCACHE_PROGRAM})
  endforeach()
endif()
