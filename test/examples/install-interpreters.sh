#!/bin/sh
# Installs Debian's packages of the interpreters that examples/other-languages needs, where one is missing.
set -eu
for command in php python3 curl openssl; do
  command -v "$command" >/dev/null || missing=1
done
[ -z "${missing:-}" ] && exit 0
sh "$(dirname "$0")/../helpers/update-packages.sh"
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends php-cli python3 curl openssl
