# The target `product` is what ships, without tests and comparisons: all that `make demo` and
# `make install` need. Included when every folder has been added.

# sm_targets_below(DIRECTORY VARIABLE): the targets of the directory and of those below it.
function(sm_targets_below directory variable)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS below)
    sm_targets_below(${subdirectory} more)
    list(APPEND targets ${more})
  endforeach()
  set(${variable} ${targets} PARENT_SCOPE)
endfunction()

add_custom_target(product)
foreach(part IN LISTS SM_PARTS)
  if(NOT part MATCHES "^(tests|bench)$")
    sm_targets_below(${part} targets)
    if(targets) # verify/ adds its sources to the target of runtime/
      add_dependencies(product ${targets})
    endif()
  endif()
endforeach()
