# SM_SANITIZE=address,undefined builds the parts that can live under a sanitizer: the driver,
# the checker, the reports and the unit tests. The runtime as a whole cannot (it interposes on
# what the sanitizers interpose on); its pure modules are compiled into their unit tests.
set(SM_SANITIZE "" CACHE STRING "sanitizers for the driver and the unit tests, or empty")

if(SM_SANITIZE)
  add_compile_options(-fsanitize=${SM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SM_SANITIZE})
  # As the sanitizers' manuals advise: less is optimised away before it is looked at.
  add_compile_options(-O1 -gline-tables-only)
  set(SM_PARTS base witness checker target campaign findings hunt syntax fix harness report commands tests)
else()
  set(SM_PARTS plugin base runtime verify native witness checker target campaign findings hunt syntax
      fix harness report commands man tests bench)
endif()
