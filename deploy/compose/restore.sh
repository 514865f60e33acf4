#!/bin/sh
# Restores an archive of deploy/compose/backup.sh. Deletes all present data, including the streams:
# deploy/compose/restore.sh backup.tar
set -eu
archive=${1:?usage: deploy/compose/restore.sh <archive>}
case $archive in /*) ;; *) archive=$PWD/$archive ;; esac
cd "$(dirname "$0")/../.."
# Reads the whole archive before anything is deleted: a truncated one must not be restored.
tar -tf "$archive" postgres/ files/ > /dev/null
docker compose down --volumes
docker compose run --rm --no-deps -T copy -xp < "$archive"
docker compose up --wait postgres
# Sends recent events again: some may not have been consumed before the backup. Consumers skip duplicates.
for name in identity wallet messaging calls; do
  docker compose exec -T postgres psql -q -U postgres -d "$name" -c \
    "update outbox set sent_at = null where sent_at > now() - interval '14 days' and subject like 'events.%'"
done
docker compose up --wait
