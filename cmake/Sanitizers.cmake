# Sanitizers on the project's own code; LLVM's libraries stay as they are, so
# container checks that need both sides instrumented are off.
if(LATTN_SANITIZER)
  # Compiled programs carry no type in front of a function, where `function`
  # looks for it: at the start of a page that is a crash.
  add_compile_options(-fsanitize=${LATTN_SANITIZER} -fno-omit-frame-pointer
    -fno-sanitize=vptr,function -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${LATTN_SANITIZER})
endif()
