# Compiler flags live in two interface targets and nowhere else.
add_library(opledger_warnings INTERFACE)
target_compile_options(opledger_warnings INTERFACE
    -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
    -Wwrite-strings -Wformat=2 -Wno-format-truncation -Wvla -Wundef
    -include ${CMAKE_SOURCE_DIR}/lib/banned.h)
target_compile_definitions(opledger_warnings INTERFACE
    _GNU_SOURCE OPLEDGER_VERSION="${PROJECT_VERSION}")

add_library(opledger_sanitizers INTERFACE)
if(OPLEDGER_SANITIZE)
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
elseif(OPLEDGER_TSAN)
    set(sanitize -fsanitize=thread)
elseif(OPLEDGER_COVERAGE)
    set(sanitize --coverage)
else()
    set(sanitize -fstack-protector-strong)
    target_compile_definitions(opledger_sanitizers INTERFACE
        $<$<CONFIG:Release,RelWithDebInfo>:_FORTIFY_SOURCE=2>)
endif()
if(OPLEDGER_FUZZ)
    list(APPEND sanitize -fsanitize=fuzzer-no-link)
endif()
target_compile_options(opledger_sanitizers INTERFACE ${sanitize})
target_link_options(opledger_sanitizers INTERFACE ${sanitize})
