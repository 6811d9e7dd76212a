#!/bin/sh
# Installs Debian's HAProxy and nginx for the slow tests where there is none. Neither is started as a service.
set -eu
command -v haproxy >/dev/null && command -v nginx >/dev/null && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo 'haproxy or nginx is missing: install HAProxy 2.4 or newer, and nginx, and put them on the PATH' >&2
  exit 1
fi
sh "$(dirname "$0")/../helpers/update-packages.sh"
# Debian starts the service of a package as it is installed; 101 forbids that for this run.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
trap 'rm -f /usr/sbin/policy-rc.d' EXIT
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends haproxy nginx-light
