#!/bin/sh
# Installs Debian's databases for `npm run test:databases` where they are missing. None is started as a service.
set -eu
missing=''
needs() { command -v "$2" >/dev/null || ls "/usr/sbin/$2" /usr/lib/postgresql/*/bin/"$2" >/dev/null 2>&1 || missing="$missing $1"; }
needs postgresql postgres
needs pgbouncer pgbouncer
needs mariadb-server mariadbd
needs redis-server redis-server
[ -z "$missing" ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing:$missing: install PostgreSQL 13, PgBouncer, MariaDB 10.11 and Redis 6.2 or newer, and put them on the PATH" >&2
  exit 1
fi
sh "$(dirname "$0")/../helpers/update-packages.sh"
# Debian starts the service of a package as it is installed; 101 forbids that for this run.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
trap 'rm -f /usr/sbin/policy-rc.d' EXIT
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
