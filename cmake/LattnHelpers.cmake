# Thin helpers: a library, a tool, a unit test, a tablegen step.

# Compile flags for the project's own code. LLVM's headers are system headers,
# so that warnings as errors only judge what is ours.
set(LATTN_FLAGS -Wall -Wextra -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<BOOL:${LATTN_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Precompiled headers of equal content are equal files: for ccache.
  list(APPEND LATTN_FLAGS -Wno-ambiguous-reversed-operator
    "SHELL:-Xclang -fno-pch-timestamp")
endif()
add_library(LattnOptions INTERFACE)
target_compile_options(LattnOptions INTERFACE "$<BUILD_INTERFACE:${LATTN_FLAGS}>")
separate_arguments(LATTN_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(LattnOptions INTERFACE ${LATTN_LLVM_DEFINITIONS})
target_include_directories(LattnOptions SYSTEM INTERFACE
  $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}> $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
target_include_directories(LattnOptions INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(NOT LATTN_WHEEL)
  install(TARGETS LattnOptions EXPORT LattnTargets)
endif()
set_target_properties(LattnOptions PROPERTIES EXPORT_NAME LattnOptions)

# All that the lit tests use: tools, the plugin, and what is installed.
add_custom_target(lattn-tools)

# lattn_import_library(Name LINK...): the library Name of the build LATTN_BUILT.
function(lattn_import_library name)
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION ${LATTN_BUILT}/lib/lib${name}.a)
  target_link_libraries(${name} INTERFACE ${ARGN})
endfunction()

# lattn_add_library(Name SOURCES... [DEPENDS tblgen targets...] [LINK libs...]
#                   [NO_MLIR])
# A static library Name, exported as Lattn::Name. With NO_MLIR it links neither
# LLVM nor MLIR.
function(lattn_add_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "DEPENDS;LINK" ${ARGN})
  if(LATTN_BUILT)
    lattn_import_library(${name} LattnOptions ${ARG_LINK} ${LATTN_LLVM_LIBRARIES})
    return()
  endif()
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Lattn::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC LattnOptions ${ARG_LINK})
  if(NOT ARG_NO_MLIR)
    target_link_libraries(${name} PUBLIC ${LATTN_LLVM_LIBRARIES})
    if(LATTN_PCH_TARGET)
      target_precompile_headers(${name} REUSE_FROM ${LATTN_PCH_TARGET})
    endif()
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  add_dependencies(lattn-tools ${name})
  if(NOT LATTN_WHEEL)
    install(TARGETS ${name} EXPORT LattnTargets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endfunction()

# lattn_add_tool(name SOURCES... [LINK libs...])
function(lattn_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE LattnOptions ${ARG_LINK} MLIR LLVM)
  add_dependencies(lattn-tools ${name})
  set_property(GLOBAL APPEND PROPERTY LATTN_TOOLS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# lattn_add_unittest(NameTests SOURCES... [LINK libs...]): a program of
# GoogleTest's in test/Unit. lit runs what is called *Tests.
function(lattn_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE
    LattnOptions ${ARG_LINK} GTest::gtest GTest::gtest_main)
  add_dependencies(lattn-unit-tests ${name})
endfunction()

# lattn_tablegen(Target File.td OUTPUT ARGS... [OUTPUT2 ARGS...]): one target
# over pairs "output|arguments".
function(lattn_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  foreach(pair ${ARGN})
    string(REPLACE "|" ";" pair "${pair}")
    list(POP_FRONT pair output)
    mlir_tablegen(${output} ${pair})
  endforeach()
  add_public_tablegen_target(${target})
  add_dependencies(lattn-headers ${target})
endfunction()
add_custom_target(lattn-headers)
