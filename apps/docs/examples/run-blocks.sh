# Runs the files named on standard input, one per line, in one shell, and reports when each is done.
set -Eeuo pipefail
trap 'echo $LINENO >"$EXAMPLES_STATE/line"' ERR
while IFS= read -r block; do
  . "$block" </dev/null >"$block.out" 2>"$block.err"
  env -0 >"$EXAMPLES_STATE/environment"
  echo done >&3
done
