#!/bin/sh
# Installs Debian's PostgreSQL for `npm run test:redis` where there is none. It is not started as a service.
set -eu
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 && exit 0
command -v postgres >/dev/null && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo 'postgres is missing: install PostgreSQL 13 or newer (https://www.postgresql.org/download) and put it on the PATH' >&2
  exit 1
fi
sh "$(dirname "$0")/../helpers/update-packages.sh"
# Debian starts the service of a package as it is installed; 101 forbids that for this run.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
trap 'rm -f /usr/sbin/policy-rc.d' EXIT
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql
