#!/bin/sh
# Makes the hand-outs for Linux in a bare Debian 11, as root: whoever has its C library (glibc 2.31) or a newer one can
# run them. The checkout lies in the working folder; the results come to lie in its dist/.
#
#   podman build -f release/debian11/Containerfile -o dist .        in a container
#   release/debian11/chroot.sh                                      in a folder made by debootstrap
#
# RUNTIME, in the environment, names the runtime of an AppImage: then one is made too.
set -e
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
PYTHON=/opt/python/bin/python3.11
VENV=/opt/cleanplate-build

# scripts/appimage.py asks as much, when all else is made.
if [ -n "$RUNTIME" ] && [ "$(head -c 11 "$RUNTIME" | tail -c 3)" != "$(printf 'AI\002')" ]; then
    echo "$RUNTIME is no runtime of an AppImage." >&2
    exit 2
fi

# The libraries that Qt loads go into the bundle, with the font for machines without any.
LIBRARIES="libdbus-1-3 libegl1 libfontconfig1 libfreetype6 libgl1 libglib2.0-0 libglx0 libopengl0 libx11-xcb1
    libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-render0
    libxcb-shape0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 libxcb-xinerama0 libxcb-xkb1 libxkbcommon-x11-0
    libwayland-cursor0 libwayland-egl1 libxkbcommon0 xkb-data fonts-dejavu-core fontconfig-config"
TOOLS="binutils ca-certificates dpkg-dev g++ gcc git libbz2-dev libc6-dev libffi-dev liblzma-dev libsqlite3-dev
    libssl-dev libzstd-dev make patchelf squashfs-tools xz-utils zlib1g-dev"

echo 'deb http://deb.debian.org/debian bullseye main
deb http://deb.debian.org/debian-security bullseye-security main
deb-src http://deb.debian.org/debian bookworm main' >/etc/apt/sources.list
apt-get -q update
# shellcheck disable=SC2086
apt-get -qy install --no-install-recommends $LIBRARIES $TOOLS

# Debian 11 has Python 3.9: the next release's is built from its source.
if ! $PYTHON -m pip --version 2>/dev/null; then # It is installed last.
    folder=$(mktemp -d)
    (
        cd "$folder"
        apt-get -q source --download-only python3.11
        tar xf python3.11_*.orig.tar.* --strip-components=1
        ./configure --quiet --prefix=/opt/python --enable-shared --disable-test-modules LDFLAGS=-Wl,-rpath,/opt/python/lib
        make --silent -j"$(nproc)"
        make --silent install
    )
    rm -rf "$folder"
fi
[ -x $VENV/bin/pip ] || $PYTHON -m venv $VENV
# Qt 6.9 is the last whose wheels run on glibc 2.31; all else is what requirements.lock names.
$VENV/bin/pip install --quiet --no-deps --require-hashes --only-binary=:all: -r release/debian11/requirements.lock
$VENV/bin/pip install --quiet --no-deps --no-build-isolation --force-reinstall .
sh release/debian11/llvmlite.sh $VENV
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -c safe.directory="$PWD" log -1 --format=%ct || true)}"
$VENV/bin/python scripts/bundle.py
$VENV/bin/python scripts/debian_package.py
[ -z "$RUNTIME" ] || $VENV/bin/python scripts/appimage.py --runtime "$RUNTIME"
