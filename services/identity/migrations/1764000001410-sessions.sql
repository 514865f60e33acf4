-- Device and address of a login, for the list of sessions; unknown for logins at the previous release.

alter table token add column user_agent text not null default '';
alter table token add column address text not null default '';
