#!/bin/sh
# Runs an AppImage, or a Debian package, on a film where there is nothing but the base of Debian 11, so without Python.
# Run as root:   sh release/debian11/try.sh HAND-OUT FILM OUT [ROOT]
# Masks and background come to lie in OUT, to be compared with those of the sources.
set -e
HANDOUT=$1 FILM=$2 OUT=$3 ROOT=${4:-build/bare11}
mkdir -p "$ROOT"
[ -d "$ROOT/usr" ] && [ ! -d "$ROOT/debootstrap" ] || debootstrap --variant=minbase bullseye "$ROOT" http://deb.debian.org/debian
mountpoint -q "$ROOT/proc" || mount -t proc proc "$ROOT/proc"
trap 'umount "$ROOT/proc"' EXIT
rm -rf "$ROOT/trial"
mkdir -p "$ROOT/trial/home"
cp "$HANDOUT" "$FILM" "$ROOT/trial"
within() { env -i HOME=/trial/home PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$ROOT" "$@"; }
if within /bin/sh -c 'command -v python3 || command -v python'; then
    echo "There is a Python in $ROOT; name a folder that debootstrap has not filled yet." >&2
    exit 1
fi
case $HANDOUT in
*.deb)
    within dpkg --install "/trial/$(basename "$HANDOUT")"
    START=cleanplate
    ;;
*) START="/trial/$(basename "$HANDOUT") --appimage-extract-and-run" ;; # There is no FUSE.
esac
# shellcheck disable=SC2086
within $START run "/trial/$(basename "$FILM")" -o /trial/out --save mask,background --format mkv --quiet --json
[ -n "$(find "$ROOT/trial/home" -name '*.nbc')" ] || { echo 'The kernels that were compiled are not kept.' >&2; exit 1; }
mkdir -p "$OUT"
cp "$ROOT"/trial/out/*.mkv "$OUT"
sha256sum "$OUT"/*.mkv
