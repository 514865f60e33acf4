-- Apps hear of a call's end after its last charge, or when that charge has to wait.
alter table call add column end_told boolean not null default true;
comment on column call.end_told is 'False while `call.ended` waits for the charge of the last steps.';
