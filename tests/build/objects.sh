#!/bin/sh
# Ways to put a program together: all at once, by objects, archives, shared objects, plug-ins,
# with objects of other compilers, C and C++, at every -O.
. "$(dirname "$0")/common.sh"
s=$here/sources

for level in -O0 -O1 -O2 -O3 -Os -Og; do
    quiet "$cc" $level -pthread "$s/hello.c" "$s/worker.c" -o at_once
    runs 10 ./at_once
done

quiet "$cc" -c "$s/hello.c"
quiet "$cc" -g -O2 -c "$s/worker.c" -o worker.o
instrumented worker.o
quiet "$cc" hello.o worker.o -o by_objects -pthread
runs 10 ./by_objects

ar rc libworker.a worker.o
quiet "$cc" hello.o -L. -lworker -o by_archive -pthread
runs 10 ./by_archive

quiet "$cc" -fPIC -shared "$s/worker.c" -o libshared.so -pthread
quiet "$cc" hello.o -o by_shared -L. -lshared -Wl,-rpath,"$PWD" -pthread
runs 10 ./by_shared
quiet "$cc" "$s/plugin_user.c" -o by_dlopen -pthread -ldl
runs 10 ./by_dlopen ./libshared.so

gcc -c "$s/worker.c" -o foreign.o
quiet "$cc" hello.o foreign.o -o with_foreign -pthread
runs 10 ./with_foreign

quiet "$cxx" "$s/hello.cpp" worker.o -o in_cxx -pthread
runs 10 ./in_cxx
quiet "$cxx" -c "$s/hello.cpp" -o hello_cxx.o
quiet "$cxx" -static-libgcc -static-libstdc++ hello_cxx.o worker.o -o static_lib -pthread
runs 10 ./static_lib
quiet "$cc" -fPIE -pie hello.o worker.o -o pie -pthread
runs 10 ./pie
quiet "$cc" -fno-pie -no-pie "$s/hello.c" "$s/worker.c" -o no_pie -pthread
runs 10 ./no_pie
