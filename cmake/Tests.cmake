# opl_test(NAME LABEL [TARGETS...]): the cmocka program test_NAME.c of this folder as the ctest test
# FOLDER/NAME, so that tests/lib/test_merkle.c is `lib/merkle`.
function(opl_test name label)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" target "test_${folder}_${name}")
    add_executable(${target} test_${name}.c)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests/support)
    target_compile_definitions(${target} PRIVATE
        SOURCE_DIR="${CMAKE_SOURCE_DIR}" BINARY_DIR="${CMAKE_BINARY_DIR}")
    target_link_libraries(${target} PRIVATE ${ARGN} opledger_lib PkgConfig::CMOCKA
        opledger_warnings opledger_sanitizers)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME ${folder}/${name} COMMAND ${target})
    set_tests_properties(${folder}/${name} PROPERTIES LABELS ${label} TIMEOUT 300)
endfunction()

# opl_script_test(SCRIPT LABEL [ARGS...]): a script of this folder as the ctest test FOLDER/SCRIPT
# (without its ending), told by its environment where sources and binaries are.
function(opl_script_test script label)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
    get_filename_component(stem ${script} NAME_WE)
    add_test(NAME ${folder}/${stem} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
    set_tests_properties(${folder}/${stem} PROPERTIES LABELS ${label} TIMEOUT 600
        ENVIRONMENT "SOURCE_DIR=${CMAKE_SOURCE_DIR};BINARY_DIR=${CMAKE_BINARY_DIR}")
endfunction()
