#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs a build directory; no root is needed where the prefix is yours. DESTDIR is obeyed.
#   install.sh DIRECTORY PREFIX prefix|doca
# Layout `doca` is the tree that build files written for the vendor's SDK name by path.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$1 prefix=$2 layout=$3
case $layout in
prefix) libdir=lib ;;
doca) libdir=lib/$(gcc -print-multiarch 2>/dev/null || cc -dumpmachine) ;;
*)
	echo "install: LAYOUT is \"$layout\", but must be prefix or doca" >&2
	exit 1
	;;
esac
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac

# Our libraries carry the version node SDPU_PRIVATE; others of the same names are a real SDK's.
root=${DESTDIR:-}$prefix
for lib in "$root"/lib*/libdoca_*.so* "$root"/lib/*/libdoca_*.so*; do
	[ -f "$lib" ] || continue
	if ! grep -aq SDPU_PRIVATE "$lib"; then
		echo "install: $lib is not softdpu's: a real SDK is installed in $root." >&2
		echo "Nothing was changed. Choose another PREFIX, or remove that SDK first." >&2
		exit 1
	fi
done

configure() { meson configure "$dir" -Dprefix="$prefix" -Dlibdir="$1" -Dinstall_layout="$2"; }
configure "$libdir" "$layout"
scripts/build.sh "$dir"
meson install -C "$dir" --no-rebuild --quiet
configure lib prefix # as the tests of the build directory expect it
echo "Installed into $root. To use it:"
case $layout in
prefix) echo "    eval \"\$($root/bin/softdpu env)\"        (or: env --dpu)" ;;
doca) echo "    eval \"\$($root/tools/softdpu env)\"      (or: env --dpu)" ;;
esac
