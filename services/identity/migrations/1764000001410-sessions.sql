-- What a login was made by and from where, for the list of sessions; unknown of logins that the release before made.

alter table token add column user_agent text not null default '';
alter table token add column address text not null default '';
