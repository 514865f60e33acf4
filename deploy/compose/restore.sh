#!/bin/sh
# Brings back what deploy/compose/backup.sh copied, and deletes everything that is there now, the streams included:
# deploy/compose/restore.sh backup.tar
set -eu
archive=${1:?usage: deploy/compose/restore.sh <archive>}
case $archive in /*) ;; *) archive=$PWD/$archive ;; esac
cd "$(dirname "$0")/../.."
# Read to its end before anything is deleted: a copy that was cut brings nothing back.
tar -tf "$archive" postgres/ files/ > /dev/null
docker compose down --volumes
docker compose run --rm --no-deps -T copy -xp < "$archive"
docker compose up --wait postgres
# What was sent shortly before the copy may not have arrived; consumers skip what they know.
for name in identity wallet messaging calls; do
  docker compose exec -T postgres psql -q -U postgres -d "$name" -c \
    "update outbox set sent_at = null where sent_at > now() - interval '14 days' and subject like 'events.%'"
done
docker compose up --wait
