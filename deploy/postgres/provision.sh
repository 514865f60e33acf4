#!/bin/sh
# Creates the missing database, owner role and service role of each service, and sets the passwords. The owner migrates
# the schema; the service role may only read and write the tables of its own database. Mount it as an init script of the
# postgres image, or run it with psql's PGHOST, PGUSER and PGPASSWORD of a superuser, or of a role with CREATEDB and
# CREATEROLE:
#   IDENTITY_OWNER_PASSWORD=... IDENTITY_SERVICE_PASSWORD=... deploy/postgres/provision.sh identity
# IDENTITY_SERVICE_B_PASSWORD creates a second login, identity_service_b, which takes the service role when it connects.
# Switch between the two logins to change passwords without a pause.
set -eu
export PGOPTIONS='-c client_min_messages=warning'
export PGDATABASE="${POSTGRES_DB:-postgres}"
if [ -n "${POSTGRES_USER:-}" ]; then export PGUSER="$POSTGRES_USER"; fi

required() { printenv "$1" || { echo "$1 is not set" >&2; exit 1; }; }

for name in ${*:-identity wallet messaging calls}; do
  upper=$(printf %s "$name" | tr '[:lower:]' '[:upper:]')
  owner_password=$(required "${upper}_OWNER_PASSWORD")
  service_password=$(required "${upper}_SERVICE_PASSWORD")
  login_b=$(printenv "${upper}_SERVICE_B_PASSWORD") || login_b=
  # Passes passwords in the environment, because every user can read command lines.
  OWNER_PASSWORD="$owner_password" SERVICE_PASSWORD="$service_password" LOGIN_B="$login_b" \
    psql -X -q -v ON_ERROR_STOP=1 -v name="$name" -v owner="${name}_owner" -v service="${name}_service" \
    -v b="${name}_service_b" -v has_b="$([ -n "$login_b" ] && echo true || echo false)" <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
select format('create role %I login', role) from unnest(array[:'owner', :'service']) role
where not exists (select from pg_roles where rolname = role) \gexec
alter role :"owner" password :'owner_password';
alter role :"service" password :'service_password';
-- Session settings in the role, because a pooler does not pass on those of its clients; times in milliseconds.
alter role :"service" set "TimeZone" = 'UTC';
alter role :"service" set statement_timeout = '5000';
alter role :"service" set lock_timeout = '2000';
alter role :"service" set idle_in_transaction_session_timeout = '10000';
\if :has_b
\getenv login_b LOGIN_B
select format('create role %I login', :'b') where not exists (select from pg_roles where rolname = :'b') \gexec
alter role :"b" password :'login_b';
grant :"service" to :"b";
alter role :"b" set role to :"service";
alter role :"b" set "TimeZone" = 'UTC';
alter role :"b" set statement_timeout = '5000';
alter role :"b" set lock_timeout = '2000';
alter role :"b" set idle_in_transaction_session_timeout = '10000';
\endif
-- A caller that is not a superuser must be a member of the owner role to create its database.
select format('grant %I to current_user', :'owner')
where not exists (select from pg_roles where rolname = current_user and rolsuper) \gexec
select format('create database %I owner %I encoding ''UTF8'' template template0', :'name', :'owner')
where not exists (select from pg_database where datname = :'name') \gexec
\connect :"name"
set role :"owner";
revoke all on database :"name" from public;
grant connect on database :"name" to :"service";
alter schema public owner to :"owner";
grant usage on schema public to :"service";
alter default privileges for role :"owner" in schema public grant select, insert, update, delete on tables to :"service";
alter default privileges for role :"owner" in schema public grant usage on sequences to :"service";
alter default privileges for role :"owner" in schema public grant execute on functions to :"service";
create extension if not exists pg_trgm;
create extension if not exists unaccent;
SQL
done
psql -X -q -v ON_ERROR_STOP=1 <<'SQL'
-- Only a superuser can do this; on a managed server that is the provider's administrator.
select 'revoke connect, temporary on database postgres, template1 from public'
where (select rolsuper from pg_roles where rolname = current_user) \gexec
SQL
