# SPDX-License-Identifier: MIT
# An empty Debian in $work/system, for tests: source it after tap.sh. It requires
# root, debootstrap and a Debian mirror.

# debian_lacks: what is missing here; nothing if all is there.
debian_lacks() {
    for program in debootstrap unshare; do
        command -v $program >/dev/null || { echo "$program is not installed"; return; }
    done
    [ "$(id -u)" -eq 0 ] || echo "chroot requires root"
}

# debian_make RELEASE: an empty one, bookworm or trixie. If it fails, as without a
# mirror, the reason is in $lacks.
debian_make() {
    rm -rf --one-file-system "$work/system"
    debootstrap --variant=minbase "$1" "$work/system" >"$work/debootstrap.log" 2>&1 || {
        lacks="debootstrap, as without a mirror: $(tail -n 1 "$work/debootstrap.log")"
        return 1
    }
}

# inside COMMAND [UNSHARE-OPTION]: in the new system. Its /proc and its terminals are
# unmounted with the last process.
inside() {
    # shellcheck disable=SC2016
    unshare ${2:+"$2"} --mount --pid --fork --kill-child --mount-proc="$work/system/proc" \
        sh -c 'mount -t devpts -o newinstance,ptmxmode=666 devpts "$0/dev/pts" && exec "$@"' "$work/system" \
        chroot "$work/system" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        DEBIAN_FRONTEND=noninteractive sh -ec "$1"
}
