-- The relay of the last release reads the outbox by outbox_next and outbox_urgent.
drop function outbox_pending;
