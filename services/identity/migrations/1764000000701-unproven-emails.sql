-- An e-mail address is proven only by a code that was sent to it. It stays with the account unproven, without a key: so it
-- blocks nobody, and replicas of the release before find nobody by it either.

alter table account alter column email_key drop not null;
comment on column account.email_key is 'The e-mail as it is compared, unique; null while no code that was sent to it came back.';
comment on column registration.email_key is 'The address that the code proves: the key of an e-mail, or a phone number in E.164.';

-- Releases before sent the code of a phone account by SMS and by mail, and nobody knows which came back: their e-mail
-- counts as unproven. Nobody is locked out, as these accounts log in by SMS; who proves the address has it. A job of
-- this release takes the keys away, in steps, and tells the other services.
create table unproven_email (account_id bigint primary key references account on delete cascade);
insert into unproven_email select id from account where gauth_type = 'phone_number' and deleted_at is null;

-- For replicas of the release before, which still give new phone accounts a key; drop it when none is left.
create function follow_email_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then insert into unproven_email values (new.id);
  else delete from unproven_email where account_id = new.id;
  end if;
  return null;
end $$;
create trigger account_registered after insert on account for each row
  when (new.gauth_type = 'phone_number' and new.email_key is not null) execute function follow_email_key();
create trigger account_email_changed after update of email_key on account for each row execute function follow_email_key();

-- Submissions with different passwords were open for the address at once: its code sets none of them.
alter table registration add column contested boolean not null default false;
