#!/bin/sh
# Installs Debian's Chromium for `npx vitest run --project browser`, if it is missing.
set -eu
command -v chromium >/dev/null && exit 0
sh "$(dirname "$0")/../helpers/update-packages.sh"
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium
