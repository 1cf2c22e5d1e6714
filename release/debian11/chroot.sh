#!/bin/sh
# Makes the hand-outs for Linux without a container, of what is committed: in a Debian 11 that debootstrap unpacks.
# Run as root in the checkout:   [RUNTIME=FILE] release/debian11/chroot.sh [ROOT]        RUNTIME: see build.sh
set -e
ROOT=${1:-build/debian11}
mkdir -p "$ROOT"
# While debootstrap is at work, there is a folder of its own.
[ -d "$ROOT/usr" ] && [ ! -d "$ROOT/debootstrap" ] || debootstrap --variant=minbase --include=ca-certificates bullseye "$ROOT" http://deb.debian.org/debian
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
# Apart from those of Debian 11, which its packages write anew: a machine may trust more, such as a proxy's.
cp /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/trusted.crt"
mountpoint -q "$ROOT/proc" || mount -t proc proc "$ROOT/proc"
trap 'umount "$ROOT/proc"' EXIT
rm -rf "$ROOT/source"
mkdir -p "$ROOT/source" dist
git archive HEAD | tar -x -C "$ROOT/source"
[ -z "$RUNTIME" ] || cp "$RUNTIME" "$ROOT/source/runtime"
# Nothing else of this machine's environment counts there.
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root http_proxy="$http_proxy" https_proxy="$https_proxy" \
    PIP_CERT=/etc/ssl/trusted.crt SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" RUNTIME="${RUNTIME:+runtime}" \
    chroot "$ROOT" /bin/sh -c 'cd /source && sh release/debian11/build.sh'
cp -a "$ROOT"/source/dist/. dist/
