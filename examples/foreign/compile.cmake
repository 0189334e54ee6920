# compile_attend(OPT command... [SOURCE file.mlir] [DEPENDS files...]
#                [SOURCES files.c...])
# Compiles attend.mlir, or SOURCE, by a pipeline of mlir-opt or a tool like it, and
# makes an executable that checks the result. Needs find_package(Lattn).
set(FOREIGN ${CMAKE_CURRENT_LIST_DIR})

function(compile_attend)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "SOURCE" "OPT;DEPENDS;SOURCES")
  set(source ${FOREIGN}/attend.mlir)
  if(ARG_SOURCE)
    set(source ${ARG_SOURCE})
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR})
  add_custom_command(OUTPUT ${out}/attend.o
    COMMAND ${ARG_OPT} ${source} -o ${out}/attend.llvm.mlir
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/mlir-translate --mlir-to-llvmir
      ${out}/attend.llvm.mlir -o ${out}/attend.ll
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/llc -O2 -filetype=obj
      -relocation-model=pic ${out}/attend.ll -o ${out}/attend.o
    DEPENDS ${source} ${ARG_DEPENDS} VERBATIM)
  add_executable(check ${FOREIGN}/check.c ${ARG_SOURCES} ${out}/attend.o)
  target_link_libraries(check PRIVATE m)
endfunction()
