-- The clock of every rule, and what takes rights from the service's role: it has SELECT, INSERT, UPDATE and DELETE by
-- default, and history must stay as it was written.

create table app_clock (
  only_row boolean primary key default true check (only_row),
  shift interval not null
);
comment on table app_clock is 'Empty but in tests, where the owner may shift app_now(); the service''s role only reads it.';

create function app_now() returns timestamptz language sql volatile parallel safe
as $$ select clock_timestamp() + coalesce((select shift from app_clock), interval '0') $$;
comment on function app_now is 'The time that decides anything: read it after taking the lock.';

create function deny_service(_rights text, variadic _tables regclass[]) returns void language plpgsql
as $$
declare
  service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  -- An owner by another name has no service's role beside it.
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke %s on %s from %I', _rights, array_to_string(_tables, ', '), service_role);
  end if;
end $$;
comment on function deny_service is 'For migrations: takes rights on tables from the service''s role.';

select deny_service('insert, update, delete, truncate', 'app_clock', 'migrations');
