-- Language of the last request with one of the person's bearers: mail, SMS and push are written in it.
alter table account add column language text not null default 'en' check (language in ('en', 'fr'));
alter table admin add column language text not null default 'en' check (language in ('en', 'fr'));
