-- An e-mail that its owner has not proven is shown to him and to administrators; `email` is empty then.
alter table user_copy add column unproven_email text;
