-- Sending is decided in TypeScript and uses none of these. They serve replicas of the release before: the next release
-- drops them, the functions first.
comment on function send_messages(jsonb, boolean) is 'For the release before; the next one drops it.';
comment on function send_messages(jsonb) is 'Called by no release that can still run; the next one drops it.';
comment on function iso is 'Used by send_messages alone; the next release drops it.';
