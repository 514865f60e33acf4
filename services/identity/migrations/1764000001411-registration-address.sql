-- A new code is asked for by the e-mail address of a submission, also where the code goes by SMS. Submissions of the release
-- before have none: they are found by the e-mail that their code proves.

alter table registration add column address_key text;
comment on column registration.address_key is 'The e-mail of the submission as it is compared.';
create index registration_address on registration (address_key);
