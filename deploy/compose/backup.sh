#!/bin/sh
# Copies the four databases and the files into one consistent archive: deploy/compose/backup.sh backup.tar
# Stops all containers meanwhile. Keep .env with the archive: the databases need its secrets.
set -eu
archive=${1:?usage: deploy/compose/backup.sh <archive>}
case $archive in /*) ;; *) archive=$PWD/$archive ;; esac
cd "$(dirname "$0")/../.."
[ ! -e "$archive" ] || { echo "$archive exists already: choose another name" >&2; exit 1; }
umask 077
trap 'rm -f "$archive.part"; docker compose up --wait' EXIT
docker compose stop
docker compose run --rm --no-deps -T copy -c postgres files > "$archive.part"
mv "$archive.part" "$archive"
