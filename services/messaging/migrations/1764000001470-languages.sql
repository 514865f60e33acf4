-- What a user's notifications are written in, as identity last told.
alter table device_copy add column language text not null default 'en';

-- What the notification is written in; rows of the release before are English.
alter table push add column language text not null default 'en';
