-- Of the last request of one of their bearers: what mail, SMS and push are written in.
alter table account add column language text not null default 'en' check (language in ('en', 'fr'));
alter table admin add column language text not null default 'en' check (language in ('en', 'fr'));
