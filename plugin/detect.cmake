# The detect flavour's plug-in: its own sources and those of the controlled flavour (rows, names
# and hooks). LLVM declares a plug-in's entry weak, so the linker uses the first of the two: the
# order of the sources matters. The inline paths are compiled to bitcode by the clang that will
# load the plug-in, and embedded in it.
set(SM_PATHS_BITCODE ${CMAKE_CURRENT_BINARY_DIR}/detect_paths.bc)
add_custom_command(OUTPUT ${SM_PATHS_BITCODE}
  COMMAND ${SM_CLANG} -O2 -std=gnu17 -Wall -Wextra -Werror -fPIC -fno-plt -fno-stack-protector
          -I${CMAKE_SOURCE_DIR}
          -emit-llvm -c ${CMAKE_CURRENT_SOURCE_DIR}/fast/detect_paths.c -o ${SM_PATHS_BITCODE}
  DEPENDS fast/detect_paths.c ../native/cell.h ../native/paths.h ../native/history.h VERBATIM)

get_target_property(SM_PLUGIN_SOURCES stalemate_plugin SOURCES)
add_library(stalemate_detect_plugin MODULE
  detect_entry.cpp detect_calls.c detect_link.c detect_pass.c detect_skip.c detect_words.c detect_ranges.cpp detect_outline.cpp
  detect_before.cpp
  ${SM_PLUGIN_SOURCES})
set_source_files_properties(detect_link.c PROPERTIES
  OBJECT_DEPENDS ${SM_PATHS_BITCODE}
  COMPILE_DEFINITIONS "SM_PATHS_BITCODE=\"${SM_PATHS_BITCODE}\"")
foreach(property PREFIX C_STANDARD CXX_STANDARD CXX_STANDARD_REQUIRED C_VISIBILITY_PRESET
        CXX_VISIBILITY_PRESET LIBRARY_OUTPUT_DIRECTORY INCLUDE_DIRECTORIES COMPILE_DEFINITIONS
        COMPILE_OPTIONS)
  get_target_property(value stalemate_plugin ${property})
  set_target_properties(stalemate_detect_plugin PROPERTIES ${property} "${value}")
endforeach()
target_include_directories(stalemate_detect_plugin SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
