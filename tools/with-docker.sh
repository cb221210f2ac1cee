#!/usr/bin/env bash
# Runs a command with a Docker daemon at hand: the one that answers, else one of its own that ends with the command.
#   tools/with-docker.sh npx vitest run --project containers
# Where there can be none the command runs as well; the tests that need one read why in SWITCHYARD_NO_DOCKER.
set -euo pipefail

# A daemon is up within two seconds; one that cannot run says so sooner.
readonly START_SECONDS=30 STOP_SECONDS=20
readonly BRIDGE=/sys/class/net/docker0

answers() { timeout 5 docker version >/dev/null 2>&1; }

without() {
  echo "no Docker, tests that need it are skipped: $1" >&2
  export SWITCHYARD_NO_DOCKER="$1"
  shift
  exec "$@"
}

stop() {
  kill "$daemon" 2>/dev/null || true
  for ((i = 0; i < STOP_SECONDS * 10; i++)); do
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
  done
  kill -9 "$daemon" 2>/dev/null || true
  [[ $had_bridge == yes ]] || ip link delete docker0 2>/dev/null || true
  rm -rf "$folder"
}

command -v docker >/dev/null || without 'docker is not installed' "$@"
answers && exec "$@"
command -v dockerd >/dev/null || without 'no Docker daemon answers, and dockerd is not installed' "$@"
[[ $(id -u) == 0 ]] || without 'no Docker daemon answers, and only root can start one' "$@"

folder=$(mktemp -d -t sy-docker-XXXXXX)
[[ -e $BRIDGE ]] && had_bridge=yes || had_bridge=no
# No rules of its own: the tests make the networks that they use, which need none, and the machine's firewall, or that
# of another daemon, stays as it is. For the same reason the default network stays: without it dockerd would remove it.
dockerd --host "unix://$folder/docker.sock" --data-root "$folder/data" --exec-root "$folder/exec" \
  --pidfile "$folder/pid" --iptables=false >"$folder/log" 2>&1 &
daemon=$!
trap stop EXIT
export DOCKER_HOST="unix://$folder/docker.sock"
for ((i = 0; i < START_SECONDS * 10; i++)); do
  answers && break
  kill -0 "$daemon" 2>/dev/null || break
  sleep 0.1
done
if ! answers; then
  reason="dockerd does not start: $(grep -v level=info "$folder/log" | tail -1 | cut -c1-300)"
  stop
  trap - EXIT
  unset DOCKER_HOST
  without "$reason" "$@"
fi
"$@"
