#!/bin/sh
# Puts an llvmlite into an environment whose LLVM compiles for this processor alone: the wheel's compiles for two dozen,
# and is 115 MB larger. In Debian 11, as root, from build.sh:   sh release/debian11/llvmlite.sh /opt/cleanplate-build
#
# Debian 11 has no LLVM that is new enough, so the static libraries are Debian 13's, with its C++ library; what they ask
# of a newer C library is in newer_libc.c. The linker refuses what that does not name.
set -e
[ "$(uname -m)" = x86_64 ] || exit 0 # Elsewhere the wheel's stays.
VENV=$1
LLVM=22 # What llvmlite asks for: LLVMLITE_SUPPORTED_LLVM_VERSION_DEFAULT in its ffi/CMakeLists.txt.
GCC=14
HERE=$(readlink -f "$(dirname "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Of Debian 13 nothing is installed.
echo 'deb http://deb.debian.org/debian trixie main' >/etc/apt/sources.list.d/trixie.list
printf 'Package: *\nPin: release n=trixie\nPin-Priority: -1\n' >/etc/apt/preferences.d/trixie
apt-get -q update
sed -n '/^llvmlite==/,/[^\\]$/p' "$HERE/requirements.lock" >"$folder/llvmlite.lock"
cd "$folder"
apt-get -q download "llvm-$LLVM-dev/trixie" "libstdc++-$GCC-dev/trixie"
for package in ./*.deb; do dpkg-deb --extract "$package" debian; done
"$VENV/bin/pip" download --quiet --no-deps --no-build-isolation --no-binary :all: --require-hashes -r llvmlite.lock
mkdir source objects
tar xf llvmlite-*.tar.gz -C source --strip-components=1
grep -q "VERSION_DEFAULT $LLVM)" source/ffi/CMakeLists.txt || { echo "llvmlite asks for another LLVM than $LLVM." >&2; exit 1; }

# Which processors there are: each names functions that bring all of it along.
headers=debian/usr/include/llvm-$LLVM
sed -i -E '/^LLVM_[A-Z_]+\(/{/\(X86\)/!d}' "$headers"/llvm/Config/*.def
compile="g++ -std=c++17 -O2 -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -DNDEBUG -D_GNU_SOURCE \
-D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS -DLLVMLITE_LLVM_ASSERTIONS_STATE=0 \
-Wno-deprecated-declarations -I$headers -Idebian/usr/include/llvm-c-$LLVM"
find source/ffi -maxdepth 1 -name '*.cpp' | sort | xargs -P "$(nproc)" -I{} sh -c "$compile"' -c {} -o objects/$(basename {} .cpp).o'
gcc -O2 -fPIC -fvisibility=hidden -c "$HERE/newer_libc.c" -o objects/newer_libc.o

# The linker takes from the archives what is called; what nothing calls then goes too, and what is there twice.
find "debian/usr/lib/llvm-$LLVM/lib" -name 'libLLVM*.a' | sort >archives
# shellcheck disable=SC2046
g++ -shared -o libllvmlite.so $(ls objects/*.o) -Wl,--start-group $(cat archives) -Wl,--end-group \
    "-Ldebian/usr/lib/gcc/x86_64-linux-gnu/$GCC" -static-libstdc++ -Wl,--exclude-libs,ALL -Wl,-Bsymbolic \
    -Wl,--no-undefined -fuse-ld=gold -Wl,--gc-sections -Wl,--icf=safe -Wl,--as-needed -Wl,--build-id=none -lpthread -ldl -lz -l:libzstd.a -lm
"$VENV/bin/python" - libllvmlite.so <<'END'
import pathlib, shutil, sys, llvmlite
shutil.copy(sys.argv[1], pathlib.Path(llvmlite.__file__).parent / "binding" / "libllvmlite.so")
END
"$VENV/bin/python" -c 'import llvmlite.binding as b; print("llvmlite with LLVM", *b.llvm_version_info, b.get_host_cpu_name())'
