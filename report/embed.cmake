# cmake -DOUT=FILE.c -DFILES=A;B -P embed.cmake: the files as C arrays sm_NAME_EXT, each with a
# NUL behind it.
set(text "/* Made by report/embed.cmake. */\n#include \"page.h\"\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "const char sm_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
