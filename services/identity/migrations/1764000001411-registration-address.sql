-- A new code is requested by a submission's e-mail address, also where the code is sent by SMS. Submissions of the
-- previous release have none: they are found by the e-mail that their code proves.

alter table registration add column address_key text;
comment on column registration.address_key is 'The e-mail of the submission as it is compared.';
create index registration_address on registration (address_key);
