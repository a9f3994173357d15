#!/usr/bin/env bash
# The C kernels as a compiler and its sanitizers see them, and the install without a compiler.
# Usage: check_build.sh PYTHON, the Python of an environment that has gnbayes and what its tests need.
set -euo pipefail
python="$(realpath -s "$1")"
cd "$(dirname "$0")/../.."
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

echo "install without a compiler: NumPy serves"
mkdir "$folder/source"
cp -r pyproject.toml setup.py README.md LICENSE src "$folder/source"
rm -rf "$folder"/source/src/gnbayes/kernels/_native*.so "$folder"/source/src/*.egg-info
# A PATH with all programs but compilers.
mkdir "$folder/bin"
IFS=: read -ra places <<< "$PATH"
for place in "${places[@]}"; do
  for program in "$place"/*; do
    case "${program##*/}" in
    *cc* | *++* | *clang* | *cpp* | c89* | c99* | \*) ;;
    *) echo "$program" ;;
    esac
  done
done | xargs ln -sf -t "$folder/bin"
if PATH="$folder/bin" command -v cc gcc clang > /dev/null; then
  echo "a compiler was left in the PATH" >&2
  exit 1
fi
PATH="$folder/bin" "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder/without" "$folder/source"
(cd "$folder" && PYTHONPATH="$folder/without" "$python" -c '
import gnbayes
from sklearn.datasets import load_breast_cancer
assert "NumPy (the C kernels were not built" in gnbayes.kernels.describe(), gnbayes.kernels.describe()
clf = gnbayes.GeneralizedNB("gnb-a", n_bins=5, weighting=None, information="plug-in")
weight = clf.fit(*load_breast_cancer(return_X_y=True)).weight_
assert round(weight, 6) == 19.714312, weight
')

if ! command -v gcc > /dev/null || [ ! -e "$(gcc -print-file-name=libasan.so)" ]; then
  echo "no gcc with AddressSanitizer here: the kernels are not checked by it"
  exit 0
fi
echo "no compiler warning"
include="$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')"
flags=(-std=c11 -fPIC -shared -DPy_LIMITED_API=0x030B0000 "-I$include")
gcc "${flags[@]}" -O3 -Wall -Wextra -Wconversion -Werror src/gnbayes/kernels/*.c -o "$folder/plain.so"

echo "AddressSanitizer and UndefinedBehaviorSanitizer"
cp -r src "$folder/sanitized"
gcc "${flags[@]}" -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
  src/gnbayes/kernels/*.c -o "$folder/sanitized/gnbayes/kernels/_native.abi3.so"
# Python itself does not free all it has at its end, and its own allocator hides what the kernels do.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc GNBAYES_KERNELS=c PYTHONPATH="$folder/sanitized" \
  "$python" -m pytest -q -p no:cacheprovider -p no:xdist tests/counting/test_paths.py tests/kernels
