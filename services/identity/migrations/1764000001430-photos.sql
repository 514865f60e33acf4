-- Uploaded photos; FILES_URL is where the files are. A key leads to its photo while the photo is visible; the account's
-- `photo` is then `/api/photos/<key>`.

create table photo (
  key text primary key,
  account_id bigint not null references account,
  size bigint not null,
  state text not null default 'pending' check (state in ('pending', 'visible', 'removed')),
  changed_at timestamptz not null default app_now()
);
create unique index photo_visible on photo (account_id) where state = 'visible';
create index photo_cleaning on photo (state, changed_at) where state <> 'visible';
comment on column photo.state is 'Pending: its bytes are on their way. Removed: they are to be removed, then this row.';

create table upload_day (
  day date not null,
  owner_id bigint not null,
  files int not null,
  bytes bigint not null,
  primary key (day, owner_id)
);
comment on table upload_day is 'What a person has uploaded in a UTC day, whatever became of it.';
