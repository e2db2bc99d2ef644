#!/bin/sh
# An installation has all its parts, and works where it was not built for.
. "$(dirname "$0")/common.sh"
build=$bin/..

cmake --install "$bin/.." --prefix "$PWD/first" >install.log 2>&1 || { cat install.log; fail install; }
mv first moved
for file in bin/stalemate bin/stalemate-cc bin/stalemate-c++ lib/stalemate/libstalemate_rt.so \
    lib/stalemate/stalemate_plugin.so include/stalemate.h share/man/man1/stalemate.1 \
    share/man/man1/stalemate-hunt.1 share/bash-completion/completions/stalemate \
    share/zsh/site-functions/_stalemate; do
    [ -e "moved/$file" ] || fail "$file is not installed"
done
PKG_CONFIG_PATH=$PWD/moved/lib/pkgconfig pkg-config --cflags stalemate >flags || fail "pkg-config"

bin=$PWD/moved/bin
quiet "$bin/stalemate-cc" -pthread "$here/sources/hello.c" "$here/sources/worker.c" -o hello
runs 10 ./hello

# make uninstall removes what was installed, and nothing else
cmake --install "$build" --prefix "$PWD/second" >install.log 2>&1 || { cat install.log; fail install; }
mkdir -p second/bin && echo kept >second/bin/other
cp "$build/install_manifest.txt" manifest
"$here/../../scripts/uninstall.sh" manifest || fail "uninstall"
left=$(find second -type f -o -type l)
[ "$left" = second/bin/other ] || fail "uninstall leaves: $left"
[ -z "$(find second -name 'stalemate*')" ] || fail "uninstall leaves directories"
"$here/../../scripts/uninstall.sh" manifest || fail "uninstall twice"
"$here/../../scripts/uninstall.sh" no-manifest 2>errors && fail "uninstall of nothing"
grep -q "nothing was installed" errors || fail "uninstall does not say why"
