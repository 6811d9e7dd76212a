#!/bin/sh
# Installs Debian's packages of the interpreters that examples/other-languages and docs/other-languages.md need, where
# one is missing. A Python that has no Flask is left alone: the tests then take Debian's, /usr/bin/python3.
set -eu
for command in php python3 java javac curl openssl; do
  command -v "$command" >/dev/null || missing=1
done
php -r 'exit(extension_loaded("curl") && extension_loaded("pdo_sqlite") ? 0 : 1);' || missing=1
python3 -c 'import flask, requests' || /usr/bin/python3 -c 'import flask, requests' || missing=1
[ -z "${missing:-}" ] && exit 0
sh "$(dirname "$0")/../helpers/update-packages.sh"
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends php-cli php-curl php-sqlite3 \
  python3 python3-flask python3-requests default-jdk-headless curl openssl
