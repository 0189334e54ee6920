# compile_attend(OPT command...): attend.mlir by a pipeline of mlir-opt or its
# like, as an executable that checks the result. Needs find_package(Lattn).
set(FOREIGN ${CMAKE_CURRENT_LIST_DIR})

function(compile_attend)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "" "OPT;DEPENDS;SOURCES")
  set(out ${CMAKE_CURRENT_BINARY_DIR})
  add_custom_command(OUTPUT ${out}/attend.o
    COMMAND ${ARG_OPT} ${FOREIGN}/attend.mlir -o ${out}/attend.llvm.mlir
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/mlir-translate --mlir-to-llvmir
      ${out}/attend.llvm.mlir -o ${out}/attend.ll
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/llc -O2 -filetype=obj
      -relocation-model=pic ${out}/attend.ll -o ${out}/attend.o
    DEPENDS ${FOREIGN}/attend.mlir ${ARG_DEPENDS} VERBATIM)
  add_executable(check ${FOREIGN}/check.c ${ARG_SOURCES} ${out}/attend.o)
  target_link_libraries(check PRIVATE m)
endfunction()
